import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Sockets
@testable import Text
@testable import Upstreams

struct ResolverTests {
    private typealias Trial = UpstreamTrial

    private static let name = UpstreamServer.tcp(host: "shop.example", port: 80)

    private static func directory(_ configurations: UpstreamConfiguration...) -> UpstreamDirectory {
        let directory = UpstreamDirectory()
        directory.use(directory.prepare(configurations))
        return directory
    }

    @Test func `a lookup round resolves each name once, and no address or path`() {
        let asked = Mutex<[UpstreamServer]>([])
        let directory = Self.directory(
            Trial.configuration([Self.name, Trial.server(1), .unix(path: "/run/shop.sock")]),
            Trial.configuration([Self.name], name: "other"))
        let resolver = Resolver(directory) { server in
            asked.withLock { $0.append(server) }
            return []
        }
        resolver.resolve(directory.current)
        #expect(asked.withLock { $0 } == [Self.name])
    }

    @Test func `every address of a name is a server, and a later failed lookup changes nothing`() throws {
        let results = try (1...2).map { ServerAddress(server: Self.name, address: try Trial.address($0).address) }
        let isKnown = Mutex(true)
        let directory = Self.directory(Trial.configuration([Self.name]))
        let resolver = Resolver(directory) { _ in isKnown.withLock { $0 } ? results : [] }
        resolver.resolve(directory.current)
        #expect(directory.current[0].servers == results)
        isKnown.withLock { $0 = false }
        resolver.resolve(directory.current)
        #expect(directory.current[0].servers == results)
    }

    @Test func `the start waits for the first lookups`() throws {
        let result = ServerAddress(server: Self.name, address: try Trial.address(1).address)
        let directory = Self.directory(Trial.configuration([Self.name]))
        let resolver = Resolver(directory) { _ in [result] }
        resolver.start()
        #expect(directory.current[0].servers == [result])
        resolver.end()
    }

    @Test func `names are looked up at the start and after each interval of 30 seconds`() throws {
        let interval: Int64 = 100
        let results = try (1...2).map { ServerAddress(server: Self.name, address: try Trial.address($0).address) }
        let lookups = Mutex<[MonotonicTime]>([])
        let directory = Self.directory(Trial.configuration([Self.name]))
        let resolver = Resolver(directory, intervalMilliseconds: Int(interval)) { _ in
            let isFirst = lookups.withLock { lookups in
                lookups.append(SystemClock.monotonic())
                return lookups.count == 1
            }
            return [results[isFirst ? 0 : 1]]
        }
        resolver.start()
        #expect(waits { directory.current[0].servers == [results[1]] })
        resolver.end()
        let times = lookups.withLock { $0 }
        try #require(times.count >= 2)
        // The clocks of the wait and of the test may differ a little.
        #expect(times[1].nanoseconds - times[0].nanoseconds >= (interval - 1) * 1_000_000)
        #expect(Resolver.intervalMilliseconds == 30_000)
    }

    @Test func `names whose lookups do not end delay no other, and a late result is used`() throws {
        // More than the threads of Dispatch.
        let slow = (1...300).map { UpstreamServer.tcp(host: "slow-\($0).example", port: 80) }
        let address = try Trial.address(1).address
        let mayEnd = DispatchSemaphore(value: 0)
        let directory = Self.directory(
            Trial.configuration(slow, name: "slow"), Trial.configuration([Self.name], name: "quick"))
        let resolver = Resolver(directory) { server in
            if server != Self.name { mayEnd.wait() }
            return [ServerAddress(server: server, address: address)]
        }
        let (late, prompt) = (directory.current[0], directory.current[1])
        resolver.resolve([late], for: .milliseconds(100))
        resolver.resolve([prompt], for: .milliseconds(500))
        // On a busy machine the lookups may begin later.
        #expect(waits { prompt.servers == [ServerAddress(server: Self.name, address: address)] })
        #expect(late.servers.isEmpty)
        for _ in slow { mayEnd.signal() }
        #expect(waits { late.servers == slow.map { ServerAddress(server: $0, address: address) } })
    }

    @Test func `the system resolves localhost and not a name that is reserved as unknown`() {
        let local = ServerAddress.all(of: .tcp(host: "localhost", port: 81))
        #expect(!local.isEmpty)
        #expect(local.allSatisfy { $0.address.port == 81 })
        #expect(Set(local).count == local.count)
        // RFC 6761 §6.4
        #expect(ServerAddress.all(of: .tcp(host: "no-such-host.invalid", port: 80)).isEmpty)
        #expect(ServerAddress.literal(.tcp(host: "localhost", port: 81)) == nil)
        #expect(ServerAddress.literal(.tcp(host: "::1", port: 81))?.address.ipAddress == IPAddress("::1"))
        #expect(ServerAddress.literal(.tcp(host: "192.0.2.7", port: 81))?.address.ipAddress == IPAddress("192.0.2.7"))
        #expect(ServerAddress.literal(.unix(path: "/run/a.sock"))?.address.ipAddress == nil)
        #expect(ServerAddress.literal(.unix(path: "\(String(repeating: "a", count: 200))")) == nil)
    }
}
