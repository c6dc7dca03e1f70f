import TestSupport
import Testing

/// Real documents, converted by the built program, have the same bytes as the output of the Python reference.
@Suite(
    .enabled(if: Corpus.isAvailable, "needs the corpus: set CONVERT_CORPUS"),
    .enabled(if: PythonReference.isAvailable, "needs python3"))
struct ProgramCorpusTests {
    private static let names = [
        "payload_7944.json", "github_events.json", "twitter.json", "citm_catalog.json", "canada.json", Corpus.lines,
    ]

    /// Compares the output of `convert` with the reference, for each document.
    private func check(_ convert: (_ path: String, _ isLines: Bool) throws -> ChildProcess.Outcome) throws {
        for name in Self.names {
            let path = Corpus.path(name)
            let isLines = name == Corpus.lines
            let expected = try PythonReference.convert(
                .file(path), profile: #"{"keys": "camelCase", "dates": "rfc3339"}"#, lines: isLines)
            let outcome = try convert(path, isLines)
            #expect(outcome.status == 0, "\(name): \(outcome.errors)")
            // The comparison is outside `#expect`, which would print megabytes.
            let isSame = outcome.output == expected
            #expect(isSame, "\(name)")
        }
    }

    @Test func `the command converts a file like the reference`() throws {
        try check { path, isLines in try BuiltProgram.run(arguments: Self.arguments(path, isLines)) }
    }

    @Test func `the command converts its standard input like the reference`() throws {
        try check { path, isLines in
            try ChildProcess(
                program: BuiltProgram.path, arguments: Self.arguments("-", isLines), input: .file(path)
            ).run()
        }
    }

    private static func arguments(_ file: String, _ isLines: Bool) -> [String] {
        ["convert", "--keys", "camelCase", "--dates", "rfc3339"] + (isLines ? ["--ndjson"] : []) + [file]
    }

    @Test(.enabled(if: ChildProcess.isInstalled("curl"), "needs curl"))
    func `the server converts a body that curl sends like the reference`() throws {
        let server = try LiveServer()
        try check { path, isLines in
            let type = isLines ? "application/x-ndjson" : "application/json"
            return try ChildProcess(
                command: "curl",
                [
                    "-sS", "--fail", "-H", "Content-Type: \(type)", "-H", "Accept: \(type)", "--data-binary",
                    "@\(path)", "http://\(server.address)/v1/normalize?keys=camelCase&dates=rfc3339",
                ]
            ).run()
        }
    }
}
