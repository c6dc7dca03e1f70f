import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets
@testable import Text

/// A gateway whose log has no reader.
struct GatewayLogReaderTests {
    /// A gateway whose stdout and stderr are a pipe; the test decides when it is read.
    private final class Unread {
        let directory: TemporaryDirectory
        let backend: ScriptedBackend
        let log: NamedPipe
        let child: pid_t
        private let profiles: TemporaryDirectory
        private var hasEnded = false

        /// - Parameter isFull: whether the pipe is full before the gateway starts.
        init(isFull: Bool = false) throws {
            directory = try TemporaryDirectory()
            profiles = try TemporaryDirectory()
            backend = try ScriptedBackend()
            let text = GatewayStage.configuration(
                root: #""trustedProxies": "unix","#, profiles: profiles.path, servers: backend.servers)
            let file = try directory.write("convert.json", text.replacing("127.0.0.1:0", with: "unix:front"))
            log = try NamedPipe("\(directory.path)/log")
            if isFull { log.fill() }
            child = try ChildProcess(
                program: BuiltProgram.path, arguments: ["serve", "--config", file, "--loops", "1"], input: .closed,
                output: .file(log.path)
            ).launch()
            try #require(waits { (try? client()) != nil })
        }

        deinit {
            guard !hasEnded else { return }
            kill(child, SIGKILL)
            _ = ChildProcess.end(child)
        }

        func client() throws -> GatewayClient { try GatewayClient("unix:\(directory.path)/front") }

        /// Sends SIGTERM and waits for the exit code; nil if the gateway does not end.
        func end() -> Int32? {
            kill(child, SIGTERM)
            guard waits(until: { ChildProcess.hasEnded(child) }) else { return nil }
            hasEnded = true
            return ChildProcess.end(child)
        }
    }

    @Test func `a log that is full before the start does not prevent the shutdown`() throws {
        let gateway = try Unread(isFull: true)
        let client = try gateway.client()
        try client.send(HTTPText.message("GET /"))
        #expect(try client.finalResponse().whole.status == 200)
        #expect(gateway.end() == 0)
    }

    @Test func `a reload that cannot be logged does not prevent the shutdown`() throws {
        let gateway = try Unread()
        let client = try gateway.client()
        // Twenty lines of about 7 KB are more than a pipe can hold.
        for _ in 0..<20 {
            try client.send(HTTPText.message("GET /\(String(repeating: "a", count: 7000))"))
            #expect(try client.finalResponse().whole.status == 200)
        }
        _ = try gateway.directory.write("convert.json", "{ no configuration")
        kill(gateway.child, SIGHUP)
        usleep(300_000)
        try client.send(HTTPText.message("GET /"))
        #expect(try client.finalResponse().whole.status == 200)
        #expect(gateway.end() == 0)
    }

    @Test func `a blocked stdout loses lines, which are counted, and delays no request`() throws {
        let gateway = try Unread()
        // Each line has about 2.6 KB, since path and user agent are shortened. Together they exceed 1.5 times what pipe and server buffer.
        let count = 3000
        let path = "/" + String(repeating: "a", count: 7000)
        let agent = "User-Agent: " + String(repeating: "u", count: 256)
        let client = try gateway.client()
        for number in 0..<count {
            try client.send(HTTPText.message("GET \(path)", ["X-Request-Id: n-\(number)", agent]))
            #expect(try client.finalResponse().whole.status == 200)
        }
        #expect(try gateway.backend.requests.count == count)
        let admin = try GatewayClient("unix:\(gateway.directory.path)/admin")
        try admin.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let metrics = try admin.finalResponse().whole.text
        let overflow = try #require(
            metrics.firstMatch(of: /convert_log_dropped_lines_total\{reason="overflow"\} ([0-9]+)/))
        let dropped = try #require(Int(overflow.1))
        #expect(dropped > count / 5 && dropped < count, "\(dropped)")

        // All other lines arrive complete and in order once there is a reader.
        let lines = gateway.log.lines(until: { $0.contains("\"requestId\":\"n-") ? count - dropped : nil })
        let numbers = lines.compactMap { $0.firstMatch(of: /"requestId":"n-([0-9]+)"/).flatMap { Int($0.1) } }
        #expect(numbers.count == count - dropped)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(lines.allSatisfy { !$0.contains("requestId") || ($0.hasPrefix("{") && $0.hasSuffix("}")) })
    }

    /// A named pipe whose reader is this process, which reads only when the test asks for lines.
    private final class NamedPipe {
        let path: String
        private let number: Int32

        init(_ path: String) throws {
            self.path = path
            guard unsafe mkfifo(path, 0o600) == 0 else { throw SystemCallError.last("mkfifo") }
            // Opening does not block here: the writer waits for a reader.
            number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else { throw SystemCallError.last("open") }
        }

        deinit { close(number) }

        /// Writes empty lines until there is no room for more.
        func fill() {
            let writer = unsafe open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            defer { close(writer) }
            let lines = [UInt8](repeating: ASCII.lineFeed, count: 4096)
            while unsafe write(writer, lines, lines.count) > 0 {}
        }

        /// The lines up to the number that `wanted` returns, or until none has arrived for ten seconds.
        func lines(until wanted: (String) -> Int?) -> [String] {
            var lines: [String] = []
            var unread: [UInt8] = []
            var found = 0
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                while let end = unread.firstIndex(of: ASCII.lineFeed) {
                    lines.append(String(decoding: unread[..<end], as: UTF8.self))
                    unread.removeFirst(end + 1)
                    guard let count = wanted(lines[lines.count - 1]) else { continue }
                    found += 1
                    if found == count { return lines }
                }
                var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&watched, 1, 10_000) > 0 else { return lines }
                let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
                guard count > 0 else { return lines }
                unread += buffer[..<count]
            }
        }
    }
}
