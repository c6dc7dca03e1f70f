import TestSupport
import Testing

@testable import Upstreams

struct UpstreamTests {
    private typealias Trial = UpstreamTrial

    private static func three(_ health: HealthCheck? = nil) -> Upstream {
        Upstream(Trial.configuration([1, 2, 3].map(Trial.server), health: health), turn: 0)
    }

    @Test func `servers are used in turn, from any start of the count`() {
        for first in 0..<3 {
            let upstream = Upstream(Trial.configuration([1, 2, 3].map(Trial.server)), turn: UInt64(first))
            let order = ["1", "2", "3", "1", "2", "3"]
            #expect((0..<3).compactMap { _ in Trial.choice(upstream) } == Array(order[first..<(first + 3)]))
        }
    }

    @Test func `the balancing counter continues after the greatest number`() {
        let upstream = Upstream(Trial.configuration([1, 2].map(Trial.server)), turn: .max)
        #expect((0..<3).compactMap { _ in Trial.choice(upstream) } == ["2", "1", "2"])
    }

    @Test func `a server that has just failed is used only if there is no other`() throws {
        let failed = try Trial.address(2)
        let upstream = Self.three()
        for _ in 0..<10 { #expect(Trial.choice(upstream, avoiding: failed) != "2") }
        let single = Upstream(Trial.configuration([Trial.server(2)]))
        #expect(Trial.choice(single, avoiding: failed) == "2")
    }

    @Test func `connections are limited, and a returned one can be used again`() {
        let upstream = Upstream(Trial.configuration([Trial.server(1)], maxConnections: 2))
        let now = Trial.second(0)
        guard case .server = upstream.choose(at: now), case .server = upstream.choose(at: now) else {
            Issue.record("two slots are free")
            return
        }
        #expect(upstream.choose(at: now) == .full)
        upstream.giveBack()
        guard case .server = upstream.choose(at: now) else {
            Issue.record("a slot is free")
            return
        }
        #expect(upstream.choose(at: now) == .full)
    }

    @Test func `five failures eject a server for ten seconds; if all are ejected, all are tried`() throws {
        let upstream = Self.three()
        let bad = try Trial.address(1)
        for _ in 0..<4 { upstream.connectionFailed(bad, at: Trial.second(0)) }
        upstream.responded(bad, at: Trial.second(0))
        for _ in 0..<4 { upstream.connectionFailed(bad, at: Trial.second(0)) }
        #expect(Set((0..<6).compactMap { _ in Trial.choice(upstream) }) == ["1", "2", "3"])
        upstream.connectionFailed(bad, at: Trial.second(0))
        for second in [0, 9] {
            #expect(Set((0..<6).compactMap { _ in Trial.choice(upstream, at: second) }) == ["2", "3"])
        }
        #expect(Set((0..<6).compactMap { _ in Trial.choice(upstream, at: 10) }) == ["1", "2", "3"])
        for number in 1...3 {
            for _ in 0..<5 { upstream.connectionFailed(try Trial.address(number), at: Trial.second(20)) }
        }
        #expect(Set((0..<6).compactMap { _ in Trial.choice(upstream, at: 21) }) == ["1", "2", "3"])
    }

    @Test func `unhealthy servers get no requests, even if there is no other server`() throws {
        let upstream = Self.three(HealthCheck(path: "/", healthyAfter: 1, unhealthyAfter: 1))
        upstream.probed(try Trial.address(1), isGood: false)
        #expect(Set((0..<6).compactMap { _ in Trial.choice(upstream) }) == ["2", "3"])
        for number in 2...3 { upstream.probed(try Trial.address(number), isGood: false) }
        #expect(upstream.choose(at: Trial.second(0)) == .unhealthy)
        upstream.probed(try Trial.address(2), isGood: true)
        #expect(Trial.choice(upstream) == "2")
    }

    @Test func `a name has no address before a lookup, and keeps them after a failure`() throws {
        let name = UpstreamServer.tcp(host: "shop.example", port: 80)
        let upstream = Upstream(Trial.configuration([name]), turn: 0)
        #expect(upstream.choose(at: Trial.second(0)) == .unresolved)
        let addresses = try (1...2).map { number in
            ServerAddress(server: name, address: try Trial.address(number).address)
        }
        upstream.resolved(name, to: addresses)
        #expect(upstream.servers == addresses)
        upstream.resolved(name, to: [])
        #expect(upstream.servers == addresses)
        upstream.resolved(name, to: addresses.reversed())
        #expect(upstream.servers == addresses)
        upstream.resolved(name, to: [addresses[1]])
        #expect(upstream.servers == [addresses[1]])
        upstream.resolved(.tcp(host: "other.example", port: 80), to: addresses)
        #expect(upstream.servers == [addresses[1]])
    }

    @Test func `a remaining address keeps its health when others change`() throws {
        let name = UpstreamServer.tcp(host: "shop.example", port: 80)
        let check = HealthCheck(path: "/", healthyAfter: 1, unhealthyAfter: 1)
        let upstream = Upstream(Trial.configuration([name], health: check), turn: 0)
        let addresses = try (1...3).map { number in
            ServerAddress(server: name, address: try Trial.address(number).address)
        }
        upstream.resolved(name, to: Array(addresses[..<2]))
        upstream.probed(addresses[0], isGood: false)
        upstream.resolved(name, to: [addresses[2], addresses[0]])
        #expect(upstream.health.filter { $0.health.isHealthy }.map { $0.server } == [addresses[2]])
    }

    @Test func `several threads never use more slots than exist`() {
        let upstream = Upstream(Trial.configuration([1, 2].map(Trial.server), maxConnections: 8))
        let threads = (0..<4).map { _ in
            Background {
                for _ in 0..<2000 {
                    if case .server = upstream.choose(at: UpstreamTrial.second(0)) { upstream.giveBack() }
                }
            }
        }
        for thread in threads { thread.wait() }
        for _ in 0..<8 { #expect(upstream.choose(at: Trial.second(0)) != .full) }
        #expect(upstream.choose(at: Trial.second(0)) == .full)
    }
}
