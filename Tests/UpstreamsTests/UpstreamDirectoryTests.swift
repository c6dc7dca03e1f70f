import TestSupport
import Testing

@testable import Upstreams

struct UpstreamDirectoryTests {
    private typealias Trial = UpstreamTrial

    private static let check = HealthCheck(path: "/a", healthyAfter: 1, unhealthyAfter: 1)

    @Test func `an unchanged upstream is the same after a reload, with its connections in use`() {
        let directory = UpstreamDirectory()
        let shop = Trial.configuration([Trial.server(1)], maxConnections: 1)
        let before = directory.prepare([shop])
        directory.use(before)
        _ = before[0].choose(at: Trial.second(0))
        let after = directory.prepare([Trial.configuration([Trial.server(2)], name: "other"), shop])
        #expect(after[1] === before[0])
        #expect(after[1].choose(at: Trial.second(0)) == .full)
    }

    @Test func `connections keep their slots in a changed upstream`() {
        let directory = UpstreamDirectory()
        let servers = [Trial.server(1)]
        let before = directory.prepare([Trial.configuration(servers, maxConnections: 3)])
        directory.use(before)
        for _ in 0..<3 { #expect(before[0].choose(at: Trial.second(0)) != .full) }
        // With a lower limit, the surplus connections and one more must be given back first.
        let after = directory.prepare([Trial.configuration(servers, maxConnections: 2)])
        directory.use(after)
        #expect(after[0] !== before[0])
        for _ in 0..<2 {
            #expect(after[0].choose(at: Trial.second(0)) == .full)
            before[0].giveBack()
        }
        #expect(after[0].choose(at: Trial.second(0)) != .full)
        #expect(after[0].choose(at: Trial.second(0)) == .full)
        // If no server is healthy, no connection is counted.
        let unhealthy = directory.prepare([Trial.configuration(servers, maxConnections: 2, health: Self.check)])
        unhealthy[0].probed(unhealthy[0].servers[0], isGood: false)
        before[0].giveBack()
        for _ in 0..<3 { #expect(unhealthy[0].choose(at: Trial.second(0)) == .unhealthy) }
        #expect(after[0].choose(at: Trial.second(0)) != .full)
    }

    @Test func `a prepared but unused configuration changes nothing`() {
        let directory = UpstreamDirectory()
        let before = directory.prepare([Trial.configuration([Trial.server(1)])])
        directory.use(before)
        _ = directory.prepare([Trial.configuration([Trial.server(2)])])
        #expect(directory.current.map { ObjectIdentifier($0) } == before.map { ObjectIdentifier($0) })
    }

    @Test func `remaining servers of a changed upstream keep their health if the check is unchanged`() throws {
        let rows: [(check: HealthCheck?, isHealthy: Bool)] = [
            (Self.check, false), (HealthCheck(path: "/b", healthyAfter: 1, unhealthyAfter: 1), true), (nil, true),
        ]
        for row in rows {
            let directory = UpstreamDirectory()
            let before = directory.prepare([Trial.configuration([1, 2].map(Trial.server), health: Self.check)])
            directory.use(before)
            before[0].probed(try Trial.address(1), isGood: false)
            let after = directory.prepare([Trial.configuration([1, 3].map(Trial.server), health: row.check)])
            #expect(after[0] !== before[0])
            #expect(after[0].servers == [try Trial.address(1), try Trial.address(3)])
            let healthy = after[0].health.filter { $0.health.isHealthy }.map { $0.server }
            #expect(healthy.contains(try Trial.address(1)) == row.isHealthy, "\(String(describing: row.check))")
            #expect(healthy.contains(try Trial.address(3)))
        }
    }

    @Test func `remaining names of a changed upstream keep their addresses`() throws {
        let name = UpstreamServer.tcp(host: "shop.example", port: 80)
        let directory = UpstreamDirectory()
        let before = directory.prepare([Trial.configuration([name])])
        directory.use(before)
        let address = ServerAddress(server: name, address: try Trial.address(1).address)
        before[0].resolved(name, to: [address])
        let after = directory.prepare([Trial.configuration([name, Trial.server(2)])])
        #expect(after[0].servers == [address, try Trial.address(2)])
    }

    @Test func `the budget of retries is counted over all loops`() {
        let directory = UpstreamDirectory()
        // Three a second over ten seconds, whatever the number of requests.
        #expect((0..<40).filter { _ in directory.takeRetry(at: Trial.second(0)) }.count == 30)
    }
}
