import TestSupport
import Testing

@testable import ConvertEngine

/// Payloads of which only white space is removed have the same outcome with scans and without.
///
/// Pieces of 48 bytes are too short for a scan. Processors without the instructions scan nothing.
struct ScanTests {
    private static let plan = Plan.minify()

    /// Converts a payload whole and in pieces, expects that all agree, and returns the outcome.
    @discardableResult
    private static func outcome(_ payload: [UInt8], _ plan: Plan = plan, cuts: [Int] = []) -> ConverterTrial {
        let whole = ConverterTrial(plan, payload)
        let pieces = ConverterTrial(plan, payload, cuts: Array(stride(from: 48, to: payload.count, by: 48)))
        let cut = ConverterTrial(plan, payload, cuts: cuts)
        if !whole.agrees(with: pieces) || !cut.agrees(with: pieces) {
            Issue.record(
                """
                \(String(decoding: payload.prefix(1000), as: UTF8.self)) of \(payload.count) bytes
                whole \(whole)
                pieces \(pieces)
                cut at \(cuts) \(cut)
                """)
        }
        return whole
    }

    /// An array of `text` twice, with so much white space that the first one begins at `offset` and with more bytes after it.
    private static func array(of text: [UInt8], at offset: Int) -> [UInt8] {
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: 64 + offset - 1)
        return Array("[".utf8) + blanks + text + Array(" ,\n ".utf8) + text + blanks + Array("]".utf8)
    }

    @Test(
        arguments: [
            "0", "-0", "7", "-10.25", "0.0", "1E-2", "-0.5e+3", "2e0",
            "12345678901234567890.123456789012345678901234567890",
            "true", "false", "null", #""""#, #""a b""#, #""\"\\\/\b\f\n\r\t\u00e9\uD83d""#, #""\\""#, #""\\\"""#,
            "\"é語😀\"", "\"\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", "{}", "[]",
            #"{"a":{"b":[[],{}]},"c":0}"#,
        ])
    func `valid text passes at any offset`(_ text: String) {
        for offset in 0..<64 {
            let outcome = Self.outcome(Self.array(of: Array(text.utf8), at: offset))
            #expect(outcome.error == nil)
            #expect(outcome.text == "[\(text),\(text)]")
        }
    }

    private static let invalid: [[UInt8]] =
        [
            "01", "-01", "00", "1.", ".5", "-", "--1", "+1", "1e", "1e+", "1.e5", "1.2.3", "1e5e3", "1e5.3", "1-2",
            "0x1", "1 2",
            "tru", "truee", "nulll", "fals", "falsey", "nul", "True", "true1", "1true", "a", "'a'", "\\", #""\x""#,
            #""\u12g4""#,
            #""\u""#, #""\u123""#, "\"\u{1}\"", "\"\n\"", "\u{1}", "\u{C}", "\u{1A}", "\u{B}", "{", "}", "]", "[}",
            "{]", ":", ",",
            "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a",1}"#, "{1:2}", #"["a":1]"#,
            #"[1,"a":1]"#,
            #"{"a":1,2}"#, #"{"a":1 "b":2}"#, #"{"a"::1}"#, #""a""b""#, #""a"1"#, #"1"a""#, "[1][2]", "é", "\u{A0}",
            "\u{FEFF}",
        ].map { Array($0.utf8) }
        + [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xED, 0xA0, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ].map { [UInt8(ascii: "\"")] + $0 + [UInt8(ascii: "\"")] }

    @Test func `invalid text is an error at any offset`() {
        for text in Self.invalid {
            for offset in 0..<64 {
                let outcome = Self.outcome(Self.array(of: text, at: offset))
                #expect(outcome.error?.code == .json, "\(String(decoding: text, as: UTF8.self)) at \(offset)")
            }
        }
    }

    @Test(arguments: [1, 61, 62, 63, 64, 65, 127, 200])
    func `numbers of any length have the same outcome at any offset`(_ length: Int) {
        let digits = String(repeating: "9", count: length)
        for offset in 0..<64 {
            for text in [digits, "-0.\(digits)", "1e\(digits)"] {
                #expect(Self.outcome(Self.array(of: Array(text.utf8), at: offset)).text == "[\(text),\(text)]")
            }
            for text in ["0\(digits)", "\(digits).", "\(digits)x"] {
                #expect(Self.outcome(Self.array(of: Array(text.utf8), at: offset)).error?.code == .json)
            }
        }
    }

    @Test func `any three tokens have the same outcome`() {
        let tokens = ["{", "}", "[", "]", ":", ",", "\"a\"", "-1.5", "null", "\"a\":", " ", "{}", "[2]"]
        var offset = 0
        for first in tokens {
            for second in tokens {
                for third in tokens {
                    offset = (offset + 1) % 64
                    Self.outcome(Self.array(of: Array((first + second + third).utf8), at: offset))
                }
            }
        }
    }

    @Test func `errors after scans have pointers, lines and columns`() {
        let members = String(repeating: "\"\\\"é\": {\"x\": [1, 2]},\n", count: 3000)
        let records = String(repeating: "{\"a\": [], \"b\": {\"c\": 1}},\n", count: 2000)
        let text = "{\(members)\"items\": [\n\(records){\"a\": [1, {}, \"\", [2, tru]]}]}"
        let error = Self.outcome(Array(text.utf8)).error
        #expect(error?.pointer == "/items/2000/a/3/1")
        #expect(error?.line == 5002)
        // The column of the comma or bracket after what should be `true`: `{"a": [1, {}, "", [2, tru` has 25 characters.
        #expect(error?.column == 26)
    }

    @Test func `containers may be as deep as the limit`() {
        for (depth, limit) in [
            (3, 3), (4, 3), (60, 512), (61, 512), (62, 512), (63, 512), (64, 64), (65, 64), (200, 512),
        ] {
            for (opening, closing) in [("[", "]"), ("{\"a\":", "}")] {
                let text =
                    String(repeating: opening, count: depth) + "[1,2],3".prefix(opening == "[" ? 7 : 0)
                    + (opening == "[" ? "" : "1") + String(repeating: closing, count: depth)
                let blanks = String(repeating: " ", count: 64)
                let inner = opening == "[" ? 1 : 0
                let outcome = Self.outcome(
                    Array((blanks + text + blanks).utf8), Plan.minify(limits: Limits(maxDepth: limit)))
                #expect(outcome.error?.code == (depth + inner > limit ? .limit : nil), "\(depth) of \(limit)")
                if outcome.error == nil { #expect(outcome.text == text) }
            }
        }
    }

    @Test(arguments: ["[[]]", "[[], 1]", #"{"a": [1]}"#, #"{"a": {"b": 1}}"#])
    func `an empty object has no key from the containers before it`(_ text: String) {
        let minified = text.filter { $0 != " " }
        for count in 1...100 {
            let blanks = String(repeating: " ", count: 100)
            let piece = "[" + String(repeating: text + ",", count: count) + "{ }" + blanks
            let outcome = Self.outcome(Array((piece + "]").utf8), cuts: [piece.utf8.count])
            #expect(outcome.text == "[\(String(repeating: minified + ",", count: count)){}]")
        }
    }

    @Test func `keys may be as long as the limit`() {
        for (length, limit) in [(100, 100), (101, 100), (16_384, 16_384), (16_385, 16_384), (40_000, 65_536)] {
            let key = String(repeating: "k", count: length)
            let payload = Array("[ {\"\(key)\": 1}, {\"\(key)\": 2}, 3 ]".utf8)
            let outcome = Self.outcome(payload, Plan.minify(limits: Limits(maxKeyBytes: limit)))
            #expect(outcome.error?.code == (length > limit ? .limit : nil), "\(length) of \(limit)")
        }
    }

    @Test func `long strings between short tokens pass whole`() {
        for length in [50, 1000, 12_000, 16_384, 40_000] {
            for text in ["text, ", "é語😀"] {
                let long = String(repeating: text, count: length / text.utf8.count)
                let record = #"{"a": [1, true], "b": "\#(long)", "c": {}}"#
                let records = [String](repeating: record, count: 1 + 100_000 / record.utf8.count)
                let outcome = Self.outcome(Array("[\(records.joined(separator: ", "))]".utf8), cuts: [20_000, 70_000])
                let minified = records.map { _ in #"{"a":[1,true],"b":"\#(long)","c":{}}"# }
                #expect(outcome.text == "[\(minified.joined(separator: ","))]")
            }
        }
    }

    @Test func `large payloads have the same outcome for any cuts`() {
        for seed in FuzzSeeds(usual: 1) {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<40 {
                var text: [UInt8] = []
                Self.append(&text, Int.random(in: 16_000...50_000, using: &random), &random)
                if Bool.random(using: &random) {
                    let damage = Array("{}[]:,\"\\ \n01.-etn".utf8) + [0, 0x1F, 0x80, 0xC3, 0xE2, 0xFF]
                    text[Int.random(in: 0..<text.count, using: &random)] = damage.randomElement(using: &random)!
                }
                Self.outcome(text, cuts: random.cuts(count: text.count, most: 6))
            }
        }
    }

    /// Appends an array of at least `count` bytes.
    private static func append(_ text: inout [UInt8], _ count: Int, _ random: inout SeededGenerator) {
        let values = [
            "0", "-1.5", "2e5", "true", "false", "null", "\"\"", "\"text, {with} [marks]\"", "\"\\\"\\u00e9\\\\\"",
            "\"é語😀\"", "[]",
            "{}", "[ 1,2 ]", "{\"a\":1}", "{\"a\" :\t1, \"b\":{\"c\":[\"d\"]}}",
        ]
        var closing: [UInt8] = []
        repeat {
            if closing.isEmpty || (closing.count < 70 && Int.random(in: 0..<8, using: &random) == 0) {
                let isArray = closing.isEmpty || Bool.random(using: &random)
                text += isArray ? Array("[".utf8) : Array("{\"key\": ".utf8)
                closing.append(UInt8(ascii: isArray ? "]" : "}"))
                text += Array(values.randomElement(using: &random)!.utf8)
            } else if closing.count > 1, Int.random(in: 0..<6, using: &random) == 0 {
                text.append(closing.removeLast())
            } else {
                text += Array((Int.random(in: 0..<3, using: &random) == 0 ? ",\n    " : ",").utf8)
                if closing.last == UInt8(ascii: "}") {
                    text += Array("\"k\(Int.random(in: 0..<100, using: &random))\":".utf8)
                }
                if closing.count < 70, Int.random(in: 0..<6, using: &random) == 0 {
                    closing.append(UInt8(ascii: "]"))
                    text.append(UInt8(ascii: "["))
                }
                text += Array(values.randomElement(using: &random)!.utf8)
            }
        } while text.count < count
        text += closing.reversed()
    }
}
