import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// How the gateway is configured and started.
struct GatewayStartTests {
    /// Runs `serve` with a configuration that must be refused.
    private func refusal(_ text: String, _ arguments: String...) throws -> ChildProcess.Outcome {
        let directory = try TemporaryDirectory()
        let file = try directory.write("convert.json", text)
        return try ChildProcess(
            program: BuiltProgram.path, arguments: ["serve", "--config", file] + arguments
        ).run()
    }

    @Test func `all errors of a configuration are reported at once, with exit code 78`() throws {
        let outcome = try refusal(
            """
            { "listen": ["127.0.0.1:0"], "profils": "p", "maxBufferedBytes": "much",
              "upstreams": { "shop": { "servers": ["http://127.0.0.1:1"], "responseTimeoutSeconds": "x" } },
              "routes": [ { "match": "/", "upstream": "shopp" },
                          { "match": "/a", "upstream": "shop", "response": { "profile": "absent" } } ] }
            """)
        #expect(outcome.status == 78)
        for word in ["profils", "maxBufferedBytes", "responseTimeoutSeconds", "shopp"] {
            #expect(outcome.errors.contains(word), "\(word): \(outcome.errors)")
        }
    }

    @Test func `an https upstream is refused with a hint about a proxy on localhost`() throws {
        let outcome = try refusal(
            #"{ "upstreams": { "u": { "servers": ["https://h"] } }, "routes": [{ "match": "/", "upstream": "u" }] }"#)
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("TLS") && outcome.errors.contains("localhost"), "\(outcome.errors)")
    }

    @Test func `an address cannot be one of both listen and admin`() throws {
        for address in ["127.0.0.1:8080", "unix:socket"] {
            let outcome = try refusal(#"{ "listen": ["127.0.0.1:0", "\#(address)"], "admin": ["\#(address)"] }"#)
            #expect(outcome.status == 78)
            #expect(outcome.errors.contains("admin") && outcome.errors.contains("also an address of `listen`"))
        }
    }

    @Test func `routes that clash and prefixes that do not fit are load errors`() throws {
        let rows = [
            // Two routes for the same host, path and method.
            #"{ "match": "/a", "upstream": "u", "methods": ["GET"] }, { "match": "/a/", "upstream": "u", "methods": ["GET", "PUT"] }"#,
            // A route without methods overlaps with every list of methods.
            #"{ "match": "/a", "upstream": "u", "methods": ["PUT"] }, { "match": "/a", "upstream": "u" }"#,
            // The prefix does not consist of whole segments.
            #"{ "match": "/api", "upstream": "u", "stripPrefix": "/ap" }"#,
            #"{ "match": "/api", "upstream": "u", "stripPrefix": "/api/x" }"#,
            // A limit below its minimum.
        ]
        for row in rows {
            let outcome = try refusal(
                #"{ "upstreams": { "u": { "servers": ["http://127.0.0.1:1"] } }, "routes": [\#(row)] }"#)
            #expect(outcome.status == 78, "\(row)")
        }
        let outcome = try refusal(
            #"{ "maxBufferedBytes": 1048575, "upstreams": { "u": { "servers": ["http://127.0.0.1:1"] } }, "routes": [{ "match": "/", "upstream": "u" }] }"#
        )
        #expect(outcome.status == 78)
        #expect(outcome.errors.contains("maxBufferedBytes"))
    }

    @Test func `paths are relative to the file and --listen replaces its list`() throws {
        let directory = try TemporaryDirectory()
        let backend = try ScriptedBackend(unix: "\(directory.path)/shop")
        try backend.script(.response(200, GatewayStage.ada.before))
        let profiles = try TemporaryDirectory()
        _ = try profiles.write("mobile.json", GatewayStage.mobile)
        let name = profiles.path.split(separator: "/").last ?? ""
        let file = try directory.write(
            "convert.json",
            """
            { "listen": ["unix:unused"], "profiles": "../\(name)",
              "upstreams": { "shop": { "servers": ["unix:shop"] } }, "routes": [\(GatewayStage.converting)] }
            """)
        let server = try LiveServer(configuration: file, in: directory, ["--listen", "127.0.0.1:0"])
        let client = try GatewayClient(server.address)
        try client.send(HTTPText.message("GET /"))
        #expect(try client.finalResponse().whole.text == GatewayStage.ada.after)
        #expect(unsafe access("\(directory.path)/unused", F_OK) != 0)
    }

    @Test func `public listeners serve routes only, and admin the service's own paths`() throws {
        let stage = try GatewayStage(routes: #"{ "match": "/shop", "upstream": "shop" }"#)
        for path in ["/healthz", "/readyz", "/metrics", "/v1/profiles", "/openapi.yaml"] {
            #expect(try stage.ask("GET \(path)").status == 404, "\(path)")
            #expect(try stage.askAdmin(path).status == 200, "\(path)")
        }
        #expect(try stage.askAdmin("/shop").status == 404)
        #expect(try stage.ask("POST /v1/minify", body: "[1]").status == 404)
        #expect(try stage.backend.requests.isEmpty)
        #expect(try stage.ask("GET /shop").status == 200)
    }

    @Test func `without admin, the service's own paths are not served, with a warning`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(
            "convert.json",
            """
            { "listen": ["127.0.0.1:0"], "upstreams": { "u": { "servers": ["http://127.0.0.1:9"] } },
              "routes": [{ "match": "/a", "upstream": "u" }] }
            """)
        let server = try LiveServer(configuration: file, in: directory, [])
        let client = try GatewayClient(server.address)
        try client.send(HTTPText.message("GET /readyz"))
        #expect(try client.finalResponse().whole.status == 404)
        #expect(server.log.contains("admin"), "\(server.log)")
    }

    @Test func `readyz does not depend on the health of upstreams`() throws {
        let stage = try GatewayStage(
            upstream: #""health": { "path": "/h", "intervalSeconds": 0.1, "unhealthyAfter": 1 },"#,
            servers: { [$0.refusing] })
        #expect(try waits { try stage.ask("GET /").status == 503 })
        #expect(try stage.askAdmin("/readyz").status == 200)
        #expect(try stage.askAdmin("/healthz").status == 200)
    }
}
