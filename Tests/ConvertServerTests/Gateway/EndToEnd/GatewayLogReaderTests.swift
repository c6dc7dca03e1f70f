import Glibc
import Testing

@testable import ConvertServer

/// A gateway whose log nobody reads.
struct GatewayLogReaderTests {
    @Test func `a blocked stdout drops lines, counted, and holds no request up`() throws {
        let directory = try TemporaryDirectory()
        let backend = try ScriptedBackend()
        let profiles = try TemporaryDirectory()
        let file = try directory.write(
            "convert.json",
            GatewayStage.configuration(profiles: profiles.path, servers: backend.servers).replacing(
                "127.0.0.1:0", with: "unix:front"))
        let log = try NamedPipe("\(directory.path)/log")
        let child = try ChildProcess(
            program: BuiltProgram.path, arguments: ["serve", "--config", file, "--loops", "1"], input: .closed,
            output: .file(log.path)
        ).launch()
        defer { _ = ChildProcess.end(child) }
        let isReady = (0..<1000).contains { _ in
            usleep(10_000)
            return (try? RawClient("unix:\(directory.path)/front")) != nil
        }
        try #require(isReady)

        // Each line is some 7 KB: these are more than one and a half times what pipe and server keep.
        let count = 1000
        let path = "/" + String(repeating: "a", count: 7000)
        let client = try GatewayClient("unix:\(directory.path)/front")
        for number in 0..<count {
            try client.send(GatewayStage.message("GET \(path)", ["X-Request-Id: n-\(number)"]))
            #expect(try client.answer().whole.status == 200)
        }
        #expect(try backend.requests.count == count)
        let admin = try GatewayClient("unix:\(directory.path)/admin")
        try admin.send("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let metrics = try admin.answer().whole.text
        let overflow = try #require(
            metrics.firstMatch(of: /convert_log_dropped_lines_total\{reason="overflow"\} ([0-9]+)/))
        let dropped = try #require(Int(overflow.1))
        #expect(dropped > count / 5 && dropped < count, "\(dropped)")

        // All others are there for whoever reads at last, whole and in order.
        let lines = log.lines(until: { $0.contains("\"requestId\":\"n-") ? count - dropped : nil })
        let numbers = lines.compactMap { $0.firstMatch(of: /"requestId":"n-([0-9]+)"/).flatMap { Int($0.1) } }
        #expect(numbers.count == count - dropped)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(lines.allSatisfy { !$0.contains("requestId") || ($0.hasPrefix("{") && $0.hasSuffix("}")) })
    }

    /// A pipe with a name, whose reader is here and reads when it is told to.
    private final class NamedPipe {
        let path: String
        private let number: Int32

        init(_ path: String) throws {
            self.path = path
            guard unsafe mkfifo(path, 0o600) == 0 else { throw SystemCallError.last("mkfifo") }
            // Without waiting for a writer, which waits for a reader.
            number = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else { throw SystemCallError.last("open") }
        }

        deinit {
            close(number)
            unsafe unlink(path)
        }

        /// The lines that come until so many of those that `wanted` counts are there, or none has come for ten seconds.
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
