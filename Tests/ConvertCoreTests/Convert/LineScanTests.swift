import TestSupport
import Testing

@testable import ConvertEngine

/// NDJSON of which only white space is removed has the same outcome with scans and without.
///
/// Pieces of 48 bytes, and most lines alone, are too short for a scan. Processors without the instructions scan nothing.
struct LineScanTests {
    private static let plan = Plan.minify()

    /// Converts lines whole, in pieces and each alone, expects that all agree, and returns the outcome.
    @discardableResult
    private static func outcome(_ payload: [UInt8], cuts: [Int] = []) -> ConverterTrial {
        let whole = ConverterTrial(plan, payload, framing: .lines)
        let pieces = ConverterTrial(
            plan, payload, framing: .lines, cuts: Array(stride(from: 48, to: payload.count, by: 48)))
        let cut = ConverterTrial(plan, payload, framing: .lines, cuts: cuts)
        let alone = ConverterTrial(linesAlone: payload, plan)
        if !whole.agrees(with: pieces) || !cut.agrees(with: pieces) || !whole.agrees(with: alone, otherWords: true) {
            Issue.record(
                """
                \(String(decoding: payload.prefix(1000), as: UTF8.self)) of \(payload.count) bytes
                whole \(whole)
                pieces \(pieces)
                cut at \(cuts) \(cut)
                alone \(alone)
                """)
        }
        return whole
    }

    @Test func `any three tokens and line feeds have the same outcome at any offset`() {
        let tokens = [
            "{", "}", "[", "]", ":", ",", "\"a\"", "-1.5", "\"a\":", "\n", "\r\n", "\n\n", "{}", "[2]", "[1\n]",
        ]
        var offset = 0
        for first in tokens {
            for second in tokens {
                for third in tokens {
                    offset = (offset + 1) % 64
                    let line = "{ \"b\" : [ 1, \(String(repeating: " ", count: offset)) 2 ] }\n"
                    Self.outcome(Array((line + line + first + second + third + "\n" + line + line).utf8))
                    Self.outcome(Array((line + "[[0]," + first + second + third + ",1]\n" + line).utf8))
                }
            }
        }
    }

    @Test(arguments: ["\n", "\r\n", " \t\n", "\n\n", "\n \r\n"])
    func `lines keep their order and lose their white space`(_ separator: String) {
        let lines = (0..<2000).map { "{\"id\" : \($0), \"names\":[\"a\\n\", \"é\"], \"none\": { } }" }
        let minified = (0..<2000).map { "{\"id\":\($0),\"names\":[\"a\\n\",\"é\"],\"none\":{}}\n" }.joined()
        for end in ["", separator] {
            let outcome = Self.outcome(
                Array((lines.joined(separator: separator) + end).utf8), cuts: [100, 16_500, 30_000])
            #expect(outcome.error == nil)
            #expect(outcome.text == minified)
        }
    }

    @Test func `errors after scans have pointers, lines and columns`() {
        let lines = String(repeating: "{\"a\": [], \"b\": {\"c\": 1}}\n", count: 3000)
        for (bad, pointer, column) in [
            ("{\"a\": [1, tru]}", "/a/1", 14), ("{\"a\": [1,\n2]}", "/a/1", 10), ("1, 2", "", 2),
        ] {
            let error = Self.outcome(Array((lines + bad + "\n" + lines).utf8)).error
            #expect(error?.line == 3001, "\(bad)")
            #expect(error?.pointer == pointer, "\(bad)")
            #expect(error?.column == column, "\(bad)")
        }
    }

    @Test func `large payloads have the same outcome for any cuts`() {
        let values = [
            "0", "-1.5", "true", "null", "\"\"", "\"text, {with} [marks]\"", "\"\\\"\\u00e9\\\\\"", "\"é語😀\"", "[]",
            "{}",
            "[ 1,2 ]", "{\"a\" :\t1, \"b\":{\"c\":[\"d\"]}}", "[[[ ]], {\"a\": [{}]}]", "{\"a\":1,\"b\":[]}",
        ]
        for seed in FuzzSeeds(usual: 1) {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<40 {
                var text: [UInt8] = []
                let (count, blankLines) = (
                    Int.random(in: 5_000...50_000, using: &random), Int.random(in: 20...500, using: &random)
                )
                while text.count < count {
                    text += Array(values.randomElement(using: &random)!.utf8)
                    let isBlank = Int.random(in: 0..<blankLines, using: &random) == 0
                    text += Array((isBlank ? "\n\n" : "\n").utf8)
                }
                if Bool.random(using: &random) {
                    let damage = Array("{}[]:,\"\\ \n01.-etn".utf8) + [0, 0x1F, 0x80, 0xC3]
                    text[Int.random(in: 0..<text.count, using: &random)] = damage.randomElement(using: &random)!
                }
                Self.outcome(text, cuts: random.cuts(count: text.count, most: 6))
            }
        }
    }
}
