import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import Sockets

/// Event streams and JSON sequences on routes with `response.events`.
struct GatewayEventTests {
    private static func stage(
        _ events: String = "true", profile: String = GatewayStage.mobile, rule: String = "", root: String = ""
    ) throws -> GatewayStage {
        try GatewayStage(
            routes:
                #"{ "name": "live", "match": "/", "upstream": "shop", "response": { "profile": "mobile", "events": \#(events)\#(rule) } }"#,
            root: root, profiles: ["mobile": profile])
    }

    /// One event with its payload before and after the profile `mobile`.
    private static func event(_ number: Int) -> (before: String, after: String) {
        ("id: \(number)\ndata: {\"firstName\": \(number)}\n\n", "id: \(number)\ndata: {\"fn\":\(number)}\n\n")
    }

    /// A stream that waits at a gate before each piece, and is complete unless `isCut`.
    private static func gated(_ pieces: [String], gate: String = "e", isCut: Bool = false) -> BackendScript {
        var script = BackendScript.chunked([], type: "text/event-stream", ["ETag: \"x\""], isCut: true)
        for (index, piece) in pieces.enumerated() {
            script.steps += [.gate("\(gate)\(index)"), .send("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")]
        }
        if !isCut { script.steps.append(.send("0\r\n\r\n")) }
        return script
    }

    @Test func `each event is sent at its empty line, and the head before the first event`() throws {
        let stage = try Self.stage()
        let unused = try stage.askAdmin("/metrics").text
        #expect(unused.contains("\nconvert_stream_payloads_total{route=\"live\",result=\"converted\"} 0\n"))
        let events = (0..<3).map { Self.event($0) }
        // Each event arrives in two pieces.
        try stage.backend.script(
            Self.gated(
                events.flatMap { [String($0.before.dropLast(12)), String($0.before.suffix(12))] } + ["data: [DONE]\n\n"]
            ))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        let head = try client.head()
        #expect(head.status == 200 && head["Content-Type"] == "text/event-stream")
        #expect(head["Transfer-Encoding"] == "chunked" && head["Content-Length"] == nil)
        #expect(head["Convert-Status"] == "applied" && head["Vary"] == "Accept-Encoding")
        #expect(head["ETag"]?.hasPrefix("\"x~c") == true && head["Accept-Ranges"] == "none")
        for index in 0..<3 {
            try stage.backend.open(gate: "e\(2 * index)")
            try stage.backend.open(gate: "e\(2 * index + 1)")
            #expect(client.chunk() == events[index].after)
        }
        try stage.backend.open(gate: "e6")
        #expect(client.chunk() == "data: [DONE]\n\n")
        #expect(client.chunk() == "")
        let metrics = try stage.askAdmin("/metrics").text
        #expect(metrics.contains("\nconvert_stream_payloads_total{route=\"live\",result=\"converted\"} 3\n"))
        #expect(metrics.contains("\nconvert_stream_payloads_total{route=\"live\",result=\"not-json\"} 1\n"))
    }

    @Test func `each event can be decompressed as soon as it has arrived`() throws {
        let stage = try Self.stage()
        for coding in ContentCoding.applied {
            try stage.backend.script("/\(coding)", Self.gated((0..<3).map { Self.event($0).before }, gate: coding.name))
            let client = try stage.client()
            try client.send(HTTPText.message("GET /\(coding)", ["Accept-Encoding: \(coding.name)"]))
            #expect(try client.head()["Content-Encoding"] == coding.fieldValue)
            var coded: [UInt8] = []
            var expected = ""
            for index in 0..<3 {
                try stage.backend.open(gate: "\(coding.name)\(index)")
                expected += Self.event(index).after
                var text = ""
                while text.count < expected.count {
                    guard let piece = client.chunkBytes(), !piece.isEmpty else { break }
                    coded += piece
                    text = String(decoding: try PythonCoding.decode(beginning: coded, coding), as: UTF8.self)
                }
                #expect(text == expected, "\(coding)")
            }
        }
    }

    @Test func `a compressed stream of the backend is converted too`() throws {
        let stage = try Self.stage()
        let text = (0..<200).map { Self.event($0).before }.joined()
        try stage.backend.script(
            .response(
                bytes: try PythonCoding.encode(Array(text.utf8), .gzip), type: "text/event-stream",
                "Content-Encoding: gzip"))
        #expect(try stage.ask("GET /").text == (0..<200).map { Self.event($0).after }.joined())
    }

    @Test func `an error before the head is 502, and a later one resets the connection`() throws {
        let stage = try Self.stage(profile: #"{ "rename": { "a": "b" } }"#)
        let bad = "data: {\"a\":1,\"b\":1}\n\n"
        try stage.backend.script("/first", .response(200, bad, type: "text/event-stream"))
        let response = try stage.ask("GET /first")
        #expect(response.status == 502 && response.text.contains(#""code":"collision""#), "\(response.text)")
        #expect(response.text.contains(#""line":1,"column":14"#), "\(response.text)")
        try stage.backend.script("/later", Self.gated(["data: {\"a\":1}\n\n", bad], gate: "later"))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /later"))
        try stage.backend.open(gate: "later0")
        #expect(try client.head().status == 200)
        #expect(client.chunk() == "data: {\"b\":1}\n\n")
        try stage.backend.open(gate: "later1")
        #expect(client.rest().ending == .reset)
        // A stream that the backend cuts off.
        let pieces = ["data: {\"a\":1}\n\ndata: {", "\"a\":2"]
        try stage.backend.script("/cut", Self.gated(pieces, gate: "cut", isCut: true) + [.close])
        let other = try stage.client()
        try other.send(HTTPText.message("GET /cut"))
        try stage.backend.open(gate: "cut0")
        #expect(try other.head().status == 200)
        #expect(other.chunk() == "data: {\"b\":1}\n\n")
        try stage.backend.open(gate: "cut1")
        let rest = other.rest()
        #expect(rest.bytes.isEmpty && rest.ending == .reset)
    }

    @Test func `data that is not JSON passes, also if a rule refuses its beginning`() throws {
        for records in ["", #", "records": { "onError": "skip" }"#] {
            let stage = try Self.stage(profile: #"{ "require": ["/a", "/*/a"]\#(records) }"#)
            let texts = "data: ping\n\ndata: [DONE]\n\ndata: 42[1]\n\n"
            try stage.backend.script(.response(200, texts, type: "text/event-stream"))
            #expect(try stage.ask("GET /").text == texts)
            let metrics = try stage.askAdmin("/metrics").text
            #expect(metrics.contains("\nconvert_stream_payloads_total{route=\"live\",result=\"not-json\"} 3\n"))
        }
    }

    @Test func `bad records follow the profile, and data that is not JSON still passes`() throws {
        for (policy, left) in [("skip", "id: 1\n:\n\n"), ("null", "id: 1\ndata: null\n\n")] {
            let stage = try Self.stage(
                profile: #"{ "rename": { "a": "b" }, "records": { "onError": "\#(policy)" } }"#)
            try stage.backend.script(
                .response(
                    200, "data: {\"a\":1}\n\nid: 1\ndata: {\"a\":1,\"b\":1}\n\ndata: [DONE]\n\n",
                    type: "text/event-stream"))
            let client = try stage.client()
            try client.send(HTTPText.message("GET /", ["TE: trailers"]))
            let response = try client.finalResponse()
            #expect(try response.whole.text == "data: {\"b\":1}\n\n\(left)data: [DONE]\n\n")
            #expect(response.trailers.contains("Convert-Skipped-Records: 1"), "\(response.trailers)")
            #expect(response.trailers.contains("Convert-Skipped-Codes: collision;n=1"))
            #expect(waits { stage.accessLog.contains { $0.contains(#""skippedRecords":1"#) } })
            #expect(try stage.askAdmin("/metrics").text.contains("\nconvert_skipped_records_total 1\n"))
        }
    }

    @Test func `onError pass sends the stream unchanged, if its first event has an error`() throws {
        let stage = try Self.stage(profile: #"{ "rename": { "a": "b" } }"#, rule: #", "onError": "pass""#)
        let text = "data: {\"a\":1,\"b\":1}\n\ndata: {\"a\":1}\n\n"
        try stage.backend.script(.response(200, text, type: "text/event-stream"))
        let response = try stage.ask("GET /")
        #expect(response.text == text && response["Convert-Status"] == "skipped;error")
    }

    @Test func `an event beyond the limit of bodies is an error`() throws {
        let stage = try Self.stage(root: #""maxBodyBytes": 2000,"#)
        let long = "data: {\"firstName\":\"\(String(repeating: "x", count: 3000))\"}\n\n"
        try stage.backend.script("/", .response(200, long, type: "text/event-stream"))
        let response = try stage.ask("GET /")
        #expect(
            response.status == 502 && response.text.contains("an event is longer than 2000 bytes"), "\(response.text)")
        // The stream as a whole has no limit.
        let text = String(repeating: Self.event(1).before, count: 5000)
        try stage.backend.script("/many", .response(200, text, type: "text/event-stream"))
        #expect(try stage.ask("GET /many").text == String(repeating: Self.event(1).after, count: 5000))
    }

    @Test func `large events are converted in turns, also those whose objects are buffered`() throws {
        let stage = try Self.stage(
            profile:
                #"{ "rename": { "firstName": "fn" }, "move": { "/x/*/b": "/x/*/c/d" }, "output": { "sortKeys": true } }"#
        )
        let members = (0..<40_000).map { "\"k\($0)\":{\"b\":\($0)}" }.joined(separator: ",")
        let event = "data: {\"firstName\":1,\"x\":{\(members)}}\n\n"
        try stage.backend.script(.response(200, event + Self.event(1).before, type: "text/event-stream"))
        let text = try stage.ask("GET /").text
        #expect(text.hasPrefix("data: {\"fn\":1,\"x\":{\"k0\":{\"c\":{\"d\":0}},"))
        #expect(text.hasSuffix("}}}\n\n" + Self.event(1).after))
    }

    @Test func `other types, other statuses and other charsets are handled as without events`() throws {
        let stage = try Self.stage()
        let text = Self.event(1).before
        for (status, type, expected) in [
            (404, "text/event-stream", "skipped;status"), (200, "text/event-stream; charset=latin1", "skipped;charset"),
            (200, "text/plain", "skipped;type"), (200, "text/event-stream, text/plain", "skipped;type"),
        ] {
            try stage.backend.script(.response(status, text, type: type))
            let response = try stage.ask("GET /")
            #expect(response.text == text && response["Convert-Status"] == expected, "\(type)")
        }
        try stage.backend.script(.response(200, text, type: "Text/Event-Stream; charset=UTF-8"))
        #expect(try stage.ask("GET /").text == Self.event(1).after)
        try stage.backend.script(.response(200, "", type: "text/event-stream"))
        #expect(try stage.ask("GET /").text == "")
        try stage.backend.script(.chunked([], type: "text/event-stream", between: .sleep(200)))
        #expect(try stage.ask("GET /").text == "")
        try stage.backend.script(.response(200, GatewayStage.ada.before))
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        for type in ["application/json-seq", "application/geo+json-seq"] {
            try stage.backend.script(.response(200, "\u{1E}{\"firstName\":\n1}\n\u{1E}2\n", type: type))
            #expect(try stage.ask("GET /").text == "\u{1E}{\"fn\":1}\n\u{1E}2\n", "\(type)")
        }
    }

    @Test func `with noTransform ignore, a stream that forbids changes is converted, but not compressed`() throws {
        let event = Self.event(1)
        let fields = ["Cache-Control: no-cache, no-transform"]
        let rows: [(profile: String, rule: String, text: String, status: String)] = [
            (GatewayStage.mobile, "", event.before, "skipped;no-transform"),
            (GatewayStage.mobile, #", "noTransform": "ignore""#, event.after, "applied"),
            (#"{ "drop": "/firstName" }"#, #", "noTransform": "ignore""#, "id: 1\ndata: {}\n\n", "applied"),
        ]
        for row in rows {
            let stage = try Self.stage(profile: row.profile, rule: row.rule)
            try stage.backend.script(.chunked([event.before], type: "text/event-stream", fields))
            let response = try stage.ask("GET /", "Accept: text/event-stream", "Accept-Encoding: gzip")
            #expect(response.text == row.text && response["Convert-Status"] == row.status, "\(row)")
            #expect(
                response["Cache-Control"] == "no-cache, no-transform" && response["Content-Encoding"] == nil, "\(row)")
        }
    }

    @Test func `a stream that ends after its head is complete`() throws {
        let stage = try Self.stage()
        var script = Self.gated([])
        script.steps.insert(.sleep(300), at: 1)
        try stage.backend.script(script)
        let response = try stage.ask("GET /")
        #expect(response.status == 200 && response.text == "" && response["Convert-Status"] == "applied")
    }

    @Test func `only the listed events are converted`() throws {
        let stage = try Self.stage(#"{ "only": ["a", "message"] }"#)
        try stage.backend.script(
            .response(
                200,
                "event: a\ndata: {\"firstName\":1}\n\nevent: b\ndata: {\"firstName\":2}\n\ndata: {\"firstName\":3}\n\n",
                type: "text/event-stream"))
        #expect(
            try stage.ask("GET /").text
                == "event: a\ndata: {\"fn\":1}\n\nevent: b\ndata: {\"firstName\":2}\n\ndata: {\"fn\":3}\n\n")
        #expect(try stage.askAdmin("/metrics").text.contains("{route=\"live\",result=\"passed\"} 1\n"))
    }

    @Test func `a route that withholds passes no unconverted part of an event stream`() throws {
        let secret = "123-45-6789"
        let stage = try Self.stage(#"{ "pass": "[DONE]" }"#, profile: #"{ "drop": "/ssn" }"#)
        let object = "data: {\"ssn\": \"\(secret)\",\ndata: \"ok\": 1}\n\n"
        try stage.backend.script(
            .response(200, ": \(secret)\n\nid: 1\nx: \(secret)\n\(object)data: [DONE]\n\n", type: "text/event-stream"))
        #expect(try stage.ask("GET /").text == ":\n\nid: 1\n:\ndata: {\"ok\":1}\n\ndata: [DONE]\n\n")
        for (number, bad) in [
            "data: \(secret)\n\n", "data: \"\(secret)\"\n\n", "data: [DONE]\(secret)\n\n",
            "data: {\"ssn\":\"\(secret)\"\n\n",
            "data: {\"ssn\":\"\(secret)\"", "event: x\ndata: {}\(secret)\n\n",
        ].enumerated() {
            try stage.backend.script("/first", .response(200, bad, type: "text/event-stream"))
            let first = try stage.ask("GET /first")
            #expect(first.status == 502 && !first.text.contains(secret), "\(bad.debugDescription)")
            #expect(!first.text.contains("column") && first.text.contains(#""code":"json""#), "\(first.text)")
            try stage.backend.script("/later", Self.gated([object, bad], gate: "\(number)-"))
            let client = try stage.client()
            try client.send(HTTPText.message("GET /later"))
            try stage.backend.open(gate: "\(number)-0")
            #expect(try client.head().status == 200)
            #expect(client.chunk() == "data: {\"ok\":1}\n\n")
            try stage.backend.open(gate: "\(number)-1")
            let rest = client.rest()
            #expect(rest.ending == .reset && rest.bytes.isEmpty, "\(bad.debugDescription)")
        }
        let ends = [#""path":"/later""#, #""status":200,"code":"json""#, #""outcome":"aborted""#]
        #expect(
            waits { stage.accessLog.count { line in ends.allSatisfy(line.contains) } == 6 },
            "\(stage.accessLog)")
        for (type, accepted) in [
            ("text/event-stream; charset=latin1", false), ("text/event-stream; x", true), ("text/plain", false),
        ] {
            try stage.backend.script(.response(200, object, type: type))
            let response = try stage.ask("GET /")
            #expect(response.status == (accepted ? 200 : 502) && !response.text.contains(secret), "\(type)")
        }
    }

    @Test func `a withholding route requests only the stream types that the client accepts`() throws {
        let stage = try Self.stage(profile: #"{ "drop": "/ssn" }"#, rule: #", "pass": "text/*""#)
        try stage.backend.script(.response(200, "{}"))
        for (accept, asked) in [
            ("text/event-stream", "text/event-stream"),
            ("application/json, text/event-stream", "application/json, text/event-stream"),
            ("application/json-seq;q=0.5", "application/json-seq;q=0.5"),
            ("application/geo+json-seq", "application/geo+json-seq"),
        ] {
            #expect(try stage.forwarded("GET /", "Accept: \(accept)")["Accept"] == asked)
        }
        // `text/*` in `pass` does not mean event streams, which are converted.
        try stage.backend.script(.response(200, "data: {\"ssn\":1}\n\n", type: "text/event-stream"))
        #expect(try stage.ask("GET /").text == "data: {}\n\n")
        let silent = try Self.stage(profile: #"{ "drop": "/ssn" }"#)
        try silent.backend.script(.response(200, "{}"))
        for accept in ["*/*", "text/*"] {
            #expect(try silent.forwarded("GET /", "Accept: \(accept)")["Accept"] == "application/json")
        }
    }
}
