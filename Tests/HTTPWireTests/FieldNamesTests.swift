import Testing

@testable import HTTPWire

struct FieldNamesTests {
    @Test func `only whole names are found, in any case`() {
        let names = FieldNames(["ETag", "x-b", "X-B", "content-length"])
        for name in ["etag", "ETAG", "X-b", "Content-Length"] {
            #expect(names.contains(Array(name.utf8)[...]), "\(name)")
        }
        for name in ["", "eta", "etags", "x_b", "content-lengt"] {
            #expect(!names.contains(Array(name.utf8)[...]), "\(name)")
        }
        #expect(!FieldNames().contains([]))
    }

    @Test func `omitted and refused fields are not forwarded, and others keep their spelling`() {
        var fields = Fields()
        for (name, value) in [
            ("Host", "a"), ("X_Y", "1"), ("ETag", "\"\""), ("x-Kept", " b "), ("Connection", "X-Hop"), ("x-hop", "2"),
        ] {
            fields.append(name, value)
        }
        let kept = fields.endToEnd(omitting: FieldNames(["host"])) { !$0.contains(UInt8(ascii: "_")) }
        #expect((0..<kept.count).map(kept.name(at:)) == ["ETag", "x-Kept"])
        #expect(kept["x-kept"] == fields["x-kept"])
        var more = kept
        more.append("Z", "3")
        #expect(more["z"] == "3")
    }

    @Test func `every name of a large set is found, and no other one`() {
        let known = (0..<200).map { "x-" + String($0 * 7_919, radix: 36) }
        let names = FieldNames(known)
        var indices: Set<Int> = []
        for name in known {
            let index = names.index(of: Array(name.uppercased().utf8)[...])
            #expect(index.map { indices.insert($0).inserted } == true, "\(name)")
        }
        for number in 0..<5_000 {
            let name = "x-" + String(number, radix: 36)
            #expect(names.contains(Array(name.utf8)[...]) == known.contains(name), "\(name)")
        }
    }

    /// RFC 9110 §5.6.1.2: empty list elements have no meaning.
    @Test func `Connection removes only fields that exist, however many names it has`() {
        let absent = (1_000..<5_000).map { "x-\($0)" }
        var fields = Fields()
        let nothing = String(repeating: " ,\t,", count: 4_000)
        fields.append("Connection", absent.joined(separator: ",") + ", X-HOP,close, x-hop" + nothing)
        fields.append("X-Hop", "1")
        fields.append("X-Other", "2")
        fields.append("Connection", nothing + "x-last")
        fields.append("X-Last", "3")
        #expect((0..<fields.endToEnd().count).map(fields.endToEnd().name(at:)) == ["X-Other"])
        let nominated = fields.nominated()
        for (name, isNominated) in [("x-hop", true), ("x-last", true), ("x-1000", false), ("close", false)] {
            #expect(nominated.contains(Array(name.utf8)[...]) == isNominated, "\(name)")
        }
    }
}
