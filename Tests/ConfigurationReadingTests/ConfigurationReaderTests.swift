import ConvertProfiles
import GatewayTestSupport
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics
@testable import Text
@testable import Upstreams

struct ConfigurationReaderTests {
    private static func configuration(_ text: String) throws -> GatewayConfiguration {
        let file = GatewayTrial.File(text)
        try #require(file.faults.isEmpty, "\(file.faults)")
        return file.configuration
    }

    private static func faults(_ text: String) -> [ProfileFault] { GatewayTrial.File(text).faults }

    @Test func `a health check may be a path, and its other values are then the defaults`() throws {
        let gateway = try Self.configuration(
            #"{ "upstreams": { "u": { "servers": ["http://h"], "health": "/healthz" } } }"#
        )
        #expect(gateway.upstreams.first?.health == HealthCheck(path: "/healthz"))
        let check = HealthCheck(path: "/")
        #expect([check.interval, check.timeout] == [.seconds(5), .seconds(2)])
        #expect([check.healthyAfter, check.unhealthyAfter] == [2, 3])
        #expect(check.status == StatusSet(classes: [2]))
    }

    @Test func `a route's onError applies to request and response, unless they set their own`() throws {
        let route = try #require(
            try Self.configuration(
                #"{ "upstreams": { "u": { "servers": ["http://h"] } }, "routes": [{ "match": "/", "upstream": "u", "onError": "pass", "request": { "profile": "p" }, "response": { "profile": "p", "onError": "fail" } }] }"#
            ).routes.first)
        #expect(route.request?.onError == .pass)
        #expect(route.response?.onError == .fail)
    }

    @Test func `upstreams and sockets whose names only look equal are different`() throws {
        let gateway = try Self.configuration(
            """
            { "upstreams": { "caf\u{E9}": { "servers": ["unix:/\u{E9}", "unix:/e\u{301}"] }, "cafe\u{301}": { "servers": "http://h" } },
              "routes": [{ "match": "/1", "upstream": "cafe\u{301}" }, { "match": "/2", "upstream": "caf\u{E9}" }] }
            """
        )
        #expect(gateway.upstreams.map(\.name) == ["caf\u{E9}", "cafe\u{301}"])
        #expect(gateway.upstreams.first?.servers.count == 2)
        #expect(gateway.routes.map(\.upstream) == [1, 0])
        let directory = UpstreamDirectory()
        let prepared = directory.prepare(gateway.upstreams)
        directory.use(prepared)
        // Each upstream is found again by its own name.
        #expect(zip(directory.prepare(gateway.upstreams), prepared).allSatisfy { $0 === $1 })
        _ = try Gateway(gateway, .empty, viaName: "v")
    }

    @Test func `only two routes for one host, path and method are refused`() {
        func faults(_ first: String, _ second: String) -> [ProfileFault] {
            Self.faults(
                #"{ "upstreams": { "u": { "servers": "http://h" } }, "routes": [{ "upstream": "u", \#(first) }, { "upstream": "u", \#(second) }] }"#
            )
        }
        let overlapping = [
            (#""match": "/a""#, #""match": "/a/""#), (#""match": "/a""#, #""match": "/%61", "methods": ["GET"]"#),
            (#""match": "/a", "methods": ["PUT", "GET"]"#, #""match": "/a", "methods": ["HEAD"]"#),
            (#""match": "/a", "hosts": ["x", "y"]"#, #""match": "/a", "hosts": ["Y"]"#),
            (#""match": "/a", "hosts": ["*.x"]"#, #""match": "/a", "hosts": ["*.x"]"#),
            (#""match": "/a", "hosts": ["[::1]"]"#, #""match": "/a", "hosts": ["[0:0::1]"]"#),
            (#""match": "/a%2fb""#, #""match": "/a%2Fb/""#),
        ]
        for (first, second) in overlapping {
            let found = faults(first, second)
            #expect(found.map(\.pointer) == ["/routes/1"], "\(first) \(second)")
            #expect(found.first?.hint == "the other one is on line 1")
        }
        let apart = [
            (#""match": "/a""#, #""match": "/A""#),
            (#""match": "/a", "methods": ["GET"]"#, #""match": "/a", "methods": ["POST"]"#),
            (#""match": "/a", "hosts": ["x"]"#, #""match": "/a""#),
            (#""match": "/a", "hosts": ["x"]"#, #""match": "/a", "hosts": ["*.x"]"#),
        ]
        for (first, second) in apart { #expect(faults(first, second).isEmpty, "\(first) \(second)") }
    }
}
