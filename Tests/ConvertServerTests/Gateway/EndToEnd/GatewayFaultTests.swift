import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Upstreams that fail in every way: the response is documented and in time, nothing is left over, and the next request succeeds.
struct GatewayFaultTests {
    private enum Outcome: Equatable {
        case status(Int)
        /// The head was sent, and then the connection was reset.
        case cut
    }

    private struct Row {
        let name: String
        let script: BackendScript
        /// The outcomes on a route that converts responses, and on a route that does not.
        let converted: Outcome
        let plain: Outcome
    }

    private static let large = String(repeating: "{\"firstName\":1},", count: 12_000)
    private static let json = "Content-Type: application/json\r\n"

    private static let rows: [Row] = [
        Row(name: "resets before the head", script: [.reset], converted: .status(502), plain: .status(502)),
        Row(name: "closes before the head", script: [.close], converted: .status(502), plain: .status(502)),
        Row(name: "hangs before the head", script: [.hang], converted: .status(504), plain: .status(504)),
        Row(
            name: "hangs in the head", script: [.send("HTTP/1.1 200 OK\r\nContent-"), .hang], converted: .status(504),
            plain: .status(504)),
        Row(
            name: "closes in the head", script: [.send("HTTP/1.1 200 OK\r\nContent-"), .close], converted: .status(502),
            plain: .status(502)),
        Row(
            name: "hangs in the body", script: .chunked(["[" + large], isCut: true) + [.hang], converted: .cut,
            plain: .cut),
        Row(
            name: "closes in the body", script: .chunked(["[" + large], isCut: true) + [.close], converted: .cut,
            plain: .cut),
        Row(
            name: "resets in the body", script: .chunked(["[" + large], isCut: true) + [.sleep(1000), .reset],
            converted: .cut,
            plain: .cut),
        Row(
            name: "closes early in a small body",
            script: [.send("HTTP/1.1 200 OK\r\n\(json)Content-Length: 10\r\n\r\n[1,2"), .close],
            converted: .status(502),
            plain: .cut),
        Row(
            name: "has a Content-Length that is too long",
            script: [.send("HTTP/1.1 200 OK\r\n\(json)Content-Length: 10\r\n\r\n[1,2]"), .close],
            converted: .status(502),
            plain: .cut),
        Row(
            name: "has a Content-Length that is too short",
            script: [.send("HTTP/1.1 200 OK\r\n\(json)Content-Length: 3\r\n\r\n[1,2]"), .close],
            converted: .status(502),
            plain: .status(200)),
        Row(
            name: "has bad chunks",
            script: [.send("HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\nzz\r\n"), .close],
            converted: .status(502), plain: .cut),
        Row(
            name: "has no end of chunks",
            script: [.send("HTTP/1.1 200 OK\r\n\(json)Transfer-Encoding: chunked\r\n\r\n3\r\n[1]\r\n"), .close],
            converted: .status(502), plain: .cut),
        Row(
            name: "has bad gzip", script: .response(200, "no gzip at all", "Content-Encoding: gzip"),
            converted: .status(502),
            plain: .status(200)),
        Row(
            name: "has 10 MB of head",
            script: [
                .send("HTTP/1.1 200 OK\r\n"), .repeats(10_000, "X-Filler: \(String(repeating: "x", count: 1000))\r\n"),
            ],
            converted: .status(502), plain: .status(502)),
        Row(
            name: "has a head without end",
            script: [.send("HTTP/1.1 200 OK\r\nX: "), .repeats(10_000, String(repeating: "x", count: 1000))],
            converted: .status(502), plain: .status(502)),
        Row(
            name: "has more than 200 fields",
            script: [.send("HTTP/1.1 200 OK\r\n"), .repeats(201, "X: 1\r\n"), .send("Content-Length: 0\r\n\r\n")],
            converted: .status(502), plain: .status(502)),
        Row(
            name: "sends HTML as JSON", script: .response(200, "<html><body>maintenance</body></html>"),
            converted: .status(502),
            plain: .status(200)),
        Row(
            name: "sends HTML as HTML", script: .response(200, "<html></html>", type: "text/html"),
            converted: .status(200),
            plain: .status(200)),
        Row(
            name: "floods with 1xx",
            script: [.repeats(20_000, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .hang],
            converted: .status(502), plain: .status(502)),
    ]

    @Test func `every failure has its documented response, in time, and the next request works`() throws {
        for (isConverting, routes) in [(true, GatewayStage.converting), (false, GatewayStage.everything)] {
            let stage = try GatewayStage(
                routes: routes, upstream: #""responseTimeoutSeconds": 0.5, "bodyIdleSeconds": 0.5,"#, "--loops", "1")
            #expect(try stage.ask("GET /good").status == 200)
            for (index, row) in Self.rows.enumerated() { try stage.backend.script("/\(index)", row.script) }
            for (index, row) in Self.rows.enumerated() {
                let expected = isConverting ? row.converted : row.plain
                let begin = SystemClock.monotonic()
                let client = try stage.client()
                // POST, so that the gateway does not retry it.
                try client.send(
                    HTTPText.message("POST /\(index)", ["Accept-Encoding: gzip"], body: "", isLast: true))
                // A reset may arrive before the head.
                guard let response = try? client.finalResponse() else {
                    #expect(expected == .cut, "no response: \(row.name), converting: \(isConverting)")
                    continue
                }
                let seconds = Double(SystemClock.monotonic().nanoseconds - begin.nanoseconds) / 1e9
                switch expected {
                case .status(let status):
                    #expect(response.message.status == status, "\(row.name), converting: \(isConverting)")
                    #expect(response.isWhole, "\(row.name), converting: \(isConverting)")
                case .cut:
                    #expect(response.message.status == 200, "\(row.name), converting: \(isConverting)")
                    #expect(!response.isWhole, "\(row.name), converting: \(isConverting)")
                }
                if response.message.status >= 500 {
                    #expect(response.message["Content-Type"] == "application/problem+json")
                }
                #expect(seconds < 5, "\(row.name): \(seconds)")
                #expect(try stage.ask("GET /good").status == 200, "after: \(row.name)")
            }
            #expect(!stage.server.hasEnded)
        }
    }

    @Test func `no failure leaks descriptors or much memory`() throws {
        let stage = try GatewayStage(
            routes: GatewayStage.converting, upstream: #""responseTimeoutSeconds": 0.2, "bodyIdleSeconds": 0.2,"#)
        let rows = Self.rows.filter {
            !$0.name.contains("10 MB") && !$0.name.contains("without end") && !$0.name.contains("flood")
        }
        for (index, row) in rows.enumerated() { try stage.backend.script("/\(index)", row.script) }
        let round = {
            for index in rows.indices {
                let client = try stage.client()
                try client.send(HTTPText.message("POST /\(index)", body: "", isLast: true))
                _ = try? client.finalResponse()
            }
        }
        try round()
        #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
        let before = try #require(stage.server.restingDescriptorCount())
        let memory = try #require(stage.server.measures.residentKilobytes)
        for _ in 0..<3 { try round() }
        #expect(waits { (stage.server.measures.descriptorCount ?? .max) <= before })
        #expect(try #require(stage.server.measures.residentKilobytes) < memory + 8192 || Sanitizer.isActive)
    }

    @Test func `clients that disconnect during a response release their upstream connections`() throws {
        let stage = try GatewayStage("--loops", "1")
        // This response never ends by itself: only the gateway can end it.
        try stage.backend.script(
            "/endless",
            [
                .send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"),
                .repeats(100_000, String(repeating: "x", count: 10_000)),
            ])
        #expect(try stage.ask("GET /").status == 200)
        let before = try #require(stage.server.measures.descriptorCount)
        for isReset in [true, false] {
            for _ in 0..<5 {
                let client = try stage.client()
                try client.send(HTTPText.message("GET /endless"))
                _ = try client.head()
                _ = client.bytes(100_000)
                if isReset { client.raw.resetWhenClosed() }
            }
        }
        #expect(try stage.backend.waitsForConnections(until: { $0.dropFirst().allSatisfy { $0.state != .open } }))
        #expect(waits { (stage.server.measures.descriptorCount ?? .max) <= before })
        #expect(try stage.ask("GET /").status == 200)
    }

    @Test func `clients that do not read slow down their upstream and use little memory`() throws {
        let stage = try GatewayStage("--loops", "1")
        let size = 64 << 20
        try stage.backend.script(
            "/large",
            [
                .send("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .repeats(size >> 16, String(repeating: "x", count: 1 << 16)),
            ])
        #expect(try stage.ask("GET /").status == 200)
        let before = try #require(stage.server.measures.residentKilobytes)
        let client = try GatewayClient(stage.server.address, receiveBufferBytes: 64 * 1024)
        try client.send(HTTPText.message("GET /large"))
        _ = try client.head()
        usleep(500_000)
        #expect(try #require(stage.server.measures.residentKilobytes) < before + 4096 || Sanitizer.isActive)
        #expect(try stage.ask("GET /").status == 200)
        var count = 0
        while count < size {
            let piece = client.bytes(1 << 16).count
            if piece == 0 { break }
            count += piece
        }
        #expect(count == size)
        #expect(try #require(stage.server.measures.residentKilobytes) < before + 8192 || Sanitizer.isActive)
    }

    @Test func `an upstream that does not read slows down its client and uses little memory`() throws {
        let stage = try GatewayStage("--loops", "1")
        try stage.backend.script("/slow", [.gate("go"), .body] + .response(200, "ok"))
        #expect(try stage.ask("GET /").status == 200)
        let before = try #require(stage.server.measures.residentKilobytes)
        let client = try stage.client()
        let size = 32 << 20
        let sender = Background { [raw = client.raw] in
            try? raw.send(HTTPText.message("PUT /slow", ["Content-Length: \(size)"]))
            try? raw.send([UInt8](repeating: 120, count: size))
        }
        usleep(700_000)
        #expect(try #require(stage.server.measures.residentKilobytes) < before + 4096 || Sanitizer.isActive)
        try stage.backend.open(gate: "go")
        sender.wait()
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try stage.backend.lastRequest().body.count == size)
    }

    @Test func `a backend that is down is 502, and requests work after its return`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.response(200, GatewayStage.ada.before))
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        try stage.backend.down(0)
        try stage.backend.closeConnections()
        #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
        for method in ["GET", "POST"] { #expect(try stage.ask("\(method) /", body: "").status == 502) }
        try stage.backend.up(0)
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
    }

    @Test func `upstream connections do not count as clients, and one client too many is 503`() throws {
        let stage = try GatewayStage("--loops", "1", "--max-connections", "8", "--max-connections-per-client", "0")
        try stage.backend.script("/gated", [.gate("go")] + .response(200, "ok"))
        var clients: [GatewayClient] = []
        for _ in 0..<8 {
            let client = try stage.client()
            try client.send(HTTPText.message("GET /gated"))
            clients.append(client)
        }
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 8 }))

        #expect(try stage.ask("GET /").status == 503)
        try stage.backend.open(gate: "go")
        for client in clients { #expect(try client.finalResponse().whole.status == 200) }
        clients.removeAll()
        #expect(try waits { try stage.ask("GET /").status == 200 })
    }

    /// Opens as many connections as the server accepts at an address. Each gets a response and then begins another request.
    private func fill(_ address: String, of stage: GatewayStage, slots: Int) throws -> [GatewayClient] {
        var clients: [GatewayClient] = []
        // Some of the earlier connections may still be closing.
        let isFull = try waits {
            let client = try GatewayClient(address)
            try client.send(HTTPText.message("GET /healthz"))
            if try client.finalResponse().whole.status == 503 { return clients.count >= slots }
            // An idle connection would be closed in favour of the next one.
            try client.send("GET /healthz HTTP/1.1\r\n")
            clients.append(client)
            return false
        }
        #expect(isFull && clients.count == slots, "\(address): \(clients.count)")
        return clients
    }

    @Test func `clients and admin connections do not use each other's slots`() throws {
        let stage = try GatewayStage("--loops", "1", "--max-connections", "4", "--max-connections-per-client", "0")
        let clients = try fill(stage.server.address, of: stage, slots: 4)
        for path in ["/healthz", "/readyz", "/metrics"] {
            #expect(try stage.askAdmin(path).status == 200, "\(path)")
        }
        let others = try fill(stage.admin, of: stage, slots: 4)
        withExtendedLifetime((clients, others)) {}
    }

    @Test func `clients and admin connections release their slots`() throws {
        let stage = try GatewayStage("--loops", "1", "--max-connections", "4", "--max-connections-per-client", "0")
        for _ in 0..<2 {
            for addresses in [[stage.server.address, stage.admin], [stage.admin, stage.server.address]] {
                let clients = try addresses.map { try fill($0, of: stage, slots: 4) }
                withExtendedLifetime(clients) {}
            }
        }
    }

    @Test func `SIGTERM finishes requests in flight, and the server ends`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script([.gate("go")] + .response(200, GatewayStage.ada.before))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        stage.server.signal(SIGTERM)
        usleep(200_000)
        #expect(!stage.server.hasEnded)
        try stage.backend.open(gate: "go")
        let response = try client.finalResponse().whole
        #expect(response.text == GatewayStage.ada.after)
        #expect(response["Connection"] == "close")
        #expect(stage.server.exitCode() == 0)
    }

    @Test func `a request whose backend has not responded at the end of the drain gets 503`() throws {
        let stage = try GatewayStage("--drain-seconds", "0")
        try stage.backend.script("/hung", [.hang])
        let client = try stage.client()
        try client.send(HTTPText.message("GET /hung"))
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        stage.server.signal(SIGTERM)
        let response = try client.finalResponse().whole
        #expect(response.status == 503 && response["Connection"] == "close")
        #expect(response.text.contains("\"code\":\"draining\""), "\(response.text)")
        #expect(stage.server.exitCode() == 0)
        let lines = stage.accessLog.filter { $0.contains("/hung") }
        #expect(lines.count == 1 && lines[0].contains("\"status\":503,\"code\":\"draining\""), "\(lines)")
    }
}
