import Testing
import Text

@testable import HTTPSemantics

struct TrustedProxiesTests {
    private static func proxies(_ texts: String...) -> TrustedProxies {
        var proxies = TrustedProxies()
        for text in texts {
            let isInserted = proxies.insert(text)
            #expect(isInserted, "\(text)")
        }
        return proxies
    }

    private static func peer(_ text: String) throws -> TrustedProxies.Peer { .address(try #require(IPAddress(text))) }

    @Test func `no peer is trusted by default`() throws {
        #expect(!TrustedProxies().contains(try Self.peer("127.0.0.1")))
        #expect(!TrustedProxies().contains(.unix))
    }

    @Test func `networks contain the addresses with the same first bits`() throws {
        let proxies = Self.proxies("10.0.0.0/8", "192.0.2.128/25", "203.0.113.9", "2001:db8::/33", "::1", "0.0.0.0/32")
        let rows = [
            ("10.255.0.1", true), ("11.0.0.0", false), ("9.255.255.255", false), ("192.0.2.128", true),
            ("192.0.2.127", false), ("203.0.113.9", true), ("203.0.113.8", false), ("2001:db8::1", true),
            ("2001:db8:7fff::1", true), ("2001:db8:8000::", false), ("::1", true), ("::2", false),
            ("::ffff:10.0.0.1", true), ("0.0.0.1", false), ("0.0.0.0", true),
        ]
        for (address, isTrusted) in rows {
            #expect(proxies.contains(try Self.peer(address)) == isTrusted, "\(address)")
        }
        #expect(try Self.proxies("0.0.0.0/0").contains(Self.peer("255.255.255.255")))
        #expect(try !Self.proxies("0.0.0.0/0").contains(Self.peer("::1")))
        #expect(try Self.proxies("::/0").contains(Self.peer("ffff::")))
    }

    @Test func `a peer on a Unix socket is trusted with the entry unix`() throws {
        #expect(Self.proxies("unix").contains(.unix))
        #expect(!Self.proxies("0.0.0.0/0").contains(.unix))
    }

    @Test func `invalid networks are refused, also those with bits after the prefix`() {
        for text in [
            "", "10.0.0.1/8", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/+8", "a", "/8", "Unix",
        ] {
            var proxies = TrustedProxies()
            let isInserted = proxies.insert(text)
            #expect(!isInserted, "\(text)")
        }
    }

    @Test func `the client's address is the rightmost untrusted one`() throws {
        let proxies = Self.proxies("10.0.0.0/8", "unix", "::1")
        let rows: [(peer: String, chain: [String], client: String?)] = [
            ("192.0.2.1", ["198.51.100.1"], "192.0.2.1"),
            ("10.0.0.1", [], "10.0.0.1"),
            ("10.0.0.1", ["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.1, 198.51.100.1, 10.0.0.2"], "198.51.100.1"),
            ("10.0.0.1", ["203.0.113.1", "10.0.0.2, 10.0.0.3"], "203.0.113.1"),
            ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
            ("10.0.0.1", ["203.0.113.1, unknown, 10.0.0.2"], "10.0.0.2"),
            ("10.0.0.1", ["203.0.113.1:4711"], "203.0.113.1"),
            ("10.0.0.1", ["[2001:db8::1]:80, ::1"], "2001:db8::1"),
            ("unix", ["203.0.113.1"], "203.0.113.1"),
            ("unix", [], nil),
        ]
        for row in rows {
            let peer = row.peer == "unix" ? TrustedProxies.Peer.unix : try Self.peer(row.peer)
            let client = proxies.clientAddress(of: peer, forwardedFor: row.chain)
            #expect(client?.description == row.client, "\(row.peer) \(row.chain)")
        }
    }
}
