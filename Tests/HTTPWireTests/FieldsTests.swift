import Testing

@testable import HTTPWire

/// The ordered list of fields (RFC 9110 §5).
struct FieldsTests {
    @Test func `names are compared without case, and keep their spelling`() {
        let fields = fields([("Accept", "a"), ("X-B", "b"), ("ACCEPT", "c")])
        #expect(fields["accept"] == "a")
        #expect(fields.values(for: "aCCept") == ["a", "c"])
        #expect(fields.count(of: "Accept") == 2)
        #expect(fields.firstIndex(of: "x-b") == 1)
        #expect((0..<3).map(fields.name(at:)) == ["Accept", "X-B", "ACCEPT"])
        #expect(fields["x_b"] == nil && fields["x-"] == nil && fields["x-bb"] == nil)
        #expect(fields.values(for: "none").isEmpty)
    }

    /// RFC 9110 §5.3 joins field lines with commas, and §5.5 leaves bytes beyond ASCII as they are.
    @Test func `the values of fields with one name are joined to a list without a change of their bytes`() {
        var fields = Fields()
        for (name, value) in [("Via", [0x61, 0xE9]), ("X", [0x62]), ("via", [0xFF])] as [(String, [UInt8])] {
            fields.append(name, bytes: value[...])
        }
        #expect(fields.list(for: "VIA") == [0x61, 0xE9, 0x2C, 0x20, 0xFF])
        #expect(fields.list(for: "none") == nil)
    }

    /// `[`, `\`, `]`, `^`, `@` and the control characters also differ from other bytes in the case bit only.
    @Test func `only letters have a case`() {
        let fields = fields([("a^b", "1"), ("a@b".replacing("@", with: "`"), "2")])
        #expect(fields["a~b"] == nil)
        #expect(fields["A^B"] == "1")
        #expect(fields["a@b"] == nil)
        #expect(fields["A`B"] == "2")
    }

    @Test func `a value that is not UTF-8 is available as bytes`() {
        var fields = Fields()
        fields.append("X", bytes: [0xE9, 0x20, 0xFF])
        #expect(fields["X"] == "\u{FFFD} \u{FFFD}")
        #expect(fields.bytes(for: "x")?.elementsEqual([0xE9, 0x20, 0xFF]) == true)
    }

    /// RFC 9110 §5.5: a recipient may replace them. No value may contain the end of its line.
    @Test func `a control character in a value becomes a space`() {
        for control in [0, 0x01, 0x08, 0x0A, 0x0B, 0x0D, 0x1F, 0x7F] as [UInt8] {
            for length in [1, 8, 15, 16, 17, 40] {
                for position in Set([0, length / 2, length - 1]) {
                    var value = [UInt8](repeating: UInt8(ascii: "a"), count: length)
                    value[position] = control
                    var fields = Fields()
                    fields.append("X", bytes: value[...])
                    value[position] = UInt8(ascii: " ")
                    #expect(Array(fields.valueBytes(at: 0)) == value, "\(control) at \(position) of \(length)")
                }
            }
        }
        let plain = [0x09, 0x20, 0x7E, 0x80, 0xFF] as [UInt8]
        var fields = Fields()
        fields.append("X", bytes: plain[...])
        #expect(Array(fields.valueBytes(at: 0)) == plain)
    }

    /// RFC 9110 §7.6.1: the fields that a gateway forwards.
    @Test func `fields for one connection are not forwarded`() {
        let passed = fields([
            ("Host", "a"), ("Connection", "keep-alive, X-Hop"), ("Keep-Alive", "timeout=5"), ("x-hop", "1"),
            ("X-End", "2"), ("TE", "trailers"), ("Trailer", "X"), ("Transfer-Encoding", "chunked"),
            ("CONNECTION", ",X-Other ,"), ("X-OTHER", "3"), ("Upgrade", "h2c"), ("Proxy-Connection", "close"),
            ("Content-Length", "5"), ("X-End", "4"), ("X-Hopper", "5"), ("Proxy-Authorization", "Basic YTpi"),
            ("Proxy-Authenticate", "Basic"), ("Proxy-Authentication-Info", "x"), ("HTTP2-Settings", "AAMAAABk"),
            ("Authorization", "Basic YTpi"),
        ]).endToEnd()
        #expect((0..<passed.count).map(passed.name(at:)) == ["Host", "X-End", "X-End", "X-Hopper", "Authorization"])
        #expect(passed.values(for: "x-end") == ["2", "4"])
    }

    @Test func `an idle connection does not keep the storage of a long head`() throws {
        var parser = RequestHeadParser(limits: WireLimits())
        let long = String(repeating: "x", count: 10_000)
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\nX: \(long)\r\n\r\n".utf8)
        var index = 0
        let isComplete = try parser.parse(bytes.span, at: &index)
        let held = parser.head.fields.storage.capacity
        parser.reset()
        let kept = parser.head.fields.storage.capacity
        #expect(isComplete && held >= 10_000 && kept <= 4096)
    }

    @Test func `appended fields can be removed again, and others take their place`() {
        var fields = fields([("A", "1"), ("B", "2"), ("C", "3")])
        fields.removeAll(after: 1)
        fields.removeAll(after: 1)
        fields.append("D", "4")
        #expect((0..<fields.count).map { fields.name(at: $0) + fields.value(at: $0) } == ["A1", "D4"])
        #expect(String(decoding: fields.storage, as: UTF8.self) == "A: 1\r\nD: 4\r\n")
        fields.removeAll(after: 0)
        #expect(fields.count == 0 && fields.storage.isEmpty)
    }

    private func fields(_ rows: [(String, String)]) -> Fields {
        var fields = Fields()
        for row in rows { fields.append(row.0, row.1) }
        return fields
    }
}
