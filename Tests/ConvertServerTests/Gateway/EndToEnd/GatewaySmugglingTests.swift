import FoundationEssentials
import Testing

@testable import ConvertServer

/// Nothing that a client sends makes two requests of one, or gets a field past the gateway that it hid.
@Suite(.enabled(if: GatewayStage.isServed)) struct GatewaySmugglingTests {
    /// A file of `Fixtures/http`, as far as it matters here; its README tells the format.
    private struct Fixture {
        let name: String
        var bytes: [UInt8] = []
        var methods: [String] = []
        var bodies: [String] = []
        var allowsFollower = false
        var needsOtherServer = false

        init(name: String, text: String) {
            self.name = name
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let rest = line.dropFirst(2)
                let words = rest.split(separator: " ")
                switch line.first {
                case ">": bytes += EscapedBytes.decode(rest)
                case "@": needsOtherServer = needsOtherServer || words[0] != "show"
                case "=" where words[0] == "head": methods.append(String(words[1]))
                case "=" where words[0] == "body": bodies.append(String(rest.dropFirst(5)))
                case "=": allowsFollower = words[0] == "persists"
                default: break
                }
            }
        }

        static func all() throws -> [Fixture] {
            let folder = URL(filePath: BuiltProgram.project).appending(path: "Tests/Fixtures/http")
            return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".http") }
                .sorted().map { path in
                    let text = String(decoding: try Data(contentsOf: folder.appending(path: path)), as: UTF8.self)
                    return Fixture(name: String(path.dropLast(5)), text: text)
                }
        }
    }

    private static let follower = Array("GET /follower HTTP/1.1\r\nHost: f\r\n\r\n".utf8)

    /// Sends everything, says that no more comes, and waits for the end.
    private func play(_ bytes: [UInt8], _ stage: GatewayStage) throws {
        let client = try stage.client()
        // The gateway may close before it has read everything.
        try? client.raw.send(bytes)
        client.raw.endSending()
        _ = client.rest()
    }

    @Test func `no framing fixture reaches the backend as more requests than it has`() throws {
        let fixtures = try Fixture.all()
        #expect(fixtures.count >= 300)
        // Those for servers with other limits, or that answer before they have read.
        let usable = fixtures.filter { !$0.needsOtherServer }
        #expect(usable.count >= 280)
        let stage = try GatewayStage("--loops", "1")
        var first = 0
        for fixture in usable {
            try play(fixture.bytes + Self.follower, stage)
            let requests = try stage.backend.requests(from: first)
            first += requests.count
            let allowed = fixture.methods + (fixture.allowsFollower ? ["GET"] : [])
            #expect(requests.count <= allowed.count, "\(fixture.name): \(requests.map(\.line))")
            let followers = requests.count { $0.target == "/follower" }
            #expect(followers == 0 || fixture.allowsFollower, "\(fixture.name)")
            // In their order, each as what it was; some are refused, CONNECT for one.
            var rest = allowed[...]
            for request in requests {
                while let method = rest.popFirst(), method != request.method {}
                #expect(!rest.isEmpty || request.method == allowed.last, "\(fixture.name): \(request.line)")
            }
            let bodies = requests.filter { $0.isComplete && !$0.body.isEmpty }.map { EscapedBytes.encode($0.body) }
            #expect(bodies.allSatisfy { fixture.bodies.contains($0) }, "\(fixture.name): \(bodies)")
        }
        #expect(first > 100)
        // And what the backend got has one reading only.
        for connection in try stage.backend.connections {
            let strict = try StrictRequests(connection.received)
            #expect(!strict.isTorn || connection.state != .open)
        }
    }

    @Test func `the same through a route that converts requests`() throws {
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile", "onError": "pass" } }"#,
            "--loops", "1")
        var first = 0
        for fixture in try Fixture.all() where !fixture.needsOtherServer {
            let bytes = Array(
                String(decoding: fixture.bytes, as: UTF8.self)
                    .replacing("Host: ", with: "Content-Type: application/json\r\nHost: ").utf8)
            guard String(decoding: fixture.bytes, as: UTF8.self).utf8.elementsEqual(fixture.bytes) else { continue }
            try play(bytes + Self.follower, stage)
            let requests = try stage.backend.requests(from: first)
            first += requests.count
            #expect(requests.count <= fixture.methods.count + (fixture.allowsFollower ? 1 : 0), "\(fixture.name)")
        }
        for connection in try stage.backend.connections { _ = try StrictRequests(connection.received) }
    }

    @Test func `fields that Connection names do not go on, and framing and routing cannot be named away`() throws {
        let stage = try GatewayStage()
        let request = try stage.forwarded(
            "POST /", "Connection: close, Content-Length, Host, Transfer-Encoding", "Connection: X-Forwarded-For, Via",
            "Connection: x-forwarded-host,X-Request-Id , Authorization,,X-Secret", "Authorization: hidden",
            "X-Secret: 1",
            "x-secret: 2", "X-Other: 3", body: "abc")
        #expect(request.text == "abc")
        #expect(request["Host"] == "shop.example")
        #expect(request["Content-Length"] == "3")
        #expect(request["X-Forwarded-For"] == "127.0.0.1")
        #expect(request["X-Forwarded-Host"] == "shop.example")
        #expect(request["Via"] == "1.1 edge-1")
        #expect(request["X-Request-Id"] != nil)
        #expect(request["Authorization"] == nil && request["X-Secret"] == nil)
        #expect(request["X-Other"] == "3")
        let received = String(decoding: try #require(try stage.backend.connections.first).received, as: UTF8.self)
        #expect(!received.contains("hidden") && !received.contains("X-Secret"))
        // Conditions and ranges that were hidden are no conditions.
        let converting = try GatewayStage(routes: GatewayStage.converting)
        let hidden = try converting.forwarded(
            "GET /", "Connection: close, If-None-Match, Accept-Encoding, Cookie", "If-None-Match: *",
            "Accept-Encoding: br",
            "Cookie: a")
        #expect(hidden["If-None-Match"] == nil && hidden["Cookie"] == nil)
    }

    @Test func `an upgrade that is refused leaves no tunnel to smuggle through`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/a", "upstream": "shop", "upgrade": ["websocket"] }, { "match": "/a/closed", "upstream": "shop", "methods": ["PUT"] }"#
        )
        try stage.backend.script(.answer(200, "no", type: nil))
        let client = try stage.client()
        try client.send(
            GatewayStage.message("GET /a", ["Connection: Upgrade", "Upgrade: websocket"])
                + GatewayStage.message("GET /a/closed"))
        #expect(try client.answer().whole.status == 200)
        // What follows is a request like any other, and goes through the routes.
        #expect(try client.answer().whole.status == 405)
        #expect(try stage.backend.requests.count == 1)
    }

    @Test func `answers cannot be smuggled either`() throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let rows = [
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "HTTP/1.1 200 OK\r\nX\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "ICY 200 OK\r\n\r\n",
            "HTTP/2 200\r\n\r\n",
            "HTTP/1.1 99 Low\r\n\r\n", "HTTP/1.1 2000 High\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
            "<html>no head at all</html>",
        ]
        let stage = try GatewayStage("--loops", "1")
        for (index, row) in rows.enumerated() {
            try stage.backend.script("/\(index)", [.send(row + evil), .sleep(50), .close])
            let answer = try stage.ask("GET /\(index)")
            #expect(answer.status == 502, "\(row)")
            #expect(!answer.text.contains("evil"))
            #expect(try stage.ask("GET /next").text == "ok", "\(row)")
        }
    }
}
