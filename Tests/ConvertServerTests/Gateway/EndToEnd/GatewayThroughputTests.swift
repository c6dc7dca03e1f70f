import TestSupport
import Testing

@testable import ConvertServer

/// Responses that are too large to be buffered in memory. With `CONVERT_FAULTS=full` they have a gigabyte.
@Suite(.serialized) struct GatewayThroughputTests {
    private static let record =
        "{\"firstName\": \"Ada\", \"lastName\": \"Lovelace\", \"tags\": [1, 2, 3], \"note\": \"0123456789\"}"
    private static let size = FaultClients.isFull ? 1 << 30 : 24 << 20
    private static let maxResidentKilobytes = 32 * 1024

    /// Reads the whole response and returns its number of bytes.
    private func read(_ client: GatewayClient) -> (count: Int, ending: GatewayClient.Ending) {
        var count = 0
        while true {
            let piece = client.bytes(1 << 18).count
            count += piece
            if piece < 1 << 18 { return (count, client.rest().ending) }
        }
    }

    @Test func `a converted response of any size streams through under 32 MB of memory`() throws {
        let times = Self.size / (Self.record.utf8.count + 2)
        for (name, script) in [
            ("document", [.send("["), .repeats(times, Self.record + ", "), .send("1]")]),
            ("passed", [.repeats(times, Self.record + "\r\n")]),
        ] as [(String, [BackendScript.Step])] {
            let stage = try GatewayStage(routes: GatewayStage.converting)
            let type = name == "document" ? "application/json" : "text/plain"
            try stage.backend.script(
                BackendScript([.send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\n")] + script + [.close]))
            let client = try stage.client()
            // HTTP/1.0, so that the body has no chunks around it.
            try client.send(HTTPText.message("GET / HTTP/1.0"))
            #expect(try client.head().status == 200)
            let (count, ending) = read(client)
            let converted = #"{"fn":"Ada","lastName":"Lovelace","tags":[1,2,3],"note":"0123456789"}"#
            let expected =
                name == "document" ? 3 + times * (converted.utf8.count + 1) : times * (Self.record.utf8.count + 2)
            #expect(count == expected, "\(name)")
            #expect(ending == .closed)
            let peak = try #require(stage.server.measures.peakResidentKilobytes)
            #expect(peak < Self.maxResidentKilobytes || Sanitizer.isActive, "\(name): \(peak) kB")
            if FaultClients.isFull { print("\(name): \(count) bytes, at most \(peak) kB resident") }
        }
    }

    @Test func `a converted request of any size streams through under 32 MB of memory`() throws {
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" } }"#, "--max-body-bytes",
            "0")
        let times = (FaultClients.isFull ? 256 << 20 : 16 << 20) / (Self.record.utf8.count + 1)
        let client = try stage.client()
        let length = times * (Self.record.utf8.count + 1) + 3
        // The response comes after the whole body. A client waits ten seconds for it, and sending this much may take longer.
        try client.send(
            HTTPText.message("PUT /", ["Content-Type: application/json", "Content-Length: \(length)"]) + "[")
        let piece = Array(String(repeating: Self.record + ",", count: 1000).utf8)
        for _ in 0..<(times / 1000) { try client.raw.send(piece) }
        try client.send(String(repeating: Self.record + ",", count: times % 1000) + "1]")
        #expect(try client.finalResponse().whole.status == 200)
        let converted = #"{"fn":"Ada","lastName":"Lovelace","tags":[1,2,3],"note":"0123456789"}"#
        #expect(try stage.backend.lastRequest().body.count == 3 + times * (converted.utf8.count + 1))
        let peak = try #require(stage.server.measures.peakResidentKilobytes)
        #expect(peak < Self.maxResidentKilobytes || Sanitizer.isActive, "\(peak) kB")
        if FaultClients.isFull { print("request: \(length) bytes, at most \(peak) kB resident") }
    }
}
