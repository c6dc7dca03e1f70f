import Testing

@testable import Sockets
@testable import Upstreams

struct ServerHealthTests {
    private static func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + number }

    private static func ejected(at second: Int) -> ServerHealth {
        var health = ServerHealth()
        for _ in 0..<5 { health.connectionFailed(at: Self.second(second)) }
        return health
    }

    private static func unhealthy() -> ServerHealth {
        var health = ServerHealth()
        for _ in 0..<3 { health.probed(isGood: false, HealthCheck(path: "/")) }
        return health
    }

    @Test func `servers start healthy, and a number of equal checks in a row changes that`() {
        let check = HealthCheck(path: "/", healthyAfter: 2, unhealthyAfter: 3)
        var health = ServerHealth()
        let rows: [(isGood: Bool, isHealthy: Bool)] = [
            (false, true), (false, true), (true, true), (false, true), (false, true), (false, false), (true, false),
            (false, false), (true, false), (true, true), (false, true),
        ]
        #expect(health.isHealthy)
        for (index, row) in rows.enumerated() {
            health.probed(isGood: row.isGood, check)
            #expect(health.isHealthy == row.isHealthy, "step \(index)")
        }
    }

    @Test func `five failures in a row eject a server for ten seconds, without a response between`() {
        var health = ServerHealth()
        for _ in 0..<4 { health.connectionFailed(at: Self.second(0)) }
        health.responded(at: Self.second(0))
        for _ in 0..<4 { health.connectionFailed(at: Self.second(1)) }
        #expect(!health.isEjected(at: Self.second(1)))
        health.connectionFailed(at: Self.second(2))
        #expect(health.isEjected(at: Self.second(2)))
        #expect(health.isEjected(at: Self.second(11)))
        #expect(!health.isEjected(at: Self.second(12)))
        #expect(health.isHealthy)
    }

    @Test func `every change is reported to the operator once`() {
        let check = HealthCheck(path: "/", healthyAfter: 1, unhealthyAfter: 2)
        var health = ServerHealth()
        let probed = [false, false, false, true, true].map { health.probed(isGood: $0, check) }
        #expect(probed == [nil, .unhealthy, nil, .healthy, nil])
        let failed = (0..<6).map { _ in health.connectionFailed(at: Self.second(0)) }
        #expect(failed == [nil, nil, nil, nil, .ejected, nil])
        #expect(health.isHealthy && !health.isInUse)
        // The first response belongs to a request that was under way when the server was taken out.
        let answered = [1, 10, 11].map { health.responded(at: Self.second($0)) }
        #expect(answered == [nil, .recovered, nil])
    }

    @Test func `servers are used in turn, from any start of the count`() {
        let servers = Array(repeating: ServerHealth(), count: 3)
        let turns = (7..<13).map { ServerSelection.choose(among: servers, turn: $0, at: Self.second(0)) }
        #expect(turns == [1, 2, 0, 1, 2, 0])
        #expect(ServerSelection.choose(among: servers, turn: .max, at: Self.second(0)) != nil)
    }

    @Test func `unhealthy and ejected servers are skipped`() {
        let servers = [ServerHealth(), Self.unhealthy(), Self.ejected(at: 0), ServerHealth()]
        let chosen = Set((0..<8).map { ServerSelection.choose(among: servers, turn: $0, at: Self.second(5)) })
        #expect(chosen == [0, 3])
        let later = Set((0..<9).map { ServerSelection.choose(among: servers, turn: $0, at: Self.second(10)) })
        #expect(later == [0, 2, 3])
    }

    @Test func `if all are ejected, all are tried, and if none is healthy, there is none`() {
        let ejected = [Self.ejected(at: 0), Self.unhealthy(), Self.ejected(at: 1)]
        #expect(Set((0..<8).map { ServerSelection.choose(among: ejected, turn: $0, at: Self.second(2)) }) == [0, 2])
        #expect(ServerSelection.choose(among: [Self.unhealthy()], turn: 0, at: Self.second(0)) == nil)
        #expect(ServerSelection.choose(among: [], turn: 0, at: Self.second(0)) == nil)
    }

    @Test func `a retry uses another server, if there is one`() {
        let servers = Array(repeating: ServerHealth(), count: 2)
        for turn: UInt64 in 0..<4 {
            #expect(ServerSelection.choose(among: servers, turn: turn, avoiding: 0, at: Self.second(0)) == 1)
            #expect(ServerSelection.choose(among: [ServerHealth()], turn: turn, avoiding: 0, at: Self.second(0)) == 0)
        }
    }
}
