import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import HTTPWire
import Testing

@testable import Gateway
@testable import HTTPSemantics
@testable import Text
@testable import Upstreams

struct ForwardedRequestTests {
    private static let plain = #"{ "match": "/api", "upstream": "shop" }"#
    private static let stripped = #"{ "match": "/api", "upstream": "shop", "stripPrefix": "/api" }"#
    private static let converting = #"""
        { "match": "/api", "upstream": "shop", "request": { "profile": "mobile", "direction": "inverse" },
          "response": { "profile": "mobile" } }
        """#

    static func target(_ request: ForwardedRequest) -> String { String(decoding: request.target, as: UTF8.self) }

    // MARK: Target of the request

    @Test func `the upstream gets the matched path, and the query unchanged`() throws {
        let trial = try GatewayTrial(routes: Self.stripped)
        let rows = [
            ("/api/%78/y%2Fz?q=%78&r=..%2F", "/x/y%2Fz?q=%78&r=..%2F"), ("/api", "/"), ("/api?", "/?"),
            ("/%61pi/x", "/x"), ("http://other.example/api/x?y", "/x?y"),
        ]
        for (target, expected) in rows {
            #expect(Self.target(try trial.forward("GET \(target) HTTP/1.1")) == expected, "\(target)")
        }
    }

    @Test func `requests without a route get a status with the reason`() throws {
        let trial = try GatewayTrial(
            routes: Self.stripped + #", { "match": "/w", "methods": "POST", "upstream": "shop" }"#)
        let rows = [
            ("GET /x", 404), ("GET /apix", 404), ("GET /api/%zz", 404), ("GET /api/../x", 400),
            ("GET /api/%2e%2e/x", 400),
            ("GET /api/..;/x", 400), ("GET /api//x", 400), ("GET /api/%5c", 400), ("GET /w", 405), ("TRACE /api", 405),
        ]
        for (line, status) in rows {
            let problem = #expect(throws: Problem.self, "\(line)") { try trial.forward("\(line) HTTP/1.1") }
            #expect(problem?.status == status, "\(line)")
        }
        let refusal = #expect(throws: Problem.self) { try trial.forward("GET /w HTTP/1.1") }
        #expect(refusal?.fields == [Problem.Field(name: "Allow", value: "POST, OPTIONS")])
    }

    @Test func `Host is the client's, the server's or a literal`() throws {
        let rows = [
            ("", "shop.example:8080"), (#""host": "keep","#, "shop.example:8080"),
            (#""host": "upstream","#, "10.0.0.1:3000"), (#""host": "backend.local","#, "backend.local"),
        ]
        for (member, host) in rows {
            let trial = try GatewayTrial(routes: Self.plain, upstream: member)
            let request = try trial.forward("GET /api HTTP/1.1\nHost: shop.example:8080")
            let policy = trial.gateway.configuration.upstreams[0].host
            #expect(request.host(policy, server: GatewayTrial.server) == host)
            #expect(request.fields.count(of: "host") == 0)
        }
    }

    @Test func `a server's authority omits the default port and brackets IPv6`() {
        let rows: [(server: UpstreamServer, authority: String)] = [
            (.tcp(host: "shop", port: 80), "shop"), (.tcp(host: "shop", port: 3000), "shop:3000"),
            (.tcp(host: "::1", port: 80), "[::1]"), (.tcp(host: "::1", port: 8080), "[::1]:8080"),
            (.unix(path: "/run/shop.sock"), "localhost"),
        ]
        for row in rows { #expect(row.server.authority == row.authority) }
    }

    // MARK: Fields of the connection

    @Test func `hop-by-hop fields, those in Connection and those with underscores are removed`() throws {
        let fields = try GatewayTrial(routes: Self.plain).forward(
            """
            GET /api HTTP/1.1
            Connection: keep-alive, X-Secret
            Connection: Authorization
            X-Secret: 1
            Authorization: kept
            Keep-Alive: timeout=5
            Proxy-Connection: close
            TE: trailers
            Upgrade: websocket
            X_Forwarded_For: 6.6.6.6
            X-Kept: 2
            Cookie: a=1
            Cookie: b=2
            Expect: 100-continue
            traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
            """
        ).fields
        let names = (0..<fields.count).map { fields.name(at: $0) }
        #expect(
            names == [
                "Authorization", "X-Kept", "Cookie", "Cookie", "X-Forwarded-For", "X-Forwarded-Proto",
                "X-Forwarded-Host",
                "Via", "X-Request-Id",
            ])
        #expect(fields.values(for: "cookie") == ["a=1", "b=2"])
        #expect(fields["x-request-id"] == "id-1")
    }

    @Test func `fields in Connection are not used, except those that the gateway needs itself`() throws {
        let trial = try GatewayTrial(routes: Self.converting, root: #""trustedProxies": "192.0.2.7","#)
        let request = try trial.forward(
            "POST /api HTTP/1.1\nConnection: content-type, x-forwarded-for\nContent-Type: application/json\n"
                + "X-Forwarded-For: 203.0.113.1",
            hasBody: true)
        #expect(request.body == .convert(.document, coding: .identity))
        #expect(request.fields["content-type"] == "application/json")
        #expect(request.clientAddress == IPAddress("203.0.113.1"))
        #expect(request.fields["x-forwarded-for"] == "203.0.113.1, 192.0.2.7")
        let hidden = try trial.forward("GET /api HTTP/1.1\nConnection: if-match\nIf-Match: \"a\"")
        #expect(hidden.conditions.fields.isEmpty)
    }

    // MARK: Trust

    private static let told = """
        GET /api/x HTTP/1.1
        Host: shop.example:8080
        X-Forwarded-For: 203.0.113.1
        X-Forwarded-For: 10.0.0.9
        X-Forwarded-Proto: https
        X-Forwarded-Port: 443
        X-Real-IP: 203.0.113.1
        Forwarded: for=203.0.113.1
        """

    @Test func `forwarding fields of untrusted peers are replaced by ours`() throws {
        let request = try GatewayTrial(routes: Self.stripped).forward(Self.told)
        let fields = request.fields
        #expect(fields.values(for: "x-forwarded-for") == ["192.0.2.7"])
        #expect(fields.values(for: "x-forwarded-proto") == ["http"])
        #expect(fields.values(for: "x-forwarded-host") == ["shop.example:8080"])
        #expect(fields.values(for: "x-forwarded-prefix") == ["/api"])
        for name in ["x-forwarded-port", "x-real-ip", "forwarded"] { #expect(fields.count(of: name) == 0, "\(name)") }
        #expect(request.clientAddress == IPAddress("192.0.2.7"))
        #expect(request.scheme == "http")
    }

    private static let trusting = #""trustedProxies": ["192.0.2.0/24", "10.0.0.0/8"],"#

    @Test func `only For and Proto of trusted peers are used unless the configuration lists more`() throws {
        let told = Self.told + "\nX-Forwarded-Host: evil.example\nX-Forwarded-Prefix: /evil"
        let request = try GatewayTrial(routes: Self.stripped, root: Self.trusting).forward(told)
        let fields = request.fields
        #expect(fields.values(for: "x-forwarded-for") == ["203.0.113.1, 10.0.0.9, 192.0.2.7"])
        #expect(fields.values(for: "x-forwarded-proto") == ["https"])
        #expect(fields.values(for: "x-forwarded-host") == ["shop.example:8080"])
        #expect(fields.values(for: "x-forwarded-prefix") == ["/api"])
        for name in ["x-forwarded-port", "x-real-ip", "forwarded"] { #expect(fields.count(of: name) == 0, "\(name)") }
        #expect(request.clientAddress == IPAddress("203.0.113.1") && request.scheme == "https")
        // A proxy that writes another field.
        let other = try GatewayTrial(
            routes: Self.stripped, root: Self.trusting + #""trustedFields": "CF-Connecting-IP","#
        ).forward(told + "\nCF-Connecting-IP: 203.0.113.1")
        #expect(other.fields.values(for: "x-forwarded-for") == ["192.0.2.7"])
        #expect(other.fields["x-forwarded-proto"] == "http" && other.fields["cf-connecting-ip"] == "203.0.113.1")
        #expect(other.clientAddress == IPAddress("192.0.2.7"))
    }

    @Test func `Connection cannot remove the fields for the client, the host and the body`() throws {
        let names = ["X-Forwarded-Proto", "Authorization", "Cookie", "Content-Type", "Content-Encoding"]
        let told = names.map { "\n\($0): x" }.joined()
        let trial = try GatewayTrial(routes: Self.plain, root: Self.trusting)
        let fields = try trial.forward(
            "POST /api HTTP/1.1\nConnection: \(names.joined(separator: ", ")), via, host, x-forwarded-for, x-gone\(told)"
                + "\nVia: 1.1 before\nX-Forwarded-For: 203.0.113.1\nX-Gone: 1",
            hasBody: true
        ).fields
        for name in names { #expect(fields[name] == "x", "\(name)") }
        #expect(fields["via"] == "1.1 before, 1.1 edge-1")
        #expect(fields["x-forwarded-for"] == "203.0.113.1, 192.0.2.7")
        #expect(fields.count(of: "x-gone") == 0)
    }

    @Test func `X-Forwarded-For of trusted peers is extended, and missing forwarding fields are set`()
        throws
    {
        let trial = try GatewayTrial(
            routes: Self.stripped,
            root: Self.trusting + """
                "trustedFields": ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded-Prefix",
                    "X-Forwarded-Port", "X-Real-IP", "Forwarded"],
                """)
        let request = try trial.forward(Self.told)
        let fields = request.fields
        #expect(fields.values(for: "x-forwarded-for") == ["203.0.113.1, 10.0.0.9, 192.0.2.7"])
        #expect(fields.values(for: "x-forwarded-proto") == ["https"])
        #expect(fields.values(for: "x-forwarded-host") == ["shop.example:8080"])
        #expect(fields.values(for: "x-forwarded-prefix") == ["/api"])
        #expect(fields["x-forwarded-port"] == "443")
        #expect(fields["x-real-ip"] == "203.0.113.1")
        #expect(fields["forwarded"] == "for=203.0.113.1")
        #expect(request.clientAddress == IPAddress("203.0.113.1"))
        #expect(request.scheme == "https")
        let kept = try trial.forward(Self.told + "\nX-Forwarded-Host: a.example\nX-Forwarded-Prefix: /outer").fields
        #expect(kept.values(for: "x-forwarded-host") == ["a.example"])
        #expect(kept.values(for: "x-forwarded-prefix") == ["/outer"])
    }

    @Test func `X-Forwarded-Prefix is set only if a prefix was stripped`() throws {
        #expect(try GatewayTrial(routes: Self.plain).forward().fields.count(of: "x-forwarded-prefix") == 0)
    }

    @Test func `a Unix socket's peer adds no address`() throws {
        let trusting = try GatewayTrial(routes: Self.plain, root: #""trustedProxies": "unix","#)
        let told = try trusting.forward("GET /api HTTP/1.1\nX-Forwarded-For: 203.0.113.1", from: "unix")
        #expect(told.fields.values(for: "x-forwarded-for") == ["203.0.113.1"])
        #expect(told.clientAddress == IPAddress("203.0.113.1"))
        let untrusted = try GatewayTrial(routes: Self.plain).forward(
            "GET /api HTTP/1.1\nX-Forwarded-For: 203.0.113.1", from: "unix")
        #expect(untrusted.fields.values(for: "x-forwarded-for") == ["unknown"])
        #expect(untrusted.clientAddress == nil)
    }

    // MARK: Via

    @Test func `Via gets our entry with the client's HTTP version`() throws {
        let trial = try GatewayTrial(routes: Self.plain)
        let rows = [
            ("GET /api HTTP/1.1", "1.1 edge-1"), ("GET /api HTTP/1.0", "1.0 edge-1"),
            (
                "GET /api HTTP/1.1\nVia: 1.0 fred, 1.1 p.example.net (a, b)\nVia: 2 x",
                "1.0 fred, 1.1 p.example.net (a, b), 2 x, 1.1 edge-1"
            ),
        ]
        for (request, via) in rows { #expect(try trial.forward(request).fields.values(for: "via") == [via]) }
    }

    @Test func `our own name in Via and more than ten entries are 508`() throws {
        let trial = try GatewayTrial(routes: Self.plain)
        let ten = (1...10).map { "1.1 gateway-\($0)" }.joined(separator: ", ")
        let rows: [(via: String, isLoop: Bool)] = [
            ("1.1 edge-1", true), ("1.1 a, 1.0 EDGE-1 (comment)", true), ("HTTP/1.1 edge-1", true),
            ("1.1 edge-10", false),
            ("1.1 a (1.1 edge-1, x)", false), (ten, false), (ten + ", 1.1 eleven", true),
        ]
        for row in rows {
            let status = Self.status { try trial.forward("GET /api HTTP/1.1\nVia: \(row.via)") }
            #expect(status == (row.isLoop ? 508 : nil), "\(row.via)")
        }
        let lines = (1...11).map { "\nVia: 1.1 g\($0)" }.joined()
        #expect(Self.status { try trial.forward("GET /api HTTP/1.1\(lines)") } == 508)
        #expect(Gateway.randomViaName() != Gateway.randomViaName())
        #expect(ViaTrace.isName(Gateway.randomViaName()))
    }

    private static func status(_ body: () throws -> ForwardedRequest) -> Int? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? Problem)?.status
        }
    }

    // MARK: Bodies

    @Test func `only a non-empty JSON body in UTF-8 with a known compression is converted`() throws {
        let trial = try GatewayTrial(routes: Self.converting)
        let rows: [(fields: String, body: RequestRuling)] = [
            ("Content-Type: application/json", .convert(.document, coding: .identity)),
            ("Content-Type: application/vnd.a+json; charset=UTF-8", .convert(.document, coding: .identity)),
            ("Content-Type: application/x-ndjson", .convert(.lines, coding: .identity)),
            ("Content-Type: application/ndjson", .convert(.lines, coding: .identity)),
            ("Content-Type: application/stream+json", .convert(.lines, coding: .identity)),
            ("Content-Type: application/json\nContent-Encoding: gzip", .convert(.document, coding: .gzip)),
            ("Content-Type: application/json\nCache-Control: no-transform", .convert(.document, coding: .identity)),
            ("X: no content type", .pass), ("Content-Type: text/plain", .pass),
            ("Content-Type: application/x-www-form-urlencoded", .pass), ("Content-Type: json", .pass),
            ("Content-Type: application/json; charset=latin1", .pass),
            ("Content-Type: application/json\nContent-Encoding: br", .pass),
            ("Content-Type: application/json\nContent-Encoding: gzip, gzip", .pass),
            ("Content-Type: application/json\nContent-Type: application/json", .pass),
            ("Content-Type: application/json, application/json", .pass), ("Content-Type: application/json; x", .pass),
            ("Content-Type: application/x-ndjson\nContent-Range: bytes 0-8/20", .pass),
        ]
        for row in rows {
            for method in ["POST", "DELETE", "GET", "PROPFIND"] {
                let request = try trial.forward("\(method) /api HTTP/1.1\n\(row.fields)", hasBody: true)
                #expect(request.body == row.body, "\(method) \(row.fields)")
            }
        }
        #expect(try trial.forward("POST /api HTTP/1.1\nContent-Type: application/json", hasBody: false).body == .pass)
        #expect(
            try GatewayTrial(routes: Self.plain).forward(
                "POST /api HTTP/1.1\nContent-Type: application/json", hasBody: true
            ).body == .pass)
    }

    @Test func `with required, a body that cannot be converted is 415`() throws {
        let trial = try GatewayTrial(
            routes: #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile", "required": true } }"#)
        for fields in [
            "Content-Type: text/plain", "X: 1", "Content-Type: application/json; charset=utf-16",
            "Content-Type: application/json; x", "Content-Type: application/json\nContent-Type: application/json",
            "Content-Type: application/json\nContent-Range: bytes 0-8/20",
        ] {
            let head = "POST / HTTP/1.1\n\(fields)"
            let problem = #expect(throws: Problem.self) { try trial.forward(head, hasBody: true) }
            #expect(problem?.status == 415)
            #expect(problem?.fields.map(\.value) == ["application/json, application/x-ndjson, application/jsonl"])
        }
        let coded = #expect(throws: Problem.self) {
            try trial.forward("POST / HTTP/1.1\nContent-Type: application/json\nContent-Encoding: br", hasBody: true)
        }
        #expect(coded?.status == 415)
        #expect(coded?.fields == [Problem.Field(name: "Accept-Encoding", value: "gzip, deflate")])
        #expect(try trial.forward("GET / HTTP/1.1", hasBody: false).body == .pass)
    }

    @Test func `compression, digests and signatures of a converted body are removed`() throws {
        let told = ContentFields.names.map { "\n\($0): \($0 == "content-encoding" ? "gzip" : "x")" }.joined()
        let trial = try GatewayTrial(routes: Self.converting)
        let converted = try trial.forward("POST /api HTTP/1.1\nContent-Type: application/json\(told)", hasBody: true)
        let untouched = try trial.forward("POST /api HTTP/1.1\nContent-Type: text/plain\(told)", hasBody: true)
        for name in [
            "Content-MD5", "Digest", "Repr-Digest", "Content-Digest", "Signature", "Signature-Input",
            "Content-Encoding", "X-Amz-Checksum-CRC64NVME",
        ] {
            #expect(converted.fields.count(of: name) == 0, "\(name)")
            #expect(untouched.fields.count(of: name) == 1, "\(name)")
        }
        #expect(converted.fields["content-type"] == "application/json")
    }

    @Test func `a body that could not be converted keeps its compression`() throws {
        let request = try GatewayTrial(routes: Self.converting).forward(
            "POST /api HTTP/1.1\nContent-Type: application/json\nContent-Encoding: gzip", hasBody: true,
            leavesBody: true)
        #expect(request.body == .pass)
        #expect(request.fields["content-encoding"] == "gzip")
    }

    // MARK: Fields about the response

    @Test func `upstreams of converting routes are offered the client's compressions that the gateway can decompress`()
        throws
    {
        let rows = [
            ("", "identity"), ("gzip", "gzip"), ("gzip, deflate, br", "gzip, deflate"), ("br", "identity"),
            ("gzip;q=0, deflate;q=0.5", "deflate;q=0.500"), ("*", "gzip, deflate"), ("*;q=0", "identity"),
            ("gzip;q=0, *", "deflate"), ("identity", "identity"), ("x-gzip", "gzip"),
        ]
        let trial = try GatewayTrial(routes: Self.converting)
        for (sent, forwarded) in rows {
            let line = sent.isEmpty ? "" : "\nAccept-Encoding: \(sent)"
            let fields = try trial.forward("GET /api HTTP/1.1\(line)").fields
            #expect(fields.values(for: "accept-encoding") == [forwarded], "\(sent)")
        }
        let untouched = try GatewayTrial(routes: Self.plain).forward("GET /api HTTP/1.1\nAccept-Encoding: br, zstd")
        #expect(untouched.fields.values(for: "accept-encoding") == ["br, zstd"])
        #expect(try GatewayTrial(routes: Self.plain).forward().fields.count(of: "accept-encoding") == 0)
    }

    @Test func `ranges are requested only on routes without conversion`() throws {
        let request = "GET /api HTTP/1.1\nRange: bytes=0-1\nIf-Range: \"a\""
        let converted = try GatewayTrial(routes: Self.converting).forward(request).fields
        #expect(converted.count(of: "range") == 0 && converted.count(of: "if-range") == 0)
        let untouched = try GatewayTrial(routes: Self.plain).forward(request).fields
        #expect(untouched["range"] == "bytes=0-1" && untouched["if-range"] == "\"a\"")
    }

    // MARK: Upgrades

    @Test func `a GET without a body may upgrade to the route's protocols`() throws {
        let trial = try GatewayTrial(routes: #"{ "match": "/", "upstream": "shop", "upgrade": ["websocket", "h2"] }"#)
        let asking = "Connection: keep-alive, Upgrade\nUpgrade: WebSocket\nSec-WebSocket-Key: x"
        let request = try trial.forward("GET / HTTP/1.1\n\(asking)")
        #expect(request.upgrade == "WebSocket")
        #expect(request.fields["sec-websocket-key"] == "x")
        #expect(request.fields.count(of: "upgrade") == 0 && request.fields.count(of: "connection") == 0)
        let rows: [(request: String, hasBody: Bool, upgrade: String?)] = [
            ("POST / HTTP/1.1\n\(asking)", false, nil), ("GET / HTTP/1.1\n\(asking)", true, nil),
            ("GET / HTTP/1.0\n\(asking)", false, nil), ("GET / HTTP/1.1\nUpgrade: websocket", false, nil),
            ("GET / HTTP/1.1\nConnection: upgrade", false, nil),
            ("GET / HTTP/1.1\nConnection: upgrade\nUpgrade: h2c", false, nil),
            ("GET / HTTP/1.1\nConnection: upgrade\nUpgrade: h2c, websocket\nUpgrade: h2", false, "websocket, h2"),
        ]
        for row in rows {
            #expect(try trial.forward(row.request, hasBody: row.hasBody).upgrade == row.upgrade, "\(row.request)")
        }
        #expect(try GatewayTrial(routes: Self.plain).forward("GET /api HTTP/1.1\n\(asking)").upgrade == nil)
    }
}
