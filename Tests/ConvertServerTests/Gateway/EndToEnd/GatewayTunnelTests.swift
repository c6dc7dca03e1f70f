import Glibc
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
        try client.send(GatewayStage.message("GET /tunnel", fields))
        #expect(try client.head().status == 101)
        return client
    }

    @Test(arguments: [5_000, 3_000_000])
    func `a server that has ended gets all that its client sends, and its end`(count: Int) throws {
        // It reads late, when the client has ended as well.
        let stage = try Self.stage(after: [.end, .gate("read"), .hang])
        let client = try Self.tunnel(stage)
        #expect(client.rest().bytes.isEmpty)
        let sender = Background { [raw = client.raw] in
            try? raw.send([UInt8](repeating: 1, count: count))
            raw.endSending()
        }
        usleep(200_000)
        try stage.backend.open(gate: "read")
        sender.wait()
        #expect(try stage.backend.waitsForConnections(until: { $0[0].state == .fin }))
        let connection = try #require(try stage.backend.connections.first)
        #expect(connection.received.count { $0 == 1 } == count)
    }

    @Test func `a client that is silent after its server has ended keeps no place for long`() throws {
        let stage = try Self.stage(#""maxConnections": 1, "bodyIdleSeconds": 1,"#, after: [.end, .hang])
        let client = try Self.tunnel(stage)
        #expect(try stage.ask("GET /").status == 503)
        #expect(try stage.server.waits { try stage.ask("GET /").status == 200 })
        // While neither has ended, silence means nothing.
        try stage.backend.script("/open", [Self.switching, .tunnel])
        let open = try stage.client()
        try open.send(GatewayStage.message("GET /open", Self.fields))
        #expect(try open.head().status == 101)
        usleep(2_000_000)
        try open.send("ping")
        #expect(String(decoding: open.bytes(4), as: UTF8.self) == "ping")
        withExtendedLifetime(client) {}
    }
}
