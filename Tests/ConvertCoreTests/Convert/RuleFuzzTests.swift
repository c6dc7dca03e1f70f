import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Random combinations of rules, in both directions and with any output options, over valid and damaged payloads. The output is the
/// same in any pieces. It is the same from a converter that is new, abandoned, failed, or has an always full key cache. A line gives
/// the same output alone as among others.
struct RuleFuzzTests {
    private static let payloadsAProfile = 5
    /// Few enough that most payloads empty the key cache and their objects spill keys.
    private static let fewEntries = 4

    @Test func `with any rules, cuts, used converters and other lines do not change the output`() throws {
        let count = TestVariable.number("CONVERT_FUZZ_PROFILES", 1500)
        var usable = 0
        for seed in FuzzSeeds(usual: 1) {
            var maker = ProfileMaker(seed: seed)
            for _ in 0..<count {
                let profile = maker.profile()
                let isLines = maker.chance(4)
                let direction: Profile.Direction = maker.chance(2) ? .inverse : .forward
                // A profile that contradicts itself is refused.
                guard let plan = try? Profile(profile).compile(direction) else { continue }
                usable += 1
                var used = Converter(plan, framing: isLines ? .lines : .document)
                var forgetful = Converter(plan, framing: isLines ? .lines : .document)
                forgetful.engine.keys.cache.roomyEntries = Self.fewEntries
                for _ in 0..<Self.payloadsAProfile {
                    let payload = maker.payload(isLines: isLines)
                    maker.leave(maker.chance(2) ? payload : maker.payload(isLines: isLines), halfway: &used)
                    let whole = ConverterTrial(&used, payload)
                    var fresh = Converter(plan, framing: isLines ? .lines : .document)
                    fresh.setMinLongBytes(Int(maker.random.next() % 30))
                    let singly = ConverterTrial(&fresh, payload, cuts: Array(0..<payload.count), drains: true)
                    let cuts = maker.random.cuts(count: payload.count, most: 5)
                    let pieces = ConverterTrial(&used, payload, cuts: cuts, drains: true)
                    let forgotten = ConverterTrial(&forgetful, payload, cuts: cuts, drains: true)
                    var trials = [
                        ("singly", singly, false), ("cut at \(cuts)", pieces, false),
                        // Nothing remains of a spilled key, so the error may have another message.
                        ("with few entries", forgotten, true),
                    ]
                    if isLines { trials.append(("line by line", ConverterTrial(linesAlone: payload, plan), true)) }
                    for (way, trial, otherWords) in trials where !whole.agrees(with: trial, otherWords: otherWords) {
                        Issue.record(
                            """
                            seed \(seed), \(direction) \(profile) \(isLines ? "over lines" : "over") \(String(decoding: payload, as: UTF8.self))
                            whole \(whole)
                            \(way) \(trial)
                            """)
                        return
                    }
                }
            }
        }
        // Many profiles contradict themselves or have no inverse.
        #expect(usable > count / 4, "\(usable)")
    }
}

/// Profiles of a few rules each, and payloads with the keys in these rules.
private struct ProfileMaker {
    var random: SeededGenerator

    private static let names = ["a", "b", "id", "n", "n", "items", "items", "a_b", "aB", "a-b", "i\\u0064"]
    private static let selectors = [
        "a", "id", "/a", "/b", "/items", "/items/*", "/items/*/n", "/*/n", "/*/a", "/*", "/*/*", "/**/n", "/items/0",
        "/a/b/id",
    ]
    private static let sections: [@Sendable (inout ProfileMaker) -> String] = [
        { "\"keys\": \($0.pick(["\"camelCase\"", "\"snake_case\"", "\"kebab-case\""]))" },
        { "\"rename\": {\($0.selector()): \"b\"}" },
        { "\"drop\": [\($0.selector())]" },
        { "\"keep\": {\($0.selector()): [\($0.pick(["\"a\"", "\"/n/a\"", "\"/*/id\"", "\"0\""])), \"id\"]}" },
        { "\"unwrap\": \($0.pick(["\"/a\"", "\"/items\"", "\"/items/0\"", "\"/n/a\""]))" },
        { "\"wrap\": \($0.pick(["\"data\"", "{\"at\": \"/a/b\", \"with\": {\"a\": {\"x\": [1]}, \"b\": 2}}"]))" },
        { "\"keep\": [\($0.selector()), \($0.selector())]" },
        { "\"require\": [\($0.selector())]" },
        { "\"move\": {\($0.selector()): \($0.selector())}" },
        {
            "\"flatten\": [\($0.pick(["\"/a\"", "\"/items/*\"", "\"/n\""])), {\"at\": \($0.pick(["\"/b\"", "\"/items/*/a\"", "\"/*/n\""])), \"prefix\": \($0.pick(["\"a\"", "\"n_\""]))}, {\"at\": \($0.pick(["\"/a/b\"", "\"/items/*/n\"", "\"/*/id\""])), \"names\": [\"a\", \"id\"]}]"
        },
        { "\"defaults\": {\($0.selector()): \($0.pick(["1", "null", "{}", "\"x\""]))}" },
        {
            "\"values\": {\"at\": \($0.pick(["\"n\"", "\"/items/*/n\"", "\"a\"", "\"/*\""])), \"as\": \($0.pick(["\"integer\"", "\"string\"", "\"json\"", "\"boolean\"", "\"mask\"", "\"mask\", \"keep\": {\"last\": 1}", "\"path\"", "\"names\", \"of\": \"/items/*\""]))}"
        },
        { "\"dates\": \($0.chance(3) ? "\"rfc3339\"" : "{\"at\": \($0.selector()), \"to\": \"epoch-s\"}")" },
        {
            "\"records\": {\"at\": \($0.pick(["\"/items/*\"", "\"/*/*\"", "\"/*\""])), \"onError\": \($0.pick(["\"skip\"", "\"null\""]))}"
        },
        { maker in
            let flags = ["null", "emptyString", "emptyArray", "emptyObject", "inArrays"].filter { _ in maker.chance(2) }
            return "\"prune\": {\(flags.map { "\"\($0)\": true" }.joined(separator: ", "))}"
        },
        { maker in
            let duplicate = maker.pick(["error", "first", "last", "keep"])
            let collision = maker.pick(["error", "first", "last", "keep"])
            let badValue = maker.pick(["error", "keep", "null"])
            return
                "\"on\": {\"duplicateKey\": \"\(duplicate)\", \"collision\": \"\(collision)\", \"badValue\": \"\(badValue)\"}"
        },
        { maker in
            let escapes = maker.pick(["preserve", "minimal", "ascii"])
            let (sortKeys, indent) = (maker.chance(2), maker.pick(["0", "0", "1"]))
            return "\"output\": {\"sortKeys\": \(sortKeys), \"indent\": \(indent), \"escapes\": \"\(escapes)\"}"
        },
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func chance(_ most: Int) -> Bool { Int.random(in: 0..<most, using: &random) == 0 }

    mutating func pick(_ texts: [String]) -> String { texts.randomElement(using: &random) ?? "" }

    private mutating func selector() -> String { "\"\(pick(Self.selectors))\"" }

    mutating func profile() -> String {
        var sections: [String] = []
        for section in Self.sections where chance(3) { sections.append(section(&self)) }
        return "{\(sections.joined(separator: ", "))}"
    }

    mutating func payload(isLines: Bool) -> [UInt8] {
        let lines = isLines ? Int.random(in: 1...4, using: &random) : 1
        var text = (0..<lines).map { _ in value(depth: 0, isLines) }.joined(separator: "\n")
        if chance(4), let index = text.indices.randomElement(using: &random) {
            if chance(2) { text.remove(at: index) } else { text.insert("x", at: index) }
        }
        return Array(text.utf8)
    }

    private mutating func value(depth: Int, _ isLines: Bool) -> String {
        let blank = chance(3) ? (isLines ? " " : "\n  ") : ""
        switch depth < 4 ? Int.random(in: depth == 0 ? 3...4 : 0...5, using: &random) : 0 {
        case 3, 4:
            let members = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                "\(blank)\"\(pick(Self.names))\"\(pick(["", "", "", " ", "\t", blank])):\(blank)\(value(depth: depth + 1, isLines))"
            }
            return "{\(members.joined(separator: ","))}"
        case 5:
            let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth + 1, isLines) }
            return "[\(elements.joined(separator: ",\(blank)"))\(blank)]"
        default:
            return pick([
                "null", "\"\"", "0", "12", "-1.5e3", "true", "\"12\"", "\"x\"", "\"2024-01-02T03:04:05Z\"",
                "\"{\\\"a\\\":[]}\"",
                "\"some text that is longer than a vector, and é\"", "\"\\u00e9\\/é\"",
            ])
        }
    }

    /// Feeds a part of a payload to a converter and abandons it at any point, as a client that disconnects does.
    mutating func leave(_ payload: [UInt8], halfway converter: inout Converter) {
        let end = Int.random(in: 0...payload.count, using: &random)
        converter.leave(payload.span.extracting(0..<end), after: Int.random(in: 0...9, using: &random))
    }
}
