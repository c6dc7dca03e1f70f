import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// Clients that send a body slowly, and which others have to wait for them.
struct GatewaySlowUploadTests {
    private static func slow(_ stage: GatewayStage, _ fields: [String] = [], bytes: Int = 1) throws -> GatewayClient {
        let client = try stage.client()
        try client.send(
            HTTPText.message("POST /slow", fields + ["Content-Length: \(bytes + 1)"])
                + String(repeating: "x", count: bytes))
        return client
    }

    private static func from(_ address: String) -> [String] { ["X-Forwarded-For: \(address)"] }

    @Test func `slow uploads occupy no connection of the upstream`() throws {
        let stage = try GatewayStage(upstream: #""maxConnections": 5,"#)
        let clients = try (0..<5).map { _ in try Self.slow(stage, bytes: 60_000) }
        usleep(200_000)
        for _ in 0..<3 { #expect(try stage.ask("GET /").status == 200) }
        #expect(try stage.backend.requests.allSatisfy { $0.line == "GET / HTTP/1.1" })
        for client in clients {
            try client.send("y")
            #expect(try client.finalResponse().whole.status == 200)
            let request = try stage.backend.lastRequest()
            #expect(request.isComplete && request.text == String(repeating: "x", count: 60_000) + "y")
        }
    }

    @Test func `a body longer than the buffer begins at once, also for a buffer of 0`() throws {
        for (upstream, bytes) in [
            ("", 70_000), (#""requestBufferBytes": 1000,"#, 2000), (#""requestBufferBytes": 0,"#, 1),
        ] {
            let stage = try GatewayStage(upstream: upstream)
            let client = try Self.slow(stage, bytes: bytes)
            #expect(
                try stage.backend.waitsForConnections { $0.first.map { $0.received.count > bytes } ?? false },
                "\(bytes)")
            try client.send("y")
            #expect(try client.finalResponse().whole.status == 200)
            #expect(try stage.backend.lastRequest().text == String(repeating: "x", count: bytes) + "y")
        }
    }

    @Test func `a body in pieces arrives unchanged, whatever the buffer`() throws {
        let pieces = (0..<5).map { String(repeating: "\($0)", count: 10_000) }
        for buffer in [0, 1, 9_999, 20_000, 49_999, 50_000, 1 << 20] {
            let stage = try GatewayStage(upstream: "\"requestBufferBytes\": \(buffer),")
            for isChunked in [false, true] {
                let client = try stage.client()
                try client.send(
                    HTTPText.message(
                        "PUT /", [isChunked ? "Transfer-Encoding: chunked" : "Content-Length: 50000"]))
                for piece in pieces {
                    usleep(10_000)
                    try client.send(isChunked ? "2710\r\n\(piece)\r\n" : piece)
                }
                if isChunked { try client.send("0\r\n\r\n") }
                #expect(try client.finalResponse().whole.status == 200)
                let request = try stage.backend.lastRequest()
                #expect(request.isComplete && request.text == pieces.joined(), "\(buffer)")
                #expect((request["Transfer-Encoding"] == "chunked") == isChunked)
            }
        }
    }

    @Test func `a buffered body is retried`() throws {
        let stage = try GatewayStage(upstream: #""requestBufferBytes": 200000,"#, listeners: 2)
        try stage.backend.script([.body, .reset])
        try stage.backend.script(.response(200, "ok"))
        let client = try stage.client()
        let body = String(repeating: "x", count: 150_000)
        try client.send(HTTPText.message("PUT /", ["Content-Length: 150000"]))
        for _ in 0..<3 {
            try client.send(String(body.prefix(50_000)))
            usleep(20_000)
        }
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try stage.backend.requests.map(\.text) == [body, body])
    }

    @Test func `a client that got 100 uses no upstream connection until it has sent its body`() throws {
        let stage = try GatewayStage(upstream: #""maxConnections": 1,"#)
        let client = try stage.client()
        try client.send(HTTPText.message("POST /slow", ["Content-Length: 3", "Expect: 100-continue"]))
        #expect(try client.head().status == 100)
        try client.send("a")
        #expect(try stage.ask("GET /").status == 200)
        try client.send("bc")
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try stage.backend.lastRequest().text == "abc")
    }

    @Test func `one client leaves the upstream's last connections to others`() throws {
        let stage = try GatewayStage(
            upstream: #""maxConnections": 8, "requestBufferBytes": 0,"#, root: #""trustedProxies": "127.0.0.1","#)
        let greedy = Self.from("192.0.2.1")
        var clients = try (0..<6).map { _ in try Self.slow(stage, greedy) }
        #expect(try stage.backend.waitsForConnections { $0.count == 6 })
        let refused = try Self.slow(stage, greedy).finalResponse().message
        #expect(refused.status == 503 && refused.text.contains("upstream-full"))
        #expect(try stage.ask("GET /", "X-Forwarded-For: 192.0.2.2").status == 200)
        // The limit does not apply to the proxy itself, nor to requests for which the proxy names no client.
        clients += try (0..<2).map { _ in try Self.slow(stage) }
        #expect(try stage.backend.waitsForConnections { $0.count { $0.state == .open } == 8 })
        #expect(try stage.ask("GET /", "X-Forwarded-For: 192.0.2.2").status == 503)
        for client in clients {
            try client.send("y")
            #expect(try client.finalResponse().whole.status == 200)
        }
        #expect(try stage.ask("GET /", greedy[0]).status == 200)
    }

    @Test func `bytes that wait for an upstream that reads nothing are counted`() throws {
        let stage = try GatewayStage("--loops", "1")
        try stage.backend.script("/stuck", [.gate("read"), .body] + .response(200, "ok"))
        let client = try stage.client()
        let bytes = 12 << 20
        try client.send(HTTPText.message("POST /stuck", ["Content-Length: \(bytes)"]))
        let sender = Background { [raw = client.raw] in try? raw.send(String(repeating: "x", count: bytes)) }
        let counted = { () throws -> Int in
            let text = try stage.askAdmin("/metrics").text
            return text.firstMatch(of: /\nconvert_buffered_bytes ([0-9]+)\n/).flatMap { Int($0.1) } ?? 0
        }
        // More than the limit of 256 KiB may be buffered, but only by the bytes of one read.
        #expect(try waits { (256_000...600_000).contains(try counted()) })
        try stage.backend.open(gate: "read")
        sender.wait()
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try waits { try counted() == 0 })
    }
}
