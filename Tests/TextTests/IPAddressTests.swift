import TestSupport
import Testing

@testable import Sockets
@testable import Text

struct IPAddressTests {
    @Test func `addresses are read and written as by Python`() throws {
        var generator = SeededGenerator(seed: 6)
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
            command: "python3", ["-c", script], input: .bytes(Array(texts.map { $0 + "\n" }.joined().utf8))
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
