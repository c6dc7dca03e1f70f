import ConvertEngine
import ConvertProfiles
import TestSupport
import Testing

@testable import PayloadStreams

struct EventStreamTests {
    @Test func `each event's data is converted, and everything else stays`() throws {
        for row in EventStreamCase.all {
            let trial = try StreamTrial(.events, row.stream)
            #expect(trial.error == nil, "\(row.name)")
            #expect(trial.text == row.output, "\(row.name)")
            #expect(ReceivedEvent.all(in: trial.output) == row.events, "\(row.name)")
        }
    }

    @Test func `every split of every stream gives the same output`() throws {
        for text in EventStreamCase.all.map(\.stream) + [EventStreamCase.chat] {
            let bytes = Array(text.utf8)
            let whole = try StreamTrial(.events, [bytes])
            for cut in 0...bytes.count {
                let trial = try StreamTrial(.events, [Array(bytes[..<cut]), Array(bytes[cut...])])
                #expect(trial.output == whole.output && trial.steps == whole.steps, "\(text.debugDescription) \(cut)")
            }
            let single = try StreamTrial(.events, bytes.map { [$0] })
            #expect(single.output == whole.output && single.steps == whole.steps, "\(text.debugDescription)")
        }
    }

    @Test func `a chat completion is converted up to its end mark`() throws {
        let trial = try StreamTrial(.events, EventStreamCase.chat)
        let events = ReceivedEvent.all(in: trial.output)
        #expect(events.count == 4 && events.last?.data == "[DONE]")
        #expect(events[1].data.contains(#""delta":{"content":"Gr\u00fc\u00dfe, \"Ada\""},"finishReason":null"#))
        #expect(events[2].data.hasSuffix(#""usage":{"promptTokens":9}}"#))
        #expect(trial.text.hasPrefix(": keep-alive\n\ndata: {\"id\":\"chatcmpl-1\","))
    }

    @Test func `an event is written at its empty line, and a comment at its line's end`() throws {
        for (stream, early) in [
            ("data:{\"a_b\":1}\n\n", "data:{\"aB\":1}\n\n"), ("data:{\"a_b\":1}\r\r", "data:{\"aB\":1}\r\r"),
            ("data:{\"a_b\":1}\r\n\r", "data:{\"aB\":1}\r\n\r"), (": ping\n", ": ping\n"), (":\r", ":\r"),
            ("data:{\"a_b\":1}\n", ""), ("data:{\"a_b\":1}\n\r\ndata:1\n", "data:{\"aB\":1}\n\r\n"),
        ] {
            #expect(
                try StreamTrial(.events, [Array(stream.utf8), []]).early == early.utf8.count,
                "\(stream.debugDescription)")
        }
    }

    @Test func `only the listed events are converted, and an event without a name is a message`() throws {
        let stream =
            "event: a\ndata: {\"a_b\":1}\n\ndata: {\"a_b\":2}\nevent: b\n\ndata: {\"a_b\":3}\n\nevent:\ndata: {\"a_b\":4}\n\n"
        for (names, converted) in [
            (["a"], [1]), (["b"], [2]), (["message"], [3, 4]), (["a", "message"], [1, 3, 4]), (["A"], []),
        ] {
            let trial = try StreamTrial(.events, stream, StreamRule(only: names.map { Array($0.utf8) }))
            var expected = stream
            for number in converted { expected = expected.replacing("a_b\":\(number)", with: "aB\":\(number)") }
            #expect(trial.text == expected, "\(names)")
            #expect(trial.steps == (1...4).map { converted.contains($0) ? .payload : .passed }, "\(names)")
        }
    }

    @Test func `a route that withholds passes no text, comment or unknown field`() throws {
        let rule = StreamRule(passes: [Array("[DONE]".utf8)], withholds: true)
        let stream =
            ": secret\n\nid: 1\nevent: x\nretry: 5\nother: secret\nsecret\n:secret\ndata: {\"a\":1,\ndata: \"s\":\"secret\"}\n\ndata: [DONE]\n\ndata:\n\n"
        let trial = try StreamTrial(.events, stream, rule, profile: #"{ "drop": "/s" }"#)
        #expect(trial.error == nil)
        #expect(trial.text == ":\n\nid: 1\nevent: x\nretry: 5\n:\n:\n:\ndata: {\"a\":1}\n\ndata: [DONE]\n\ndata:\n\n")
        #expect(trial.steps == [.payload, .passed])
        for refused in [
            "secret", "\"secret\"", "[DONE]x", "[DONE", "[DONE]\ndata: ", "{\"s\":\"secret\"", "{} x", "12",
        ] {
            let trial = try StreamTrial(
                .events, "data: {\"s\":1}\n\ndata: \(refused)\n\n", rule, profile: #"{ "drop": "/s" }"#)
            #expect(trial.error?.code == .json, "\(refused)")
            #expect(trial.text == "data: {}\n\n", "\(refused)")
        }
    }

    @Test func `a bad record becomes a comment`() throws {
        let profile = #"{ "values": { "at": "/a", "as": "integer" }, "records": { "onError": "skip" } }"#
        let trial = try StreamTrial(
            .events, "id: 1\rdata: {\"a\":\ndata: \"x\"}\n\ndata: {\"a\":\"1\"}\n\n", profile: profile)
        #expect(trial.text == "id: 1\r:\n\ndata: {\"a\":1}\n\n")
        #expect(ReceivedEvent.all(in: trial.output) == [ReceivedEvent("{\"a\":1}", id: "1")])
    }

    @Test func `an error has its position in the stream`() throws {
        let profile = #"{ "values": { "at": "/a", "as": "integer" } }"#
        for (stream, line, column) in [
            ("data: {\"a\":\"x\"}\n\n", 1, 12), ("\u{FEFF}data:{\"a\":\"x\"}\n\n", 1, 14),
            (": c\r\n\r\nid: 1\rdata: {\ndata: \"a\":\r\n:\ndata:  \"x\"}\n\n", 7, 8),
        ] {
            for pieces in [[Array(stream.utf8)], stream.utf8.map { [$0] }] {
                let error = try #require(try StreamTrial(.events, pieces, profile: profile).error)
                #expect(error.code == .badValue)
                #expect((error.line, error.column) == (line, column), "\(stream.debugDescription): \(error)")
                #expect(Array(stream.utf8)[error.offset] == UInt8(ascii: "\""), "\(stream.debugDescription)")
            }
        }
    }

    @Test func `an event beyond the limit is an error, and the events before it are written`() throws {
        let long = "data: {\"a\":\"\(String(repeating: "x", count: 100))\"}\n\n"
        for size in [1, 7, 1000] {
            let bytes = Array("data: {}\n\n\(long)".utf8)
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            let trial = try StreamTrial(.events, pieces, maxUnitBytes: 64)
            #expect(trial.error?.code == .limit)
            #expect(trial.error?.message == "an event is longer than 64 bytes")
            #expect(trial.text == "data: {}\n\n")
            #expect(try StreamTrial(.events, pieces, maxUnitBytes: long.utf8.count).error == nil)
        }
    }

    @Test func `random streams reach the client with the same events`() throws {
        var random = SeededGenerator(seed: 20_261_126)
        let parts = [
            "data", "data:", "data: ", "id: 1", "event: x", ": c", "{\"a_b\":1}", "{", "}", "1", "\n", "\r", "\r\n",
            "\n\n", "\r\r", "x",
            "\u{FEFF}", " ", "[DONE]",
        ]
        let plan = try Profile(parsing: Array(StreamTrial.profile.utf8)).compile(.forward)
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 1...14, using: &random)).map { _ in parts.randomElement(using: &random)! }
                .joined()
            let bytes = Array(text.utf8)
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let trial = try StreamTrial(.events, [Array(bytes[..<cut]), Array(bytes[cut...])])
            let expected = ReceivedEvent.all(in: bytes).map { event in
                var event = event
                // Line feeds in strings are errors in both, and blank data stays unchanged. A byte order mark may begin a document, but
                // not data, which is in the middle of a document.
                guard !event.data.unicodeScalars.starts(with: ["\u{FEFF}"]) else { return event }
                if let output = try? plan.convert(event.data), event.data.contains(where: { !$0.isWhitespace }) {
                    event.data = output
                }
                return event
            }
            #expect(
                trial.error == nil && ReceivedEvent.all(in: trial.output) == expected, "\(text.debugDescription) \(cut)"
            )
            #expect(try StreamTrial(.events, [bytes]).output == trial.output)
        }
    }
}
