import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Upstream connections that are reused, and those that are not.
struct GatewayPoolTests {
    private static let ok = BackendScript.response(200, "ok", type: "text/plain")

    @Test func `one upstream connection is used for consecutive requests of any clients`() throws {
        let stage = try GatewayStage("--loops", "1")
        for method in ["GET", "POST", "HEAD", "PUT"] {
            try stage.backend.script(method == "HEAD" ? .bare(200, "Content-Length: 2") : Self.ok)
            let message = HTTPText.message("\(method) /", body: method == "HEAD" ? nil : "x", isLast: true)
            #expect(try stage.exchange(message).message.status == 200)
            // A response to HEAD announces a body that never arrives, so the connection is reused only after a pause.
            if method == "HEAD" { usleep(500_000) }
        }
        #expect(try stage.backend.connections.count == 1)
    }

    @Test func `the connection that was used last is used first`() throws {
        let stage = try GatewayStage("--loops", "1")
        // Three requests at the same time need three connections.
        try stage.backend.script("/gated", [.gate("go")] + Self.ok)
        let clients = try (0..<3).map { _ in try stage.client() }
        for client in clients { try client.send(HTTPText.message("GET /gated")) }
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 3 }))
        try stage.backend.open(gate: "go")
        for client in clients { #expect(try client.finalResponse().whole.status == 200) }
        for _ in 0..<4 { #expect(try stage.ask("GET /").status == 200) }
        let requests = try stage.backend.requests
        #expect(Set(requests.map(\.connection)).count == 3)
        #expect(Set(requests.dropFirst(3).map(\.connection)).count == 1)
    }

    @Test func `at most 32 connections stay idle, for 4 seconds`() throws {
        let stage = try GatewayStage("--loops", "1")
        try stage.backend.script("/gated", [.gate("go")] + Self.ok)
        let clients = try (0..<40).map { _ in try stage.client() }
        for client in clients { try client.send(HTTPText.message("GET /gated")) }
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 40 }))
        try stage.backend.open(gate: "go")
        for client in clients { #expect(try client.finalResponse().whole.status == 200) }
        let begin = SystemClock.monotonic()
        #expect(try stage.backend.waitsForConnections(until: { $0.count { $0.state == .open } == 32 }))
        // The timeout is a tenth of a second; the rest allows for a busy machine.
        #expect(SystemClock.monotonic().nanoseconds - begin.nanoseconds < 2_000_000_000)
        #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
        let waited = SystemClock.monotonic().nanoseconds - begin.nanoseconds
        #expect(waited > 2_500_000_000 && waited < 7_000_000_000, "\(waited)")
    }

    @Test func `requests sent during a wait use no CPU time and get responses in order`() throws {
        let stage = try GatewayStage("--loops", "1")
        try stage.backend.script("/gated", [.gate("go")] + Self.ok)
        try stage.backend.script("/next", BackendScript.response(200, "next", type: "text/plain"))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /gated"))
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        let before = try #require(stage.server.measures.processorSeconds)
        try client.send(HTTPText.message("GET /next"))
        usleep(1_000_000)
        let used = try #require(stage.server.measures.processorSeconds) - before
        #expect(used < 0.3, "\(used) s of one second")
        try stage.backend.open(gate: "go")
        #expect(try client.finalResponse().whole.text == "ok")
        #expect(try client.finalResponse().whole.text == "next")
    }

    @Test func `an idle connection is not used after the upstream closes or writes to it`() throws {
        let stage = try GatewayStage("--loops", "1")
        #expect(try stage.ask("POST /", body: "").status == 200)
        try stage.backend.closeConnections()
        #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
        #expect(try stage.ask("POST /", body: "").status == 200)
        try stage.backend.script(
            "/later", Self.ok + [.sleep(100), .send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")])
        #expect(try stage.ask("POST /later", body: "").status == 200)
        usleep(300_000)
        #expect(try stage.ask("POST /", body: "").text == "ok")
        #expect(try stage.backend.connections.count == 3)
    }

    @Test func `a body after a response without one belongs to no request`() throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let rows = [
            ("HEAD", 200, "Content-Length: \(evil.utf8.count)"), ("HEAD", 200, "Transfer-Encoding: chunked"),
            ("GET", 304, "Content-Length: \(evil.utf8.count)"),
        ]
        for (method, status, field) in rows {
            let stage = try GatewayStage("--loops", "1")
            try stage.backend.script("/first", .bare(status, field) + [.sleep(100), .send(evil)])
            let client = try stage.client()
            // The second request is read as soon as the first has its response.
            try client.send(
                HTTPText.message("\(method) /first") + HTTPText.message("GET /second", isLast: true))
            #expect(try client.finalResponse(toHead: method == "HEAD").message.status == status)
            #expect(try client.finalResponse().whole.text == "ok", "\(method) \(status) \(field)")
            #expect(try stage.backend.requests.map(\.connection) == [0, 1])
        }
    }

    @Test func `a connection that a request may have authenticated carries no other request`() throws {
        for scheme in ["NTLM", "negotiate"] {
            let stage = try GatewayStage("--loops", "1")
            for field in ["Authorization: \(scheme) dGVzdA==", "Authorization: Bearer dGVzdA==", "Accept: */*"] {
                #expect(try stage.ask("GET /", field).status == 200)
            }
            #expect(try stage.backend.requests.map(\.connection) == [0, 1, 1], "\(scheme)")
        }
    }

    @Test func `a pooled connection that is reset at its use fails no request`() throws {
        let stage = try GatewayStage("--loops", "1")
        try stage.backend.script("/first", Self.ok)
        // The backend responds to one request on each connection, and resets at the next one before it sends any byte.
        try stage.backend.script("/again", [.reset])
        try stage.backend.script("/again", Self.ok)
        #expect(try stage.ask("GET /first").status == 200)
        #expect(try stage.ask("GET /again").status == 200)
        let requests = try stage.backend.requests
        #expect(requests.map(\.connection) == [0, 0, 1])
    }

    @Test func `requests that cannot be repeated only use connections idle for less than a second`() throws {
        let stage = try GatewayStage("--loops", "1")
        #expect(try stage.ask("POST /", body: "a").status == 200)
        #expect(try stage.ask("POST /", body: "b").status == 200)
        usleep(1_300_000)
        #expect(try stage.ask("GET /").status == 200)
        usleep(1_300_000)
        #expect(try stage.ask("POST /", body: "c").status == 200)
        #expect(try stage.backend.requests.map(\.connection) == [0, 0, 0, 1])
    }

    @Test func `early responses, extra bytes, errors and unfinished bodies end a connection`() throws {
        let rows: [(String, BackendScript, String?)] = [
            ("extra", [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA")], nil),
            (
                "extra response",
                [
                    .send(
                        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
                    )
                ], nil
            ),
            ("close", .response(200, "ok", "Connection: close"), nil),
            ("1.0", [.send("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok")], nil),
            ("early", [.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .body], "2\r\nab\r\n"),
            ("bad chunk", [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokX")], nil),
            (
                "bodied 304",
                [.send("HTTP/1.1 304 Not Modified\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")], nil
            ),
        ]
        for (name, script, part) in rows {
            let stage = try GatewayStage(upstream: #""requestBufferBytes": 0,"#, "--loops", "1")
            try stage.backend.script("/first", script)
            let client = try stage.client()
            if let part {
                try client.send(HTTPText.message("PUT /first", ["Transfer-Encoding: chunked"]) + part)
            } else {
                try client.send(HTTPText.message("GET /first", isLast: true))
            }
            _ = try? client.finalResponse()
            #expect(try stage.ask("GET /second").text == "ok", "\(name)")
            let requests = try stage.backend.requests
            #expect(requests.last?.line == "GET /second HTTP/1.1")
            #expect(requests.last?.connection != requests.first?.connection, "\(name)")
        }
    }

    @Test func `maxConnections counts connections in use, and above it is 503 with Retry-After`() throws {
        let stage = try GatewayStage(upstream: #""maxConnections": 2,"#, "--loops", "1")
        try stage.backend.script("/gated", [.gate("go")] + Self.ok)
        let clients = try (0..<2).map { _ in try stage.client() }
        for client in clients { try client.send(HTTPText.message("GET /gated")) }
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 2 }))
        let full = try stage.ask("GET /")
        #expect(full.status == 503)
        #expect(full["Retry-After"].flatMap { Int($0) } != nil)
        #expect(full["Content-Type"] == "application/problem+json")
        try stage.backend.open(gate: "go")
        for client in clients { #expect(try client.finalResponse().whole.status == 200) }
        // Idle connections do not count.
        for _ in 0..<5 { #expect(try stage.ask("GET /").status == 200) }
    }
}
