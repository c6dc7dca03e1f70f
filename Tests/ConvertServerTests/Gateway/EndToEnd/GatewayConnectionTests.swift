import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Connections of clients and of upstreams, how they end, and the effect of one side's end on the other.
struct GatewayConnectionTests {
    @Test func `the gateway handles Expect itself, once an upstream connection exists`() throws {
        let stage = try GatewayStage()
        let client = try stage.client()
        try client.send(HTTPText.message("POST /", ["Content-Length: 3", "Expect: 100-continue"]))
        #expect(try client.head().status == 100)
        try client.send("abc")
        #expect(try client.finalResponse().whole.status == 200)
        let request = try stage.backend.lastRequest()
        #expect(request["Expect"] == nil)
        #expect(request.text == "abc")
        // The gateway sends no 100 if it has no connection to the upstream.
        for servers in [{ (backend: ScriptedBackend) in [backend.refusing] }, { [$0.full] }] {
            let stage = try GatewayStage(upstream: #""connectTimeoutSeconds": 0.2,"#, servers: servers)
            let client = try stage.client()
            try client.send(HTTPText.message("POST /", ["Content-Length: 3", "Expect: 100-continue"]))
            #expect(try client.head().status >= 502)
        }
        // It also sends none if no route matches, if the body is too large, or if the expectation is unknown.
        let limited = try GatewayStage(routes: #"{ "match": "/a", "upstream": "shop" }"#, "--max-body-bytes", "5")
        for (line, fields, status) in [
            ("POST /b", ["Expect: 100-continue", "Content-Length: 3"], 404),
            ("POST /a", ["Expect: 100-continue", "Content-Length: 6"], 413),
            ("POST /a", ["Expect: coffee", "Content-Length: 3"], 417),
        ] {
            let client = try limited.client()
            try client.send(HTTPText.message(line, fields))
            let head = try client.head()
            #expect(head.status == status, "\(line) \(fields)")
        }
    }

    @Test func `the response to a connection's last allowed request has Connection: close`() throws {
        let stage = try GatewayStage("--max-requests-per-connection", "2")
        let client = try stage.client()
        try client.send(String(repeating: HTTPText.message("GET /"), count: 3))
        #expect(try client.finalResponse().whole["Connection"] == nil)
        #expect(try client.finalResponse().whole["Connection"] == "close")
        #expect(client.rest().bytes.isEmpty)
        #expect(try stage.backend.requests.count == 2)
    }

    @Test func `a client that expects 100 gets it before a converted body, or 503`() throws {
        let expecting = ["Content-Type: application/json", "Content-Length: 20", "Expect: 100-continue"]
        let stage = try GatewayStage(routes: Self.convertingRequests, upstream: #""maxConnections": 1,"#)
        let client = try stage.client()
        try client.send(HTTPText.message("POST /", expecting))
        #expect(try client.head().status == 100)
        // The connection is open, but it does not count towards `maxConnections` before the body arrives.
        #expect(try stage.backend.waitsForConnections(until: { $0.count == 1 }))
        try stage.backend.script("/gated", [.gate("go")] + .response(200, "ok"))
        let other = try stage.client()
        try other.send(HTTPText.message("GET /gated"))
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        #expect(try stage.exchange(HTTPText.message("POST /", expecting)).message.status == 503)
        try stage.backend.open(gate: "go")
        #expect(try other.finalResponse().whole.status == 200)
        try client.send(GatewayStage.ada.before)
        #expect(try client.finalResponse().whole.status == 200)
        let request = try stage.backend.lastRequest()
        #expect(request.text == GatewayStage.ada.after && request["Expect"] == nil)
        let unresolved = try GatewayStage(
            routes: Self.convertingRequests, servers: { _ in ["http://nobody.invalid:81"] })
        #expect(try unresolved.exchange(HTTPText.message("POST /", expecting)).message.status == 502)
        let refused = try GatewayStage(routes: Self.convertingRequests, servers: { _ in ["http://127.0.0.1:1"] })
        #expect(try refused.exchange(HTTPText.message("POST /", expecting)).message.status == 502)
    }

    @Test func `a backend that closes connections during a slow upload causes no failure`()
        throws
    {
        let stage = try GatewayStage(routes: Self.convertingRequests, "--loops", "1")
        let fields = ["Content-Type: application/json", "Content-Length: 20", "Expect: 100-continue"]
        let timeout = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        // The backend closes a connection that it takes for idle, without a response or after a 408.
        for farewell in [BackendScript([.sleep(100), .close]), [.sleep(100), .send(timeout), .close]] {
            try stage.backend.script("/first", .response(200, "ok") + farewell)
            #expect(try stage.ask("GET /first").status == 200)
            let client = try stage.client()
            try client.send(HTTPText.message("POST /", fields))
            #expect(try client.head().status == 100)
            #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
            usleep(50_000)
            try client.send(GatewayStage.ada.before)
            #expect(try client.finalResponse().whole.status == 200)
            #expect(try stage.backend.lastRequest().text == GatewayStage.ada.after)
        }
    }

    private static let convertingRequests = #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" } }"#

    @Test func `the upstream's 100 is discarded, and HTTP/1.1 clients get at most ten 103`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let hint =
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nConnection: X-Hop\r\nX-Hop: 1\r\nConvert-Status: applied\r\n\r\n"
        try stage.backend.script(
            "/few",
            [.send("HTTP/1.1 100 Continue\r\n\r\n" + hint + "HTTP/1.1 102 Processing\r\n\r\n" + hint)]
                + .response(200, GatewayStage.ada.before))
        try stage.backend.script("/many", [.repeats(10, hint)] + .response(200, "{}"))
        let few = try stage.exchange(HTTPText.message("GET /few", isLast: true))
        #expect(few.informational.map(\.status).filter { $0 != 102 } == [103, 103])
        #expect(few.informational.allSatisfy { $0["X-Hop"] == nil && $0["Content-Length"] == nil })
        #expect(few.informational.allSatisfy { $0["Convert-Status"] == nil })
        #expect(few.informational.first?["Link"] == "</a.css>; rel=preload")
        #expect(few.message.text == GatewayStage.ada.after)
        #expect(try stage.exchange(HTTPText.message("GET /many", isLast: true)).informational.count == 10)
        // The interim response may arrive after the complete request or while its body is still being sent.
        let complete = try stage.exchange(HTTPText.message("POST /few", body: "a body", isLast: true))
        #expect(complete.informational.map(\.status).filter { $0 != 102 } == [103, 103])
        #expect(complete.message.text == GatewayStage.ada.after)
        let direct = try GatewayStage(
            routes: GatewayStage.converting, upstream: #""requestBufferBytes": 0,"#)
        try direct.backend.script("/early", [.send(hint), .body] + .response(200, "{}"))
        let client = try direct.client()
        try client.send(HTTPText.message("PUT /early", ["Content-Length: 4"]) + "ab")
        #expect(try client.head().status == 103)
        try client.send("cd")
        #expect(try client.finalResponse().whole.status == 200)
        let old = try stage.exchange(HTTPText.message("GET /few HTTP/1.0", isLast: true))
        #expect(old.informational.isEmpty)
        #expect(old.message.text == GatewayStage.ada.after)
    }

    @Test func `trailers are discarded in both directions`() throws {
        let stage = try GatewayStage()
        try stage.backend.script(
            [
                .send(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n"
                        + "2;ext=\"1\"\r\nab\r\n0\r\nX-T: 1\r\n\r\n")
            ])
        let client = try stage.client()
        try client.send(
            HTTPText.message(
                "POST /", ["Transfer-Encoding: chunked", "TE: trailers", "Trailer: X-T"],
                body: "1\r\na\r\n0\r\nX-T: 1\r\n\r\n"))
        let response = try client.finalResponse()
        #expect(try response.whole.text == "ab")
        #expect(response.trailers.isEmpty)
        let received = String(decoding: try #require(try stage.backend.connections.first).received, as: UTF8.self)
        #expect(!received.contains("X-T: 1"))
    }

    @Test func `an upgrade needs a GET without a body, its route, and a 101`() throws {
        let routes =
            #"{ "match": "/", "upstream": "shop", "upgrade": ["websocket"], "response": { "profile": "mobile" } }"#
        let stage = try GatewayStage(routes: routes)
        let fields = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x"]
        try stage.backend.script(
            "/ws",
            [
                .send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nfirst"),
                .tunnel,
            ])
        let client = try stage.client()
        try client.send(HTTPText.message("GET /ws", fields))
        let head = try client.head()
        #expect(head.status == 101)
        #expect(head["Upgrade"] == "websocket")
        #expect(head["Connection"]?.lowercased().contains("upgrade") == true)
        #expect(String(decoding: client.bytes(5), as: UTF8.self) == "first")
        let request = try stage.backend.lastRequest()
        #expect(request["Upgrade"] == "websocket" && request["Sec-WebSocket-Key"] == "x")
        for text in ["{\"firstName\":1}", "\0\r\n\r\n", String(repeating: "x", count: 300_000)] {
            let sender = Background { [raw = client.raw] in try? raw.send(text) }
            #expect(String(decoding: client.bytes(text.utf8.count), as: UTF8.self) == text)
            sender.wait()
        }
        client.raw.resetWhenClosed()
        // Any other status is a normal response, and the connection stays open.
        try stage.backend.script("/no", .response(426, "{}"))
        let refused = try stage.client()
        try refused.send(HTTPText.message("GET /no", fields))
        #expect(try refused.finalResponse().whole.status == 426)
        try refused.send(HTTPText.message("GET /no"))
        #expect(try refused.finalResponse().whole.status == 426)
    }

    @Test func `a 426 names the protocols that clients may switch to`() throws {
        let converting = #""response": { "profile": "mobile" }"#
        for (members, required, named) in [
            (#""upgrade": "websocket""#, "websocket", "websocket"),
            (#""upgrade": "websocket", \#(converting)"#, "h2c, WebSocket, TLS/1.0", "WebSocket"),
            (#""upgrade": "websocket""#, "h2c", nil), (converting, "websocket", nil),
        ] {
            let stage = try GatewayStage(routes: #"{ "match": "/", "upstream": "shop", \#(members) }"#)
            for status in [426, 400] {
                try stage.backend.script(.response(status, "{}", "Upgrade: \(required)", "Connection: upgrade"))
                let head = try stage.exchange(HTTPText.message("GET /")).message
                let expected = status == 426 ? named : nil
                #expect(head["Upgrade"] == expected, "\(members) \(required)")
                #expect(head.values("Connection") == (expected == nil ? [] : ["upgrade"]), "\(members) \(required)")
            }
        }
    }

    @Test func `h2c, protocols without a name in the route, and bodies are passed on without Upgrade`() throws {
        let named = try GatewayStage(routes: #"{ "match": "/", "upstream": "shop", "upgrade": ["websocket"] }"#)
        let unnamed = try GatewayStage()
        let websocket = ["Connection: Upgrade, close", "Upgrade: websocket"]
        let rows: [(GatewayStage, String, [String], String?)] = [
            (named, "GET /", ["Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c", "HTTP2-Settings: x"], nil),
            (named, "POST /", websocket, "ab"), (named, "GET /", websocket, "ab"), (unnamed, "GET /", websocket, nil),
            (named, "GET /", ["Connection: close", "Upgrade: websocket"], nil),
        ]
        for (stage, line, fields, body) in rows {
            _ = try stage.exchange(HTTPText.message(line, fields, body: body))
            let request = try stage.backend.lastRequest()
            #expect(request["Upgrade"] == nil, "\(line) \(fields)")
            #expect(request["HTTP2-Settings"] == nil)
            #expect(request["Connection"]?.lowercased().contains("upgrade") != true)
        }
        // A 101 that the client did not ask for is a malformed response.
        let stage = try GatewayStage()
        try stage.backend.script([
            .send("HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"), .tunnel,
        ])
        #expect(try stage.ask("GET /").status == 502)
    }

    @Test func `a response without progress is cut off after the timeout`() throws {
        for routes in [GatewayStage.everything, GatewayStage.converting] {
            let stage = try GatewayStage(routes: routes, upstream: #""bodyIdleSeconds": 1,"#)
            // Each piece restarts the timeout. A piece may be late by half of it, as on a busy machine.
            try stage.backend.script("/slow", .chunked(["[1,", "2,", "3", "]"], between: .sleep(500)))
            #expect(try stage.ask("GET /slow").text == "[1,2,3]")
            try stage.backend.script("/stops", .chunked(["[1,", "2,"], between: .sleep(500), isCut: true) + [.hang])
            let begin = SystemClock.monotonic()
            let client = try stage.client()
            try client.send(HTTPText.message("GET /stops"))
            #expect(try client.head().status == 200)
            #expect(client.rest().ending == .reset)
            let waited = SystemClock.monotonic().nanoseconds - begin.nanoseconds
            #expect(waited > 1_400_000_000 && waited < 10_000_000_000, "\(waited)")
            #expect(try stage.backend.waitsForConnections(until: { $0.last.map { $0.state != .open } ?? false }))
            #expect(try stage.ask("GET /").status == 200)
        }
    }

    @Test func `events are sent on as they arrive`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting, upstream: #""bodyIdleSeconds": 0.3,"#)
        var script = BackendScript([
            .send(
                BackendScript.head(
                    200, type: "text/event-stream", ["Transfer-Encoding: chunked", "Cache-Control: no-cache"]))
        ])
        for index in 0..<3 { script.steps += [.gate("e\(index)"), .send("9\r\ndata: \(index)\n\n\r\n")] }
        script.steps.append(.send("0\r\n\r\n"))
        try stage.backend.script(script)
        let client = try stage.client()
        try client.send(HTTPText.message("GET /", ["Accept-Encoding: gzip"]))
        let head = try client.head()
        #expect(head["Convert-Status"] == "skipped;event-stream")
        #expect(head["Content-Encoding"] == nil)
        // This is longer than the idle timeout of bodies. Event streams may be idle for an hour.
        usleep(700_000)
        for index in 0..<3 {
            try stage.backend.open(gate: "e\(index)")
            #expect(client.chunk() == "data: \(index)\n\n")
        }
        #expect(client.chunk() == "")
    }

    @Test func `a client's FIN does not cancel its request`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script([.gate("go")] + .response(200, GatewayStage.ada.before))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /"))
        client.raw.endSending()
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        usleep(200_000)
        #expect(try stage.backend.connections.first?.state == .open)
        try stage.backend.open(gate: "go")
        #expect(try client.finalResponse().whole.text == GatewayStage.ada.after)
    }

    @Test func `a client's reset releases the upstream connection and is logged with 499`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script("/before", [.hang])
        try stage.backend.script(
            "/within", .chunked(["[" + String(repeating: "1,", count: 50_000)], isCut: true) + [.hang])
        for path in ["/before", "/within"] {
            let count = try stage.backend.requests.count
            do {
                let client = try stage.client()
                try client.send(HTTPText.message("GET \(path)"))
                #expect(try stage.backend.waitsForRequests(until: { $0.count == count + 1 }))
                if path == "/within" { #expect(try client.head().status == 200) }
                client.raw.resetWhenClosed()
            }
            let connection = try stage.backend.lastRequest().connection
            #expect(try stage.backend.waitsForConnections(until: { $0[connection].state != .open }), "\(path)")
            #expect(
                waits { stage.accessLog.contains { $0.contains("\"status\":499") && $0.contains(path) } },
                "\(stage.server.log)")
        }
        #expect(try stage.ask("GET /").status == 200)
    }

    @Test func `an early final response is passed on at once, and both connections close`()
        throws
    {
        let stage = try GatewayStage(upstream: #""requestBufferBytes": 0,"#)
        try stage.backend.script(
            "/early", [.send("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\nX-Early: 1\r\n\r\nstop"), .body])
        let client = try stage.client()
        let length = 8 << 20
        try client.send(HTTPText.message("POST /early", ["Content-Length: \(length)"]) + "begin")
        let response = try client.finalResponse().whole
        #expect(response.status == 413 && response.text == "stop")
        #expect(response["Connection"]?.lowercased() == "close")
        // The client may continue to send for a while, and is not reset before it has read the response.
        let sender = Background { [raw = client.raw] in try? raw.send(String(repeating: "x", count: 1 << 20)) }
        sender.wait()
        client.raw.endSending()
        #expect(client.rest().ending == .closed)
        #expect(try stage.backend.waitsForConnections(until: { $0.first.map { $0.state != .open } ?? false }))
        #expect(try stage.ask("GET /").status == 200)
        #expect(try stage.backend.connections.count == 2)
    }

    @Test func `a client's body without progress is 408`() throws {
        let stage = try GatewayStage("--body-seconds", "1")
        for fields in [["Content-Length: 9"], ["Transfer-Encoding: chunked"]] {
            let client = try stage.client()
            try client.send(HTTPText.message("POST /", fields) + "2")
            #expect(try client.finalResponse().message.status == 408, "\(fields)")
        }
        #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
        #expect(try stage.backend.requests.allSatisfy { !$0.isComplete })
    }

    @Test func `a client's body below 256 bytes per second for a minute is 408`() async throws {
        let (slow, waited, fair) = try await onOwnThread {
            let stage = try GatewayStage()
            let slow = try stage.client()
            let fair = try stage.client()
            try slow.send(HTTPText.message("POST /slow", ["Content-Length: 100000"]))
            try fair.send(HTTPText.message("POST /fair", ["Content-Length: 100000"]))
            let begin = SystemClock.monotonic()
            let passed = { SystemClock.monotonic().nanoseconds - begin.nanoseconds }
            // At most 190 and 1,500 bytes a second; both clients always make progress.
            var sent = 0
            while passed() < 56_000_000_000 {
                usleep(1_000_000)
                try slow.send(String(repeating: "x", count: 190))
                try fair.send(String(repeating: "x", count: 1500))
                sent += 1500
            }
            let status = try slow.finalResponse().message.status
            let waited = passed()
            try fair.send(String(repeating: "x", count: 100_000 - sent))
            return (status, waited, try fair.finalResponse().whole.status)
        }
        #expect(slow == 408)
        #expect(waited > 59_000_000_000 && waited < 66_000_000_000, "\(waited)")
        #expect(fair == 200)
    }

    @Test func `pipelined requests get responses in order, and a client's connection persists`() throws {
        let stage = try GatewayStage()
        try stage.backend.script("/a", [.sleep(200)] + .response(200, "a", type: nil))
        try stage.backend.script("/b", .response(200, "b", type: nil))
        let client = try stage.client()
        try client.send(
            HTTPText.message("GET /a") + HTTPText.message("POST /b", body: "x") + HTTPText.message("GET /b")
        )
        #expect(try (0..<3).map { _ in try client.finalResponse().whole.text } == ["a", "b", "b"])
        #expect(try stage.backend.requests.map(\.line) == ["GET /a HTTP/1.1", "POST /b HTTP/1.1", "GET /b HTTP/1.1"])
    }

    @Test func `HTTP/1.0 clients get no chunks, and the upstream gets requests in HTTP/1.1`() throws {
        let stage = try GatewayStage()
        try stage.backend.script(.chunked(["ab", "cd"], type: "text/plain"))
        let response = try stage.exchange(HTTPText.message("GET / HTTP/1.0"))
        #expect(response.message["Transfer-Encoding"] == nil)
        #expect(try response.whole.text == "abcd")
        #expect(try stage.backend.lastRequest().line == "GET / HTTP/1.1")
    }
}
