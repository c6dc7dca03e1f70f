import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// `--framing` of `convert` and `minify`.
struct StreamFilterTests {
    private static func run(_ input: String, _ arguments: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(
            program: BuiltProgram.path, arguments: ["convert"] + arguments, input: .bytes(Array(input.utf8))
        ).run()
    }

    @Test func `the data of each event and each text of a sequence is converted`() throws {
        let events = try Self.run(
            ": c\n\nid: 1\ndata: {\"a_b\":\ndata: 1}\r\n\r\ndata: [DONE]\n\n", "--framing", "sse", "--keys", "camelCase"
        )
        #expect(events.status == 0 && events.text == ": c\n\nid: 1\ndata: {\"aB\":1}\r\n\r\ndata: [DONE]\n\n")
        #expect(events.errorLines == ["-: note: 1 event is not JSON and passed unchanged"])
        let texts = try Self.run("\u{1E}{\"a_b\":\n1}\n\u{1E}x\n\u{1E}y", "--framing", "seq", "--keys", "camelCase")
        #expect(texts.text == "\u{1E}{\"aB\":1}\n\u{1E}x\n\u{1E}y")
        #expect(texts.errorLines == ["-: note: 2 texts are not JSON and passed unchanged"])
        let lines = try Self.run(
            "{\"a_b\": 1}\n\n{\"a_b\": 2}", "--framing", "lines", "--keys", "camelCase", "--jobs", "2")
        #expect(lines.text == "{\"aB\":1}\n{\"aB\":2}\n" && lines.errors.isEmpty)
        #expect(try BuiltProgram.run("minify", "--framing=sse", input: "data: [ 1 ]\n\n").text == "data: [1]\n\n")
    }

    @Test func `an error has its line of the stream, and the events before it are written`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("p.json", #"{ "values": { "at": "/a", "as": "integer" } }"#)
        let input = "data: {\"a\":1}\n\n: c\rdata: {\ndata: \"a\": \"x\"}\n\ndata: {\"a\":2}\n\n"
        let outcome = try Self.run(input, "--framing", "sse", "-p", profile)
        #expect(outcome.status == 65 && outcome.text == "data: {\"a\":1}\n\n: c\r")
        #expect(outcome.errors.hasPrefix("-:5:12: badValue: "), "\(outcome.errors)")
        let skipped = try Self.run(input, "--framing", "sse", "-p", profile, "--on-error", "skip")
        #expect(skipped.status == 0 && skipped.text == "data: {\"a\":1}\n\n: c\r:\n\ndata: {\"a\":2}\n\n")
        #expect(skipped.errorLines == ["-: note: 1 bad record left out (badValue 1)"])
        let replaced = try Self.run(input, "--framing", "sse", "-p", profile, "--on-error", "null")
        #expect(replaced.text == "data: {\"a\":1}\n\n: c\rdata: null\n\ndata: {\"a\":2}\n\n")
    }

    @Test func `text that is not JSON passes, also if a rule refuses its beginning`() throws {
        let directory = try TemporaryDirectory()
        let texts = ["ping", "tick", "[DONE]", "42[1]", #"{"a":{"b":1},"#]
        let input = texts.map { "data: \($0)\n\n" }.joined()
        for rules in [
            #""require": ["/id", "/*/id"]"#, #""unwrap": "/data""#, #""values": { "at": "b", "as": "uuid" }"#,
        ] {
            let profile = try directory.write("p.json", "{ \(rules) }")
            for policy in [[], ["--on-error", "skip"], ["--on-error", "null"]] {
                let outcome = try ChildProcess(
                    program: BuiltProgram.path, arguments: ["convert", "--framing", "sse", "-p", profile] + policy,
                    input: .bytes(Array(input.utf8))
                ).run()
                #expect(outcome.status == 0 && outcome.text == input, "\(rules) \(policy): \(outcome.errors)")
                #expect(outcome.errorLines == ["-: note: 5 events are not JSON and passed unchanged"])
            }
            // A scalar is JSON, and so is an object that the rules refuse.
            for json in ["42", #"{"a":{"b":1}}"#] where rules.contains("require") {
                #expect(try Self.run("data: \(json)\n\n", "--framing", "sse", "-p", profile).status == 65)
            }
        }
    }

    @Test func `a profile that withholds data passes no text`() throws {
        let directory = try TemporaryDirectory()
        let profile = try directory.write("p.json", #"{ "drop": "/s" }"#)
        let input = "x: secret\ndata: {\"s\":1}\n\ndata: secret\n\n"
        let outcome = try Self.run(input, "--framing", "sse", "-p", profile)
        #expect(outcome.status == 65 && outcome.text == ":\ndata: {}\n\n")
        #expect(outcome.errorLines == ["-:4:7: json: the data of an event must be a JSON object or array"])
        let skipped = try Self.run(input, "--framing", "sse", "-p", profile, "--on-error", "skip")
        #expect(skipped.status == 0 && skipped.text == ":\ndata: {}\n\n:\n\n")
        let sequence = try Self.run("\u{1E}{\"s\":1}\n\u{1E}{\"s\"\n", "--framing", "seq", "-p", profile)
        #expect(sequence.status == 65 && sequence.text == "\u{1E}{}\n")
        let mask = try directory.write("r.json", #"{ "values": { "at": "/s", "as": "mask" } }"#)
        #expect(try Self.run("data: x\n\n", "--framing", "sse", "-p", mask).status == 65)
    }

    @Test func `framings and formats that contradict each other are errors`() throws {
        for arguments in [
            ["--framing", "sse", "--ndjson"], ["--framing", "seq", "--input-format", "form"],
            ["--framing", "lines", "--input-format", "plist"], ["--framing", "x"], ["--framing", "sse", "--jobs", "2"],
            ["--framing", "sse", "--on-error", "skip", "--rejects", "/dev/null"],
        ] {
            let outcome = try ChildProcess(
                program: BuiltProgram.path, arguments: ["convert", "--keys", "camelCase"] + arguments, input: .bytes([])
            ).run()
            #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
        }
        #expect(
            try BuiltProgram.run("convert", "--keys=camelCase", "--framing=sse", "--input-format=json", input: "")
                .status == 0)
    }
}
