import Testing

@testable import ConvertServer

struct SpellingTests {
    @Test func `the nearest name takes the fewest edits, capitals aside`() {
        let names = ["--indent", "--escapes", "--ndjson", "--help"]
        let rows: [(typed: String, meant: String?)] = [
            ("--indent", "--indent"), ("--ident", "--indent"), ("--indnet", "--indent"), ("--Indent", "--indent"),
            ("--ndjsn", "--ndjson"), ("--esc", "--escapes"), ("--hepl", "--help"), ("--max-body-bytes", nil), ("", nil),
        ]
        for row in rows { #expect(Spelling.nearest(to: row.typed, among: names) == row.meant, "\(row.typed)") }
    }

    @Test func `of equally near names the first is meant`() {
        #expect(Spelling.nearest(to: "ab", among: ["ac", "aa"]) == "ac")
        #expect(Spelling.nearest(to: "ab", among: []) == nil)
    }
}
