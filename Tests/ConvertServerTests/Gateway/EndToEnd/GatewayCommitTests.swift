import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import Sockets

/// The moment at which the gateway begins to send a response, and the handling of an error after that.
struct GatewayCommitTests {
    /// A body in two parts, with a gate between them.
    private static func halves(
        _ first: String, _ second: String, type: String = "application/json", isCut: Bool = false,
        gate: String = "rest"
    ) -> BackendScript { .chunked([first, second], type: type, between: .gate(gate), isCut: isCut) }

    private static let many = String(repeating: "{\"firstName\":1},", count: 10_000)

    @Test func `a converted response begins with 64 KiB of output`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(Self.halves("[" + Self.many, "1]"))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        // 70,001 bytes of output wait, and the rest only arrives after the client has the head.
        #expect(try client.head().status == 200)
        try stage.backend.open(gate: "rest")
        #expect(client.endsWithLastChunk())
    }

    @Test func `a converted response begins 100 ms after its first output`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(Self.halves("[{\"firstName\":1},", "2]"))
        let client = try stage.client()
        let begin = SystemClock.monotonic()
        try client.send(HTTPText.message("GET /"))
        #expect(try client.head().status == 200)
        let waited = SystemClock.monotonic().nanoseconds - begin.nanoseconds
        #expect(waited > 80_000_000, "\(waited) ns")
        #expect(waited < 5_000_000_000, "\(waited) ns")
        try stage.backend.open(gate: "rest")
        #expect(client.endsWithLastChunk())
    }

    @Test func `the first output of a compressed response can be read as soon as it begins`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let expected = "[{\"fn\":1}"
        for coding in ContentCoding.applied {
            try stage.backend.script("/\(coding.name)", Self.halves("[{\"firstName\":1},", "2]", gate: coding.name))
            let client = try stage.client()
            try client.send(HTTPText.message("GET /\(coding.name)", ["Accept-Encoding: \(coding.name)"]))
            #expect(try client.head()["Content-Encoding"] == coding.name)
            var (coded, begun): ([UInt8], [UInt8]) = ([], [])
            while begun.count < expected.utf8.count {
                coded += try #require(client.chunkBytes())
                begun = try PythonCoding.decode(beginning: coded, coding)
            }
            #expect(String(decoding: begun, as: UTF8.self).hasPrefix(expected), "\(coding)")
            try stage.backend.open(gate: coding.name)
            #expect(client.endsWithLastChunk())
        }
    }

    @Test func `an NDJSON response begins with its first record, and each record is sent at once`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let pieces = ["{\"firstName\":1}\n", "{\"firstName\":2}\n", "{\"firstName\":3}\n"]
        var script = BackendScript.chunked([pieces[0]], type: "application/x-ndjson", isCut: true)
        for (index, piece) in pieces.dropFirst().enumerated() {
            script.steps += [.gate("g\(index)"), .send("10\r\n\(piece)\r\n")]
        }
        script.steps.append(.send("0\r\n\r\n"))
        try stage.backend.script(script)
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        #expect(try client.head()["Transfer-Encoding"] == "chunked")
        #expect(client.chunk() == "{\"fn\":1}\n")
        try stage.backend.open(gate: "g0")
        #expect(client.chunk() == "{\"fn\":2}\n")
        try stage.backend.open(gate: "g1")
        #expect(client.chunk() == "{\"fn\":3}\n")
    }

    @Test func `each record of a compressed response can be read as it arrives`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let records = try (0..<4).map { try PythonCoding.encode(Array("{\"firstName\":\($0)}\n".utf8), .gzip) }
        for coding in ContentCoding.applied {
            var script = BackendScript.chunked(
                [], type: "application/x-ndjson", ["Content-Encoding: gzip"], isCut: true)
            for (index, record) in records.enumerated() {
                if index > 0 { script.steps.append(.gate("\(coding.name)\(index)")) }
                script.steps += [.send("\(String(record.count, radix: 16))\r\n"), .sendBytes(record), .send("\r\n")]
            }
            script.steps.append(.send("0\r\n\r\n"))
            try stage.backend.script("/\(coding.name)", script)
            let client = try stage.client()
            try client.send(HTTPText.message("GET /\(coding.name)", ["Accept-Encoding: \(coding.name)"]))
            #expect(try client.head()["Content-Encoding"] == coding.name)
            var (coded, expected): ([UInt8], String) = ([], "")
            for index in 0..<4 {
                if index > 0 { try stage.backend.open(gate: "\(coding.name)\(index)") }
                expected += "{\"fn\":\(index)}\n"
                // A header of the compression may arrive in its own chunk.
                var begun: [UInt8] = []
                while begun.count < expected.utf8.count {
                    coded += try #require(client.chunkBytes())
                    begun = try PythonCoding.decode(beginning: coded, coding)
                }
                #expect(String(decoding: begun, as: UTF8.self) == expected, "\(coding)")
            }
            while let rest = client.chunkBytes(), !rest.isEmpty { coded += rest }
            #expect(String(decoding: try PythonCoding.decode(coded, coding), as: UTF8.self) == expected, "\(coding)")
        }
    }

    @Test func `unconverted responses begin at once`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(Self.halves("a", "b", type: "text/plain"))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        #expect(try client.head().status == 200)
        #expect(client.chunk() == "a")
        try stage.backend.open(gate: "rest")
        #expect(client.chunk() == "b")
    }

    @Test func `after the first output, more is sent whenever the upstream has nothing more to read`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        var script = BackendScript.chunked(["[" + Self.many], isCut: true)
        for index in 0..<3 { script.steps += [.gate("g\(index)"), .send("10\r\n{\"firstName\":1},\r\n")] }
        script.steps += [.gate("end"), .send("2\r\n1]\r\n0\r\n\r\n")]
        try stage.backend.script(script)
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        _ = try client.head()
        var body = ""
        // The converter may hold back a token until it knows the token's end, a comma for example, but never a whole element.
        while body.utf8.count < 1 + 9 * 10_000 - 9, let chunk = client.chunk() { body += chunk }
        for index in 0..<3 {
            let before = body.utf8.count
            try stage.backend.open(gate: "g\(index)")
            body += try #require(client.chunk())
            #expect(body.utf8.count >= before + 8)
        }
        try stage.backend.open(gate: "end")
        while let chunk = client.chunk(), !chunk.isEmpty { body += chunk }
        #expect(
            body == "[" + Self.many.replacing("firstName", with: "fn") + String(repeating: "{\"fn\":1},", count: 3)
                + "1]")
    }

    @Test func `an error after the start resets the connection, for fail and for pass`() throws {
        for members in [#""onError": "fail","#, #""onError": "pass","#] {
            let stage = try GatewayStage(
                routes: #"{ "match": "/", "upstream": "shop", "response": { \#(members) "profile": "mobile" } }"#)
            for version in ["HTTP/1.1", "HTTP/1.0"] {
                try stage.backend.script("/late", Self.halves("[" + Self.many, "}", gate: version))
                let client = try stage.client()
                let line = version == "HTTP/1.0" ? "GET /late HTTP/1.0" : "GET /late"
                try client.send(HTTPText.message(line))
                let head = try client.head()
                #expect(head.status == 200)
                #expect((head["Transfer-Encoding"] == "chunked") == (version == "HTTP/1.1"))
                try stage.backend.open(gate: version)
                let (bytes, ending) = client.rest()
                #expect(ending == .reset, "\(members) \(version)")
                #expect(!bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8))
            }
            #expect(try stage.ask("GET /").status == 200)
        }
    }

    @Test func `an error after the start leaves a compressed stream without its end`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        var numbers = SeededGenerator(seed: 7)
        let noise = numbers.bytes(200_000).map { String($0) }.joined(separator: ",")
        for coding in ContentCoding.applied {
            try stage.backend.script("/\(coding.name)", Self.halves("[" + noise, "}", gate: coding.name))
            let client = try stage.client()
            try client.send(HTTPText.message("GET /\(coding.name)", ["Accept-Encoding: \(coding.name)"]))
            let head = try client.head()
            #expect(head["Content-Encoding"] == coding.name)
            try stage.backend.open(gate: coding.name)
            let (bytes, ending) = client.rest()
            #expect(ending == .reset, "\(coding)")
            let coded = try ReceivedResponse.unchunk(bytes[...], toEnd: false)
            #expect(!coded.isEmpty)
            #expect(throws: (PythonCoding.Failure).self) { _ = try PythonCoding.decode(coded, coding) }
        }
    }

    @Test func `a truncated response is 502 before its start, and a reset after it`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script("/early", .chunked(["[1,2"], isCut: true) + [.close])
        try stage.backend.script("/late", Self.halves("[" + Self.many, "1", isCut: true) + [.close])
        #expect(try stage.ask("GET /early").status == 502)
        let client = try stage.client()
        try client.send(HTTPText.message("GET /late"))
        #expect(try client.head().status == 200)
        try stage.backend.open(gate: "rest")
        #expect(client.rest().ending == .reset)
    }

    @Test func `when all buffers reach maxBufferedBytes, responses begin early`() throws {
        // The smallest limit is 1 MiB. Each response buffers up to 64 KiB, so twenty responses exceed it.
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "mobile", "onError": "pass" } }"#,
            root: #""maxBufferedBytes": 1048576,"#)
        let held = "[\"" + String(repeating: "a", count: 60_000) + "\","
        try stage.backend.script(Self.halves(held, "}"))
        let clients = try (0..<40).map { _ in try stage.client() }
        for client in clients { try client.send(HTTPText.message("GET /")) }
        // All responses begin, either early or after 100 ms, and none is lost.
        for client in clients { #expect(try client.head().status == 200) }
        try stage.backend.open(gate: "rest")
        for client in clients { #expect(client.rest().ending == .reset) }
    }

    @Test func `input kept for sending unchanged counts as buffered before there is output`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/", "upstream": "shop", "onError": "pass", "request": { "profile": "mobile" }, "response": { "profile": "mobile" } }"#,
            root: #""maxBufferedBytes": 1048576,"#, "--loops", "1")
        // White space gives no output, and the end is not valid JSON.
        let size = 48 << 20
        let megabyte = String(repeating: " ", count: 1 << 20)
        try stage.backend.script(
            "/large",
            [
                .send(BackendScript.head(200, type: "application/json", ["Content-Length: \(size + 1)"])),
                .repeats(size >> 20, megabyte), .send("}"),
            ])
        #expect(try stage.ask("GET /").status == 200)
        let before = try #require(stage.server.measures.residentKilobytes)
        let client = try stage.client()
        try client.send(HTTPText.message("GET /large"))
        #expect(try client.head().status == 200)
        #expect(client.rest().ending == .reset)
        let sender = try stage.client()
        try sender.send(
            HTTPText.message("POST /x", ["Content-Type: application/json", "Content-Length: \(size + 1)"]))
        for _ in 0..<(size >> 20) { try sender.send(megabyte) }
        try sender.send("}")
        #expect(try sender.finalResponse().message.status == 400)
        // The memory of the buffered bytes was released.
        #expect(try stage.ask("POST /x", "Content-Type: application/json", body: "}").status == 200)
        #expect(try stage.backend.lastRequest().text == "}")
        #expect(try #require(stage.server.measures.residentKilobytes) < before + 16 * 1024 || Sanitizer.isActive)
    }
}

extension GatewayClient {
    /// The data of the next chunk, empty for the last one; nil if the connection ends.
    func chunk() -> String? { chunkBytes().map { String(decoding: $0, as: UTF8.self) } }

    /// The next chunk's bytes; nil if no chunk arrives.
    func chunkBytes() -> [UInt8]? {
        var line: [UInt8] = []
        while !line.suffix(2).elementsEqual("\r\n".utf8) {
            let byte = bytes(1)
            if byte.isEmpty { return nil }
            line += byte
        }
        guard let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) else { return nil }
        let data = bytes(count + 2)
        return data.count == count + 2 ? Array(data.dropLast(2)) : nil
    }

    /// Whether chunks arrive up to the last one.
    func endsWithLastChunk() -> Bool {
        while let chunk = chunk() { if chunk.isEmpty { return true } }
        return false
    }
}
