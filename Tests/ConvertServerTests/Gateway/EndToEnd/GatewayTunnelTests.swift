import Glibc
import TestSupport
import Testing

@testable import ConvertServer

/// How tunnels end.
struct GatewayTunnelTests {
    private static let routes = #"{ "match": "/", "upstream": "shop", "upgrade": ["tcp"] }"#
    private static let fields = ["Connection: Upgrade", "Upgrade: tcp"]
    private static let switching: BackendScript.Step = .send(
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n")

    private static func stage(_ upstream: String = "", after switching: BackendScript) throws -> GatewayStage {
        let stage = try GatewayStage(routes: routes, upstream: upstream)
        try stage.backend.script("/tunnel", [Self.switching] + switching)
        return stage
    }

    private static func tunnel(_ stage: GatewayStage) throws -> GatewayClient {
        let client = try stage.client()
        try client.send(HTTPText.message("GET /tunnel", fields))
        #expect(try client.head().status == 101)
        return client
    }

    /// Sends `count` bytes and ends the sending side.
    private static func send(_ count: Int, by client: GatewayClient) -> Background {
        Background { [raw = client.raw] in
            try? raw.send([UInt8](repeating: 1, count: count))
            raw.endSending()
        }
    }

    /// Whether a backend's first connection ends without a reset, after `count` bytes from a client.
    private static func has(_ backend: ScriptedBackend, _ count: Int) throws -> Bool {
        #expect(try backend.waitsForConnections(until: { $0[0].state != .open }))
        let connection = try #require(try backend.connections.first)
        return connection.state == .fin && connection.received.count { $0 == 1 } == count
    }

    @Test(arguments: [5_000, 20_000_000])
    func `a server that reads late gets all bytes of its client, and the end`(count: Int) throws {
        // The backend ends its own sending side, or it does not.
        for first in [BackendScript([.end]), []] {
            let stage = try Self.stage(after: first + [.gate("read"), .hang])
            let client = try Self.tunnel(stage)
            if !first.steps.isEmpty { #expect(client.rest().bytes.isEmpty) }
            let sender = Self.send(count, by: client)
            usleep(300_000)
            try stage.backend.open(gate: "read")
            #expect(try Self.has(stage.backend, count))
            sender.wait()
        }
    }

    @Test func `a local server that reads at once gets all bytes of its client`() throws {
        for _ in 0..<8 {
            let stage = try GatewayStage(routes: Self.routes, unix: true, servers: { [$0.servers[1]] })
            try stage.backend.script("/tunnel", [Self.switching, .end, .hang])
            let client = try Self.tunnel(stage)
            #expect(client.rest().bytes.isEmpty)
            Self.send(3_000_000, by: client).wait()
            #expect(try Self.has(stage.backend, 3_000_000))
        }
    }

    @Test(arguments: [100_000, 1_000_000])
    func `a server gets all bytes of a local client that closes at once`(count: Int) throws {
        let directory = try TemporaryDirectory()
        let front = "unix:\(directory.path)/front"
        let stage = try GatewayStage(routes: Self.routes, "--listen", "127.0.0.1:0", "--listen", front)
        try stage.backend.script("/tunnel", [Self.switching, .gate("read"), .hang])
        do {
            let client = try GatewayClient(front)
            try client.send(HTTPText.message("GET /tunnel", Self.fields))
            #expect(try client.head().status == 101)
            try client.raw.send([UInt8](repeating: 1, count: count))
        }
        usleep(300_000)
        try stage.backend.open(gate: "read")
        #expect(try Self.has(stage.backend, count))
    }

    @Test func `SIGTERM waits until the server has received the client's bytes`() throws {
        let stage = try Self.stage(after: [.end, .gate("read"), .hang])
        let client = try Self.tunnel(stage)
        #expect(client.rest().bytes.isEmpty)
        let sender = Self.send(12_000_000, by: client)
        usleep(300_000)
        stage.server.signal(SIGTERM)
        usleep(300_000)
        try stage.backend.open(gate: "read")
        #expect(try Self.has(stage.backend, 12_000_000))
        sender.wait()
        #expect(stage.server.exitCode() == 0)
    }

    @Test func `a server that reads nothing more uses its connection only for a short time`() throws {
        let stage = try Self.stage(#""maxConnections": 1, "bodyIdleSeconds": 4,"#, after: [.gate("never")])
        let client = try Self.tunnel(stage)
        let sender = Self.send(30_000_000, by: client)
        #expect(try stage.ask("GET /").status == 503)
        #expect(try waits { try stage.ask("GET /").status == 200 })
        sender.wait()
    }

    @Test func `a silent client after its server's end uses its connection only briefly`() throws {
        let stage = try Self.stage(#""maxConnections": 1, "bodyIdleSeconds": 4,"#, after: [.end, .hang])
        let client = try Self.tunnel(stage)
        #expect(try stage.ask("GET /").status == 503)
        #expect(try waits { try stage.ask("GET /").status == 200 })
        withExtendedLifetime(client) {}
    }

    @Test func `no timeout applies to a tunnel while neither side has ended`() throws {
        let stage = try Self.stage(#""bodyIdleSeconds": 0.5,"#, after: [.tunnel])
        let client = try Self.tunnel(stage)
        usleep(1_500_000)
        try client.send("ping")
        #expect(String(decoding: client.bytes(4), as: UTF8.self) == "ping")
    }
}
