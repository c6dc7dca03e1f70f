import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics

/// Content codings between client, gateway and upstream.
struct GatewayCodingTests {
    private static let large = "[" + String(repeating: "{\"firstName\": \"Ada\"}, ", count: 300) + "1]"
    private static let largeAfter = "[" + String(repeating: "{\"fn\":\"Ada\"},", count: 300) + "1]"

    @Test func `upstreams are offered the compressions that client and gateway read, or identity`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        let rows: [(sent: String?, members: Set<String>)] = [
            ("gzip", ["gzip"]), ("gzip, deflate, br, zstd", ["gzip", "deflate"]), ("br", ["identity"]),
            (nil, ["identity"]), ("", ["identity"]), ("gzip;q=0, deflate", ["deflate"]), ("identity", ["identity"]),
            ("deflate;q=0.5, gzip;q=0.1", ["deflate", "gzip"]), ("x-gzip", ["gzip"]),
        ]
        for row in rows {
            let fields = row.sent.map { ["Accept-Encoding: \($0)"] } ?? []
            _ = try stage.exchange(HTTPText.message("GET /", fields, isLast: true))
            let value = try stage.backend.lastRequest()["Accept-Encoding"] ?? ""
            let names = value.split(separator: ",").map { $0.filter { $0 != " " }.prefix { $0 != ";" } }
            #expect(Set(names.map(String.init)) == row.members, "\(row.sent ?? "absent"): \(value)")
        }
    }

    @Test func `routes without conversion pass Accept-Encoding and add no Vary`() throws {
        for routes in [
            GatewayStage.everything,
            #"{ "match": "/", "upstream": "shop", "request": { "profile": "mobile" } }"#,
        ] {
            let stage = try GatewayStage(routes: routes)
            #expect(
                try stage.forwarded("GET /", "Accept-Encoding: br, gzip;q=0.2")["Accept-Encoding"] == "br, gzip;q=0.2")
            #expect(try stage.forwarded("GET /")["Accept-Encoding"] == nil)
            #expect(try stage.ask("GET /")["Vary"] == nil)
        }
    }

    @Test func `compressed responses are converted, and the client gets a compression that it accepts`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        for format in [PythonCoding.Format.gzip, .deflate] {
            let coded = try PythonCoding.encode(Array(Self.large.utf8), format)
            try stage.backend.script(.response(200, bytes: coded, "Content-Encoding: \(format.coding.name)"))
            for accepted in ContentCoding.applied.map(\.name) + ["identity"] {
                let response = try stage.ask("GET /", "Accept-Encoding: \(accepted)")
                #expect(response["Content-Encoding"] == (accepted == "identity" ? nil : accepted))
                #expect(String(decoding: try response.content(), as: UTF8.self) == Self.largeAfter)
                #expect(response["Convert-Status"] == "applied")
                #expect(response["Vary"]?.lowercased().contains("accept-encoding") == true)
            }
        }
    }

    @Test func `unchanged bodies keep their compression, byte for byte`() throws {
        let coded = try PythonCoding.encode(Array(Self.large.utf8), .gzip)
        for (routes, type) in [
            (GatewayStage.converting, "text/html"), (GatewayStage.everything, "application/json"),
        ] {
            let stage = try GatewayStage(routes: routes)
            try stage.backend.script(.response(200, bytes: coded, type: type, "Content-Encoding: gzip"))
            let response = try stage.ask("GET /", "Accept-Encoding: gzip")
            #expect(response["Content-Encoding"] == "gzip")
            #expect(response.body == coded)
            #expect(response["Content-Length"] == "\(coded.count)")
        }
    }

    @Test func `converting routes always send Vary`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.response(200, "{}", "Vary: Origin"))
        try stage.backend.script(.response(200, "x", type: "text/plain"))
        try stage.backend.script(.response(500, "{}"))
        try stage.backend.script(.response(200, "{}", "Vary: accept-encoding, Origin"))
        try stage.backend.script(.bare(304, "ETag: \"a\""))
        for index in 0..<5 {
            let response = try stage.ask("GET /")
            let names = response.values("Vary").joined(separator: ",").lowercased().split(separator: ",").map {
                $0.filter { $0 != " " }
            }
            #expect(names.count { $0 == "accept-encoding" } == 1, "\(index): \(names)")
            #expect(names.contains("origin") == (index == 0 || index == 3))
        }
    }

    @Test func `damaged or truncated compressed responses are 502, or pass through unchanged`() throws {
        let coded = try PythonCoding.encode(Array(Self.large.utf8), .gzip)
        var flipped = coded
        flipped[flipped.count - 6] ^= 1
        for body in [Array("no gzip".utf8), Array(coded.dropLast(3)), flipped] {
            let stage = try GatewayStage(routes: GatewayStage.converting)
            try stage.backend.script(.response(200, bytes: body, "Content-Encoding: gzip"))
            #expect(try stage.ask("GET /", "Accept-Encoding: gzip").status == 502)
            let passing = try GatewayStage(
                routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "mobile", "onError": "pass" } }"#
            )
            try passing.backend.script(.response(200, bytes: body, "Content-Encoding: gzip"))
            let response = try passing.ask("GET /", "Accept-Encoding: gzip")
            #expect(response.status == 200)
            #expect(response.body == body)
            #expect(response["Content-Encoding"] == "gzip")
            #expect(response["Convert-Status"] == "skipped;error")
        }
    }

    @Test func `responses have no limit except the ratio of a bomb`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting, "--max-body-bytes", "1000")
        try stage.backend.script("/plain", .response(200, Self.large + Self.large.prefix(0)))
        #expect(try stage.ask("GET /plain").text == Self.largeAfter)
        let bomb = try PythonCoding.encode(
            Array("\"\(String(repeating: "a", count: 16 << 20))\"".utf8), .gzip, level: 9)
        try stage.backend.script("/bomb", .response(200, bytes: bomb, "Content-Encoding: gzip"))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /bomb"))
        let count = client.rest().bytes.count
        #expect(count < 4 << 20, "\(count)")
        let small = try PythonCoding.encode(
            Array("\"\(String(repeating: "a", count: 1 << 19))\"".utf8), .gzip, level: 9)
        try stage.backend.script("/small", .response(200, bytes: small, "Content-Encoding: gzip"))
        #expect(try stage.ask("GET /small").body.count == (1 << 19) + 2)
    }
}
