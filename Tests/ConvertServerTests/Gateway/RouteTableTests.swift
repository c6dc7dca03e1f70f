import HTTPWire
import Testing

@testable import ConvertServer

struct RouteTableTests {
    /// A table of routes that are called by their names.
    private struct Table {
        let routes: [RouteConfiguration]
        let table: RouteTable

        init(_ routes: String...) throws {
            let elements = routes.map { #"{ "upstream": "shop", \#($0) }"# }.joined(separator: ", ")
            self.routes = try GatewayTrial(routes: elements).gateway.configuration.routes
            table = RouteTable(self.routes)
        }

        /// The name of the route that is found, `405 ALLOW` or `404`.
        func find(_ target: String, host: String = "h.example", method: String = "GET") throws -> String {
            let head = try GatewayTrial.head("\(method) \(target) HTTP/1.1\nHost: \(host)")
            let path = try RequestPath(head.target.path)
            switch table.lookUp(authority: head.authority, path: path, method: head.method) {
            case .route(let index): return routes[index].name
            case .notAllowed(let allow): return "405 \(allow)"
            case .none: return "404"
            }
        }
    }

    @Test func `the longest match wins whatever the order of the file`() throws {
        let short = #""match": "/api", "name": "short""#
        let long = #""match": "/api/v2/", "name": "long""#
        for table in [try Table(short, long), try Table(long, short)] {
            #expect(try table.find("/api/v1") == "short")
            #expect(try table.find("/api/v2") == "long")
            #expect(try table.find("/api/v2/x") == "long")
            #expect(try table.find("/api/v20") == "short")
            #expect(try table.find("/apix") == "404")
            #expect(try table.find("/API/v1") == "404")
            #expect(try table.find("/api/%76%32/x") == "long")
        }
    }

    @Test func `a fitting host beats none, an exact one a wildcard, and the longest match comes only then`() throws {
        let table = try Table(
            #""match": "/a/b/c", "name": "none""#,
            #""match": "/a/b", "hosts": ["*.example.com"], "name": "wild""#,
            #""match": "/a", "hosts": ["api.example.com", "127.0.0.1", "[0::1]"], "name": "exact""#,
            #""match": "/a", "hosts": ["*.deep.example.com"], "name": "deep""#)
        let rows = [
            ("api.example.com", "/a/b/c", "exact"), ("API.Example.COM:8080", "/a/b/c", "exact"),
            ("api.example.com.", "/a/b/c", "exact"), ("api.example.com", "/x", "404"),
            ("www.example.com", "/a/b/c", "wild"), ("x.y.example.com", "/a/b", "wild"),
            ("www.example.com", "/a", "404"), ("example.com", "/a/b/c", "none"), ("badexample.com", "/a/b/c", "none"),
            (".example.com", "/a/b/c", "none"), ("x.deep.example.com", "/a/b/c", "deep"),
            ("127.0.0.1:80", "/a/b/c", "exact"), ("[::1]:80", "/a/b/c", "exact"), ("[0:0:0:0:0:0:0:1]", "/a", "exact"),
            ("[::2]:80", "/a/b/c", "none"),
            ("www.example.com", "/a/bc", "404"),
        ]
        for (host, path, name) in rows { #expect(try table.find(path, host: host) == name, "\(host) \(path)") }
    }

    @Test func `methods are looked at last, and never lead to a shorter prefix`() throws {
        let table = try Table(
            #""match": "/", "name": "all""#,
            #""match": "/api", "methods": ["GET", "PATCH"], "name": "read""#,
            #""match": "/api", "methods": ["POST"], "name": "write""#,
            #""match": "/head", "methods": ["HEAD"], "name": "head""#)
        let rows = [
            ("/api", "GET", "read"), ("/api", "HEAD", "read"), ("/api", "POST", "write"), ("/api", "OPTIONS", "read"),
            ("/api", "PUT", "405 GET, HEAD, PATCH, POST, OPTIONS"), ("/head", "GET", "405 HEAD, OPTIONS"),
            ("/head", "HEAD", "head"), ("/x", "PROPFIND", "all"), ("/x", "get", "all"), ("/x", "OPTIONS", "all"),
            ("/api", "get", "405 GET, HEAD, PATCH, POST, OPTIONS"),
            ("/x", "TRACE", "405 GET, HEAD, POST, PUT, DELETE, OPTIONS, PATCH, QUERY"),
        ]
        for (path, method, result) in rows {
            #expect(try table.find(path, method: method) == result, "\(method) \(path)")
        }
    }

    @Test func `OPTIONS goes to the route that names it, if one does`() throws {
        let table = try Table(
            #""match": "/a", "methods": ["GET"], "name": "first""#,
            #""match": "/a", "methods": ["OPTIONS", "PUT"], "name": "second""#)
        #expect(try table.find("/a", method: "OPTIONS") == "second")
        #expect(try table.find("/a", method: "POST") == "405 GET, HEAD, OPTIONS, PUT")
    }
}
