import ConvertCore
import FoundationEssentials
import Testing

/// The built program converts real documents to the same bytes as the reference.
@Suite(
    .enabled(if: ConformanceFiles.hasCorpus, "needs the corpus: set CONVERT_CORPUS"),
    .enabled(if: PythonReference.isAvailable, "needs python3"),
    .enabled(if: BuiltProgram.isReady, "needs the built convert-server"))
struct CommandLineCorpusTests {
    private static let names = [
        "payload_7944.json", "github_events.json", "twitter.json", "citm_catalog.json", "canada.json", "api_100.ndjson",
    ]

    @Test func `the shorthand options convert a file like the reference`() throws {
        for name in Self.names {
            let path = ConformanceFiles.corpus + "/" + name
            let payload = try ConformanceFiles.bytes(path)
            let lines = name.hasSuffix(".ndjson")
            let expected = try PythonReference.convert(
                payload, profile: #"{"keys": "camelCase", "dates": "rfc3339"}"#, lines: lines)
            let options = ["convert", "--keys", "camelCase", "--dates", "rfc3339"] + (lines ? ["--ndjson"] : [])
            let fromFile = try PythonReference.run(program: BuiltProgram.path, options + [path], input: [])
            #expect(fromFile.status == 0, "\(name): \(fromFile.complaint)")
            // The comparison is outside `#expect`, which would print megabytes.
            let isSameFromFile = fromFile.output == expected
            #expect(isSameFromFile, "\(name)")
            let fromInput = try PythonReference.run(program: BuiltProgram.path, options + ["-"], input: payload)
            let isSameFromInput = fromInput.output == expected
            #expect(isSameFromInput, "\(name) from standard input")
        }
    }

    @Test func `minify accepts valid text, and ends with exit code 65 for bad UTF-8`() throws {
        for (name, bytes) in try ConformanceFiles.documents(in: "json")
        where bytes.count < 1_000 && name.hasPrefix("n_utf8") {
            let result = try PythonReference.run(program: BuiltProgram.path, ["minify"], input: bytes)
            #expect(result.status == 65, "\(name): \(result.status)")
            #expect(result.complaint.contains("json"), "\(name): \(result.complaint)")
        }
        for (name, bytes) in try ConformanceFiles.documents(in: "json-minified") where name.hasPrefix("y_string") {
            let result = try PythonReference.run(program: BuiltProgram.path, ["minify"], input: bytes)
            #expect(result.status == 0 && result.output == bytes, "\(name): \(result.complaint)")
        }
    }
}
