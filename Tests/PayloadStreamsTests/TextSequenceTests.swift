import ConvertEngine
import ConvertFormats
import Testing

@testable import PayloadStreams

struct TextSequenceTests {
    private static let cases: [(stream: String, output: String, steps: [PayloadStream.Step])] = [
        ("\u{1E}{\"a_b\":1}\n\u{1E}{\"a_b\":2}\n", "\u{1E}{\"aB\":1}\n\u{1E}{\"aB\":2}\n", [.payload, .payload]),
        // Texts with several lines, and white space around them.
        ("\u{1E} {\n \"a_b\": [\n1, \"]}\\\"\"] }\r\n\n", "\u{1E} {\"aB\":[1,\"]}\\\"\"]}\r\n\n", [.payload]),
        ("\u{1E}12\n\u{1E}true\n\u{1E}\"x\"\n", "\u{1E}12\n\u{1E}true\n\u{1E}\"x\"\n", [.payload, .payload, .payload]),
        // Separators without a text, a text without its line feed, and a text that is cut off.
        (
            "\u{1E}\u{1E}{\"a_b\":1}\u{1E}{\"a_b\":\u{1E}{\"a_b\":3}",
            "\u{1E}\u{1E}{\"aB\":1}\u{1E}{\"a_b\":\u{1E}{\"aB\":3}", [.payload, .payload, .payload]
        ),
        // A number at the end may be cut off, so no white space is added.
        ("\u{1E}12", "\u{1E}12", [.payload]),
        // Text without a separator.
        ("{\"a_b\":1}\n {\"a_b\":2}\nx y\n", "{\"aB\":1}\n {\"aB\":2}\nx y\n", [.payload, .payload, .payload]),
        // Anything behind a value makes the text bad (RFC 7464 §2.1).
        (
            "\u{1E}{\"a_b\":1} x\n\u{1E}{\"a_b\":1}{\"a_b\":2} \n\u{1E}{\"a_b\":3}]\u{1E}{\"a_b\":4}",
            "\u{1E}{\"a_b\":1} x\n\u{1E}{\"a_b\":1}{\"a_b\":2} \n\u{1E}{\"a_b\":3}]\u{1E}{\"aB\":4}",
            [.payload, .payload, .payload, .payload]
        ),
        ("\u{1E}\"x\" {\"a_b\":1}\n", "\u{1E}\"x\" {\"a_b\":1}\n", [.payload]),
        ("\u{1E}{\"a_b\":\"\n\"}\n", "\u{1E}{\"a_b\":\"\n\"}\n", [.payload]),
        ("", "", []), ("\n \r\n", "\n \r\n", []), ("\u{1E}", "\u{1E}", []), ("\u{1E}]}\n", "\u{1E}]}\n", [.payload]),
    ]

    @Test func `each text of a sequence is converted, and everything around it stays`() throws {
        for row in Self.cases {
            let trial = try StreamTrial(.sequence, row.stream)
            #expect(trial.text == row.output && trial.steps == row.steps, "\(row.stream.debugDescription)")
        }
    }

    @Test func `every split of every sequence gives the same output`() throws {
        for row in Self.cases {
            let bytes = Array(row.stream.utf8)
            for cut in 0...bytes.count {
                let trial = try StreamTrial(.sequence, [Array(bytes[..<cut]), Array(bytes[cut...])])
                #expect(trial.text == row.output && trial.steps == row.steps, "\(row.stream.debugDescription) \(cut)")
            }
            #expect(try StreamTrial(.sequence, bytes.map { [$0] }).text == row.output, "\(row.stream.debugDescription)")
        }
    }

    @Test func `a text is written when the line feed after it has arrived`() throws {
        for (stream, early) in [
            ("\u{1E}{\"a_b\":\n1}\n", "\u{1E}{\"aB\":1}\n"), ("\u{1E}{\"a_b\":1}", ""), ("\u{1E}12\n", "\u{1E}12\n"),
            ("\u{1E}[\n", ""),
        ] {
            #expect(
                try StreamTrial(.sequence, [Array(stream.utf8), []]).early == early.utf8.count,
                "\(stream.debugDescription)")
        }
    }

    @Test func `a route that withholds refuses data that is not JSON, and discards bad records`() throws {
        let rule = StreamRule(withholds: true)
        for bad in ["{\"s\":\"secret\"", "secret", "{} x", "{\"a\":1} {\"a\":2}"] {
            let trial = try StreamTrial(
                .sequence, "\u{1E}{\"s\":1}\n\u{1E}\(bad)\n", rule, profile: #"{ "drop": "/s" }"#)
            #expect(trial.error?.code == .json, "\(bad)")
            #expect(trial.text == "\u{1E}{}\n", "\(bad)")
        }
        let skipping = #"{ "drop": "/s", "records": { "onError": "skip" } }"#
        let trial = try StreamTrial(.sequence, "\u{1E}x\n\u{1E}{\"s\":1,\"a\":1}\n", rule, profile: skipping)
        #expect(trial.text == "\u{1E}{\"a\":1}\n")
    }

    @Test func `an error has its position in the sequence`() throws {
        let profile = #"{ "values": { "at": "/a", "as": "integer" } }"#
        let stream = "\u{1E}{}\n\u{1E}{}\u{1E} {\n \"a\":\n  \"x\"}\n"
        let error = try #require(try StreamTrial(.sequence, stream, profile: profile).error)
        #expect((error.line, error.column) == (4, 3), "\(error)")
        #expect(Array(stream.utf8)[error.offset] == UInt8(ascii: "\""))
    }
}
