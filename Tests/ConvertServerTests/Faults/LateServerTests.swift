import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// A server that cannot run for a while, as on a paused machine. Requests that arrived in time are served, however late it reads them.
struct LateServerTests {
    /// More events than one wait of the poller returns.
    private static let count = 600

    @Test func `requests that arrived in time get a response, even if they are read late`() throws {
        // On a busy machine, all clients may need longer than a short deadline until they have begun.
        for seconds in [2, 10, 60] where try asksInTime(seconds) { return }
        Issue.record("not all clients could begin within 30 seconds")
    }

    /// Whether all clients begin long before the deadline. If so, each of them must get a response.
    private func asksInTime(_ seconds: Int) throws -> Bool {
        let server = try LiveServer(
            "--loops", "1", "--keep-alive-seconds", "\(seconds)", "--head-seconds", "\(seconds)", "--body-seconds",
            "\(seconds)")
        let begin = SystemClock.monotonic()
        let latest = begin.advanced(milliseconds: Int64(seconds) * 500)
        let deadline = begin.advanced(milliseconds: Int64(seconds) * 1000)
        let head = "GET /healthz HTTP/1.1\r\nHost: x\r\n"
        let request = HTTPText.post("/v1/minify", "[1, 2]")
        let kept = try (0..<Self.count).map { _ in try RawClient(server.address) }
        for client in kept {
            guard SystemClock.monotonic() < latest else { return false }
            try client.send("\(head)\r\n")
            #expect(String(decoding: try client.receive(), as: UTF8.self).hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        let heads = try (0..<Self.count).map { _ in try RawClient(server.address) }
        for client in heads { try client.send(head) }
        let bodies = try (0..<Self.count).map { _ in try RawClient(server.address) }
        for client in bodies { try client.send(String(request.dropLast())) }
        // All of these have been read once a later request has its response.
        guard SystemClock.monotonic() < latest else { return false }
        #expect(try server.get("/healthz").hasPrefix("HTTP/1.1 200 OK\r\n"))
        server.signal(SIGSTOP)
        guard SystemClock.monotonic() < latest else { return false }
        for client in kept { try client.send("\(head)\r\n") }
        for client in heads { try client.send("\r\n") }
        for client in bodies { try client.send(String(request.suffix(1))) }
        guard SystemClock.monotonic() < deadline else { return false }
        sleep(UInt32(seconds) + 1)
        server.signal(SIGCONT)
        for client in kept + heads + bodies {
            let response = String(decoding: try client.receive(), as: UTF8.self)
            #expect(response.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(response)")
        }
        return true
    }

    @Test func `a request's time does not depend on connections accepted with it`() throws {
        let server = try LiveServer("--loops", "1")
        // Short enough to be converted in one slice, also under ThreadSanitizer.
        let body = "[" + Array(repeating: "{\"a\": 1.25}", count: 100).joined(separator: ", ") + "]"
        server.signal(SIGSTOP)
        let clients = try (0..<40).map { _ in try RawClient(server.address) }
        for client in clients { try client.send(HTTPText.post("/v1/minify", body, isLast: true)) }
        let start = SystemClock.monotonic()
        server.signal(SIGCONT)
        for client in clients { #expect(try client.text().hasPrefix("HTTP/1.1 200 OK\r\n")) }
        let elapsed = (SystemClock.monotonic().nanoseconds - start.nanoseconds) / 1000
        let durations = try server.wait { log -> [Int64]? in
            let found = log.matches(of: /"durationMicros":([0-9]+)/).compactMap { Int64($0.1) }
            return found.count == clients.count ? found : nil
        }
        // One loop does one thing at a time, although the body of one request may arrive while the loop works on others. Times since
        // the connections were accepted would add up to about twenty times the whole.
        #expect(durations.reduce(0, +) < 5 * elapsed, "\(durations) \(elapsed)")
    }
}
