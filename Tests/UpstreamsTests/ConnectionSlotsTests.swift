import TestSupport
import Testing

@testable import HTTPSemantics
@testable import Text
@testable import Upstreams

struct ConnectionSlotsTests {
    /// Takes as many as possible of eight slots, of which two are reserved for others.
    private static func takeAll(_ slots: ConnectionSlots, _ client: IPAddress?) -> Int {
        (0..<20).count { _ in slots.take(of: 8, sparing: 2, for: client) }
    }

    @Test func `a client with as many connections as are reserved gets none of the last ones`() throws {
        let slots = ConnectionSlots()
        let clients = try (1...3).map { try #require(IPAddress("192.0.2.\($0)")) }
        #expect(Self.takeAll(slots, clients[0]) == 6)
        #expect(Self.takeAll(slots, clients[1]) == 2)
        #expect(Self.takeAll(slots, clients[2]) == 0)
        // A slot that is given back goes first to clients that have few.
        slots.giveBack(clients[0])
        #expect(Self.takeAll(slots, clients[0]) == 0)
        #expect(Self.takeAll(slots, clients[2]) == 1)
        for _ in 0..<5 { slots.giveBack(clients[0]) }
        for _ in 0..<2 { slots.giveBack(clients[1]) }
        slots.giveBack(clients[2])
        #expect(Self.takeAll(slots, clients[2]) == 6)
    }

    @Test func `a peer that acts for many clients may use all connections`() {
        #expect(Self.takeAll(ConnectionSlots(), nil) == 8)
    }

    @Test func `a quarter of the connections is reserved by default`() {
        for (maxConnections, reserved, spared) in [(1024, nil, 256), (5, nil, 1), (3, nil, 0), (8, 0, 0), (8, 7, 7)] {
            var configuration = UpstreamTrial.configuration([UpstreamTrial.server(1)], maxConnections: maxConnections)
            configuration.reservedConnections = reserved
            #expect(configuration.sparedConnections == spared)
        }
    }

    @Test func `clients are distinguished by address, IPv6 ones by /64, except proxies`() {
        var proxies = TrustedProxies()
        let isInserted = proxies.insert("10.0.0.0/8")
        #expect(isInserted)
        let rows: [(String, String?)] = [
            ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3::4", "2001:db8:1:2::"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("10.1.2.3", nil), ("127.0.0.1", nil), ("::1", nil), ("127.0.0.2", "127.0.0.2"),
        ]
        for (address, sharer) in rows {
            #expect(proxies.sharer(IPAddress(address)) == sharer.flatMap { IPAddress($0) }, "\(address)")
        }
        #expect(proxies.sharer(nil) == nil)
    }
}
