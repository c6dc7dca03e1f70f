import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import HTTPServer

/// No client can make two requests out of one, or hide a field so that it passes the gateway.
struct GatewaySmugglingTests {
    /// A case of `Fixtures/http`, as far as it matters here.
    private struct Fixture {
        let name: String
        let bytes: [UInt8]
        var methods: [String] = []
        var bodies: [[UInt8]] = []
        var allowsFollower = false
        let needsOtherServer: Bool
        /// Whether bytes that follow would be read as part of it.
        var endsInput: Bool

        init(_ fixture: ExchangeFixture) {
            (name, bytes, endsInput) = (fixture.name, fixture.bytes, fixture.endsInput)
            needsOtherServer = fixture.directives.contains { $0[0] != "show" }
            for line in fixture.expected {
                let words = line.split(separator: " ")
                switch words[0] {
                case "head": methods.append(String(decoding: EscapedBytes.decode(words[1]), as: UTF8.self))
                case "body": bodies.append(EscapedBytes.decode(line.dropFirst(5)))
                case "more": endsInput = true
                default: allowsFollower = words[0] == "persists"
                }
            }
        }

        static func all() throws -> [Fixture] { try ExchangeFixture.all(in: "http").map(Fixture.init) }
    }

    private static let follower = Array("GET /follower HTTP/1.1\r\nHost: f\r\n\r\n".utf8)

    /// Sends all bytes from the address of the fixture, ends the sending side, and waits for the end.
    private func play(_ bytes: [UInt8], _ number: Int, _ stage: GatewayStage) throws {
        let client = try GatewayClient(stage.server.address, from: Self.source(number))
        // The gateway may close the connection before it has read all bytes.
        try? client.raw.send(bytes)
        client.raw.endSending()
        _ = client.rest()
    }

    /// The client's address for a fixture, which the backend gets in X-Forwarded-For.
    private static func source(_ number: Int) -> String { "127.1.\(number / 200).\(number % 200 + 1)" }

    /// Compares the requests that reached the backend with those of each fixture, after all fixtures were sent.
    private func check(_ fixtures: [Fixture], _ stage: GatewayStage, comparesBodies: Bool = true) throws {
        // Requests that are cut off may arrive after their client has gone.
        #expect(try stage.ask("GET /last").status == 200)
        usleep(300_000)
        let all = try stage.backend.requests
        #expect(all.count > 100)
        let bySource = Dictionary(grouping: all) { $0["X-Forwarded-For"] ?? "" }
        for (number, fixture) in fixtures.enumerated() {
            let requests = bySource[Self.source(number)] ?? []
            let allowed = fixture.methods + (fixture.allowsFollower ? ["GET"] : [])
            #expect(requests.count <= allowed.count, "\(fixture.name): \(requests.map(\.line))")
            let followers = requests.count { $0.target == "/follower" }
            #expect(followers == 0 || fixture.allowsFollower, "\(fixture.name)")
            // Each request has a method of the fixture. The gateway refuses some, CONNECT for example.
            var rest = allowed
            for request in requests {
                let index = rest.firstIndex(of: request.method)
                #expect(index != nil, "\(fixture.name): \(request.line)")
                if let index { rest.remove(at: index) }
            }
            let bodies = requests.filter { $0.isComplete && !$0.body.isEmpty }.map(\.body)
            #expect(!comparesBodies || bodies.allSatisfy { fixture.bodies.contains($0) }, "\(fixture.name)")
        }
        // The bytes that the backend received can be read in one way only.
        for connection in try stage.backend.connections {
            let strict = try StrictRequests(connection.received)
            #expect(!strict.isTorn || connection.state != .open)
        }
    }

    /// The fixtures that need no other limits, and no server that responds before it has read the request.
    private func fixtures() throws -> [Fixture] {
        let all = try Fixture.all()
        #expect(all.count >= 300)
        let usable = all.filter { !$0.needsOtherServer }
        #expect(usable.count >= 280)
        return usable
    }

    @Test func `no framing fixture becomes more requests than it contains`() throws {
        let stage = try GatewayStage("--loops", "1")
        let fixtures = try fixtures()
        for (number, fixture) in fixtures.enumerated() {
            try play(fixture.bytes + (fixture.endsInput ? [] : Self.follower), number, stage)
        }
        try check(fixtures, stage)
    }

    @Test func `no framing fixture becomes more requests on a route that converts requests`() throws {
        let stage = try GatewayStage(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile", "onError": "pass" } }"#,
            "--loops", "1")
        let fixtures = try fixtures()
        let field = Array("\r\nContent-Type: application/json\r\nHost: ".utf8)
        for (number, fixture) in fixtures.enumerated() {
            let bytes = fixture.bytes.replacing(Array("\r\nHost: ".utf8), with: field)
            try play(bytes + (fixture.endsInput ? [] : Self.follower), number, stage)
        }
        // Some of the bodies are valid JSON, for example a number between line ends.
        try check(fixtures, stage, comparesBodies: false)
    }

    @Test func `fields that Connection names are removed, but not those for framing and routing`() throws {
        let stage = try GatewayStage()
        let request = try stage.forwarded(
            "POST /", "Connection: close, Content-Length, Host, Transfer-Encoding", "Connection: X-Forwarded-For, Via",
            "Connection: x-forwarded-host,X-Request-Id , Authorization,,X-Secret", "Authorization: kept",
            "X-Secret: 1",
            "x-secret: 2", "X-Other: 3", body: "abc")
        #expect(request.text == "abc")
        #expect(request["Host"] == "shop.example")
        #expect(request["Content-Length"] == "3")
        #expect(request["X-Forwarded-For"] == "127.0.0.1")
        #expect(request["X-Forwarded-Host"] == "shop.example")
        #expect(request["Via"] == "1.1 edge-1")
        #expect(request["X-Request-Id"] != nil)
        // The Connection field cannot remove credentials either.
        #expect(request["Authorization"] == "kept" && request["X-Secret"] == nil)
        #expect(request["X-Other"] == "3")
        let received = String(decoding: try #require(try stage.backend.connections.first).received, as: UTF8.self)
        #expect(!received.contains("X-Secret"))
        // Conditions and ranges that Connection lists do not apply.
        let converting = try GatewayStage(routes: GatewayStage.converting)
        let hidden = try converting.forwarded(
            "GET /", "Connection: close, If-None-Match, Accept-Encoding, Cookie", "If-None-Match: *",
            "Accept-Encoding: br",
            "Cookie: a")
        // Connection cannot remove credentials.
        #expect(hidden["If-None-Match"] == nil && hidden["Cookie"] == "a")
    }

    @Test func `a refused upgrade leaves no tunnel for smuggling`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/a", "upstream": "shop", "upgrade": ["websocket"] }, { "match": "/a/closed", "upstream": "shop", "methods": ["PUT"] }"#
        )
        try stage.backend.script(.response(200, "no", type: nil))
        let client = try stage.client()
        try client.send(
            HTTPText.message("GET /a", ["Connection: Upgrade", "Upgrade: websocket"])
                + HTTPText.message("GET /a/closed"))
        #expect(try client.finalResponse().whole.status == 200)
        // The bytes that follow are read as a normal request, which goes through the routes.
        #expect(try client.finalResponse().whole.status == 405)
        #expect(try stage.backend.requests.count == 1)
    }

    @Test func `responses cannot be smuggled`() throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let rows = [
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nab",
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
            let response = try stage.ask("GET /\(index)")
            #expect(response.status == 502, "\(row)")
            #expect(!response.text.contains("evil"))
            #expect(try stage.ask("GET /next").text == "ok", "\(row)")
        }
    }

    @Test func `a repaired response is one response, and no client sees the repair`() throws {
        let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
        let rows = [
            "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nab", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nab",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nab",
        ]
        let stage = try GatewayStage("--loops", "1")
        for (index, row) in rows.enumerated() {
            try stage.backend.script("/\(index)", [.send(row + evil), .sleep(50), .close])
            let response = try stage.ask("GET /\(index)")
            #expect(response.status == 200 && response.text == "ab", "\(row)")
            #expect(
                response.fields.filter { $0.name.lowercased() == "content-length" }.map { $0.value } == ["2"], "\(row)")
            #expect(try stage.ask("GET /next").text == "ok", "\(row)")
        }
    }
}
