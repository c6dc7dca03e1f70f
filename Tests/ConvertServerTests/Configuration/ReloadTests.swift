import Glibc
import Testing

@testable import ConvertServer

/// SIGHUP with a configuration file: file and profiles are one set.
struct ReloadTests {
    @Test func `with a file, profiles change on SIGHUP only, and not at all when anything is faulty`() throws {
        let directory = try TemporaryDirectory()
        let configuration = try directory.write("convert.json", #"{ "maxDepth": 9 }"#)
        let server = try LiveServer("--config", configuration)
        func converted() throws -> String? { HTTPText.body(try server.post("/v1/convert/p", #"{"a":1}"#)) }
        func reload(expecting words: String) {
            server.signal(SIGHUP)
            #expect(server.waits { server.log.contains(words) }, "\(words): \(server.log)")
        }
        #expect(HTTPText.status(try server.post("/v1/convert/p", "{}")) == 404)
        _ = try server.profiles.write("p.json", #"{ "rename": { "a": "b" } }"#)
        server.signal(SIGHUP)
        #expect(try server.waits { try converted() == #"{"b":1}"# })

        _ = try server.profiles.write("p.json", #"{ "rename": { "a": "c" } }"#)
        // Longer than it takes until a directory that is watched is looked at.
        usleep(1_500_000)
        #expect(try converted() == #"{"b":1}"#)
        let broken = try server.profiles.write("broken.json", #"{ "rename": 1 }"#)
        reload(expecting: "not reloaded: \(broken):1:13: profile: ")
        #expect(try converted() == #"{"b":1}"#)
        // Who asks is told what the log says: the file, and why.
        func told(_ path: String) throws -> String { HTTPText.body(try server.get(path)) ?? "" }
        let refusal = #"{"status":"ok","detail":"not reloaded: \#(broken):1:13: profile: "#
        #expect(try server.waits { try told("/readyz").hasPrefix(refusal) })
        #expect(HTTPText.status(try server.get("/readyz")) == 200)
        let faulty = #"{"name":"broken","state":"faulty","detail":"broken.json: 1:13: "#
        let outdated = #"{"name":"p","state":"outdated","detail":"p.json: not in use yet"#
        #expect(
            try server.waits {
                let listed = try told("/v1/profiles")
                return listed.contains(faulty) && listed.contains(outdated)
            })
        unsafe unlink(broken)
        _ = try directory.write("convert.json", #"{ "maxDept": 9 }"#)
        reload(expecting: "not reloaded: \(configuration):1:3: config: unknown key `maxDept`")
        #expect(try converted() == #"{"b":1}"#)
        #expect(HTTPText.status(try server.get("/readyz")) == 200)
        let unknown = "not reloaded: \(configuration):1:3: config: unknown key `maxDept`"
        #expect(try server.waits { try told("/readyz").contains(unknown) })

        _ = try directory.write("convert.json", "{}")
        server.signal(SIGHUP)
        #expect(try server.waits { try converted() == #"{"c":1}"# })
        // The log is written by a thread of its own, and each loop learns of the new set in its own time.
        #expect(server.waits { server.log.contains("a change of `maxDepth` needs a restart") })
        #expect(try server.waits { try told("/readyz") == #"{"status":"ok"}"# })
        #expect(try server.waits { try told("/v1/profiles") == #"{"profiles":[{"name":"p","state":"ready"}]}"# })
    }

    @Test func `reloads keep no signal waiting, and many in a row are two`() throws {
        let directory = try TemporaryDirectory()
        let configuration = try directory.write("convert.json", "{}")
        let server = try LiveServer("--config", configuration)
        // Much to read: what takes long must not be between the first signal and the last.
        let names = (0..<5000).map { "\"some_name_\($0)\": \"n\($0)\"" }.joined(separator: ", ")
        for index in 0..<20 {
            _ = try server.profiles.write("p\(index).json", "{\"rename\": {\(names)}, \"keys\": \"camelCase\"}")
        }
        for _ in 0..<20 { server.signal(SIGHUP) }
        let start = SystemClock.monotonic()
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
        // Twenty reloads took a minute and more, one after another.
        #expect(SystemClock.monotonic() < start.advanced(milliseconds: 5000))
    }
}
