import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Objects with more keys than the key cache has room for are checked as with a dictionary of keys.
struct ManyNamesTests {
    private static let manyNames = KeyCache.maxEntries * 3 / 2

    /// The expected decisions about members, made with plain dictionaries and without a key cache.
    private struct ExpectedDecisions {
        var duplicates: String
        var collisions: String
        /// For each input key seen, whether its member was removed.
        private var seen: [String: Bool] = [:]
        private var owners: [String: String] = [:]

        init(_ duplicates: String, _ collisions: String) {
            self.duplicates = duplicates
            self.collisions = collisions
        }

        /// Whether the member is written; nil for an error.
        mutating func admits(_ name: String, as output: String) -> Bool? {
            if let hasFallen = seen[name] {
                return duplicates == "error" ? nil : duplicates == "keep" && !hasFallen
            }
            var stays = true
            if owners[output] != nil {
                if collisions == "error" { return nil }
                stays = collisions == "keep"
            }
            seen[name] = !stays
            if stays { owners[output] = name }
            return stays
        }
    }

    /// Spellings of one output key in snake case: runs of separators count as one.
    private static func spelling(_ number: Int, _ variant: Int) -> String {
        "w\(number)" + String(repeating: "_", count: variant / 2 + 1) + (variant % 2 == 0 ? "x" : "X")
    }

    @Test func `the same members of nested objects are kept as by a plain set`() throws {
        let policies = [("first", "first"), ("keep", "first"), ("first", "keep"), ("keep", "keep")]
        for ((duplicates, collisions), hasEscapes) in policies.flatMap({ [($0, true), ($0, false)] }) {
            let plan = try Profile(
                #"{"keys":"snake_case","on":{"duplicateKey":"\#(duplicates)","collision":"\#(collisions)"}}"#
            ).compile(.forward)
            var random = SeededGenerator(seed: 4)
            var input = ""
            var expected = ""
            /// Opens three nested objects, with members of each before, between and after them.
            func object(_ depth: Int) {
                var decisions = ExpectedDecisions(duplicates, collisions)
                var isEmpty = true
                input += "{"
                expected += "{"
                func members(_ count: Int, _ range: Int) {
                    for _ in 0..<count {
                        let number = Int.random(in: 0..<range, using: &random)
                        member(Self.spelling(number, Int.random(in: 0..<4, using: &random)), "w\(number)_x", "1")
                    }
                }
                func member(_ name: String, _ output: String, _ value: String) {
                    if !input.hasSuffix("{") { input += "," }
                    // Half of the keys contain an escape, or none do; the escape does not change the key.
                    let isPlain = !hasEscapes || Bool.random(using: &random)
                    let spelled = isPlain ? name : "\\u0077" + name.dropFirst()
                    input += "\"\(spelled)\":\(value)"
                    guard decisions.admits(name, as: output) == true else { return }
                    expected += isEmpty ? "" : ","
                    isEmpty = false
                    let isKept = name == output
                    expected += "\"\(isKept ? spelled : output)\":\(value)"
                }
                members(100, 50)
                members(Self.manyNames / 3, Self.manyNames)
                if depth > 0 {
                    input += ",\"inner\":"
                    expected += ",\"inner\":"
                    _ = decisions.admits("inner", as: "inner")
                    object(depth - 1)
                }
                members(100, 50)
                members(Self.manyNames / 3, Self.manyNames)
                input += "}"
                expected += "}"
            }
            object(2)
            let trial = ConverterTrial(plan, Array(input.utf8))
            #expect(trial.error == nil, "\(trial)")
            let differs = zip(trial.output, expected.utf8).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            #expect(trial.text == expected, "\(duplicates), \(collisions): differs at \(differs ?? -1)")
            let cuts = Array(stride(from: 97, to: input.utf8.count, by: 997))
            #expect(ConverterTrial(plan, Array(input.utf8), cuts: cuts) == trial)
        }
    }

    @Test func `duplicates and collisions are found after the key cache is emptied, with their paths`() throws {
        let plan = try Profile(#"{"keys": "camelCase"}"#).compile(.forward)
        let fill = (0..<Self.manyNames).map { "\"n\($0)\":0" }.joined(separator: ",")
        let rows: [(last: String, code: ConversionError.Code, name: String)] = [
            ("first_name", .duplicateKey, "first_name"), ("\\u0066irst_name", .duplicateKey, "first_name"),
            ("firstName", .collision, "firstName"), ("n\(Self.manyNames / 2)", .duplicateKey, "n\(Self.manyNames / 2)"),
        ]
        for row in rows {
            let before = #"{"deep":[0,{"first_name":1,"inner":{"first_name":{\#(fill)}},"#
            let payload = Array((before + #""\#(row.last)":1}]}"#).utf8)
            let isInOuter = row.code == .collision || row.name == "first_name"
            let trial = ConverterTrial(plan, payload)
            #expect((trial.error?.code == row.code) == isInOuter, "\(row): \(trial)")
            guard isInOuter else { continue }
            #expect(trial.error?.offset == before.utf8.count && trial.error?.pointer == "/deep/1/\(row.name)")
        }
        // In one flat object, whose keys empty the key cache.
        let flat = #"{"first_name":1,\#(fill),"#
        for (last, code) in [("n1", ConversionError.Code.duplicateKey), ("firstName", .collision)] {
            let trial = ConverterTrial(plan, Array((flat + "\"\(last)\":1}").utf8))
            #expect(trial.error?.code == code && trial.error?.offset == flat.utf8.count, "\(trial)")
            #expect(trial.error?.pointer == "/\(last)")
        }
    }

    /// The second `a_b` does not count, so its end does not free the output key that `aB` has.
    @Test func `a removed duplicate does not free its key, with and without the key cache`() throws {
        let payload = Array(#"{"a_b":null,"aB":1,"x":0,"y":0,"z":0,"a_b":5,"AB":0,"a-b":2}"#.utf8)
        for (collision, expected) in [("first", #"{"a_b":1,"x":0,"y":0,"z":0,"ab":0}"#), ("error", nil)] {
            let plan = try Profile(
                #"""
                {"keys":"snake_case","on":{"duplicateKey":"first","collision":"\#(collision)"},"prune":{"null":true}}
                """#
            ).compile(.forward)
            for entries in [2, 4, 6, KeyCache.maxEntries] {
                var converter = Converter(plan)
                converter.engine.keys.cache.roomyEntries = entries
                let trial = ConverterTrial(&converter, payload)
                #expect(trial.error == nil ? trial.text == expected : expected == nil, "\(entries): \(trial)")
                #expect(trial.error?.pointer == (expected == nil ? "/a-b" : nil))
            }
        }
    }

    /// The first `a_b` was removed, so the second is the first that counts, whatever happened to the key cache between them.
    @Test func `a key that was removed and comes again does not collide with itself`() throws {
        let fill = (0..<6).map { "\"n\($0)\":0" }.joined(separator: ",")
        let others = (6..<12).map { "\"n\($0)\":0" }.joined(separator: ",")
        let payload = Array(#"{"a_b":null,\#(fill),"a_b":1,\#(others),"a_b":2}"#.utf8)
        let plan = try Profile(
            #"{"keys":"camelCase","on":{"duplicateKey":"keep","collision":"first"},"prune":{"null":true}}"#
        ).compile(.forward)
        for entries in [2, 4, 6, 8, KeyCache.maxEntries] {
            var converter = Converter(plan)
            converter.engine.keys.cache.roomyEntries = entries
            let trial = ConverterTrial(&converter, payload)
            #expect(trial.text == #"{\#(fill),"aB":1,\#(others),"aB":2}"#, "\(entries): \(trial)")
        }
    }

    @Test func `pointers contain open members after the key cache is emptied`() throws {
        let plan = try Profile(#"{"rename": {"/a/*/b~1c": "x", "/a/*/b~1c/k1": "y"}}"#).compile(.forward)
        let fill = (0..<Self.manyNames).map { "\"k\($0)\":0" }.joined(separator: ",")
        let payload = Array("{\"a\":[0,{\"b\\/c\":{\(fill),\"bad\":nul}}]}".utf8)
        let trial = ConverterTrial(plan, payload)
        #expect(trial.error?.pointer == "/a/1/b~1c/bad" && trial.error?.offset == payload.count - 4)
        #expect(trial.text.hasPrefix(#"{"a":[0,{"x":{"k0":0,"y":0,"k2":0"#))
    }

    @Test func `keys of open objects do not fill the key cache`() throws {
        // Sixteen long keys alone exceed the arena's limit.
        let long = String(repeating: "k", count: 64 * 1024 - 2)
        let opened = (10..<27).map { "{\"\($0)\(long)\":" }.joined()
        let chained = (1...40).map { "{\"a" + String(repeating: "_", count: $0) + "b\":" }.joined()
        let equal = String(repeating: "{\"a_b\":", count: 40)
        for (opening, depth) in [(opened, 17), (chained, 40), (equal, 40)] {
            // Case conversion of long keys is slow without optimisation, and it is not tested here.
            let plan = try Profile(depth == 17 ? "{}" : #"{"keys": "camelCase"}"#).compile(.forward)
            var converter = Converter(plan)
            var output = ByteBuffer()
            try converter.convert(Array(opening.utf8).span, into: &output)
            try converter.convert(Array("{".utf8).span, into: &output)
            var emptyings = 0
            var entries = 0
            for number in 0..<9_000 {
                try converter.convert(Array("\"n\(number)\":0,".utf8).span, into: &output)
                emptyings += converter.engine.keys.cache.entries.count < entries ? 1 : 0
                entries = converter.engine.keys.cache.entries.count
            }
            try converter.convert(Array("\"z\":0}\(String(repeating: "}", count: depth))".utf8).span, into: &output)
            try converter.finish(into: &output)
            // Each key makes two entries, a spelling and an output key: 18,000 entries at 8,192 a time, and those of the opened
            // keys.
            #expect(emptyings <= 4, "\(emptyings)")
        }
    }

    @Test func `more than 32 spellings of one output key collide only in one object`() throws {
        let plan = try Profile(#"{"keys": "camelCase", "on": {"collision": "first"}}"#).compile(.forward)
        let spellings = (1...100).map { "a" + String(repeating: "_", count: $0) + "b" }
        let apart = "[" + spellings.map { "{\"\($0)\":1}" }.joined(separator: ",") + "]"
        let expected = "[" + spellings.map { _ in "{\"aB\":1}" }.joined(separator: ",") + "]"
        var used = Converter(plan)
        for _ in 0..<3 { #expect(ConverterTrial(&used, Array(apart.utf8)).text == expected) }
        let together = "{" + spellings.map { "\"\($0)\":\($0.utf8.count)" }.joined(separator: ",") + ",\"c\":0}"
        for _ in 0..<3 { #expect(ConverterTrial(&used, Array(together.utf8)).text == #"{"aB":3,"c":0}"#) }
        let strict = try Profile(#"{"keys": "camelCase"}"#).compile(.forward)
        for index in [1, 31, 32, 33, 99] {
            let pair = "[{},\(apart),{\"\(spellings[0])\":1,\"\(spellings[index])\":2}]"
            let trial = ConverterTrial(strict, Array(pair.utf8))
            #expect(trial.error?.code == .collision && trial.error?.pointer == "/2/\(spellings[index])", "\(trial)")
            #expect(trial.error?.message.contains("\"\(spellings[0])\"") == true, "\(trial)")
        }
    }
}
