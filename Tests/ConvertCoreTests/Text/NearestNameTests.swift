import Testing

@testable import ConvertEngine
@testable import ConvertText

struct NearestNameTests {
    @Test func `the distance counts edits and swaps of neighbours`() {
        let rows: [(String, String, Int)] = [
            ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "ab", 1), ("ab", "ba", 1),
            ("kitten", "sitting", 3), ("flaw", "lawn", 2), ("rename", "rneame", 1), ("ca", "abc", 3),
        ]
        for (left, right, distance) in rows {
            #expect(NearestName.distance(Array(left.utf8), Array(right.utf8)) == distance, "\(left) \(right)")
            #expect(NearestName.distance(Array(right.utf8), Array(left.utf8)) == distance, "\(right) \(left)")
        }
    }

    @Test func `the nearest name needs the fewest edits, without case; a prefix counts as one edit`() {
        let names = ["collision", "duplicateKey", "badValue", "lossyKey", "indent", "ndjson"]
        let rows = [
            ("COLLISION", "collision"), ("duplicate_keys", "duplicateKey"), ("bad", "badValue"), ("ident", "indent"),
            ("indnet", "indent"), ("ndjsn", "ndjson"), ("ndjson", "ndjson"),
        ]
        for (written, nearest) in rows {
            #expect(NearestName.nearest(to: Array(written.utf8), among: names) == nearest)
        }
        #expect(NearestName.nearest(to: "abc", among: ["abd", "aba"]) == "abd")
        #expect(NearestName.nearest(to: "", among: []) == nil)
    }

    @Test func `names with many edits are not suggested`() {
        let rows: [(String, [String])] = [
            ("iso8601", ["epoch-s", "date"]), ("iso", ["date", "auto"]), ("unix", ["auto"]), ("int", ["url"]),
            ("case", ["name"]), ("opaque", ["name"]), ("foo", ["on"]), ("bar", ["name"]), ("timeout", ["host"]),
            ("log", ["via"]), ("ignore", ["error", "null"]), ("is_2fa", ["$schema"]), ("backward", ["forward"]),
            ("key", ["lossyKey"]), ("", ["a"]),
        ]
        for (written, names) in rows { #expect(NearestName.nearest(to: written, among: names) == nil, "\(written)") }
    }

    @Test func `words of other programs suggest our name, or the section that contains it`() {
        let formats = ["rfc3339", "date", "epoch-s", "epoch-ms"]
        let rows = [("iso8601", "rfc3339"), ("ISO", "rfc3339"), ("unix", "epoch-s"), ("timestamp", "epoch-s")]
        // `epoch-s` needs one edit, too, but other letters.
        for written in ["epochMs", "epoch_ms", "EPOCHMS"] {
            #expect(NearestName.nearest(to: written, among: formats) == "epoch-ms")
        }
        for (written, meant) in rows { #expect(NearestName.nearest(to: written, among: formats) == meant) }
        #expect(NearestName.nearest(to: "int", among: ["url", "integer"]) == "integer")
        let cases = ["camelCase", "snake_case", "SCREAMING_SNAKE_CASE", "flatcase"]
        #expect(NearestName.nearest(to: "lowercase", among: cases) == "flatcase")
        #expect(NearestName.nearest(to: "UPPERCASE", among: cases) == "SCREAMING_SNAKE_CASE")
        #expect(NearestName.nearest(to: "CONSTANT_CASE", among: cases) == "SCREAMING_SNAKE_CASE")
        #expect(NearestName.nearest(to: "opaque", among: ["name", "keys"]) == "keys.opaque")
        #expect(NearestName.nearest(to: "opaque", among: ["at", "from"]) == nil)
    }
}
