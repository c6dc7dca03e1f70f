import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPServer

/// The facts about clients that upstreams get, and the client's fields that the gateway forwards.
struct GatewayFieldsTests {
    private static func route(_ upstreams: [(name: String, host: String)], _ backend: ScriptedBackend) -> String {
        upstreams.map { #""\#($0.name)": { "servers": ["\#(backend.servers[0])"], "host": "\#($0.host)" }"# }
            .joined(separator: ", ")
    }

    @Test func `Host is the client's, the server's or a literal, as set for the upstream`() throws {
        let rows = [("keep", "a.example:81"), ("literal.example:7", "literal.example:7")]
        for (policy, expected) in rows {
            let stage = try GatewayStage(upstream: #""host": "\#(policy)","#)
            let request = try stage.forwarded("GET /", "Host: a.example:81")
            #expect(request["Host"] == expected)
            #expect(request["X-Forwarded-Host"] == "a.example:81")
        }
        let stage = try GatewayStage(upstream: #""host": "upstream","#)
        let own = String(stage.backend.servers[0].dropFirst("http://".count))
        #expect(try stage.forwarded("GET /", "Host: a.example")["Host"] == own)
        // The default behaviour.
        #expect(try GatewayStage().forwarded("GET /", "Host: b.example")["Host"] == "b.example")
        // Absolute-form overrides Host.
        #expect(try GatewayStage().forwarded("GET http://c.example/x", "Host: b.example")["Host"] == "c.example")
    }

    @Test func `forwarding fields of untrusted peers are removed and set again`() throws {
        let stage = try GatewayStage(routes: #"{ "match": "/api", "upstream": "shop", "stripPrefix": "/api" }"#)
        let request = try stage.forwarded(
            "GET /api/x", "Host: a.example:81", "X-Forwarded-For: 1.2.3.4", "X-Forwarded-Proto: https",
            "X-Forwarded-Host: evil", "X-Forwarded-Prefix: /evil", "X-Forwarded-Anything: evil", "X-Real-IP: 1.2.3.4",
            "Forwarded: for=1.2.3.4", "x-forwarded-for: 5.6.7.8")
        #expect(request["X-Forwarded-For"] == "127.0.0.1")
        #expect(request["X-Forwarded-Proto"] == "http")
        #expect(request["X-Forwarded-Host"] == "a.example:81")
        #expect(request["X-Forwarded-Prefix"] == "/api")
        #expect(request["X-Forwarded-Anything"] == nil)
        #expect(request["X-Real-IP"] == nil)
        #expect(request["Forwarded"] == nil)
        // X-Forwarded-Prefix is only sent if a prefix was stripped.
        let plain = try GatewayStage().forwarded("GET /", "X-Forwarded-Prefix: /evil")
        #expect(plain["X-Forwarded-Prefix"] == nil)
    }

    @Test func `X-Forwarded-For of trusted peers is extended, and missing forwarding fields are set`() throws {
        let stage = try GatewayStage(
            root: """
                "trustedProxies": ["127.0.0.0/8", "10.0.0.0/8"],
                "trustedFields": ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded"],
                """)
        let request = try stage.forwarded(
            "GET /x", "Host: a.example", "X-Forwarded-For: 203.0.113.9, 198.51.100.7, 10.1.2.3",
            "X-Forwarded-Proto: https",
            "X-Forwarded-Host: public.example", "X-Real-IP: 203.0.113.9", "Forwarded: for=203.0.113.9")
        #expect(request["X-Forwarded-For"] == "203.0.113.9, 198.51.100.7, 10.1.2.3, 127.0.0.1")
        #expect(request["X-Forwarded-Proto"] == "https")
        #expect(request["X-Forwarded-Host"] == "public.example")
        #expect(request["X-Real-IP"] == "203.0.113.9")
        #expect(request["Forwarded"] == "for=203.0.113.9")
        // The client's address is the rightmost address that is not trusted.
        #expect(waits { stage.accessLog.contains { $0.contains("198.51.100.7") } }, "\(stage.server.log)")
        let bare = try stage.forwarded("GET /", "Host: a.example:9")
        #expect(bare["X-Forwarded-For"] == "127.0.0.1")
        #expect(bare["X-Forwarded-Proto"] == "http")
        #expect(bare["X-Forwarded-Host"] == "a.example:9")
    }

    @Test func `a client that resets its connection does not count as a Unix socket`() throws {
        let stage = try GatewayStage(root: #""trustedProxies": ["unix"],"#, "--loops", "1")
        for number in 0..<50 {
            let client = try GatewayClient(stage.server.address, from: "127.0.0.7")
            try client.send(
                HTTPText.message(
                    "POST /\(number)", ["X-Forwarded-For: 203.0.113.9", "X-Real-IP: 203.0.113.9"], body: ""))
            client.raw.resetWhenClosed()
        }
        #expect(try stage.ask("GET /last").status == 200)
        // The server may have received the last request before some of the others.
        for request in try stage.backend.requests where request.target != "/last" {
            #expect(request["X-Forwarded-For"] == "127.0.0.7")
            #expect(request["X-Real-IP"] == nil)
        }
    }

    @Test func `fields with an underscore in their name are removed`() throws {
        let request = try GatewayStage().forwarded(
            "POST /", "X_Forwarded_For: 1.2.3.4", "Content_Length: 7", "X_a: 1", "X-a: 2", body: "ab")
        #expect(request.fields.allSatisfy { !$0.name.contains("_") })
        #expect(request["X-a"] == "2")
        #expect(request.text == "ab")
    }

    @Test func `Via gets an entry, and request loops end with 508`() throws {
        let stage = try GatewayStage()
        #expect(try stage.forwarded("GET /")["Via"] == "1.1 edge-1")
        #expect(try stage.forwarded("GET /", "Via: 1.0 a, 1.1 b (x)")["Via"] == "1.0 a, 1.1 b (x), 1.1 edge-1")
        #expect(try stage.forwarded("GET / HTTP/1.0", "Via: 1.1 a")["Via"] == "1.1 a, 1.0 edge-1")
        let ten = (1...10).map { "1.1 p\($0)" }.joined(separator: ", ")
        #expect(try stage.forwarded("GET /", "Via: \(ten)")["Via"] == "\(ten), 1.1 edge-1")
        let count = try stage.backend.requests.count
        for via in ["1.1 edge-1", "1.0 x, 1.1 edge-1 (us)", "\(ten), 1.1 p11", "1.1 EDGE-1"] {
            let response = try stage.ask("GET /", "Via: \(via)")
            #expect(response.status == 508, "\(via)")
            #expect(response["Content-Type"] == "application/problem+json")
        }
        #expect(try stage.backend.requests.count == count)
    }

    @Test func `without a via, the name is random, one for each process`() throws {
        var names: [String] = []
        for _ in 0..<2 {
            let stage = try GatewayStage(root: #""accessLog": true,"#)
            let directory = try TemporaryDirectory()
            let file = try directory.write(
                "convert.json",
                #"{ "listen": ["127.0.0.1:0"], "admin": ["unix:admin"], "upstreams": { "u": { "servers": ["\#(stage.backend.servers[0])"] } }, "routes": [{ "match": "/", "upstream": "u" }] }"#
            )
            let server = try LiveServer(configuration: file, in: directory, [])
            for _ in 0..<2 {
                let client = try GatewayClient(server.address)
                try client.send(HTTPText.message("GET /"))
                _ = try client.finalResponse()
            }
            let vias = try stage.backend.requests.map { $0["Via"] ?? "" }
            #expect(vias.count == 2 && vias[0] == vias[1])
            names.append(vias[0])
        }
        #expect(names[0].hasPrefix("1.1 ") && names[0].count > 8)
        #expect(names[0] != names[1])
    }

    @Test func `X-Request-Id is kept if valid and made otherwise, and every response has it`() throws {
        let stage = try GatewayStage(root: #""trustedProxies": "127.0.0.1","#)
        let longest = String(repeating: "a", count: 128)
        for id in ["a", "A-Z.0_9", longest] {
            try stage.backend.script(.response(200, "{}", "X-Request-Id: the-upstream's"))
            let response = try stage.ask("GET /", "X-Request-Id: \(id)")
            #expect(try stage.backend.lastRequest()["X-Request-Id"] == id)
            #expect(response.values("X-Request-Id") == [id])
        }
        for id in ["", "a b", "a/b", longest + "a", "é"] {
            let response = try stage.ask("GET /", "X-Request-Id: \(id)")
            let made = try #require(try stage.backend.lastRequest()["X-Request-Id"])
            #expect(made != id && !made.isEmpty)
            #expect(response.values("X-Request-Id") == [made])
        }
        for line in ["GET /a/../b", "GET /%00", "BAD"] {
            let response = try stage.exchange(HTTPText.message(line, isLast: true)).message
            #expect(response.values("X-Request-Id").count == 1, "\(line)")
        }
    }

    @Test func `X-Request-Id is used from trusted peers only`() throws {
        let stage = try GatewayStage()
        let response = try stage.ask("GET /", "X-Request-Id: attacker-chosen")
        let made = try #require(try stage.backend.lastRequest()["X-Request-Id"])
        #expect(made != "attacker-chosen" && response.values("X-Request-Id") == [made])
        let refused = try stage.ask("GET /a/../b", "X-Request-Id: attacker-chosen")
        #expect(refused.status == 400 && refused["X-Request-Id"] != "attacker-chosen")
        #expect(waits { stage.accessLog.count == 2 })
        #expect(!stage.server.log.contains("attacker-chosen"))
    }

    @Test func `a trace is continued with the gateway's span, and every other end-to-end field passes unchanged`()
        throws
    {
        let stage = try GatewayStage()
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let request = try stage.forwarded(
            "GET /", "traceparent: 00-\(trace)-b7ad6b7169203331-01", "tracestate: a=b", "Authorization: Basic YTpi",
            "Cookie: a=1",
            "Cookie: b=2",
            "X-Empty:", "User-Agent: x", "Cache-Control: no-transform", "Accept: text/html;q=0.5")
        let parent = try #require(request["traceparent"])
        let span = try #require(parent.wholeMatch(of: /00-0af7651916cd43dd8448eb211c80319c-([0-9a-f]{16})-01/)).1
        #expect(span != "b7ad6b7169203331" && span != "0000000000000000")
        #expect(
            waits {
                stage.accessLog.contains {
                    $0.contains(#""traceId":"\#(trace)","spanId":"\#(span)","parentSpanId":"b7ad6b7169203331""#)
                }
            })
        // The gateway begins no trace, and does not forward a `traceparent` that is not valid.
        #expect(try stage.forwarded("GET /")["traceparent"] == nil)
        let invalid = try stage.forwarded(
            "GET /", "traceparent: 00-\(trace)-0000000000000000-01", "tracestate: a=b")
        #expect(invalid["traceparent"] == nil && invalid["tracestate"] == nil)
        #expect(request["tracestate"] == "a=b")
        #expect(request["Authorization"] == "Basic YTpi")
        #expect(request.fields.filter { $0.name == "cookie" }.map(\.value) == ["a=1", "b=2"])
        #expect(request["X-Empty"] == "")
        #expect(request["Cache-Control"] == "no-transform")
        #expect(request["Accept"] == "text/html;q=0.5")
    }

    @Test func `hop-by-hop fields and those in Connection are removed in both directions`() throws {
        let stage = try GatewayStage()
        try stage.backend.script(
            .response(
                200, "{}", "Connection: X-Back, x-other", "Keep-Alive: timeout=5", "X-Back: 1", "X-Other: 2",
                "X-Stays: 3",
                "Proxy-Connection: keep-alive", "Upgrade: h2c"))
        let request = try stage.forwarded(
            "GET /", "Connection: close, X-Hop", "Connection: x-hop2", "X-Hop: 1", "X-Hop2: 1", "Keep-Alive: 1",
            "Proxy-Connection: x", "TE: gzip", "Upgrade: websocket", "X-Stays: 1", "Proxy-Authorization: Basic YTpi")
        for name in [
            "X-Hop", "X-Hop2", "Keep-Alive", "Proxy-Connection", "Proxy-Authorization", "TE", "Upgrade", "Trailer",
        ] {
            #expect(request[name] == nil, "\(name)")
        }
        #expect(request["X-Stays"] == "1")
        let response = try stage.ask("GET /")
        for name in ["Keep-Alive", "X-Back", "X-Other", "Proxy-Connection", "Upgrade"] {
            #expect(response[name] == nil, "\(name)")
        }
        #expect(response["X-Stays"] == "3")
    }

    @Test func `Set-Cookie stays unchanged and is never merged`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let cookies = ["a=1; Path=/x; Expires=Sun, 06 Nov 2094 08:49:37 GMT", "b=2; Domain=10.0.0.1", "a=3"]
        try stage.backend.script(
            .response(200, "{}", "Set-Cookie: \(cookies[0])", "Set-Cookie: \(cookies[1])", "Set-Cookie: \(cookies[2])"))
        #expect(try stage.ask("GET /").values("Set-Cookie") == cookies)
    }

    @Test func `the upstream's Server, Date and Content-Type stay, and nosniff is only ours`() throws {
        for routes in [GatewayStage.everything, GatewayStage.converting] {
            let stage = try GatewayStage(routes: routes)
            let date = "Sun, 06 Nov 1994 08:49:37 GMT"
            try stage.backend.script(
                .response(200, "{}", type: "application/vnd.shop+json; v=2", "Server: shop/3", "Date: \(date)"))
            try stage.backend.script(.response(200, "x", type: nil))
            let response = try stage.ask("GET /")
            #expect(response.values("Server") == ["shop/3"])
            #expect(response.values("Date") == [date])
            #expect(response["Content-Type"] == "application/vnd.shop+json; v=2")
            #expect(response["X-Content-Type-Options"] == nil)
            let bare = try stage.ask("GET /")
            #expect(bare["Content-Type"] == nil)
            #expect(bare.values("Date").count == 1)
            #expect(bare["X-Content-Type-Options"] == nil)
            #expect(try stage.ask("GET /a/../b")["X-Content-Type-Options"] == "nosniff")
        }
    }
}
