import Glibc
import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

/// Upstreams with host names, and the connections to them when the addresses behind a name change.
struct GatewayNamesTests {
    private static let name = "shop.test"

    private static func stage(_ names: StagedNames, root: String = "", _ arguments: String...) throws -> GatewayStage {
        try GatewayStage(root: root, listeners: 2, hasOnePort: true, names: names) { backend in
            [backend.servers[0].replacing("127.0.0.1", with: name)]
        }
    }

    /// The listeners that get the next `count` requests.
    private func listeners(_ stage: GatewayStage, _ count: Int = 4) throws -> Set<Int> {
        let before = try stage.backend.requests.count
        for _ in 0..<count {
            let status = try stage.ask("GET /").status
            guard status == 200 else { throw ScriptedBackend.Failure(log: "status \(status)") }
        }
        return Set(try stage.backend.requests(from: before).map(\.listener))
    }

    /// Makes the gateway look up the names now, and waits until it has done so.
    private func lookUpAgain(_ names: StagedNames, _ stage: GatewayStage) throws {
        let before = try names.lookups(of: Self.name).count
        stage.server.signal(SIGHUP)
        #expect(try waits { try names.lookups(of: Self.name).count > before })
    }

    /// `ResolverTests` shows the interval.
    @Test func `names are looked up at the start and again later`() throws {
        let names = try StagedNames("\(Self.name) 127.0.0.1")
        let stage = try Self.stage(names)
        #expect(try listeners(stage) == [0])
        try names.change(to: "\(Self.name) 127.0.0.2")
        #expect(try listeners(stage) == [0])
        try lookUpAgain(names, stage)
        #expect(try waits { try listeners(stage, 1) == [1] })
        #expect(try listeners(stage) == [1])
        #expect(try names.lookups(of: Self.name).count == 2)
    }

    @Test func `each address of a name is a server`() throws {
        let stage = try Self.stage(try StagedNames("\(Self.name) 127.0.0.1 127.0.0.2 127.0.0.1"))
        #expect(try listeners(stage) == [0, 1])
        let turns = try stage.backend.requests.map(\.listener)
        for index in 2..<4 { #expect(turns[index] == turns[index - 2] && turns[index] != turns[index - 1]) }
        // One server that is down does not affect the others.
        try stage.backend.down(1)
        try stage.backend.closeConnections(1)
        for _ in 0..<4 { #expect(try stage.ask("POST /", body: "").status == 200) }
    }

    @Test func `a failed lookup is logged, keeps the last addresses and ends no connection`() throws {
        let names = try StagedNames("")
        let stage = try Self.stage(names)
        #expect(try stage.ask("GET /").status == 502)
        #expect(try stage.askAdmin("/readyz").status == 200)
        #expect(waits { stage.server.log.contains("has no address; it gets no requests") })
        try names.change(to: "\(Self.name) 127.0.0.1")
        try lookUpAgain(names, stage)
        #expect(try waits { try stage.ask("GET /").status == 200 })
        #expect(waits { stage.server.log.contains("has an address again") })
        try names.change(to: "")
        try lookUpAgain(names, stage)
        #expect(try listeners(stage) == [0])
        #expect(waits { stage.server.log.contains("has no address; its last ones stay in use") })
        try names.change(to: "\(Self.name) 127.0.0.2")
        try lookUpAgain(names, stage)
        #expect(try waits { try listeners(stage, 1) == [1] })
    }

    @Test func `a slow lookup delays no request`() throws {
        let names = try StagedNames("\(Self.name) pause:4 127.0.0.2")
        let begin = SystemClock.monotonic()
        let stage = try Self.stage(names)
        // Requests are served before the first lookup ends, and while the next one is under way.
        #expect(try stage.ask("GET /").status == 502)
        #expect(SystemClock.monotonic().nanoseconds - begin.nanoseconds < 4_000_000_000)
        #expect(try waits { try stage.ask("GET /").status == 200 })
        try lookUpAgain(names, stage)
        for _ in 0..<20 { #expect(try stage.ask("GET /").status == 200) }
        #expect(try names.lookups(of: Self.name).count == 2)
    }
}
