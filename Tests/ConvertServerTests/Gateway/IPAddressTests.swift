import TestSupport
import Testing

@testable import ConvertServer
@testable import HTTPSemantics
@testable import Sockets
@testable import Text

struct IPAddressTests {
    @Test func `addresses are read and written as by Python`() throws {
        var generator = SeededNumbers(seed: 6)
        var texts = [
            // RFC 4291 §2.2 and RFC 5952 §2, §4 and §5.
            "ABCD:EF01:2345:6789:ABCD:EF01:2345:6789", "2001:DB8:0:0:8:800:200C:417A", "2001:DB8::8:800:200C:417A",
            "FF01::101", "::1", "::", "0:0:0:0:0:0:13.1.68.3", "::13.1.68.3", "::FFFF:129.144.52.38",
            "2001:0db8::0001", "2001:db8:0:1:1:1:1:1", "2001:0:0:1:0:0:0:1", "2001:db8:0:0:1:0:0:1", "192.0.2.1",
            // Texts that are not addresses.
            "", ":", ":::", "1::2::3", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1.2.3",
            "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1.2.3.4::", "::1.2.3.4:5", "1:2:3:4:5:6:7:1.2.3.4", "1.2.3",
            "1.2.3.4.5",
            "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "+1.2.3.4", "[::1]", "fe80::g", "1:", ":1", "1.2.3.0004",
        ]
        let pieces = ["0", "1", "ff", "2001", "0db8", ":", ":", ":", "::", "1.2.3.4", ".", "10", "255"]
        for _ in 0..<4000 {
            texts.append(
                (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                    pieces[Int.random(in: 0..<pieces.count, using: &generator)]
                }.joined())
        }
        let script = """
            import ipaddress, sys
            for line in sys.stdin.read().split("\\n")[:-1]:
                try:
                    address = ipaddress.ip_address(line)
                    print(getattr(address, "ipv4_mapped", None) or address)
                except ValueError:
                    print("-")
            """
        let outcome = try ChildProcess(
            program: "/usr/bin/env", arguments: ["python3", "-c", script],
            environment: ["PATH": ProcessEnvironment.process["PATH"] ?? "/usr/bin:/bin"],
            input: .bytes(Array(texts.map { $0 + "\n" }.joined().utf8))
        ).run()
        let expected = outcome.text.split(separator: "\n").map(String.init)
        try #require(expected.count == texts.count, "\(outcome.errors)")
        for (text, line) in zip(texts, expected) { #expect(IPAddress(text)?.description ?? "-" == line, "\(text)") }
        #expect(expected.count { $0 != "-" } > 100)
    }

    @Test func `an IPv4 address mapped into IPv6 is the IPv4 address`() {
        #expect(IPAddress("::ffff:10.1.2.3") == IPAddress("10.1.2.3"))
        #expect(IPAddress("::ffff:a01:203") == IPAddress("10.1.2.3"))
        #expect(IPAddress("::10.1.2.3") != IPAddress("10.1.2.3"))
    }
}

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
