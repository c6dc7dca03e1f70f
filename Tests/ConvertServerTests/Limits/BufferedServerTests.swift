import TestSupport
import Testing

@testable import Conversions
@testable import ConvertServer

/// The built program with a low limit for buffered bytes.
@Suite(.serialized) struct BufferedServerTests {
    private static func level(_ server: LiveServer) throws -> Int {
        let text = try server.get("/metrics")
        let match = try #require(text.firstMatch(of: /\nconvert_buffered_bytes ([0-9]+)\n/))
        return try #require(Int(match.1))
    }

    @Test func `endless envelopes end with Retry-After, and all memory is freed`()
        throws
    {
        // On a busy machine the first client may wait long for the third.
        let server = try LiveServer(
            "--max-buffered-bytes", "1048576", "--loops", "2", "--body-seconds", "3600", "--min-bytes-per-second", "0")
        let bytes = 300_000
        // All bytes of one client must arrive before the next client begins; otherwise either of them may be refused.
        let counted = bytes - bytes % Reservation.stepBytes
        let filled = String(repeating: "a", count: bytes)
        let head = "POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"
        func hoard() throws -> RawClient {
            let client = try RawClient(server.address)
            try? client.send(head + "{\"profile\":{},\"payload\":\"" + filled)
            return client
        }
        do {
            var clients = [try hoard()]
            #expect(try waits { try Self.level(server) >= counted })
            clients.append(try hoard())
            #expect(try waits { try Self.level(server) >= 2 * counted })
            // Two thirds are in use, and of the last third one client may use at most half.
            let refused = try hoard()
            let response = String(decoding: try refused.receive(), as: UTF8.self)
            #expect(HTTPText.status(response) == 503)
            #expect(HTTPText.field("Retry-After", response) == "1")
            #expect(response.contains("\"code\":\"buffers-full\""))
            #expect(try Self.level(server) <= 2 * bytes)
            #expect(HTTPText.body(try server.post("/v1/convert", "{\"profile\":{},\"payload\":[ 1 ]}")) == "[1]")
            #expect(HTTPText.body(try server.post("/v1/minify", "[\"\(filled)\"]"))?.utf8.count == bytes + 4)
            withExtendedLifetime(clients) {}
        }
        #expect(try waits { try Self.level(server) == 0 })
        let whole = try server.post("/v1/convert", "{\"profile\":{},\"payload\":\"\(filled)\"}")
        #expect(HTTPText.body(whole)?.utf8.count == bytes + 2)
        #expect(try Self.level(server) == 0)
    }

    @Test func `buffered data does not prevent the shutdown`() throws {
        let server = try LiveServer("--max-buffered-bytes", "1048576", "--drain-seconds", "0")
        let client = try RawClient(server.address)
        try client.send(
            "POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n{\"payload\":\""
                + String(repeating: "a", count: 300_000))
        #expect(try waits { try Self.level(server) > 0 })
        server.signal(15)
        #expect(server.exitCode() == 0)
    }
}
