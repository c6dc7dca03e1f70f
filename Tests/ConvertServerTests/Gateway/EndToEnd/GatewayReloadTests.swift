import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// Configuration and profiles reload as one set, on SIGHUP and when their files change. No request fails because of it.
struct GatewayReloadTests {
    /// Waits until the response is `expected`.
    private func turns(_ stage: GatewayStage, to expected: String) throws -> Bool {
        try waits { try stage.ask("GET /").text == expected }
    }

    @Test func `configuration and profiles are read again as one set`() throws {
        let stage = try GatewayStage()
        try stage.backend.script(.response(200, GatewayStage.ada.before))
        #expect(try stage.ask("GET /").text == GatewayStage.ada.before)
        _ = try stage.profiles.write("new.json", #"{ "rename": { "firstName": "given" } }"#)
        try stage.reconfigure(routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "new" } }"#)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: #"{"given":"Ada"}"#))
    }

    @Test func `a set of files with one error changes nothing`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.response(200, GatewayStage.ada.before))
        // The profile would be valid, but the configuration is not.
        _ = try stage.profiles.write("mobile.json", #"{ "rename": { "firstName": "given" } }"#)
        try stage.reconfigure(routes: #"{ "match": "/", "upstream": "nobody" }"#)
        try stage.reload(untilLog: "nobody")
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        // The configuration would be valid, but a profile is not.
        _ = try stage.profiles.write("mobile.json", #"{ "renam": {} }"#)
        try stage.reconfigure(routes: GatewayStage.everything)
        try stage.reload(untilLog: "renam")
        #expect(try stage.ask("GET /").text == GatewayStage.ada.after)
        #expect(try stage.askAdmin("/readyz").status == 200)
        // A corrected profile is accepted.
        _ = try stage.profiles.write("mobile.json", GatewayStage.mobile)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: GatewayStage.ada.before))
    }

    @Test func `a changed profile or configuration is loaded without a signal`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script(.response(200, GatewayStage.ada.before))
        _ = try stage.profiles.write("mobile.json", #"{ "rename": { "firstName": "given" } }"#)
        #expect(try turns(stage, to: #"{"given":"Ada"}"#))
        try stage.reconfigure(routes: GatewayStage.everything)
        #expect(try turns(stage, to: GatewayStage.ada.before))
        #expect(waits { stage.server.log.contains("reloaded: 1 route, 1 upstream, 1 profile") })
    }

    /// A Kubernetes ConfigMap is a directory of links through `..data`, which is replaced as a whole.
    @Test func `a link to other files is one change, and their error is reported once`() throws {
        let directory = try TemporaryDirectory()
        let backend = try ScriptedBackend()
        try backend.script(BackendScript.response(200, GatewayStage.ada.before))
        func write(_ version: String, profile: String) throws {
            _ = try directory.write("\(version)/mobile.json", profile)
            _ = try directory.write(
                "\(version)/convert.conf",
                GatewayStage.configuration(
                    routes: GatewayStage.converting, profiles: "\(directory.path)/data", servers: backend.servers
                ).replacing("unix:admin", with: "unix:\(directory.path)/admin"))
        }
        func point(to version: String) {
            let new = "\(directory.path)/new"
            #expect(unsafe symlink(version, new) == 0)
            #expect(unsafe rename(new, "\(directory.path)/data") == 0)
        }
        try write("1", profile: GatewayStage.mobile)
        try write("2", profile: #"{ "renam": 1 }"#)
        try write("3", profile: #"{ "rename": { "firstName": "given" } }"#)
        point(to: "1")
        let server = try LiveServer(configuration: "\(directory.path)/data/convert.conf", in: directory, [])
        func response() throws -> String {
            let client = try GatewayClient(server.address)
            try client.send(HTTPText.message("GET /", isLast: true))
            return try client.finalResponse().whole.text
        }
        #expect(try response() == GatewayStage.ada.after)
        point(to: "2")
        #expect(waits { server.log.contains("not reloaded: ") })
        // In this time the server looks at the files at least twice more.
        usleep(2_500_000)
        #expect(server.log.matches(of: /not reloaded/).count == 1, "\(server.log)")
        #expect(try response() == GatewayStage.ada.after)
        point(to: "3")
        #expect(try waits { try response() == #"{"given":"Ada"}"# })
    }

    @Test func `a request in flight keeps the set that it began with`() throws {
        let stage = try GatewayStage(routes: GatewayStage.converting)
        try stage.backend.script("/slow", [.gate("go")] + .response(200, GatewayStage.ada.before))
        try stage.backend.script("/", .response(200, GatewayStage.ada.before))
        let client = try stage.client()
        try client.send(HTTPText.message("GET /slow"))
        #expect(try stage.backend.waitsForRequests(until: { $0.count == 1 }))
        try stage.reconfigure(routes: GatewayStage.everything)
        stage.server.signal(SIGHUP)
        #expect(try turns(stage, to: GatewayStage.ada.before))
        try stage.backend.open(gate: "go")
        #expect(try client.finalResponse().whole.text == GatewayStage.ada.after)
        // The open connection uses the new configuration.
        try client.send(HTTPText.message("GET /"))
        #expect(try client.finalResponse().whole.text == GatewayStage.ada.before)
    }

    @Test func `a server that remains after a reload keeps its idle connections`() throws {
        let stage = try GatewayStage("--loops", "1")
        #expect(try stage.ask("GET /a").status == 200)
        try stage.reconfigure(routes: #"{ "match": "/b", "upstream": "shop" }"#)
        stage.server.signal(SIGHUP)
        #expect(try waits { try stage.ask("GET /a").status == 404 })
        #expect(try stage.ask("GET /b").status == 200)
        #expect(try stage.backend.connections.count == 1)
    }

    @Test func `a connection opened before the first routes gets only routes after the reload`() throws {
        let stage = try GatewayStage(routes: "")
        let client = try stage.client()
        try client.send(HTTPText.message("GET /v1/profiles"))
        #expect(try client.finalResponse().whole.status == 200)
        try stage.reconfigure(routes: #"{ "match": "/b", "upstream": "shop" }"#)
        stage.server.signal(SIGHUP)
        #expect(try waits { try stage.ask("GET /b").status == 200 })
        for path in ["/metrics", "/v1/profiles"] {
            try client.send(HTTPText.message("GET \(path)"))
            #expect(try client.finalResponse().whole.status == 404, "\(path)")
        }
        try client.send(HTTPText.message("GET /b"))
        #expect(try client.finalResponse().whole.status == 200)
        #expect(try stage.backend.lastRequest()["X-Forwarded-For"] == "127.0.0.1")
    }

    @Test func `a change of limits needs a restart, and is reported`() throws {
        let stage = try GatewayStage(root: #""maxFields": 50,"#)
        try stage.reconfigure(
            routes: #"{ "match": "/b", "upstream": "shop" }"#,
            root: #""maxFields": 50, "maxBodyBytes": 10, "accessLog": false,"#)
        try stage.reload(untilLog: "a change of `maxBodyBytes`, `maxResponseBytes`, `accessLog` needs a restart")
        #expect(try waits { try stage.ask("GET /a").status == 404 })
        #expect(try stage.ask("POST /b", body: "more than ten").status == 200)
        // The log reports it once.
        try stage.reconfigure(root: #""maxFields": 50, "maxBodyBytes": 10, "accessLog": false,"#)
        stage.server.signal(SIGHUP)
        #expect(try waits { try stage.ask("GET /a").status == 200 })
        #expect(stage.server.log.matches(of: /needs a restart/).count == 1)
        // A change back to the values from the start needs no restart.
        try stage.reconfigure(routes: #"{ "match": "/b", "upstream": "shop" }"#, root: #""maxFields": 50,"#)
        stage.server.signal(SIGHUP)
        #expect(try waits { try stage.ask("GET /a").status == 404 })
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
        #expect(try waits { try stage.ask("GET /a").status == 404 })
        #expect(try stage.ask("GET /b").status == 200)
        #expect(unsafe access("\(stage.directory.path)/elsewhere", F_OK) != 0)
        // A thread of its own writes the log.
        #expect(waits { stage.server.log.contains("restart") }, "\(stage.server.log)")
    }
}
