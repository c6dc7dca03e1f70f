import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// Which route gets a request, and which path the upstream gets.
struct GatewayRoutingTests {
    /// A route that writes its name to X-Route, so that the response shows which route it was.
    private static func route(_ name: String, _ members: String) -> String {
        #"{ "name": "\#(name)", "upstream": "\#(name)", \#(members) }"#
    }

    /// A gateway whose routes each have their own upstream with the same name; it responds with this name.
    private func stage(_ routes: [(name: String, members: String)]) throws -> GatewayStage {
        let names = routes.map(\.name)
        let stage = try GatewayStage(
            routes: #"{ "match": "/is-first", "upstream": "shop" }"#, listeners: names.count)
        for (index, name) in names.enumerated() {
            try stage.backend.script(listener: index, .response(200, name, type: "text/plain"))
        }
        let upstreams = zip(names, stage.backend.servers).map { #""\#($0)": { "servers": ["\#($1)"] }"# }
        _ = try stage.directory.write(
            "convert.json",
            """
            { "listen": ["127.0.0.1:0"], "admin": ["unix:admin"], "upstreams": { \(upstreams.joined(separator: ", ")) },
              "routes": [\(routes.map { Self.route($0.name, $0.members) }.joined(separator: ", ")), 
                         { "match": "/is-reloaded", "upstream": "\(names[0])" }] }
            """)
        stage.server.signal(SIGHUP)
        guard try waits(until: { try stage.ask("GET /is-reloaded").status == 200 }) else {
            throw LiveServer.Failure(log: stage.server.log)
        }
        return stage
    }

    @Test func `a match is a case-sensitive prefix of whole segments`() throws {
        let stage = try GatewayStage(routes: #"{ "match": "/api/", "upstream": "shop" }"#)
        for (path, status) in [
            ("/api", 200), ("/api/", 200), ("/api/x", 200), ("/api?q", 200), ("/apix", 404), ("/API/x", 404),
            ("/", 404),
            ("/x/api", 404),
        ] {
            #expect(try stage.ask("GET \(path)").status == status, "\(path)")
        }
    }

    @Test func `exact hosts beat wildcards, hosts beat none, then the longest match wins`() throws {
        let stage = try stage([
            ("any", #""match": "/a""#), ("deep", #""match": "/a/b/c""#),
            ("star", #""match": "/a", "hosts": ["*.example.com"]"#),
            ("exact", #""match": "/a", "hosts": ["api.example.com"]"#),
            ("exactDeep", #""match": "/a/b", "hosts": ["api.example.com"]"#),
        ])
        let rows = [
            ("other.example", "/a/b/c", "deep"), ("other.example", "/a/b", "any"),
            ("x.example.com", "/a/b/c", "star"), ("x.y.example.com", "/a", "star"), ("example.com", "/a", "any"),
            ("api.example.com", "/a", "exact"), ("api.example.com:8080", "/a/b/c", "exactDeep"),
            ("API.Example.com", "/a/x", "exact"),
        ]
        for (host, path, expected) in rows {
            #expect(try stage.ask("GET \(path)", "Host: \(host)").text == expected, "\(host)\(path)")
        }
    }

    @Test func `a host with an escape is 400, because it would not match its routes`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/", "hosts": ["api.example.com"], "methods": ["POST"], "upstream": "shop" }, \#(GatewayStage.everything)"#
        )
        #expect(try stage.ask("GET /", "Host: api.example.com").status == 405)
        for (target, host) in [
            ("/", "%61pi.example.com"), ("/", "api%2Eexample.com:80"), ("http://%61pi.example.com/", "api.example.com"),
        ] {
            let response = try stage.ask("GET \(target)", "Host: \(host)")
            #expect(response.status == 400, "\(target) \(host)")
            #expect(response.text.contains(#""code":"bad-host""#))
        }
        #expect(try stage.backend.requests.isEmpty)
        // The host of an absolute target replaces the Host field.
        #expect(try stage.ask("GET http://other.example/", "Host: %61pi.example.com").status == 200)
    }

    @Test func `methods are compared last, and never select a shorter prefix`() throws {
        let stage = try stage([
            ("all", #""match": "/""#), ("read", #""match": "/a", "methods": ["GET"]"#),
            ("write", #""match": "/a", "methods": ["PUT", "PATCH"]"#),
        ])
        #expect(try stage.ask("GET /a").text == "read")
        #expect(try stage.exchange(HTTPText.message("HEAD /a", isLast: true)).message.status == 200)
        #expect(try stage.ask("PUT /a", body: "").text == "write")
        #expect(try stage.ask("BREW /", body: "").text == "all")
        for method in ["DELETE", "POST"] {
            let response = try stage.ask("\(method) /a", body: "")
            #expect(response.status == 405)
            #expect(response["Content-Type"] == "application/problem+json")
            let allowed = Set((response["Allow"] ?? "").split(separator: ",").map { $0.filter { $0 != " " } })
            #expect(allowed == ["GET", "HEAD", "OPTIONS", "PATCH", "PUT"])
        }
        // OPTIONS is always forwarded.
        let count = try stage.backend.requests.count
        #expect(try stage.ask("OPTIONS /a").status == 200)
        #expect(try stage.backend.requests.count == count + 1)
        #expect(try stage.backend.lastRequest().method == "OPTIONS")
    }

    @Test func `OPTIONS is forwarded at most as often as Max-Forwards says`() throws {
        let stage = try stage([
            ("read", #""match": "/a", "methods": ["GET"]"#), ("write", #""match": "/a", "methods": ["PUT"]"#),
        ])
        let huge = String(repeating: "9", count: 30)
        for (sent, seen) in [("1", "0"), ("10", "9"), ("007", "6"), (huge, "\(Int.max - 1)"), ("-1", "-1"), ("", "")] {
            let request = try stage.forwarded("OPTIONS /a", "Max-Forwards: \(sent)")
            #expect(request["Max-Forwards"] == seen, "\(sent)")
        }
        // The field has a meaning for OPTIONS and TRACE only, and TRACE never passes.
        #expect(try stage.forwarded("GET /a", "Max-Forwards: 0")["Max-Forwards"] == "0")
        let count = try stage.backend.requests.count
        for fields in [["Max-Forwards: 0"], ["Connection: max-forwards", "Max-Forwards: 0"]] {
            let response = try stage.exchange(HTTPText.message("OPTIONS /a", fields, isLast: true)).message
            #expect(response.status == 204 && response["Allow"] == "GET, HEAD, PUT, OPTIONS", "\(fields)")
        }
        #expect(try stage.ask("TRACE /a", "Max-Forwards: 0").status == 405)
        #expect(try stage.ask("OPTIONS /b", "Max-Forwards: 0").status == 404)
        #expect(try stage.backend.requests.count == count)
    }

    @Test func `without methods, a route accepts any method except CONNECT and TRACE`() throws {
        let stage = try GatewayStage()
        for method in ["GET", "POST", "PATCH", "PROPFIND", "x-own.method"] {
            #expect(try stage.forwarded("\(method) /", body: "").method == method)
        }
        let count = try stage.backend.requests.count
        for line in ["TRACE /", "CONNECT shop.example:80"] {
            let status = try stage.exchange(HTTPText.message(line, isLast: true)).message.status
            #expect([400, 404, 405, 501].contains(status), "\(line): \(status)")
        }
        #expect(try stage.backend.requests.count == count)
    }

    @Test func `no route is a 404 problem`() throws {
        let stage = try GatewayStage(routes: #"{ "match": "/a", "upstream": "shop" }"#)
        let response = try stage.ask("GET /b?secret=1")
        #expect(response.status == 404)
        #expect(response["Content-Type"] == "application/problem+json")
        #expect(response["X-Content-Type-Options"] == "nosniff")
        #expect(response.text.contains(#""status":404"#))
        #expect(!response.text.contains("secret"))
    }

    @Test func `a fragment matches no route, with or without a query`() throws {
        let stage = try GatewayStage()
        for target in ["/x#f", "/x?q#f", "/x?#f", "http://shop.example/x?q#f"] {
            #expect(try stage.ask("GET \(target)").status == 404, "\(target)")
        }
        #expect(try stage.backend.requests.isEmpty)
    }

    @Test func `encoded unreserved characters are decoded for matching and for the upstream`() throws {
        let stage = try GatewayStage(routes: #"{ "match": "/api-v1", "upstream": "shop" }"#)
        let rows = [
            ("/%61pi%2Dv1/%7Euser", "/api-v1/~user"), ("/api-v1/a%20b%2fc%C3%A9", "/api-v1/a%20b%2fc%C3%A9"),
            ("/api-v1//x/", "/api-v1//x/"), ("/api-v1/%2F", "/api-v1/%2F"),
        ]
        for (sent, seen) in rows { #expect(try stage.forwarded("GET \(sent)").target == seen, "\(sent)") }
        #expect(try stage.ask("GET /api-v1%2Fx").status == 404)
    }

    @Test func `dot segments and backslashes are 400 in every spelling`() throws {
        let stage = try GatewayStage()
        for path in [
            "/a/../b", "/a/..", "/./a", "/a/.", "/a/%2e%2e/b", "/a/.%2E/b", "/%2e/a", "/a/..;x=1/b", "/a/.;/b", "/a\\b",
            "/a%5Cb",
            "/a%5c..%5cb", "/a/..%2Fb", "/a%2F..%2Fb", "/a/.%2f",
        ] {
            let response = try stage.ask("GET \(path)")
            #expect(response.status == 400, "\(path)")
            #expect(response["Content-Type"] == "application/problem+json")
        }
        #expect(try stage.backend.requests.isEmpty)
        for path in ["/a/...", "/.well-known/x", "/a/..b", "/a/b..", "/a;..", "/a%2F..b%2Fc"] {
            #expect(try stage.forwarded("GET \(path)").target == path, "\(path)")
        }
    }

    @Test func `escapes are checked in the path and unchanged in the query`() throws {
        let stage = try GatewayStage()
        for path in ["/a%00b", "/a%zz", "/a%4"] { #expect(try stage.ask("GET \(path)").status == 404, "\(path)") }
        #expect(try stage.backend.requests.isEmpty)
        for query in ["?", "?a=%zz&b=%00&c=%", "?../..", "?a=b?c=/d//e&%41=%2F\\"] {
            #expect(try stage.forwarded("GET /x\(query)").target == "/x\(query)", "\(query)")
        }
    }

    @Test func `a stripped prefix leaves at least a slash, and two slashes are 400`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/api/v1", "upstream": "shop", "stripPrefix": "/api" }, { "match": "/all", "upstream": "shop", "stripPrefix": "/all/" }, { "match": "/", "upstream": "shop" }"#
        )
        let rows = [
            ("/api/v1/x", "/v1/x"), ("/api/v1?q=1", "/v1?q=1"), ("/all", "/"), ("/all/", "/"), ("/all?x", "/?x"),
            ("/all/a//b", "/a//b"), ("//x", "//x"),
        ]
        for (sent, seen) in rows { #expect(try stage.forwarded("GET \(sent)").target == seen, "\(sent)") }
        let count = try stage.backend.requests.count
        #expect(try stage.ask("GET /all//evil.example").status == 400)
        #expect(try stage.backend.requests.count == count)
    }

    @Test func `redirects point to the gateway`() throws {
        let stage = try GatewayStage(
            routes:
                #"{ "match": "/api", "upstream": "shop", "stripPrefix": "/api" }, { "match": "/", "upstream": "shop" }"#
        )
        let own = String(stage.backend.servers[0].dropFirst("http://".count))
        let rows = [
            ("/api/x", "http://\(own)/next?q", "/api/next?q"), ("/api/x", "http://shop.example/next", "/api/next"),
            ("/api/x", "/next", "/api/next"), ("/api/x", "/api/next", "/api/next"), ("/api/x", "/apix", "/api/apix"),
            ("/api/x", "next", "next"), ("/api/x", "http://other.example/next", "http://other.example/next"),
            ("/x", "http://\(own)/next", "/next"), ("/x", "/next", "/next"),
            ("/x", "http://\(own)/\\evil.example", "http://\(own)/\\evil.example"),
            ("/x", "http://\(own)/\t/evil.example", "http://\(own)/\t/evil.example"),
            ("/x", "http://\(own)//evil.example", "http://\(own)//evil.example"),
        ]
        for (_, location, _) in rows {
            try stage.backend.script(
                .response(302, "", type: nil, "Location: \(location)", "Content-Location: \(location)"))
        }
        // Each script serves one request, in order.
        for (path, location, expected) in rows {
            let response = try stage.ask("GET \(path)")
            #expect(response["Location"] == expected, "\(location)")
            #expect(response["Content-Location"] == expected, "\(location)")
        }
    }
}
