import Glibc
import Testing

@testable import ConvertServer

/// SIGHUP: configuration and profiles as one set, without a request that notices.
struct GatewayReloadTests {
    /// Waits until answers are what `expected` says.
    private func turns(_ stage: GatewayStage, to expected: String) throws -> Bool {
        try stage.server.waits { try stage.ask("GET /").text == expected }
    }

    @Test func `configuration and profiles are read again as one set`() throws {
        let stage = try GatewayStage()
        try stage.backend.script(.answer(200, GatewayStage.ada.before))
        #expect(try stage.ask("GET /").text == GatewayStage.ada.before)
        _ = try stage.profiles.write("new.json", #"{ "rename": { "firstName": "given" } }"#)
        try stage.reconfigure(routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "new" } }"#)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: #"{"given":"Ada"}"#))
    }

    @Test func `a set with a fault changes nothing, not even its good half`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.answer(200, GatewayStage.ada.before))
        // The profile would be good, the configuration is not.
        _ = try stage.profiles.write("mobile.json", #"{ "rename": { "firstName": "given" } }"#)
        try stage.reconfigure(routes: #"{ "match": "/", "upstream": "nobody" }"#)
        try stage.reload(untilLog: "nobody")
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        // The configuration would be good, a profile is not.
        _ = try stage.profiles.write("mobile.json", #"{ "renam": {} }"#)
        try stage.reconfigure(routes: GatewayStage.everything)
        try stage.reload(untilLog: "renam")
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        #expect(try stage.askAdmin("/readyz").status == 200)
        // And what is mended is taken.
        _ = try stage.profiles.write("mobile.json", GatewayStage.mobile)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: GatewayStage.ada.before))
    }

    @Test func `with a configuration, profiles change on SIGHUP and not before`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.answer(200, GatewayStage.ada.before))
        _ = try stage.profiles.write("mobile.json", #"{ "rename": { "firstName": "given" } }"#)
        usleep(1_500_000)
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: #"{"given":"Ada"}"#))
    }

    @Test func `a request in flight keeps the set that it began with`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script("/slow", [.gate("go")] + .answer(200, GatewayStage.ada.before))
        try stage.backend.script("/", .answer(200, GatewayStage.ada.before))
        let client = try stage.client()
        try client.send(GatewayStage.message("GET /slow"))
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        try stage.reconfigure(routes: GatewayStage.everything)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: GatewayStage.ada.before))
        try stage.backend.open(gate: "go")
        #expect(try client.answer().whole.text == GatewayStage.ada.after)
        // The connection goes on with what is in force now.
        try client.send(GatewayStage.message("GET /"))
        #expect(try client.answer().whole.text == GatewayStage.ada.before)
    }

    @Test func `a server that is still there keeps its idle connections`() throws {
        let stage = try GatewayStage("--loops", "1")
        #expect(try stage.ask("GET /a").status == 200)
        try stage.reconfigure(routes: #"{ "match": "/b", "upstream": "shop" }"#)
        stage.server.signal(SIGHUP)
        #expect(try stage.server.waits { try stage.ask("GET /a").status == 404 })
        #expect(try stage.ask("GET /b").status == 200)
        #expect(try stage.backend.connections.count == 1)
    }

    @Test func `a connection from before there were routes gets routes only once there are some`() throws {
        let stage = try GatewayStage(routes: "")
        let client = try stage.client()
        try client.send(GatewayStage.message("GET /metrics"))
        #expect(try client.answer().whole.status == 200)
        try stage.reconfigure(routes: #"{ "match": "/b", "upstream": "shop" }"#)
        stage.server.signal(SIGHUP)
        #expect(try stage.server.waits { try stage.ask("GET /b").status == 200 })
        for path in ["/metrics", "/v1/profiles"] {
            try client.send(GatewayStage.message("GET \(path)"))
            #expect(try client.answer().whole.status == 404, "\(path)")
        }
        try client.send(GatewayStage.message("GET /b"))
        #expect(try client.answer().whole.status == 200)
        #expect(try stage.backend.lastRequest()["X-Forwarded-For"] == "127.0.0.1")
    }

    @Test func `a change of limits waits for a restart, and is told`() throws {
        let stage = try GatewayStage(root: #""maxFields": 50,"#)
        try stage.reconfigure(
            routes: #"{ "match": "/b", "upstream": "shop" }"#,
            root: #""maxFields": 50, "maxBodyBytes": 10, "accessLog": false,"#)
        try stage.reload(untilLog: "a change of `maxBodyBytes`, `accessLog` needs a restart")
        #expect(try stage.server.waits { try stage.ask("GET /a").status == 404 })
        #expect(try stage.ask("POST /b", body: "more than ten").status == 200)
        // It is told once.
        try stage.reconfigure(root: #""maxFields": 50, "maxBodyBytes": 10, "accessLog": false,"#)
        stage.server.signal(SIGHUP)
        #expect(try stage.server.waits { try stage.ask("GET /a").status == 200 })
        #expect(stage.server.log.matches(of: /needs a restart/).count == 1)
    }

    @Test func `a change of listen waits for a restart`() throws {
        let stage = try GatewayStage()
        _ = try stage.directory.write(
            "convert.json",
            """
            { "listen": ["unix:elsewhere"], "profiles": "\(stage.profiles.path)",
              "upstreams": { "shop": { "servers": ["\(stage.backend.servers[0])"] } },
              "routes": [{ "match": "/b", "upstream": "shop" }] }
            """)
        stage.server.signal(SIGHUP)
        #expect(try stage.server.waits { try stage.ask("GET /a").status == 404 })
        #expect(try stage.ask("GET /b").status == 200)
        #expect(unsafe access("\(stage.directory.path)/elsewhere", F_OK) != 0)
        #expect(stage.server.log.contains("restart"), "\(stage.server.log)")
    }
}
