import Testing

@testable import HTTPSemantics

struct EntityTagTests {
    @Test func `tags are read in the syntax of RFC 9110`() {
        let rows: [(text: String, isWeak: Bool, opaque: String)] = [
            (#""xyzzy""#, false, "xyzzy"), (#"W/"xyzzy""#, true, "xyzzy"), (#""""#, false, ""),
            (#""a,b""#, false, "a,b"), ("\"\u{E9}\"", false, "\u{E9}"),
        ]
        for row in rows {
            let tag = EntityTag(Array(row.text.utf8)[...])
            #expect(tag == EntityTag(isWeak: row.isWeak, opaque: row.opaque.utf8), "\(row.text)")
        }
        for text in ["", "xyzzy", "\"", "w/\"a\"", "W/a", "\"a\"b", "\"a b\"", "\"a\"\"", "W/ \"a\"", "\"a\u{7F}\""] {
            #expect(EntityTag(Array(text.utf8)[...]) == nil, "\(text)")
        }
        #expect(EntityTag(isWeak: true, opaque: "a".utf8).description == "W/\"a\"")
    }

    @Test func `a list is cut at commas outside of quotes`() throws {
        let list = try #require(EntityTag.list(Array(#""a,b", W/"c" ,,, "d""#.utf8)))
        #expect(list.map(\.description) == [#""a,b""#, #"W/"c""#, #""d""#])
        #expect(EntityTag.list(Array(#""a", b"#.utf8)) == nil)
        #expect(EntityTag.list(Array(#""a"#.utf8)) == nil)
        #expect(EntityTag.list([]) == [])
        let nothing = String(repeating: ", ,\t", count: 4_000)
        let two = "\(nothing)\"a\\\"\(nothing)\"b\"\(nothing)"
        #expect(EntityTag.list(Array(two.utf8))?.map(\.description) == [#""a\""#, #""b""#])
    }

    /// RFC 9110 §8.8.3.2 compares character by character. A string comparison takes both forms of é for one, and all
    /// bytes that are not UTF-8.
    @Test func `tags are compared byte by byte`() throws {
        let texts: [[UInt8]] = [[0xE9], [0xE8], [0xC3, 0xA9], [0x65, 0xCC, 0x81]]
        let tags = try texts.map { try #require(EntityTag(([0x22] + $0 + [0x22])[...])) }
        for (index, tag) in tags.enumerated() {
            #expect(tag.bytes == [0x22] + texts[index] + [0x22])
            #expect(tags.indices.filter { tags[$0].matchesWeakly(tag) } == [index])
        }
    }
}
