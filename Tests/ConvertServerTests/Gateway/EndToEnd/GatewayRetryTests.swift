import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// The responses to an upstream's failures, and the requests that are retried.
struct GatewayRetryTests {
    private static let ok = BackendScript.response(200, "ok", type: "text/plain")

    @Test func `refused connections and unknown hosts are 502, and timeouts 504`() throws {
        let rows: [(String, (ScriptedBackend) -> [String], Int)] = [
            ("refused", { [$0.refusing] }, 502), ("unresolved", { _ in ["http://nobody.invalid:81"] }, 502),
            ("no socket", { _ in ["unix:nothing-here"] }, 502), ("connect timeout", { [$0.full] }, 504),
        ]
        for (name, servers, status) in rows {
            let stage = try GatewayStage(upstream: #""connectTimeoutSeconds": 0.2,"#, servers: servers)
            for method in ["GET", "POST"] {
                let response = try stage.ask("\(method) /", body: "")
                #expect(response.status == status, "\(name)")
                #expect(response["Content-Type"] == "application/problem+json")
                #expect(response.text.contains("\"status\":\(status)"))
                #expect(!response.text.contains("127.0.0.1"), "\(response.text)")
            }
        }
    }

    @Test func `no head in time is 504, from the request's last byte, without a retry`() throws {
        let stage = try GatewayStage(upstream: #""responseTimeoutSeconds": 0.4,"#, listeners: 2)
        try stage.backend.script("/hang", [.hang])
        let begin = SystemClock.monotonic()
        #expect(try stage.ask("GET /hang").status == 504)
        let waited = SystemClock.monotonic().nanoseconds - begin.nanoseconds
        #expect(waited > 350_000_000 && waited < 4_000_000_000, "\(waited)")
        #expect(try stage.backend.requests.count == 1)
        #expect(try stage.backend.waitsForConnections(until: { $0.allSatisfy { $0.state != .open } }))
        // Sending this body takes longer than the timeout.
        let client = try stage.client()
        try client.send(HTTPText.message("POST /", ["Content-Length: 3"]) + "a")
        for piece in ["b", "c"] {
            usleep(350_000)
            try client.send(piece)
        }
        #expect(try client.finalResponse().whole.status == 200)
        // Half a head does not count as a head.
        try stage.backend.script("/half", [.send("HTTP/1.1 200 OK\r\nX-"), .hang])
        #expect(try stage.ask("GET /half").status == 504)
    }

    @Test func `a failed connect is retried once, on another server, for any method`() throws {
        let stage = try GatewayStage(servers: { [$0.refusing, $0.servers[0]] })
        for method in ["GET", "POST", "PATCH", "GET", "POST", "PATCH"] {
            let request = try stage.forwarded("\(method) /", body: "payload")
            #expect(request.method == method && request.text == "payload")
        }
    }

    @Test func `a request is retried only once`() throws {
        let stage = try GatewayStage(listeners: 3)
        for listener in 0..<3 { try stage.backend.script(listener: listener, [.reset]) }
        #expect(try stage.ask("GET /").status == 502)
        let requests = try stage.backend.requests
        #expect(requests.count == 2)
        #expect(Set(requests.map(\.listener)).count == 2)
    }

    @Test func `after a reset or close before the response, repeatable requests are retried`() throws {
        for failure in [BackendScript([.reset]), [.close]] {
            for (method, body, isRepeated) in [
                ("GET", nil, true), ("HEAD", nil, true), ("OPTIONS", nil, true), ("PUT", "a body", true),
                ("DELETE", "", true), ("POST", "a body", false), ("PATCH", "a body", false), ("PURGE", nil, false),
            ] as [(String, String?, Bool)] {
                let stage = try GatewayStage(routes: GatewayStage.everything, listeners: 2)
                try stage.backend.script(failure)
                try stage.backend.script(Self.ok)
                let message = HTTPText.message("\(method) /", body: body, isLast: true)
                let response = try stage.exchange(message).message
                #expect(response.status == (isRepeated ? 200 : 502), "\(method)")
                let requests = try stage.backend.requests
                #expect(requests.count == (isRepeated ? 2 : 1), "\(method)")
                #expect(requests.allSatisfy { $0.method == method && $0.text == body ?? "" })
                #expect(Set(requests.map(\.listener)).count == requests.count)
            }
        }
    }

    @Test func `a request whose body is no longer buffered is not retried`() throws {
        for (count, isRepeated) in [(64 * 1024, true), (200_000, false)] {
            let stage = try GatewayStage(listeners: 2)
            try stage.backend.script([.body, .reset])
            try stage.backend.script(Self.ok)
            let response = try stage.ask("PUT /", body: String(repeating: "x", count: count))
            #expect(response.status == (isRepeated ? 200 : 502), "\(count)")
            #expect(try stage.backend.requests.count == (isRepeated ? 2 : 1))
            if isRepeated { #expect(try stage.backend.lastRequest().body.count == count) }
        }
    }

    @Test func `a retry sends the same converted body`() throws {
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" } }"#, listeners: 2)
        try stage.backend.script([.reset])
        try stage.backend.script(Self.ok)
        #expect(try stage.ask("PUT /", "Content-Type: application/json", body: GatewayStage.ada.before).status == 200)
        #expect(try stage.backend.requests.map(\.text) == [GatewayStage.ada.after, GatewayStage.ada.after])
    }

    @Test func `a status never causes a retry and never ejects a server`() throws {
        let stage = try GatewayStage(listeners: 2)
        for listener in 0..<2 { try stage.backend.script(listener: listener, .response(503, "{}", "Retry-After: 7")) }
        for _ in 0..<20 {
            let response = try stage.ask("GET /")
            #expect(response.status == 503)
            #expect(response["Retry-After"] == "7")
        }
        let requests = try stage.backend.requests
        #expect(requests.count == 20)
        #expect(requests.count { $0.listener == 0 } == 10)
    }

    @Test func `a malformed response is 502 and not retried`() throws {
        let stage = try GatewayStage(listeners: 2)
        try stage.backend.script([.send("HTTP/1.1 2"), .reset])
        #expect(try stage.ask("GET /").status == 502)
        #expect(try stage.backend.requests.count == 1)
    }

    @Test func `retries have a budget of a fifth of the requests, at least three per second`() throws {
        let stage = try GatewayStage(listeners: 2)
        for listener in 0..<2 { try stage.backend.script(listener: listener, [.reset]) }
        for _ in 0..<100 { #expect(try stage.ask("GET /").status == 502) }
        let retries = try stage.backend.requests.count - 100
        // At most the budget of ten seconds, with three retries a second; the test takes less time than that.
        #expect(retries >= 3 && retries <= 60, "\(retries)")
    }

    @Test func `round robin begins anywhere and uses all servers in turn`() throws {
        let stage = try GatewayStage(listeners: 3)
        for _ in 0..<12 { #expect(try stage.ask("GET /").status == 200) }
        let listeners = try stage.backend.requests.map(\.listener)
        for index in 3..<12 { #expect(listeners[index] == listeners[index - 3]) }
        #expect(Set(listeners.prefix(3)).count == 3)
    }

    @Test func `all connections and loops share one round robin`() throws {
        let stage = try GatewayStage(listeners: 2, "--loops", "2")
        let clients = try (0..<8).map { _ in try stage.client() }
        for client in clients {
            try client.send(HTTPText.message("GET /"))
            #expect(try client.finalResponse().whole.status == 200)
        }
        #expect(try stage.backend.requests.count { $0.listener == 0 } == 4)
    }

    @Test func `a name is looked up by the system's resolver`() throws {
        let stage = try GatewayStage(servers: { backend in
            backend.servers.map { $0.replacing("127.0.0.1", with: "localhost") }
        })
        // On machines where localhost is ::1 as well, that address refuses, and the other one is tried.
        for _ in 0..<6 { #expect(try stage.ask("POST /", body: "").status == 200) }
    }
}
