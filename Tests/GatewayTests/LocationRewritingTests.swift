import GatewayTestSupport
import HTTPWire
import Testing

@testable import Gateway
@testable import HTTPSemantics

struct LocationRewritingTests {
    private static func rewrite(_ value: String, prefix: String = "/api", scheme: String = "http") throws -> String {
        LocationRewriting(
            authorities: ["10.0.0.1:3000", "Shop.example"], scheme: scheme,
            strippedPrefix: try RoutePrefix(parsing: prefix)
        ).rewrite(Array(value.utf8)[...]).text
    }

    @Test func `the gateway's authority is removed, and a stripped prefix is added if missing`() throws {
        let rows = [
            ("http://10.0.0.1:3000/x?y#z", "/api/x?y#z"), ("http://shop.example/x", "/api/x"),
            ("HTTP://SHOP.EXAMPLE:80/x", "/api/x"), ("//shop.example/x", "/api/x"), ("http://shop.example", "/api/"),
            ("http://shop.example?a", "/api/?a"), ("/x", "/api/x"), ("/", "/api/"), ("/api", "/api"),
            ("/api?x", "/api?x"),
            ("/api/x", "/api/x"), ("/apix", "/api/apix"), ("http://shop.example/api/x", "/api/x"),
            ("http://shop.example//evil.example", "/api//evil.example"),
            ("//shop.example/x?u=http://a", "/api/x?u=http://a"),
            // The URL is not that of the upstream itself, or its path is not absolute.
            ("http://10.0.0.1:3001/x", "http://10.0.0.1:3001/x"),
            ("http://shop.example:8080/", "http://shop.example:8080/"),
            ("http://shop.example.evil/x", "http://shop.example.evil/x"), ("x/y", "x/y"), ("?x", "?x"), ("#x", "#x"),
            ("", ""),
            ("mailto:a@b", "mailto:a@b"), ("a:b://shop.example/x", "a:b://shop.example/x"),
            ("//other.example/x", "//other.example/x"),
            ("http://user@shop.example/", "http://user@shop.example/"),
            ("/x?u=http://shop.example/", "/api/x?u=http://shop.example/"),
            // The redirect from plain HTTP to TLS on the same host.
            ("https://shop.example/x", "https://shop.example/x"),
        ]
        for (value, rewritten) in rows { #expect(try Self.rewrite(value) == rewritten, "\(value)") }
        #expect(try Self.rewrite("https://shop.example/x", scheme: "https") == "/api/x")
        #expect(try Self.rewrite("http://shop.example/x", scheme: "https") == "/api/x")
    }

    /// The paths and their results are those of RFC 3986 §5.2.4 and §5.4.2, below the prefix.
    @Test func `no dot segment leads out of a stripped prefix`() throws {
        let rows = [
            ("/api/../other", "/api/other"), ("/api/..", "/api/"),
            ("/api/../api/x?a/../b#/../c", "/api/x?a/../b#/../c"),
            ("/api/x/../y", "/api/y"), ("/a/b/c/./../../g", "/api/a/g"), ("/../g", "/api/g"), ("/./g", "/api/g"),
            ("/b/c/..", "/api/b/"), ("/b/c/.", "/api/b/c/"), ("/a//../b", "/api/a/b"),
            ("/g../..g/...", "/api/g../..g/..."),
            ("http://shop.example/../x", "/api/x"), ("//shop.example/api/../x", "/api/x"),
            // As browsers read a path (WHATWG URL §4.4).
            ("/api/%2e%2E/x", "/api/x"), ("/api/.%2e/x", "/api/x"), ("/api\\..\\x", "/api/x"), ("/a\\b", "/api/a\\b"),
        ]
        for (value, rewritten) in rows { #expect(try Self.rewrite(value) == rewritten, "\(value)") }
        #expect(try Self.rewrite("/a/../b", prefix: "/") == "/a/../b")
    }

    @Test func `without a prefix, only the authority is removed, and no path becomes a host`() throws {
        for (value, rewritten) in [("http://shop.example/x", "/x"), ("/x", "/x"), ("http://shop.example/", "/")] {
            #expect(try Self.rewrite(value, prefix: "/") == rewritten, "\(value)")
        }
        // A browser would read such a path as `//evil.example/x` (WHATWG URL §4.4). It is not changed, and is safe below a prefix.
        for path in ["//", "/\\", "/\t/", "/\t\\", "/ /", "/\u{B}/", "/\u{7F}/"].map({ "\($0)evil.example/x" }) {
            for scheme in ["http:", ""] {
                let value = "\(scheme)//shop.example\(path)"
                #expect(try Self.rewrite(value, prefix: "/") == value)
                #expect(try Self.rewrite(value) == "/api\(path)")
            }
        }
    }

    @Test func `bytes that are not UTF-8 stay unchanged`() throws {
        let trial = try GatewayTrial(routes: #"{ "match": "/api", "upstream": "shop", "stripPrefix": "/api" }"#)
        let path = Array("/caf".utf8) + [0xE9]
        for authority in ["", "http://shop.example"] {
            var fields = Fields()
            fields.append("Location", bytes: (Array(authority.utf8) + path)[...])
            #expect(try trial.response(302, fields).fields.bytes(for: "location") == (Array("/api".utf8) + path)[...])
        }
    }

    @Test func `Location and Content-Location are rewritten on every route`() throws {
        let trial = try GatewayTrial(routes: #"{ "match": "/api", "upstream": "shop", "stripPrefix": "/api" }"#)
        let fields = try trial.response(
            201, "Location: http://10.0.0.1:3000/x/1\nContent-Location: http://shop.example/x/1",
            to: "POST /api/x HTTP/1.1"
        ).fields
        #expect(fields.values(for: "location") == ["/api/x/1"])
        #expect(fields.values(for: "content-location") == ["/api/x/1"])
    }
}

extension ArraySlice<UInt8> {
    fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
