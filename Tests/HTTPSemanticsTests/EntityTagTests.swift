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
            #expect(tag == EntityTag(isWeak: row.isWeak, opaque: row.opaque), "\(row.text)")
        }
        for text in ["", "xyzzy", "\"", "w/\"a\"", "W/a", "\"a\"b", "\"a b\"", "\"a\"\"", "W/ \"a\"", "\"a\u{7F}\""] {
            #expect(EntityTag(Array(text.utf8)[...]) == nil, "\(text)")
        }
        #expect(EntityTag(isWeak: true, opaque: "a").description == "W/\"a\"")
    }

    @Test func `a list is cut at commas outside of quotes`() throws {
        let list = try #require(EntityTag.list([#""a,b", W/"c" ,,"#, #""d""#]))
        #expect(list.map(\.description) == [#""a,b""#, #"W/"c""#, #""d""#])
        #expect(EntityTag.list([#""a", b"#]) == nil)
        #expect(EntityTag.list([#""a"#]) == nil)
        #expect(EntityTag.list([]) == [])
        let nothing = String(repeating: ", ,\t", count: 4_000)
        let two = "\(nothing)\"a\\\"\(nothing)\"b\"\(nothing)"
        #expect(EntityTag.list([nothing, two])?.map(\.opaque) == ["a\\", "b"])
    }
}
