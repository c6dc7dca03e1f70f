import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// The responses that anyone can get from the server, and those that only the operator gets.
struct AdminListenerTests {
    @Test func `with admin and no routes, the public listener serves only v1`() throws {
        let directory = try TemporaryDirectory()
        let admin = "unix:\(directory.path)/admin"
        let server = try LiveServer(profiles: ["mobile": "{}"], "--admin", admin, "--loops", "1")
        func askAdmin(_ path: String) throws -> Int? {
            let client = try RawClient(admin)
            try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return HTTPText.status(try client.text())
        }
        // Each path is requested in both orders, since a loop caches the latest path.
        for path in ["/healthz", "/readyz", "/metrics", "/openapi.yaml"] {
            #expect(HTTPText.status(try server.get(path)) == 404, "\(path)")
            #expect(try askAdmin(path) == 200, "\(path)")
            #expect(HTTPText.status(try server.get(path)) == 404, "\(path)")
        }
        for path in ["/v1/profiles", "/v1/profiles/mobile", "/v1/profile.schema.json"] {
            #expect(HTTPText.status(try server.get(path)) == 200, "\(path)")
            #expect(try askAdmin(path) == 200, "\(path)")
        }
        #expect(HTTPText.body(try server.post("/v1/convert/mobile", "[1]")) == "[1]")
        // The container's health check uses the address that has `/healthz`.
        #expect(try BuiltProgram.run("health", environment: ["CONVERT_ADMIN": admin]).status == 0)
    }

    @Test func `public errors contain no file paths and no system messages`() throws {
        let directory = try TemporaryDirectory()
        let admin = "unix:\(directory.path)/admin"
        // A file that is too long, and a profile with an error.
        let server = try LiveServer(
            profiles: ["large": "{ \(String(repeating: " ", count: 2000)) }", "broken": "{\n \"renme\": 1 }"],
            "--max-profile-bytes", "1000", "--admin", admin)
        func ask(_ address: String, _ path: String) throws -> String {
            let client = try RawClient(address)
            try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return try client.text()
        }
        #expect(try ask(admin, "/v1/profiles").contains("File too large"))
        #expect(try ask(admin, "/readyz").contains("File too large"))
        let told = try ask(server.address, "/v1/profiles")
        #expect(told.contains("large.json: the file cannot be read") && !told.contains("too large"), "\(told)")
        #expect(told.contains("broken.json: 2:2: unknown key"))

        let missing = try LiveServer("--profiles", "\(directory.path)/none")
        let ready = try ask(missing.address, "/readyz")
        #expect(HTTPText.status(ready) == 503)
        #expect(ready.contains("the directory of profiles cannot be read"), "\(ready)")
        for word in [directory.path, "No such file"] { #expect(!ready.contains(word), "\(ready)") }
        #expect(waits { missing.log.contains("none: No such file or directory") })
    }

    @Test func `a profile that never was valid returns 503 with the error's position`() throws {
        let server = try LiveServer(profiles: ["broken": "{\n  \"rename\": {},\n  \"renme\": 1 }"])
        let envelope = #"{"profile":"broken","payload":{}}"#
        for response in [
            try server.post("/v1/convert/broken", "{}"), try server.get("/v1/profiles/broken"),
            try server.post("/v1/convert", envelope),
        ] {
            #expect(HTTPText.status(response) == 503, "\(response)")
            for part in [
                #""code":"faulty-profile""#, "broken.json:3:3: unknown key", #""line":3,"column":3"#,
                #""rule":"/renme""#,
            ] {
                #expect(response.contains(part), "\(part): \(response)")
            }
            #expect(!response.contains(server.profiles.path))
        }
        #expect(HTTPText.status(try server.post("/v1/convert/nobody", "{}")) == 404)
        // A profile that once had a valid version stays in use.
        _ = try server.profiles.write("broken.json", "{}")
        #expect(try waits { HTTPText.status(try server.post("/v1/convert/broken", "{}")) == 200 })
        _ = try server.profiles.write("broken.json", "{")
        #expect(
            waits { server.log.matches(of: /profile not loaded: broken\.json/).count == 2 }, "\(server.log)")
        #expect(HTTPText.status(try server.post("/v1/convert/broken", "{}")) == 200)
    }

    @Test func `check fails on a missing directory and on every profile with errors`() throws {
        let directory = try TemporaryDirectory()
        let profiles = try TemporaryDirectory()
        let missing = try directory.write("missing.json", #"{ "profiles": "nope" }"#)
        let check = try BuiltProgram.run("check", "--config", missing)
        #expect(check.status == 78)
        #expect(check.text.contains("\(directory.path)/nope: No such file or directory"), "\(check.text)")
        let file = try directory.write("convert.json", #"{ "profiles": "\#(profiles.path)" }"#)
        #expect(try BuiltProgram.run("check", "--config", file).status == 0)
        for name in ["a", "b"] { _ = try profiles.write("\(name).json", "{ \"renme\": 1 }") }
        let faulty = try BuiltProgram.run("check", "--config", file)
        #expect(faulty.status == 78)
        for name in ["a", "b"] {
            #expect(
                faulty.text.contains("\(profiles.path)/\(name).json:1:3: profile: unknown key"), "\(faulty.text)")
        }
    }

    @Test func `the first output of the server is a line of JSON on stdout`() throws {
        let server = try LiveServer()
        let line = try #require(server.log.split(separator: "\n").first { $0.contains("listening") })
        let pattern =
            /\{"time":"[0-9T:.-]+Z","level":"info","message":"listening on http:\/\/127\.0\.0\.1:[0-9]+","address":"http:\/\/127\.0\.0\.1:[0-9]+"\}/
        #expect(line.wholeMatch(of: pattern) != nil, "\(line)")
    }
}
