import ConvertEngine
import ConvertProfiles
import HTTPWire
import Testing

@testable import Conversions
@testable import ConvertServer
@testable import Gateway
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Sockets
@testable import Text
@testable import Upstreams

struct GatewayConfigurationTests {
    /// The example in the description of the format, member by member.
    private static let full = """
        { "$schema": "convert.schema.json",
          "listen": ["0.0.0.0:8080"], "admin": ["127.0.0.1:8081"], "profiles": "profiles",
          "trustedProxies": ["10.0.0.0/8"], "trustedFields": ["X-Real-IP"], "via": "edge-1", "maxBufferedBytes": 1048576,
          "upstreams": { "shop": { "servers": ["http://10.0.0.1:3000", "http://Shop", "unix:/run/shop.sock", "http://[::1]:8/"],
              "connectTimeoutSeconds": 0.5, "responseTimeoutSeconds": 3, "bodyIdleSeconds": 6, "maxConnections": 7, "reservedConnections": 2, "requestBufferBytes": 1000,
              "host": "upstream",
              "health": { "path": "/h?x", "intervalSeconds": 1, "timeoutSeconds": 0.25, "healthyAfter": 4,
                          "unhealthyAfter": 5, "status": ["2xx", "404"] } } },
          "routes": [ { "name": "api", "hosts": ["API.example.com", "*.example.org"], "match": "/api/", "caseSensitive": false, "methods": ["GET", "POST"],
              "upstream": "shop", "stripPrefix": "/api",
              "request": { "profile": "a", "direction": "inverse", "onError": "pass", "required": true, "buffer": true, "pass": "image/*", "messages": true },
              "response": { "profile": "b", "direction": "inverse", "status": ["4xx", 200], "onError": "pass", "onSkip": "fail",
                "noTransform": "ignore", "pass": ["text/csv", { "type": "text/html", "status": ["4xx", 503] }], "messages": true },
              "upgrade": ["WebSocket"] } ] }
        """

    private static func configuration(_ text: String, path: String = "convert.json") throws -> ServerConfiguration {
        let file = ConfigurationFile(path: path, document: Array(text.utf8))
        try #require(file.faults.isEmpty, "\(file.faults)")
        var settings = Settings(flags: [:], environment: ProcessEnvironment { _ in nil })
        settings.file = file
        return try ServerConfiguration(settings)
    }

    @Test func `every member is read`() throws {
        let server = try Self.configuration(Self.full)
        #expect(server.listen == [.tcp(host: "0.0.0.0", port: 8080)])
        #expect(server.profilesDirectory == "profiles")
        let gateway = server.gateway
        #expect(gateway.admin == [.tcp(host: "127.0.0.1", port: 8081)])
        #expect(gateway.via == "edge-1")
        #expect(gateway.maxBufferedBytes == 1_048_576)
        #expect(gateway.trustedProxies.contains(.address(try #require(IPAddress("10.9.9.9")))))
        let upstream = try #require(gateway.upstreams.first)
        #expect(
            upstream.servers == [
                .tcp(host: "10.0.0.1", port: 3000), .tcp(host: "shop", port: 80), .unix(path: "/run/shop.sock"),
                .tcp(host: "::1", port: 8),
            ])
        #expect(upstream.timeouts.connect == .milliseconds(500))
        #expect(upstream.timeouts.response == .seconds(3))
        #expect(upstream.timeouts.bodyIdle == .seconds(6))
        #expect(upstream.maxConnections == 7)
        #expect(upstream.sparedConnections == 2)
        #expect(upstream.requestBufferBytes == 1000)
        #expect(upstream.host == .upstream)
        let health = try #require(upstream.health)
        #expect(health.path == "/h?x")
        #expect([health.interval, health.timeout] == [.seconds(1), .milliseconds(250)])
        #expect([health.healthyAfter, health.unhealthyAfter] == [4, 5])
        #expect(health.status == StatusSet(classes: [2], codes: [404]))
        let route = try #require(gateway.routes.first)
        #expect(route.name == "api")
        #expect(route.hosts.map(\.description) == ["api.example.com", "*.example.org"])
        #expect(route.match.description == "/api")
        #expect(route.methods == ["GET", "POST"])
        #expect(route.upstream == 0)
        #expect(route.stripPrefix.description == "/api")
        let request = try #require(route.request)
        #expect(request.plan.name == "a" && request.plan.direction == .inverse)
        #expect(request.onError == .pass && request.isRequired && request.isBuffered)
        let response = try #require(route.response)
        #expect(response.plan.name == "b" && response.plan.direction == .inverse)
        #expect(response.status == StatusSet(classes: [4], codes: [200]))
        #expect(response.onError == .pass && response.onSkip == .fail && response.noTransform == .ignore)
        #expect(request.passes.map(\.description) == ["image/*"])
        #expect(response.passes.map(\.description) == ["text/csv", "text/html with 4xx, 503"])
        #expect(route.upgrades == ["websocket"] && route.ignoresCase != nil)
        #expect(route.request?.messages != nil && route.response?.messages != nil)
        #expect(gateway.trustedProxies.fields == FieldNames(["X-Real-IP"]))
    }

    @Test func `sizes and times may have a unit`() throws {
        let server = try Self.configuration(
            """
            { "maxBodyBytes": "10MB", "maxKeyBytes": "64kib", "headSeconds": "1m", "upstreams": { "u": {
                "servers": "http://h", "connectTimeoutSeconds": "2s", "bodyIdleSeconds": "1h", "requestBufferBytes": "1KiB",
                "health": { "path": "/", "intervalSeconds": "5M" } } } }
            """)
        #expect(server.maxBodyBytes == 10_000_000 && server.maxKeyBytes == 65_536 && server.times.headSeconds == 60)
        let upstream = try #require(server.gateway.upstreams.first)
        #expect(upstream.timeouts.connect == .seconds(2) && upstream.timeouts.bodyIdle == .seconds(3600))
        #expect(upstream.requestBufferBytes == 1024 && upstream.health?.interval == .seconds(300))
    }

    @Test func `missing members have the defaults of the format`() throws {
        let gateway = try Self.configuration(
            #"{ "upstreams": { "u": { "servers": "http://h:1" } }, "routes": [{ "match": "/a/", "upstream": "u", "request": { "profile": "p" }, "response": { "profile": "p" } }] }"#
        ).gateway
        #expect(gateway.admin.isEmpty)
        #expect(gateway.trustedProxies == TrustedProxies())
        #expect(gateway.via == nil)
        #expect(gateway.maxBufferedBytes == 268_435_456)
        let upstream = try #require(gateway.upstreams.first)
        #expect(
            [upstream.timeouts.connect, upstream.timeouts.response, upstream.timeouts.bodyIdle] == [
                .seconds(2), .seconds(30), .seconds(60),
            ])
        #expect(upstream.maxConnections == 1024)
        #expect(upstream.sparedConnections == 256)
        #expect(upstream.requestBufferBytes == 65536)
        #expect(upstream.host == .keep)
        #expect(upstream.health == nil)
        #expect(UpstreamTimeouts.streamIdle == .seconds(3600))
        let route = try #require(gateway.routes.first)
        #expect(route.name == "/a/")
        #expect(route.hosts.isEmpty && route.methods == nil && route.stripPrefix == .root && route.upgrades.isEmpty)
        let request = try #require(route.request)
        #expect(
            request.plan.direction == .forward && request.onError == .fail && !request.isRequired && !request.isBuffered
        )
        let response = try #require(route.response)
        #expect(response.plan.direction == .forward && response.onError == .fail && response.onSkip == nil)
        #expect(response.noTransform == .respect)
        #expect(response.status == nil && response.passes.isEmpty && request.passes.isEmpty && route.ignoresCase == nil)
        #expect(gateway.trustedProxies.fields == FieldNames(["X-Forwarded-For", "X-Forwarded-Proto"]))
    }

    @Test func `a list of one may be written without brackets`() throws {
        let server = try Self.configuration(
            #"{ "listen": "127.0.0.1:1", "admin": "unix:/a", "trustedProxies": "unix", "upstreams": { "u": { "servers": "unix:/s", "health": { "path": "/", "status": 204 } } }, "routes": [{ "match": "/", "upstream": "u", "hosts": "a.example", "methods": "GET", "upgrade": "websocket", "response": { "profile": "p", "status": "5xx" } }] }"#
        )
        #expect(server.listen.count == 1 && server.gateway.admin == [.unix(path: "/a")])
        #expect(server.gateway.trustedProxies.contains(.unix))
        #expect(server.gateway.upstreams[0].servers == [.unix(path: "/s")])
        let route = server.gateway.routes[0]
        #expect(route.hosts.count == 1 && route.methods == ["GET"] && route.upgrades == ["websocket"])
        #expect(route.response?.status == StatusSet(classes: [5]))
    }

    @Test func `paths are relative to the file`() throws {
        let text =
            #"{ "listen": ["unix:run/a", "127.0.0.1:1"], "admin": "unix:/b", "profiles": "p", "upstreams": { "u": { "servers": "unix:s" } } }"#
        let rows = [
            ("convert.json", ""), ("etc/convert.json", "etc/"), ("/etc/convert/c.json", "/etc/convert/"),
            ("/c.json", "/./"),
        ]
        for (path, directory) in rows {
            let server = try Self.configuration(text, path: path)
            #expect(server.listen == [.unix(path: "\(directory)run/a"), .tcp(host: "127.0.0.1", port: 1)])
            #expect(server.gateway.admin == [.unix(path: "/b")])
            #expect(server.profilesDirectory == "\(directory)p")
            #expect(server.gateway.upstreams[0].servers == [.unix(path: "\(directory)s")])
        }
    }

    @Test func `flags and variables replace values of the file, and whole lists`() throws {
        let file = ConfigurationFile(
            text:
                #"{ "listen": ["127.0.0.1:1", "127.0.0.1:2"], "admin": "127.0.0.1:3", "via": "file", "trustedProxies": ["unix"], "maxBufferedBytes": 1048576, "accessLog": false }"#
        )
        var settings = Settings(
            flags: ["listen": ["127.0.0.1:4"]],
            environment: ProcessEnvironment {
                [
                    "CONVERT_VIA": "variable", "CONVERT_LISTEN": "127.0.0.1:9",
                    "CONVERT_TRUSTED_PROXIES": " ::1, 10.0.0.0/8\t",
                ][$0]
            })
        settings.file = file
        let server = try ServerConfiguration(settings)
        #expect(server.listen == [.tcp(host: "127.0.0.1", port: 4)])
        #expect(server.gateway.admin == [.tcp(host: "127.0.0.1", port: 3)])
        #expect(server.gateway.via == "variable")
        #expect(!server.gateway.trustedProxies.contains(.unix))
        for trusted in ["::1", "10.1.2.3"] {
            #expect(server.gateway.trustedProxies.contains(.address(try #require(IPAddress(trusted)))))
        }
        #expect(server.gateway.maxBufferedBytes == 1_048_576)
        #expect(!server.writesAccessLog)
    }
}
