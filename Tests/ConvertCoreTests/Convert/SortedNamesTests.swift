import TestSupport
import Testing

@testable import ConvertEngine

/// `sortKeys` over objects of any size and depth; the expected text is sorted by the standard library.
struct SortedNamesTests {
    /// A value as input and as expected output, with its members sorted by key and without those that are null.
    private struct Tree {
        var text: String
        var sorted: String

        init(depth: Int, _ random: inout SeededGenerator) {
            guard depth > 0 else {
                text = random.next() % 4 == 0 ? "null" : String(random.next() % 1000)
                sorted = text
                return
            }
            guard random.next() % 5 > 0 else {
                let elements = (0..<3).map { _ in Tree(depth: depth - 1, &random) }
                text = "[ " + elements.map(\.text).joined(separator: " , ") + " ]"
                sorted = "[" + elements.map(\.sorted).joined(separator: ",") + "]"
                return
            }
            var names: Set<String> = []
            for _ in 0..<[2, 12, 70].randomElement(using: &random)! {
                names.insert(Self.name(&random))
            }
            let members = names.map { (name: $0, value: Tree(depth: depth - 1, &random)) }
            text =
                "{ " + members.map { "\"\(Self.spelled($0.name))\" : \($0.value.text)" }.joined(separator: " ,\n ")
                + " }"
            let kept = members.filter { $0.value.text != "null" }
            let inOrder = kept.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            sorted =
                "{" + inOrder.map { "\"\(Self.spelled($0.name))\":\($0.value.sorted)" }.joined(separator: ",") + "}"
        }

        /// Names that differ early, late, only in length, or beyond ASCII.
        private static func name(_ random: inout SeededGenerator) -> String {
            let number = String(random.next() % 200)
            return [number, "a_long_beginning_" + number, "é" + number, "quote\"" + number, "x"].randomElement(
                using: &random)!
        }

        static func spelled(_ name: String) -> String {
            String(name.flatMap { $0 == "\"" ? Array("\\\"") : [$0] })
        }
    }

    @Test func `members are sorted by the bytes of their keys, for any cuts`() throws {
        let plan: Plan = try .forward(
            #"{"output":{"sortKeys":true},"prune":{"null":true},"on":{"duplicateKey":"keep"}}"#)
        var random = SeededGenerator(seed: 20_261_121)
        for number in 0..<60 {
            let tree = Tree(depth: 1 + number % 3, &random)
            let payload = Array(tree.text.utf8)
            #expect(ConverterTrial(plan, payload).wholeOutput == Array(tree.sorted.utf8))
            let cuts = random.cuts(count: payload.count, most: 5)
            for pieceBytes in [Engine.maxPieceBytes, 1 + Int(random.next() % 300)] {
                let run = ConverterTrial(plan, payload, cuts: cuts, pieceBytes: pieceBytes)
                #expect(run.wholeOutput == Array(tree.sorted.utf8), "cut at \(cuts), pieces of \(pieceBytes)")
            }
        }
    }

    @Test(arguments: [#"{"output":{"sortKeys":true}}"#, #"{"output":{"sortKeys":true},"prune":{"null":true}}"#])
    func `inner objects are sorted around one long member, wherever it is`(profile: String) throws {
        let plan: Plan = try .forward(profile)
        var random = SeededGenerator(seed: 20_261_129)
        let long = "\"" + String(repeating: "x", count: 40_000) + "\""
        for _ in 0..<100 {
            var (text, sorted) = (long, long)
            for _ in 0..<4 {
                let names = ["a", "b", "long \"name", "n\u{e9}", "z"].shuffled(using: &random).prefix(
                    1 + Int(random.next() % 5))
                let values = names.map { $0 == names[0] ? (text, sorted) : ("[ 1, {} ]", "[1,{}]") }
                let members = zip(names, values).map { (name: $0, value: $1) }
                let spelled = members.shuffled(using: &random).map { "\"\(Tree.spelled($0.name))\" : \($0.value.0)" }
                let inOrder = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                text = "{ " + spelled.joined(separator: ", ") + "}"
                sorted = "{" + inOrder.map { "\"\(Tree.spelled($0.name))\":\($0.value.1)" }.joined(separator: ",") + "}"
            }
            let payload = Array(text.utf8)
            #expect(ConverterTrial(plan, payload).wholeOutput == Array(sorted.utf8))
            let cuts = random.cuts(count: payload.count, most: 3)
            let run = ConverterTrial(plan, payload, cuts: cuts, pieceBytes: 1 + Int(random.next() % 40_000))
            #expect(run.wholeOutput == Array(sorted.utf8), "cut at \(cuts)")
        }
    }

    @Test func `members with equal keys keep their order`() throws {
        let plan: Plan = try .forward(#"{"output":{"sortKeys":true},"on":{"duplicateKey":"keep"}}"#)
        let payload = #"{"b":1,"a":2,"b":3,"a":4,"":5}"#
        for pieceBytes in [Engine.maxPieceBytes, 1] {
            let run = ConverterTrial(plan, Array(payload.utf8), pieceBytes: pieceBytes)
            #expect(run.wholeOutput == Array(#"{"":5,"a":2,"a":4,"b":1,"b":3}"#.utf8))
        }
    }

    @Test(arguments: [
        (
            #""values": {"at": "n", "as": "integer"}, "records": {"at": "/items/*", "onError": "skip"}"#,
            #"{"items":[{"z":{"b":1,"a":2},"n":"x","y":{"d":1,"c":2}},{"z":{"b":3,"a":4}}],"first":1}"#,
            #"{"first":1,"items":[{"z":{"a":4,"b":3}}]}"#
        ),
        (
            #""rename": {"a": "b"}, "records": {"at": "/*", "onError": "skip"}"#,
            #"{"b":{"z":1,"y":{"c":2,"b":3}},"a":{"z":4,"y":{"c":5,"b":6}},"c":{"z":7,"y":{"c":8,"b":9}}}"#,
            #"{"b":{"y":{"b":3,"c":2},"z":1},"c":{"y":{"b":9,"c":8},"z":7}}"#
        ),
    ])
    func `what follows a removed object is sorted by itself`(rules: String, payload: String, expected: String) throws {
        let plan: Plan = try .forward(#"{"output": {"sortKeys": true}, "# + rules + "}")
        for pieceBytes in [Engine.maxPieceBytes, 1] {
            let run = ConverterTrial(plan, Array(payload.utf8), pieceBytes: pieceBytes)
            #expect(run.wholeOutput == Array(expected.utf8), "pieces of \(pieceBytes)")
        }
    }

    @Test func `nothing of an object is handed on before its end`() throws {
        var converter = Converter(try .forward(#"{"output":{"sortKeys":true}}"#), framing: .lines)
        var output = ByteBuffer()
        for piece in ["{\"b\":1,\"a\":{}}\n", "{", "\"b\":", "[", "{", "}", "]", ",\"a\":1"] {
            try converter.convert(Array(piece.utf8).span, into: &output)
            #expect(String(decoding: Array(output), as: UTF8.self) == "{\"a\":{},\"b\":1}\n")
        }
    }

    @Test func `a collision is an error at its key, as without sorting`() throws {
        for profile in [#"{"keys":"camelCase"}"#, #"{"keys":"camelCase","output":{"sortKeys":true}}"#] {
            let error = #expect(throws: ConversionError.self) {
                try Plan.forward(profile).convert(Array(#"{"a_b":1,"aB":x}"#.utf8))
            }
            #expect(error?.code == .collision)
            #expect(error?.column == 10)
        }
    }

    /// A converter sorts objects with the same keys as the first of them. With a small key cache, entries soon stand for other keys.
    @Test(
        arguments: [#"{"output":{"sortKeys":true}}"#, #"{"output":{"sortKeys":true},"prune":{"null":true}}"#],
        [4, 8192])
    func `objects with the same keys are sorted alike, and no others`(profile: String, entries: Int) throws {
        var random = SeededGenerator(seed: 20_261_128)
        let names = (0..<80).map { "key_\($0 * 7919 % 80)" }
        let shapes = (0..<90).map { number in
            names.shuffled(using: &random).prefix(number < 10 ? 60 + number : number % 9)
        }
        var converter = Converter(try .forward(profile))
        converter.engine.keys.cache.roomyEntries = entries
        for _ in 0..<200 {
            let objects = (0..<12).map { _ in shapes[Int(random.next() % (random.next() % 20 < 18 ? 30 : 90))] }
            let payload = Self.array(objects)
            let sorted = Self.array(objects.map { $0.sorted()[...] })
            var output = ByteBuffer()
            try converter.convert(Array(payload.utf8).span, into: &output)
            try converter.finish(into: &output)
            #expect(String(decoding: Array(output), as: UTF8.self) == sorted)
            converter.reset()
        }
    }

    /// An array of objects with these keys. Each value is its key.
    private static func array(_ objects: [ArraySlice<String>]) -> String {
        "["
            + objects.map { "{" + $0.map { "\"\($0)\":[\"\($0)\"]" }.joined(separator: ",") + "}" }.joined(
                separator: ",") + "]"
    }
}
