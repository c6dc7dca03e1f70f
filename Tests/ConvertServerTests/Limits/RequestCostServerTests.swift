import TestSupport
import Testing

/// The limits on the output of one payload, for the built program and with a request of 1.1 KB that used to take a processor for minutes.
@Suite(.serialized) struct RequestCostServerTests {
    /// 300,000 empty objects, each of which becomes 100 KB: 30 GB in all.
    private static func request(accepting coding: String) throws -> [UInt8] {
        let value = String(repeating: "a", count: 100_000)
        let payload = Array(repeating: "{}", count: 300_000).joined(separator: ",")
        let envelope = "{\"profile\":{\"defaults\":{\"/n/*/x\":\"\(value)\"}},\"payload\":{\"n\":[\(payload)]}}"
        let body = try PythonCoding.encode(Array(envelope.utf8), .gzip)
        #expect(body.count < 2000)
        let head =
            "POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
            + "Accept-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    /// Sends the request and reads all bytes until the server ends the connection.
    private static func ask(_ server: LiveServer, accepting coding: String) throws -> Int {
        let client = try RawClient(server.address)
        try client.send(try request(accepting: coding))
        var count = 0
        while let bytes = try? client.receive(), !bytes.isEmpty { count += bytes.count }
        return count
    }

    @Test func `a request of 1 KB with 30 GB of output ends at the maximum length`() throws {
        let server = try LiveServer("--loops", "1", "--max-response-bytes", "8000000")
        #expect(try Self.ask(server, accepting: "identity") < 9_000_000)
        _ = try server.wait { $0.contains("\"code\":\"response-too-long\"") ? true : nil }
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
    }

    @Test func `the same request with a compressed response ends at the processor time limit`() throws {
        let server = try LiveServer("--loops", "1", "--max-response-bytes", "0", "--max-request-cpu-seconds", "1")
        _ = try Self.ask(server, accepting: "gzip")
        _ = try server.wait { $0.contains("\"code\":\"too-costly\"") ? true : nil }
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
    }

    @Test func `the request body on a route has the same limits`() throws {
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "more" } }"#,
            profiles: ["more": "{\"defaults\": {\"/*/x\": \"\(String(repeating: "x", count: 1000))\"}}"],
            "--max-response-bytes", "8000000")
        let body = "[\(String(repeating: "{},", count: 20_000)){}]"
        let response = try stage.exchange(
            HTTPText.message("POST /", ["Content-Type: application/json"], body: body, isLast: true)
        ).message
        #expect(response.status == 413 && response.text.contains("\"code\":\"response-too-long\""))
    }
}
