import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// The configuration file and its profiles are one set, which is read again when they change and on SIGHUP.
struct ReloadTests {
    @Test func `with a configuration file, changed profiles are loaded only without errors`() throws {
        let directory = try TemporaryDirectory()
        let configuration = try directory.write("convert.json", #"{ "maxDepth": 9, "admin": "unix:admin" }"#)
        let server = try LiveServer("--config", configuration)
        let admin = "unix:\(directory.path)/admin"
        func converted() throws -> String? { HTTPText.body(try server.post("/v1/convert/p", #"{"a":1}"#)) }
        func expectLog(_ words: String) {
            #expect(waits { server.log.contains(words) }, "\(words): \(server.log)")
        }
        #expect(HTTPText.status(try server.post("/v1/convert/p", "{}")) == 404)
        _ = try server.profiles.write("p.json", #"{ "rename": { "a": "b" } }"#)
        #expect(try waits { try converted() == #"{"b":1}"# })
        expectLog("reloaded: 1 profile")

        let broken = try server.profiles.write("broken.json", #"{ "rename": 1 }"#)
        expectLog("not reloaded: \(broken):1:13: profile: ")
        _ = try server.profiles.write("p.json", #"{ "rename": { "a": "c" } }"#)
        // The admin address reports the same error as the log: the file and the reason.
        func told(_ path: String) throws -> String {
            let client = try RawClient(admin)
            try client.send("GET \(path) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return HTTPText.body(try client.text()) ?? ""
        }
        let refusal = #"{"status":"ok","detail":"not reloaded: \#(broken):1:13: profile: "#
        #expect(try waits { try told("/readyz").hasPrefix(refusal) })
        let faulty = #"{"name":"broken","state":"faulty","detail":"broken.json: 1:13: "#
        let outdated = #"{"name":"p","state":"outdated","detail":"p.json: not in use yet"#
        #expect(
            try waits {
                let listed = try told("/v1/profiles")
                return listed.contains(faulty) && listed.contains(outdated)
            })
        #expect(try converted() == #"{"b":1}"#)
        #expect(try told("/metrics").contains("\nconvert_profile_last_reload_successful 0\n"))
        _ = try directory.write("convert.json", #"{ "maxDept": 9 }"#)
        unsafe unlink(broken)
        let unknown = "not reloaded: \(configuration):1:3: config: unknown key `maxDept`"
        expectLog(unknown)
        #expect(try converted() == #"{"b":1}"#)
        #expect(try waits { try told("/readyz").contains(unknown) })

        _ = try directory.write("convert.json", #"{ "admin": "unix:admin" }"#)
        #expect(try waits { try converted() == #"{"c":1}"# })
        // A thread of its own writes the log, and each loop gets the new set at its own time.
        expectLog("a change of `maxDepth` needs a restart")
        #expect(try waits { try told("/readyz") == #"{"status":"ok"}"# })
        #expect(try waits { try told("/v1/profiles") == #"{"profiles":[{"name":"p","state":"ready"}]}"# })
        #expect(try told("/metrics").contains("\nconvert_profile_last_reload_successful 1\n"))
    }

    @Test func `SIGHUP logs a line, whether anything has changed or not`() throws {
        let server = try LiveServer(profiles: ["a": "{}"])
        for count in 1...2 {
            server.signal(SIGHUP)
            let line = /\{"time":"[^"]+","level":"info","message":"reloaded: 1 profile"\}\n/
            #expect(waits { server.log.matches(of: line).count == count }, "\(server.log)")
        }
    }

    @Test func `reloads do not delay signals, and many in a row become two`() throws {
        let directory = try TemporaryDirectory()
        let configuration = try directory.write("convert.json", "{}")
        let server = try LiveServer("--config", configuration)
        // These profiles take long to read, so all signals arrive during the first reload.
        let names = (0..<5000).map { "\"some_name_\($0)\": \"n\($0)\"" }.joined(separator: ", ")
        for index in 0..<20 {
            _ = try server.profiles.write("p\(index).json", "{\"rename\": {\(names)}, \"keys\": \"camelCase\"}")
        }
        for _ in 0..<20 { server.signal(SIGHUP) }
        let start = SystemClock.monotonic()
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
        // One reload for each signal took a minute and more.
        #expect(SystemClock.monotonic() < start.advanced(milliseconds: 5000))
    }
}
