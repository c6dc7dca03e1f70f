import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// The built program on hosts that are larger, smaller or otherwise different from usual.
@Suite(.serialized) struct HostTests {
    @Test func `a server with more loops than Dispatch threads starts, logs, reloads and ends`() throws {
        let server = try LiveServer(
            profiles: ["p": "{\"rename\":{\"a\":\"b\"}}"], "--loops", "300", "--drain-seconds", "1")
        #expect(HTTPText.body(try server.post("/v1/convert/p", "{\"a\":1}")) == "{\"b\":1}")
        #expect(waits { server.log.contains("\"path\":\"/v1/convert/p\"") })
        // A profile of this length is compiled in the compile queue.
        let profile = "{\"drop\":[\(Array(repeating: "\"/x\"", count: 1000).joined(separator: ","))]}"
        #expect(HTTPText.status(try server.post("/v1/profiles/check", profile)) == 200)
        _ = try server.profiles.write("q.json", "{}")
        server.signal(SIGHUP)
        #expect(try waits { HTTPText.status(try server.post("/v1/convert/q", "1")) == 200 })
        server.signal(SIGTERM)
        #expect(server.exitCode() == 0)
    }

    @Test func `a pipe instead of the configuration file does not stop reloads`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("convert.json", "{}")
        let server = try LiveServer("--config", file)
        unsafe unlink(file)
        #expect(unsafe mkfifo(file, 0o600) == 0)
        server.signal(SIGHUP)
        #expect(waits { server.log.contains("not reloaded: ") })
        unsafe unlink(file)
        _ = try directory.write("convert.json", "{ \"maxDepth\": 9 }")
        server.signal(SIGHUP)
        #expect(waits { server.log.contains("a change of `maxDepth` needs a restart") })
    }

    @Test func `a server reads its configuration from a named pipe once`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("convert.json")
        #expect(unsafe mkfifo(file, 0o600) == 0)
        // The writer waits until the server opens the pipe.
        let server = try LiveServer(prelude: "{ (echo '{ \"maxBodyBytes\": 2 }' >'\(file)') & }", "--config", file)
        #expect(HTTPText.status(try server.post("/v1/minify", "123")) == 413)
        // An open pipe that was written to has a new time.
        let files = WatchedFiles(configuration: file, directory: nil)
        let pipe = unsafe open(file, O_RDWR)
        defer { close(pipe) }
        #expect(unsafe write(pipe, "{", 1) == 1)
        #expect(!files.haveChanged)
        unsafe unlink(file)
        _ = try directory.write("convert.json", "{}")
        #expect(files.haveChanged)
    }

    @Test func `SIGHUP while the server starts does not end it`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("convert.json")
        #expect(unsafe mkfifo(file, 0o600) == 0)
        // The server replaces the shell `$$`, opens the pipe and waits for its end.
        let server = try LiveServer(
            prelude: "{ (exec 3>'\(file)'; kill -HUP $$; echo '{}' >&3) & }", "--config", file)
        #expect(HTTPText.status(try server.get("/healthz")) == 200)
        server.signal(SIGHUP)
        #expect(waits { server.log.contains("not reloaded: ") })
    }

    @Test func `routes and servers that metrics cannot distinguish cause a warning`() throws {
        let directory = try TemporaryDirectory()
        // 17 of the 130 labels for routes belong to the service itself. Servers have 128 labels with durations and 1,000 without; in each
        // case one label is shared by all other servers.
        for (routes, servers, warnings) in [(113, 127, 0), (114, 127, 1), (113, 128, 1), (150, 1010, 3)] {
            let listed = (0..<servers).map { "\"http://127.0.0.1:\($0 + 1)\"" }.joined(separator: ",")
            let elements = (0..<routes).map { "{\"match\":\"/r\($0)\",\"upstream\":\"u\"}" }
            let file = try directory.write(
                "convert.json",
                "{\"admin\":\"127.0.0.1:1\",\"upstreams\":{\"u\":{\"servers\":[\(listed)]}},"
                    + "\"routes\":[\(elements.joined(separator: ","))]}")
            let outcome = try BuiltProgram.run("check", "--config", file)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.text.matches(of: /warning: metrics have no room/).count == warnings, "\(outcome.text)")
            #expect(warnings < 2 || outcome.text.contains("no room for 37 of the routes"), "\(outcome.text)")
            #expect(warnings < 2 || outcome.text.contains("no room for 11 of the servers"), "\(outcome.text)")
        }
    }

    @Test func `a pipe instead of a regular input file is refused without waiting`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", "{}")
        #expect(try InputFile(path: file, isRegular: true).readAll(maxBytes: 10) == Array("{}".utf8))
        unsafe unlink(file)
        #expect(unsafe mkfifo(file, 0o600) == 0)
        for path in [file, "/dev/null", directory.path] {
            #expect(throws: SystemCallError(call: "fstat", number: EINVAL)) { try InputFile.bytes(ofRegular: path) }
        }
    }

    @Test func `there are no more loops than processors that the process may use`() throws {
        let processor = try #require(ProcessMeasures(process: getpid()).processor)
        let server = try LiveServer(prelude: "taskset -cp \(processor) $$ > /dev/null")
        #expect(server.measures.threadNames?.filter { $0.hasPrefix("loop ") } == ["loop 0"])
    }

    @Test(.enabled(if: MemoryGroup.isPossible, "no memory group can be made here, or a sanitizer needs more memory"))
    func `in a memory group, the server responds to every legal request and keeps running`() throws {
        let group = try MemoryGroup(bytes: 96 * 1024 * 1024)
        let server = try LiveServer(
            profiles: [
                "move": "{\"move\":{\"/a/b\":\"/e/d\"}}", "keys": "{\"keys\":\"camelCase\"}",
                "sort": "{\"output\":{\"sortKeys\":true}}",
            ], prelude: "echo $$ > \(group.path)/cgroup.procs", "--loops", "2")
        let bytes = 30_000_000
        let array = "[" + String(repeating: "1,", count: bytes / 2) + "1]"
        let names = "{" + (0..<bytes / 20).map { "\"some_\($0 + 10_000_000)\":1" }.joined(separator: ",") + "}"
        let rows = [
            ("/v1/convert/move", "{\"c\":\(array)}"), ("/v1/convert/sort", "{\"c\":\(array)}"),
            ("/v1/convert", "{\"profile\":{\"move\":{\"/a/b\":\"/e/d\"}},\"payload\":\(array)}"),
            ("/v1/convert/keys", names), ("/v1/convert/sort", names), ("/v1/convert/move", names),
        ]
        var answered = 0
        for (path, payload) in rows {
            let client = try RawClient(server.address)
            let sender = Background { try? client.send(HTTPText.post(path, payload, isLast: true)) }
            let response = (try? client.text()) ?? ""
            sender.wait()
            // The reset after a refusal may arrive first; the server must still be running.
            if let status = HTTPText.status(response) {
                #expect([200, 413, 503].contains(status), "\(path): \(response)")
            }
            answered += response.isEmpty ? 0 : 1
            #expect(!server.hasEnded, "\(path): \(payload.prefix(60))")
            guard !server.hasEnded else { return }
        }
        #expect(answered > 0)
        #expect(HTTPText.body(try server.post("/v1/convert/sort", "{\"b\":1,\"a\":2}")) == "{\"a\":2,\"b\":1}")
    }

    @Test(.enabled(if: MemoryGroup.isPossible, "no memory group can be made here, or a sanitizer needs more memory"))
    func `in a memory group, only as many small requests run as fit`() throws {
        let group = try MemoryGroup(bytes: 96 * 1024 * 1024)
        let server = try LiveServer(
            profiles: ["keys": "{\"keys\":\"camelCase\"}"], prelude: "echo $$ > \(group.path)/cgroup.procs", "--loops",
            "2")
        let text = "[\"" + (0..<4000).map { "\($0 &* 7919 % 10_007)" }.joined(separator: ",")
        let coded = try PythonCoding.encode(Array(text.utf8), .gzip)
        let kinds: [(fields: String, body: [UInt8])] = [
            ("Content-Type: application/json\r\nContent-Encoding: gzip\r\n", Array(coded.dropLast(8))),
            ("Content-Type: application/x-www-form-urlencoded\r\n", Array("a=\(text)".utf8)),
            ("Content-Type: application/json\r\n", Array(text.utf8)),
        ]
        for kind in kinds {
            // The number is larger than (96 - 24 - 2) MiB / 2 / 128 KiB.
            let clients = (0..<700).compactMap { try? RawClient(server.address, from: "127.0.0.\(2 + $0 % 2)") }
            let head = "POST /v1/convert/keys HTTP/1.1\r\nHost: x\r\n\(kind.fields)Content-Length: 1000000\r\n\r\n"
            for client in clients { try? client.send(Array(head.utf8) + kind.body) }
            #expect(try waits { try server.get("/healthz").contains("HTTP/1.1 ") }, "\(kind.fields)")
            #expect(!server.hasEnded, "\(kind.fields)")
            withExtendedLifetime(clients) {}
        }
        #expect(try waits { HTTPText.body(try server.post("/v1/convert/keys", "{\"a_b\":1}")) == "{\"aB\":1}" })
    }
}

/// A memory control group, removed with its owner: version 1, or version 2 if it can be written to.
private final class MemoryGroup {
    let path: String

    static var isPossible: Bool { !Sanitizer.isActive && (try? MemoryGroup(bytes: 1 << 30)) != nil }

    init(bytes: Int) throws {
        let name = "convert-test-\(getpid())"
        // The group is made next to the process's own group, since others may not be allowed to make one in the root.
        let own = ControlGroups.Paths(
            parsing: String(decoding: try InputFile(path: "/proc/self/cgroup").readAll(maxBytes: 65536), as: UTF8.self))
        let candidates = [
            own.memory.map { ("/sys/fs/cgroup/memory\($0)", "memory.limit_in_bytes") },
            own.unified.map { ("/sys/fs/cgroup\($0)", "memory.max") },
        ]
        for case (let parent, let file)? in candidates where unsafe mkdir("\(parent)/\(name)", 0o755) == 0 {
            if let limit = unsafe fopen("\(parent)/\(name)/\(file)", "we") {
                unsafe fputs("\(bytes)", limit)
                unsafe fclose(limit)
                path = "\(parent)/\(name)"
                return
            }
            unsafe rmdir("\(parent)/\(name)")
        }
        throw SystemCallError(call: "mkdir", number: EACCES)
    }

    deinit {
        // The processes in the group may need a moment to end.
        for _ in 0..<100 where unsafe rmdir(path) != 0 { usleep(20_000) }
    }
}

extension InputFile {
    fileprivate static func bytes(ofRegular path: String) throws -> [UInt8] {
        try InputFile(path: path, isRegular: true).readAll(maxBytes: 10)
    }
}
