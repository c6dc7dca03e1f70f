import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// The fast path gives the same results as the resumable lexer.
///
/// A converter that has seen many payloads predicts keys and takes each payload whole. A fresh one takes it byte by byte, where the
/// lane never runs. Random cuts switch between the two. All must write the same output and fail with the same error.
struct FastPathFuzzTests {
    struct Setting {
        var profile: String
        var framing = Converter.Framing.document
        var limits = Limits()

        /// No profile is the plan that only removes white space.
        func plan() throws -> Plan {
            if profile.isEmpty { return Plan.minify(limits: limits) }
            return try Profile(parsing: Array(profile.utf8)).compile(.forward, limits: limits)
        }
    }

    static let settings: [Setting] = [
        Setting(profile: ""),
        Setting(profile: "", limits: Limits(maxDepth: 4)),
        Setting(profile: #"{"on": {"duplicateKey": "keep"}}"#),
        Setting(profile: "{}"),
        Setting(profile: #"{"keys": "camelCase"}"#),
        Setting(profile: #"{"keys": "camelCase", "dates": "rfc3339"}"#, framing: .lines),
        Setting(profile: #"{"keys": "snake_case", "on": {"collision": "first", "duplicateKey": "first"}}"#),
        Setting(profile: #"{"keys": "snake_case", "on": {"collision": "first", "duplicateKey": "keep"}}"#),
        Setting(
            profile: #"""
                {"keys": {"case": "camelCase", "opaque": ["/**/meta"], "except": ["user_id"]},
                 "rename": {"/**/tags/0": "x", "/*/*/name": "label", "*_at": "when"},
                 "dates": [{"at": ["created_at", "/**/3"], "to": "epoch-ms", "assumeZone": "UTC"}],
                 "on": {"badValue": "keep", "collision": "first", "duplicateKey": "first"}}
                """#),
        Setting(
            profile: #"{"dates": [{"at": "created_at", "to": "rfc3339"}], "on": {"duplicateKey": "first"}}"#,
            limits: Limits(maxDepth: 4, maxKeyBytes: 12)),
        Setting(
            profile: #"""
                {"keys": "snake_case", "drop": ["meta", "/*/url"], "values": {"at": "a", "map": {"0": "", "12": null}},
                 "prune": {"null": true, "emptyString": true, "emptyArray": true, "emptyObject": true},
                 "on": {"collision": "first", "duplicateKey": "first", "badValue": "keep"}}
                """#),
        Setting(
            profile: #"{"keys": "camelCase", "dates": "rfc3339", "prune": {"null": true, "emptyObject": true}}"#,
            framing: .lines),
        Setting(
            profile: #"""
                {"rename": {"name": "id"}, "prune": {"emptyString": true, "emptyArray": true},
                 "on": {"duplicateKey": "keep"}}
                """#),
        Setting(profile: #"{"keys": "PascalCase", "output": {"escapes": "ascii"}, "dates": "epoch-s"}"#),
        Setting(
            profile: #"""
                {"keys": "snake_case", "values": [{"at": "name", "as": "number"}, {"at": "tags", "as": "string"}],
                 "prune": {"emptyObject": true, "emptyArray": true}, "on": {"collision": "keep"}}
                """#),
        Setting(
            profile: #"""
                {"keep": ["user_id", "/*/meta/a", "/**/tags"], "keys": "camelCase",
                 "prune": {"null": true, "emptyArray": true, "inArrays": true}}
                """#),
        Setting(
            profile: #"""
                {"records": {"onError": "skip"}, "keys": "camelCase", "dates": {"at": "created_at", "to": "epoch-s"},
                 "prune": {"emptyObject": true}, "require": "/id"}
                """#, framing: .lines),
        Setting(
            profile: #"""
                {"records": {"at": "/*", "onError": "null"}, "keys": "snake_case", "prune": {"emptyString": true},
                 "require": ["/*/id", "/*/meta/a"], "defaults": {"/*/name": "x"}}
                """#),
        Setting(profile: #"{"move": {"/*/meta/a": "/*/tags/b", "/*/id": "/*/key"}, "prune": {"emptyObject": true}}"#),
        Setting(
            profile: #"""
                {"move": {"/*/meta/a": "/*/a", "/*/id": "/*/key", "/*/tags/0": "/*/tag"}, "keys": "camelCase",
                 "prune": {"null": true, "emptyArray": true, "emptyObject": true, "inArrays": true}}
                """#),
        Setting(
            profile: #"""
                {"keys": "camelCase", "drop": "url", "output": {"sortKeys": true},
                 "on": {"duplicateKey": "last", "collision": "last"}}
                """#, framing: .lines),
        Setting(profile: #"{"keys": "kebab-case", "output": {"sortKeys": true}, "prune": {"null": true}}"#),
        Setting(
            profile: #"""
                {"records": {"at": "/*/*", "onError": "skip"}, "values": {"at": "/*/*", "as": "integer"},
                 "prune": {"emptyObject": true, "inArrays": true}}
                """#),
        Setting(
            profile: #"""
                {"records": {"at": "/*/*", "onError": "null"}, "values": {"at": "/*/*/*", "as": "integer"}, "keys": "camelCase",
                 "prune": {"null": true, "emptyObject": true, "emptyArray": true, "inArrays": true}}
                """#),
        Setting(profile: #"{"move": {"/*/id": "/*/key"}, "keys": "camelCase", "output": {"sortKeys": true}}"#),
        Setting(profile: #"{"rename": {"name": "id"}, "keys": "camelCase", "output": {"sortKeys": true}}"#),
        Setting(profile: #"{"keep": ["/*/*/**"], "keys": "camelCase", "dates": {"at": "a_b", "to": "epoch-s"}}"#),
        Setting(profile: #"{"output": {"escapes": "minimal", "indent": 1}, "on": {"duplicateKey": "first"}}"#),
    ]

    @Test func `the outcome is equal for any cuts, and for new and used converters`() throws {
        let count = TestVariable.number("CONVERT_FUZZ_DOCUMENTS", 250)
        for seed in FuzzSeeds(usual: 1) {
            for (number, setting) in Self.settings.enumerated() {
                let plan = try setting.plan()
                var used = Converter(plan, framing: setting.framing)
                var records = RecordMutator(seed: seed &* 1000 &+ UInt64(number), isLines: setting.framing == .lines)
                for _ in 0..<count {
                    let payload = records.next()
                    used.leave(payload.span, after: records.pieces())
                    let whole = ConverterTrial(&used, payload)
                    var fresh = Converter(plan, framing: setting.framing)
                    fresh.setMinLongBytes(0)
                    let singly = ConverterTrial(&fresh, payload, cuts: Array(0..<payload.count), drains: true)
                    let cuts = records.cuts(payload.count)
                    let pieces = ConverterTrial(&used, payload, cuts: cuts, drains: true)
                    if !whole.agrees(with: singly) || !whole.agrees(with: pieces) {
                        Issue.record(
                            """
                            \(setting.profile) over \(payload.count) bytes: \(String(decoding: payload, as: UTF8.self))
                            whole \(whole)
                            singly \(singly)
                            cut at \(cuts) \(pieces)
                            """)
                        return
                    }
                }
            }
        }
    }
}

/// Arrays and lines of records, similar enough to predict keys and long enough for the fast path, then damaged.
private struct RecordMutator {
    private var random: SeededGenerator
    private let isLines: Bool
    private var last: [UInt8] = []

    private static let names = [
        "id", "user_id", "userId", "created_at", "name", "full_name", "fullName", "tags", "meta", "url", "a", "\\u0061",
        "k\\\\", "é_x", "x_\\u00e9", "long_key_that_is_longer_than_one_vector", "", "a_b", "a__b", "aB", "updated_at",
    ]
    private static let values = [
        "0", "-1", "12", "3.25", "-0.5e+3", "1234567890123456789012345678901234567890", "0.12345678901234567",
        "123456789012345.5", "true", "false", "null", "\"\"", "\"plain text of some length, longer than a vector\"",
        #""\"q\u00e9\ud83d\ude00\ud83d""#, "\"é語😀\"", "\"2024-01-02T03:04:05Z\"", "\"2024-01-02 03:04:05\"",
        "\"2024\\u002d01-02T03:04:05Z\"", "1700000000", "[]", "{}", "[  ]", "{\t}", "[\r\n 1]", "[1,2,3]", "[[],[{}]]",
        "{\"a\":1,\"a_b\":[0]}",
    ]
    private static let damage =
        Array("{}[]:,\"\\ \t\r\n0123456789.-+eEtrufalsn/bux".utf8) + [0, 0x1F, 0x7F, 0x80]
        + [0xBF, 0xC0, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0xFF]

    init(seed: UInt64, isLines: Bool) {
        random = SeededGenerator(seed: seed)
        self.isLines = isLines
    }

    mutating func pieces() -> Int { Int.random(in: 0...15, using: &random) }

    mutating func cuts(_ count: Int) -> [Int] { random.cuts(count: count, most: 4) }

    /// Three of four are damaged at one to three positions. One of four starts from the previous payload before its damage.
    mutating func next() -> [UInt8] {
        var bytes = chance(4) && !last.isEmpty ? last : records()
        last = bytes
        if !chance(4) {
            for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes) }
        }
        return bytes
    }

    private mutating func chance(_ most: Int) -> Bool { Int.random(in: 0..<most, using: &random) == 0 }

    private mutating func records() -> [UInt8] {
        let shape = (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.names.randomElement(using: &random)! }
        let colon = self.colon()
        var bytes: [UInt8] = chance(16) ? [0xEF, 0xBB, 0xBF] : []
        if !isLines { bytes.append(UInt8(ascii: "[")) }
        for number in 0..<Int.random(in: 1...8, using: &random) {
            if number > 0 { bytes += Array((isLines ? (chance(3) ? "\r\n" : "\n") : chance(3) ? " ,\n" : ",").utf8) }
            append(shape, colon, depth: 0, to: &bytes)
        }
        if !isLines { bytes.append(UInt8(ascii: "]")) }
        if chance(3) { bytes.append(UInt8(ascii: "\n")) }
        return bytes
    }

    /// A colon with any white space around it.
    private mutating func colon() -> String {
        let blanks = ["", "", " ", " ", "  ", "\t", "\r", isLines ? "\t " : "\n", isLines ? "\r " : "\r\n  "]
        let wide = String(repeating: " ", count: Int.random(in: 3...40, using: &random))
        return (blanks + [wide]).randomElement(using: &random)! + ":" + (blanks + [wide]).randomElement(using: &random)!
    }

    private mutating func append(_ shape: [String], _ colon: String, depth: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for (index, name) in shape.enumerated() where !chance(12) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            let unique = shape[..<index].contains(name) && !chance(3) ? "\(name)\(index)" : name
            bytes += Array("\"\(unique)\"\(chance(8) ? self.colon() : colon)".utf8)
            if depth < 3, chance(6) {
                append(shape, colon, depth: depth + 1, to: &bytes)
            } else {
                bytes += Array(Self.values.randomElement(using: &random)!.utf8)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let byte = Self.damage.randomElement(using: &random)!
        switch Int.random(in: 0...9, using: &random) {
        case 0...2: bytes[position] = byte
        case 3, 4: bytes.insert(byte, at: position)
        case 5, 6: bytes.remove(at: position)
        case 7, 8:
            let end = min(bytes.count, position + Int.random(in: 1...40, using: &random))
            bytes.insert(contentsOf: bytes[position..<end], at: Int.random(in: 0...bytes.count, using: &random))
        default: bytes.removeSubrange(position...)
        }
    }
}
