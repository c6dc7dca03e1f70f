import GatewayTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Gateway
@testable import HTTPSemantics
@testable import Text

struct RouteTableTests {
    /// A table of routes that have names.
    private struct Table {
        let routes: [RouteConfiguration]
        let table: RouteTable

        init(_ routes: String...) throws {
            let elements = routes.map { #"{ "upstream": "shop", \#($0) }"# }.joined(separator: ", ")
            self.routes = try GatewayTrial(routes: elements).gateway.configuration.routes
            table = RouteTable(self.routes)
        }

        /// The name of the matching route, or `405 ALLOW`, or `404`.
        func find(_ target: String, host: String = "h.example", method: String = "GET") throws -> String {
            let head = try GatewayTrial.head("\(method) \(target) HTTP/1.1\nHost: \(host)")
            let path = try RequestPath(head.target.path)
            switch table.lookUp(authority: head.authority, path: path, method: head.method) {
            case .route(let index): return routes[index].name
            case .notAllowed(_, let allow): return "405 \(allow)"
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

    @Test func `a matching host beats none, an exact one a wildcard, then the longest match wins`() throws {
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

    @Test func `methods are compared last, and never select a shorter prefix`() throws {
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

    @Test func `OPTIONS uses a route that lists it, if there is one`() throws {
        let table = try Table(
            #""match": "/a", "methods": ["GET"], "name": "first""#,
            #""match": "/a", "methods": ["OPTIONS", "PUT"], "name": "second""#)
        #expect(try table.find("/a", method: "OPTIONS") == "second")
        #expect(try table.find("/a", method: "POST") == "405 GET, HEAD, OPTIONS, PUT")
    }

    /// The rules of docs/gateway.md, applied route by route: the closest host, then the longest prefix, then the method.
    private static func best(_ routes: [RouteConfiguration], host: String, path: [UInt8]) -> [Int] {
        func closeness(_ pattern: HostPattern) -> Int? {
            if !pattern.isWildcard { return pattern.name == host ? Int.max : nil }
            return host.count > pattern.name.count && host.hasSuffix(pattern.name) ? pattern.name.count : nil
        }
        var best: [(key: (Int, Int), route: Int)] = []
        for (index, route) in routes.enumerated() {
            let close = route.hosts.isEmpty ? 0 : route.hosts.compactMap(closeness).max()
            let segments = route.match.bytes + [ASCII.slash]
            guard let close, (path + [ASCII.slash]).starts(with: segments) else { continue }
            best.append(((close, segments.count), index))
        }
        guard let most = best.map(\.key).max(by: <) else { return [] }
        return best.filter { $0.key == most }.map(\.route)
    }

    @Test func `the lookup finds the same route as the rules, for any routes`() throws {
        var generator = SeededGenerator(seed: 28)
        let segments = ["a", "b", "aa", "a-b", "a.b", "%2F", "", "0"]
        let labels = ["x", "y", "xx", "com"]
        var found = 0
        for _ in 0..<60 {
            var routes: [RouteConfiguration] = []
            for index in 0..<Int.random(in: 1...40, using: &generator) {
                let parts = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    segments.randomElement(using: &generator) ?? ""
                }
                let match = try RoutePrefix(parsing: "/" + parts.joined(separator: "/"))
                var route = RouteConfiguration(name: "\(index)", match: match, upstream: 0)
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    let names = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
                        labels.randomElement(using: &generator) ?? ""
                    }
                    let star = Bool.random(using: &generator) ? "*." : ""
                    let host = try #require(HostPattern(star + names.joined(separator: ".")))
                    if !route.hosts.contains(host) { route.hosts.append(host) }
                }
                route.methods = Bool.random(using: &generator) ? nil : ["M\(index)"]
                routes.append(route)
            }
            let table = RouteTable(routes)
            for _ in 0..<100 {
                let parts = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                    segments.randomElement(using: &generator) ?? ""
                }
                let host = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                    labels.randomElement(using: &generator) ?? ""
                }.joined(separator: ".")
                let bytes = Array(("/" + parts.joined(separator: "/")).utf8)
                let best = Self.best(routes, host: host, path: bytes)
                // The last route's method shows whether all were found, in their order.
                let method = best.last.flatMap { routes[$0].methods?.first } ?? "GET"
                let head = try GatewayTrial.head("\(method) / HTTP/1.1\nHost: \(host)")
                let result = table.lookUp(
                    authority: head.authority, path: try RequestPath(bytes[...]), method: head.method)
                guard let expected = best.first(where: { routes[$0].allows(head.method) }) else {
                    if case .route = result { Issue.record("\(host) \(parts)") }
                    #expect(best.isEmpty == (result == .none), "\(host) \(parts)")
                    continue
                }
                found += 1
                #expect(result == .route(expected), "\(host) \(parts)")
            }
        }
        #expect(found > 1000)
    }

    @Test func `lookup and check of thousands of routes are as fast as of a few`() throws {
        let count = 5_000
        let elements = (0..<count).map {
            #"{"upstream":"u","match":"/v\#($0)/x","hosts":["h\#($0).example","*.w\#($0).example"]}"#
        }
        let clock = ContinuousClock()
        var file: GatewayTrial.File?
        let reading = clock.measure {
            file = GatewayTrial.File(
                #"{"upstreams":{"u":{"servers":"http://h"}},"routes":[\#(elements.joined(separator: ","))]}"#)
        }
        let routes = try #require(file).routes
        #expect(routes.count == count)
        let table = RouteTable(routes)
        let lookups = try clock.measure {
            for index in 0..<count {
                let host = index.isMultiple(of: 2) ? "h\(index).example" : "a.b.w\(index).example"
                let head = try GatewayTrial.head("GET /v\(index)/x/y HTTP/1.1\nHost: \(host)")
                let path = try RequestPath(head.target.path)
                #expect(
                    table.lookUp(authority: head.authority, path: path, method: head.method) == .route(index))
            }
        }
        // A comparison of each route with all others took minutes in this build.
        #expect(lookups < .seconds(10), "\(lookups)")
        #expect(reading < .seconds(20), "\(reading)")
    }
}
