import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Which servers get requests when some of them are not healthy.
struct GatewayHealthTests {
    private static let ok = BackendScript.response(200, "ok", type: "text/plain")
    private static let health =
        #""health": { "path": "/h?x", "intervalSeconds": 0.1, "timeoutSeconds": 0.5, "healthyAfter": 2, "unhealthyAfter": 2, "status": ["2xx"] },"#

    @Test func `one prober in the process checks each server, and servers start healthy`() throws {
        let stage = try GatewayStage(upstream: Self.health.replacing("0.1", with: "0.5"), listeners: 2, "--loops", "2")
        #expect(try stage.ask("GET /").status == 200)
        #expect(try stage.backend.waitsForRequests(until: { $0.count { $0.target == "/h?x" } >= 4 }))
        let before = try stage.backend.requests.count { $0.target == "/h?x" }
        let start = SystemClock.monotonic()
        #expect(try stage.backend.waitsForRequests(until: { $0.count { $0.target == "/h?x" } >= before + 12 }))
        let during = try stage.backend.requests.count { $0.target == "/h?x" } - before
        let milliseconds = (SystemClock.monotonic().nanoseconds - start.nanoseconds) / 1_000_000
        // Two servers get two checks a second each, whatever the number of loops, plus the checks that were already under way.
        #expect(during <= milliseconds / 250 + 3, "\(during) in \(milliseconds) ms")
    }

    @Test func `a server that fails its checks gets no requests until it recovers`() throws {
        let stage = try GatewayStage(upstream: Self.health, listeners: 2)
        try stage.backend.script("/h", listener: 0, .response(500, "no"))
        try stage.backend.script("/h", listener: 1, Self.ok)
        let isAlone = { () throws -> Bool in
            let count = try stage.backend.requests.count
            for _ in 0..<4 { _ = try stage.ask("GET /x") }
            return try stage.backend.requests.dropFirst(count).filter { $0.target == "/x" }.allSatisfy {
                $0.listener == 1
            }
        }
        #expect(try waits(until: isAlone))
        // The backend repeats its last script, so this one replaces the first.
        try stage.backend.script("/h", listener: 0, Self.ok)
        #expect(try waits { try !isAlone() })
        #expect(try stage.askAdmin("/readyz").status == 200)
    }

    @Test func `no healthy server is 503 with Retry-After`() throws {
        let stage = try GatewayStage(upstream: Self.health)
        try stage.backend.script("/h", .response(404, "no"))
        #expect(try waits { try stage.ask("GET /").status == 503 })
        let response = try stage.ask("GET /")
        #expect(response.status == 503)
        #expect(response["Retry-After"].flatMap { Int($0) } != nil)
        #expect(response["Content-Type"] == "application/problem+json")
        try stage.backend.script("/h", Self.ok)
        #expect(try waits { try stage.ask("GET /").status == 200 })
    }

    @Test func `a check without a response in time fails`() throws {
        let stage = try GatewayStage(upstream: Self.health.replacing("0.5", with: "0.1"))
        try stage.backend.script("/h", [.hang])
        #expect(try waits { try stage.ask("GET /").status == 503 })
    }

    /// The number of failed connects so far.
    private static func failures(_ stage: GatewayStage) throws -> Int {
        let lines = try stage.askAdmin("/metrics").text.split(separator: "\n").filter {
            $0.hasPrefix("convert_upstream_failures_total{") && $0.contains("reason=\"connect\"")
        }
        return lines.compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
    }

    @Test func `five failures in a row eject a server, which then gets no requests`() throws {
        let stage = try GatewayStage(listeners: 2)
        try stage.backend.down(0)
        for _ in 0..<16 { #expect(try stage.ask("POST /", body: "").status == 200) }
        #expect(try Self.failures(stage) == 5)
        for _ in 0..<10 { #expect(try stage.ask("POST /", body: "").status == 200) }
        #expect(try Self.failures(stage) == 5)
    }

    @Test func `a request that makes a server close or hang does not mark it unhealthy`() throws {
        for failure in [BackendScript([.reset]), [.close], [.hang]] {
            let stage = try GatewayStage(upstream: #""responseTimeoutSeconds": 0.1,"#, listeners: 2)
            try stage.backend.script("/crash", failure)
            for _ in 0..<12 { #expect(try stage.ask("POST /crash", body: "").status >= 502) }
            let before = try stage.backend.requests.count
            for _ in 0..<8 { #expect(try stage.ask("GET /").status == 200) }
            let listeners = try stage.backend.requests(from: before).map(\.listener)
            #expect(listeners.count { $0 == 0 } == 4 && listeners.count { $0 == 1 } == 4)
        }
        // While one of them was out, all requests went to the other.
        let stage = try GatewayStage(listeners: 2)
        try stage.backend.script("/crash", listener: 0, [.reset])
        for _ in 0..<12 { _ = try stage.ask("POST /crash", body: "") }
        let before = try stage.backend.requests.count
        for _ in 0..<8 { #expect(try stage.ask("GET /").status == 200) }
        #expect(try stage.backend.requests(from: before).count { $0.listener == 0 } == 4)
    }

    @Test func `an ejected server is tried again after ten seconds`() async throws {
        let (failed, early, waited, turns) = try await onOwnThread {
            let stage = try GatewayStage(listeners: 2)
            let asked = { try stage.backend.requests.count { $0.listener == 0 } }
            try stage.backend.down(0)
            for _ in 0..<12 { _ = try stage.ask("POST /", body: "") }
            let end = SystemClock.monotonic()
            let failed = try Self.failures(stage)
            try stage.backend.up(0)
            usleep(6_000_000)
            for _ in 0..<4 { _ = try stage.ask("POST /", body: "") }
            let early = try asked()
            _ = try waits {
                _ = try stage.ask("POST /", body: "")
                return try asked() > 0
            }
            let waited = SystemClock.monotonic().nanoseconds - end.nanoseconds
            // After that it gets requests in turn, as any other server does.
            let before = try asked()
            for _ in 0..<8 { _ = try stage.ask("POST /", body: "") }
            return (failed, early, waited, try asked() - before)
        }
        #expect(failed == 5)
        #expect(early == 0)
        // The failures themselves took a part of that time.
        #expect(waited > 8_000_000_000 && waited < 15_000_000_000, "\(waited)")
        #expect(turns == 4)
    }

    @Test func `connect errors and connect timeouts eject a server`() throws {
        // Only the tested timeout is short, so that the healthy server does not exceed the others on a busy machine.
        let failures: [(name: String, limit: String, server: (ScriptedBackend) -> String)] = [
            ("connect error", "", { $0.refusing }),
            ("connect timeout", #""connectTimeoutSeconds": 0.4,"#, { $0.full }),
        ]
        for (name, limit, server) in failures {
            let stage = try GatewayStage(
                upstream: limit, listeners: 2, servers: { [$0.servers[0], server($0)] })
            for _ in 0..<12 { _ = try stage.ask("POST /", body: "") }
            let before = try stage.backend.requests.count
            for _ in 0..<6 { #expect(try stage.ask("POST /", body: "").status == 200, "\(name)") }
            #expect(try stage.backend.requests(from: before).allSatisfy { $0.listener == 0 }, "\(name)")
            let failed = try stage.askAdmin("/metrics").text.split(separator: "\n").filter {
                $0.hasPrefix("convert_upstream_failures_total{")
            }
            #expect(failed.count == 1 && failed[0].hasSuffix(" 5"), "\(name): \(failed)")
        }
    }

    @Test func `when all servers are ejected, all are tried`() throws {
        let stage = try GatewayStage()
        try stage.backend.down(0)
        for _ in 0..<6 { #expect(try stage.ask("POST /", body: "").status == 502) }
        try stage.backend.up(0)
        #expect(try stage.ask("POST /", body: "").status == 200)
    }

    @Test func `a recovered server is used again`() throws {
        let stage = try GatewayStage(upstream: Self.health, listeners: 1)
        #expect(try stage.ask("GET /").status == 200)
        try stage.backend.down(0)
        try stage.backend.closeConnections()
        #expect(try waits { try stage.ask("GET /").status == 503 })
        try stage.backend.up(0)
        #expect(try waits { try stage.ask("GET /").status == 200 })
    }
}
