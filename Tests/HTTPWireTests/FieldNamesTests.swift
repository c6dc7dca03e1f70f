import Testing

@testable import HTTPWire

struct FieldNamesTests {
    @Test func namesAreFoundInAnyCaseAndOnlyWhole() {
        let names = FieldNames(["ETag", "x-b", "X-B", "content-length"])
        for name in ["etag", "ETAG", "X-b", "Content-Length"] {
            #expect(names.contains(Array(name.utf8)[...]), "\(name)")
        }
        for name in ["", "eta", "etags", "x_b", "content-lengt"] {
            #expect(!names.contains(Array(name.utf8)[...]), "\(name)")
        }
        #expect(!FieldNames().contains([]))
    }

    @Test func whatIsOmittedOrRefusedIsNotPassedOnAndTheRestIsAsItWasSpelt() {
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
}
