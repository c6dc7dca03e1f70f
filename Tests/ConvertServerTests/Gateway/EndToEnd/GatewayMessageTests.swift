import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// WebSocket connections on routes with `messages`.
struct GatewayMessageTests {
    private typealias Frame = WebSocketFrameText

    private static let fields = [
        "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Extensions: permessage-deflate",
    ]
    private static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    private static let both =
        #""request": { "profile": "mobile", "direction": "inverse", "messages": true }, "response": { "profile": "mobile", "messages": true }"#
    private static let responseRule = #""response": { "profile": "mobile", "messages": true }"#
    private static let key: [UInt8] = [1, 2, 3, 4]

    private static func stage(
        _ rules: String = both, profile: String = GatewayStage.mobile, upstream: String = "", root: String = ""
    ) throws -> GatewayStage {
        try GatewayStage(
            routes: #"{ "name": "live", "match": "/", "upstream": "shop", "upgrade": "websocket", \#(rules) }"#,
            upstream: upstream, root: root, profiles: ["mobile": profile])
    }

    /// A client after the handshake. The backend sends these bytes after it, and then does the steps.
    private static func connect(
        _ stage: GatewayStage, _ frames: [UInt8] = [], _ steps: BackendScript.Step...
    ) throws -> GatewayClient {
        try stage.backend.script(BackendScript([.send(switching + "\r\n"), .sendBytes(frames)] + steps))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /live", fields))
        #expect(try client.head().status == 101)
        return client
    }

    private static func frames(_ client: GatewayClient, _ count: Int) -> [Frame] {
        (0..<count).compactMap { _ in
            var bytes = client.bytes(2)
            while !bytes.isEmpty, Frame.first(of: bytes[...]) == nil {
                let next = client.bytes(1)
                if next.isEmpty { return nil }
                bytes += next
            }
            return Frame.first(of: bytes[...])?.frame
        }
    }

    /// What the backend got after its request, once `condition` is true.
    private static func received(
        _ stage: GatewayStage, until condition: ([Frame], ScriptedBackend.Connection.State) -> Bool
    ) throws -> (frames: [Frame], state: ScriptedBackend.Connection.State) {
        var result: (frames: [Frame], state: ScriptedBackend.Connection.State) = ([], .open)
        _ = try waits {
            guard let connection = try stage.backend.connections.last else { return false }
            let end = connection.received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? 0
            result = (Frame.all(of: Array(connection.received[end...])) ?? [], connection.state)
            return condition(result.frames, result.state)
        }
        return result
    }

    @Test func `messages are converted in both directions, and no compression is negotiated`() throws {
        let stage = try Self.stage()
        let client = try Self.connect(
            stage,
            Frame(1, #"{"firstName": "Ad"#, isFinal: false).bytes + Frame(9, "p").bytes + Frame(0, #"a"}"#).bytes
                + Frame(2, "firstName").bytes + Frame(1, "hello").bytes, .hang)
        #expect(
            Self.frames(client, 4) == [
                Frame(9, "p"), Frame(1, GatewayStage.ada.after), Frame(2, "firstName"), Frame(1, "hello"),
            ]
        )
        let request = try stage.backend.lastRequest()
        #expect(request["Sec-WebSocket-Extensions"] == nil && request["Sec-WebSocket-Version"] == "13")
        let sent = [
            Frame(10, "p", key: Self.key), Frame(1, #"{"fn":1}"#, key: Self.key), Frame(closing: 1000, key: Self.key),
        ]
        for frame in sent { for byte in frame.bytes { try client.raw.send([byte]) } }
        let got = try Self.received(stage) { frames, _ in frames.count == 3 }
        #expect(got.frames.map(\.unmasked) == [Frame(10, "p"), Frame(1, #"{"firstName":1}"#), Frame(closing: 1000)])
        #expect(got.frames.allSatisfy { $0.key != nil } && got.frames[1].key != Self.key)
        let metrics = try stage.askAdmin("/metrics").text
        for (result, count) in [("converted", 2), ("not-json", 1), ("passed", 1)] {
            #expect(metrics.contains("convert_stream_payloads_total{route=\"live\",result=\"\(result)\"} \(count)\n"))
        }
    }

    @Test func `without messages in a direction, its messages pass unchanged`() throws {
        let stage = try Self.stage(Self.responseRule)
        let client = try Self.connect(stage, Frame(1, GatewayStage.ada.before).bytes, .hang)
        #expect(Self.frames(client, 1) == [Frame(1, GatewayStage.ada.after)])
        let frame = Frame(1, #"{"fn": 1}"#, key: Self.key)
        try client.raw.send(frame.bytes)
        #expect(try Self.received(stage) { frames, _ in frames == [frame] }.frames == [frame])
    }

    @Test func `an extension that the upstream chooses unasked is 502`() throws {
        let stage = try Self.stage()
        try stage.backend.script([
            .send("\(Self.switching)Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"), .hang,
        ])
        let response = try stage.exchange(HTTPText.message("GET /live", Self.fields))
        #expect(response.message.status == 502 && response.message.text.contains(#""code":"upstream-broken""#))
    }

    @Test func `an error closes both sides with a code, and both connections end cleanly`() throws {
        let rows: [(bytes: [UInt8], code: Int, reason: String)] = [
            (Frame(1, "{}", key: Self.key).bytes, 1002, "bad-frame"), ([0xC1, 0], 1002, "bad-frame"),
            ([0x09, 0], 1002, "bad-frame"), (Frame(1, #"{"firstName":1,"fn":2}"#).bytes, 1008, "collision"),
            (Frame(1, [0xFF]).bytes, 1007, "json"),
            (Frame(1, [UInt8](repeating: 32, count: 3000)).bytes, 1009, "limit"),
        ]
        for row in rows {
            let stage = try Self.stage(root: #""maxBodyBytes": 2000,"#)
            // The backend sends more than that, and closes when it gets the end.
            let client = try Self.connect(
                stage, Frame(1, GatewayStage.ada.before).bytes + row.bytes, .sendBytes(Frame(1, "late").bytes), .hang)
            let close = Frame(closing: row.code, row.reason)
            #expect(Self.frames(client, 2) == [Frame(1, GatewayStage.ada.after), close], "\(row)")
            try client.raw.send(Frame(closing: row.code, key: Self.key).bytes)
            let rest = client.rest()
            #expect(rest.bytes.isEmpty && rest.ending == .closed, "\(row)")
            client.raw.endSending()
            let got = try Self.received(stage) { _, state in state != .open }
            #expect(got.frames.map(\.unmasked) == [close] && got.frames[0].key != nil && got.state == .fin, "\(row)")
            #expect(
                waits {
                    stage.accessLog.contains { $0.contains("\"status\":101,\"code\":\"\(row.reason)\"") }
                })
        }
    }

    @Test func `an error of the client closes both sides too`() throws {
        for (frame, code, reason) in [
            (Frame(1, "{}"), 1002, "bad-frame"),
            (Frame(1, #"{"fn":1,"firstName":2}"#, key: Self.key), 1008, "collision"),
        ] {
            let stage = try Self.stage()
            // A frame of the upstream is unfinished, but it is part of a message that is converted.
            let client = try Self.connect(stage, Array(Frame(1, "{\"firstName\":1}").bytes.dropLast(2)), .hang)
            try client.raw.send(frame.bytes)
            #expect(Self.frames(client, 1) == [Frame(closing: code, reason)])
            #expect(client.rest().ending == .closed)
            let got = try Self.received(stage) { _, state in state != .open }
            #expect(got.frames.map(\.unmasked) == [Frame(closing: code, reason)] && got.state == .fin)
        }
    }

    @Test func `a peer that does not close is closed after a short time`() throws {
        let stage = try Self.stage(upstream: #""maxConnections": 1,"#)
        let client = try Self.connect(stage, [0xFF, 0], .gate("never"))
        #expect(Self.frames(client, 1) == [Frame(closing: 1002, "bad-frame")])
        #expect(client.rest().ending == .closed)
        #expect(try waits { try stage.ask("GET /other").status != 503 })
    }

    @Test func `onError and records decide about a message that cannot be converted`() throws {
        let bad = #"{"firstName":1,"fn":2}"#
        let passing = try Self.stage(#""onError": "pass", \#(Self.responseRule)"#)
        let client = try Self.connect(passing, Frame(1, bad).bytes + Frame(1, GatewayStage.ada.before).bytes, .hang)
        #expect(Self.frames(client, 2) == [Frame(1, bad), Frame(1, GatewayStage.ada.after)])
        for (policy, left) in [("skip", []), ("null", [Frame(1, "null")])] {
            let stage = try Self.stage(
                Self.responseRule,
                profile: #"{ "rename": { "firstName": "fn" }, "records": { "onError": "\#(policy)" } }"#)
            let client = try Self.connect(
                stage, Frame(1, bad).bytes + Frame(1, "hello").bytes + Frame(closing: 1000).bytes, .end, .hang)
            #expect(Self.frames(client, left.count + 2) == left + [Frame(1, "hello"), Frame(closing: 1000)])
            client.raw.endSending()
            #expect(waits { stage.accessLog.contains { $0.contains(#""skippedRecords":1"#) } })
            #expect(try stage.askAdmin("/metrics").text.contains("\nconvert_skipped_records_total 1\n"))
        }
    }

    @Test func `a route that withholds passes no unconverted message`() throws {
        let secret = "123-45-6789"
        let object = Frame(1, #"{"ssn": "\#(secret)", "ok": 1}"#)
        let rows: [(frames: [Frame], code: Int, reason: String)] = [
            ([Frame(2, secret)], 1003, "binary-message"), ([Frame(1, secret)], 1007, "json"),
            ([Frame(1, "\"\(secret)\"")], 1007, "json"), ([Frame(1, #"{"ssn":"\#(secret)""#)], 1007, "json"),
            ([Frame(1, "{}\(secret)")], 1007, "json"),
            ([Frame(2, "", isFinal: false), Frame(0, secret)], 1003, "binary-message"),
        ]
        for row in rows {
            let stage = try Self.stage(Self.responseRule, profile: #"{ "drop": "/ssn" }"#)
            let client = try Self.connect(stage, object.bytes + row.frames.flatMap(\.bytes), .hang)
            #expect(Self.frames(client, 2) == [Frame(1, #"{"ok":1}"#), Frame(closing: row.code, row.reason)], "\(row)")
            #expect(client.rest().bytes.isEmpty)
        }
        let stage = try Self.stage(Self.responseRule, profile: #"{ "drop": "/ssn" }"#)
        let client = try Self.connect(stage, Frame(closing: 1011, secret).bytes, .hang)
        #expect(Self.frames(client, 1) == [Frame(closing: 1011)])
        // Requests withhold nothing, so they pass.
        try client.raw.send(Frame(2, secret, key: Self.key).bytes)
        #expect(
            try Self.received(stage) { frames, _ in frames.count == 1 }.frames.map(\.unmasked) == [Frame(2, secret)])
    }

    @Test func `long messages are converted in turns, also those whose objects are buffered`() throws {
        let stage = try Self.stage(
            Self.responseRule,
            profile:
                #"{ "rename": { "firstName": "fn" }, "move": { "/x/*/b": "/x/*/c/d" }, "output": { "sortKeys": true } }"#
        )
        let members = (0..<40_000).map { "\"k\($0)\":{\"b\":\($0)}" }.joined(separator: ",")
        let client = try Self.connect(
            stage,
            Frame(1, "{\"firstName\":1,\"x\":{\(members)}}").bytes + Frame(1, GatewayStage.ada.before).bytes, .end,
            .hang)
        let frames = try #require(Frame.all(of: client.rest().bytes))
        let text = String(decoding: try #require(frames.first).payload, as: UTF8.self)
        #expect(text.hasPrefix("{\"fn\":1,\"x\":{\"k0\":{\"c\":{\"d\":0}},") && text.hasSuffix("}}}"))
        #expect(frames.dropFirst() == [Frame(1, GatewayStage.ada.after)])
        // The connection may close while work for the object runs outside the loop.
        for pause in [0, 5_000, 20_000, 50_000] as [useconds_t] {
            let closing = try Self.connect(stage, Frame(1, "{\"x\":{\(members)}}").bytes, .hang)
            usleep(pause)
            try closing.raw.send(Frame(1, "").bytes)
            let frames = try #require(Frame.all(of: closing.rest().bytes))
            #expect(frames.last == Frame(closing: 1002, "bad-frame") && frames.count <= 2)
        }
    }

    @Test func `a peer that reads late gets all messages, in both directions`() throws {
        let stage = try Self.stage(root: #""maxBufferedBytes": 1048576,"#)
        let padding = String(repeating: "x", count: 20_000)
        let before = Frame(1, "{\"firstName\":\"\(padding)\"}").bytes
        let count = 1000
        let client = try Self.connect(
            stage, (0..<count).flatMap { _ in before }, .gate("read"), .end, .hang)
        let message = Frame(1, "{\"fn\":\"\(padding)\"}", key: Self.key).bytes
        let sender = Background { [raw = client.raw] in
            try? raw.send((0..<count).flatMap { _ in message })
            raw.endSending()
        }
        usleep(300_000)
        #expect(Self.frames(client, 1).first?.payload.count == padding.count + 9)
        try stage.backend.open(gate: "read")
        let rest = client.rest()
        #expect(rest.ending == .closed && rest.bytes.count == (count - 1) * (padding.count + 9 + 4))
        sender.wait()
        let got = try Self.received(stage) { _, state in state != .open }
        #expect(got.frames.count == count && got.state == .fin)
        #expect(got.frames.allSatisfy { $0.payload.count == padding.count + 16 })
    }
}
