import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Real documents, sent to the built program by curl, give the same bytes as the Python reference.
@Suite(
    .enabled(if: HTTPCorpus.isThere, "needs the corpus: set CONVERT_CORPUS"),
    .enabled(if: HTTPCorpus.hasTools, "needs curl and python3"))
struct CorpusOverHTTPTests {
    @Test func `normalize gives the same as the reference`() throws {
        let server = try LiveServer()
        let directory = try TemporaryDirectory()
        let profile = try directory.write("profile.json", #"{"keys": "camelCase", "dates": "rfc3339"}"#)
        let reference = BuiltProgram.project + "/Tests/reference/convert_reference.py"
        for name in HTTPCorpus.names {
            let path = HTTPCorpus.directory + "/" + name
            let isLines = name.hasSuffix(".ndjson")
            let expected = try HTTPCorpus.run(
                "python3", [reference, "--profile", profile] + (isLines ? ["--ndjson"] : []), input: .file(path))
            #expect(expected.status == 0, "\(name): \(expected.errors)")
            let type = isLines ? "application/x-ndjson" : "application/json"
            let answer = try HTTPCorpus.run(
                "curl",
                [
                    "-sS", "--fail", "-H", "Content-Type: \(type)", "-H", "Accept: \(type)", "--data-binary",
                    "@" + path,
                    "http://\(server.address)/v1/normalize?keys=camelCase&dates=rfc3339",
                ])
            #expect(answer.status == 0, "\(name): \(answer.errors)")
            // The comparison is outside `#expect`, which would describe megabytes.
            let isSame = answer.output == expected.output
            #expect(isSame, "\(name)")
        }
    }
}

/// The documents and the programs that the test above needs.
enum HTTPCorpus {
    /// The folder of the corpus: `CONVERT_CORPUS`, or by default `shared/corpus` beside the project.
    static let directory =
        ProcessEnvironment.process["CONVERT_CORPUS"] ?? BuiltProgram.project + "/../shared/corpus"

    static let isThere = (try? InputFile(path: directory + "/twitter.json").readAll(maxBytes: 1 << 24)) != nil
    static let hasTools = ["curl", "python3"].allSatisfy { (try? run($0, ["--version"]).status) == 0 }

    static let names = [
        "payload_7944.json", "github_events.json", "twitter.json", "citm_catalog.json", "canada.json", "api_100.ndjson",
    ]

    /// Runs a program that `env` finds on the path.
    static func run(
        _ program: String, _ arguments: [String], input: ChildProcess.Input = .bytes([])
    ) throws -> ChildProcess.Outcome {
        let inherited = ["PATH", "HOME"].compactMap { name in ProcessEnvironment.process[name].map { (name, $0) } }
        return try ChildProcess(
            program: "/usr/bin/env", arguments: [program] + arguments,
            environment: Dictionary(uniqueKeysWithValues: inherited), input: input
        ).run()
    }
}
