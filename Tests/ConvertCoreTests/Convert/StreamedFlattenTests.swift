import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Flattened objects that are written as they come, beside the same profile with a rule that buffers the object around them.
struct StreamedFlattenTests {
    /// A rule for a key that no payload has.
    private static let buffering = #""move": {"/unused/a": "/unused/b"}"#
    private static let payloadsAProfile = 6

    @Test func `streamed and buffered objects give the same output and the same errors`() throws {
        let count = ConformanceFiles.number("CONVERT_FUZZ_PROFILES", 1500)
        var (usable, outputs, faults, sameFaults) = (0, 0, 0, 0)
        for seed in FuzzSeeds(usual: 1) {
            var maker = FlattenMaker(random: SeededGenerator(seed: seed))
            for _ in 0..<count {
                let rules = maker.profile()
                guard let streaming = try? Profile(parsing: "{\(rules)}").compile(.forward),
                    let buffering = try? Profile(parsing: "{\(rules), \(Self.buffering)}").compile(.forward)
                else { continue }
                #expect(streaming.streamsFlattened && !buffering.streamsFlattened, "\(rules)")
                usable += 1
                let framing: Converter.Framing = maker.chance(5) ? .lines : .document
                var forgetful = Converter(streaming, framing: framing)
                forgetful.engine.keys.cache.roomyEntries = 4
                for _ in 0..<Self.payloadsAProfile {
                    let payload = maker.payload(framing)
                    let bytes = Array(payload.utf8)
                    let expected = ConverterTrial(buffering, bytes, framing: framing)
                    let whole = ConverterTrial(streaming, bytes, framing: framing)
                    let singly = ConverterTrial(streaming, bytes, framing: framing, cuts: Array(0..<bytes.count))
                    let forgotten = ConverterTrial(
                        &forgetful, bytes, cuts: maker.random.cuts(count: bytes.count, most: 5))
                    #expect(whole.agrees(with: singly), "seed \(seed) {\(rules)} over \(payload)\n\(whole)\n\(singly)")
                    #expect(
                        whole.agrees(with: forgotten, otherWords: true),
                        "seed \(seed) {\(rules)} over \(payload)\n\(whole)\n\(forgotten)")
                    guard let fault = expected.fault, let streamed = whole.fault else {
                        #expect(
                            whole.agrees(with: expected),
                            "seed \(seed) {\(rules)} over \(payload)\n\(whole)\n\(expected)")
                        outputs += 1
                        continue
                    }
                    // If a payload has several errors, a buffered object may report another one first.
                    faults += 1
                    sameFaults += fault == streamed ? 1 : 0
                }
            }
        }
        #expect(usable > count / 2 && outputs > faults, "\(usable) \(outputs) \(faults)")
        #expect(sameFaults * 4 > faults * 3, "\(sameFaults) of \(faults)")
    }

    @Test func `errors are those of a buffered object`() throws {
        let rows: [(rules: String, payload: String)] = [
            (#""flatten": "/a""#, #"{"a":5}"#), (#""flatten": "/a""#, #"{"a":[{"b":1}]}"#),
            (#""flatten": "/a/0""#, #"{"a":[{"b":1}]}"#), (#""flatten": ["/a", "/a/b"]"#, #"{"a":{"b":""}}"#),
            (#""flatten": "/a", "prune": {"emptyString": true}"#, #"{"a":""}"#),
            (#""flatten": "/a", "prune": {"emptyArray": true}"#, #"{"a":[]}"#),
            (#""flatten": "/a""#, #"{"a":{"b":1},"b":2}"#), (#""flatten": "/a""#, #"{"b":2,"c":0,"a":{"b":1}}"#),
            (#""flatten": ["/o/a", "/o/c"]"#, #"{"o":{"a":{"b":1},"c":{"b":1}}}"#),
            (#""flatten": {"at": "/a", "prefix": "x"}"#, #"{"xb":2,"a":{"b":1}}"#),
            (#""flatten": ["/a", "/a/b"]"#, #"{"c":1,"a":{"d":2,"b":{"c":3}}}"#),
            (#""flatten": "/a", "on": {"collision": "first"}"#, #"{"b":{"x":1},"a":{"b":1},"c":{}}"#),
            (#""flatten": "/a", "require": "/a/b""#, #"{"a":{"c":1}}"#),
            (#""flatten": "/a""#, #"{"a":{"b":1,"b":2}}"#), (#""flatten": "/a""#, #"{"a":{"b":1},"a":{"c":2}}"#),
            (#""flatten": "/a", "values": {"at": "/a", "as": "json"}"#, #"{"a":"{}"}"#),
            (#""flatten": "/a", "values": {"at": "/a/b", "as": "number"}"#, #"{"a":{"b":"x"}}"#),
        ]
        for row in rows {
            let plans = try ["", ", \(Self.buffering)"].map {
                try Profile(parsing: "{\(row.rules)\($0)}").compile(.forward)
            }
            let payload = Array(row.payload.utf8)
            let (streamed, buffered) = (ConverterTrial(plans[0], payload), ConverterTrial(plans[1], payload))
            #expect(streamed.fault == buffered.fault, "\(row)\n\(streamed)\n\(buffered)")
            #expect(buffered.fault != nil || streamed.agrees(with: buffered), "\(row)")
        }
    }

    @Test func `a flattened object is handed on while it is read`() throws {
        let profile = try Profile(
            parsing: #"{"keys": "camelCase", "flatten": ["/data", {"at": "/data/*/at", "prefix": "p_"}]}"#)
        let plan = try profile.compile(.forward, limits: Limits(maxHeldBytes: 4096))
        let member = Array(#"[{"first_name":"Ada","at":{"x":[1,{"y_z":2}]}}],"#.utf8)
        var converter = Converter(plan)
        var output = ByteBuffer()
        var written = 0
        try converter.convert(Array(#"{"k":1,"data":{"#.utf8).span, into: &output)
        for index in 0..<5_000 {
            try converter.convert((Array("\"m\(index)\":".utf8) + member).span, into: &output)
            written += output.count
            #expect(output.count > 0)
            output.removeAll()
        }
        try converter.finish(Array(#""a":0},"z":{}}"#.utf8).span, into: &output)
        #expect([UInt8](output) == Array(#","a":0,"z":{}}"#.utf8) && written > 5_000 * 40)
    }

    @Test func `an object that must be buffered is not streamed`() throws {
        let streamed = [
            #""flatten": "/a""#, #""flatten": "/a", "on": {"collision": "keep"}"#,
            #""flatten": "/*/a", "prune": {"null": true}"#,
            #""flatten": "/a", "on": {"collision": "first", "duplicateKey": "first"}, "keep": "b", "records": {"at": "/b"}"#,
        ]
        let buffered = [
            #""flatten": "/a/*""#, #""flatten": "/a", "on": {"duplicateKey": "keep"}"#,
            #""flatten": "/a", "on": {"collision": "last"}"#,
            #""flatten": "/a", "output": {"sortKeys": true}"#, #""flatten": "/a", "defaults": {"/b": 1}"#,
            #""flatten": "/a", "records": {"onError": "skip"}"#, #""keys": "camelCase""#,
        ]
        for rules in streamed { #expect(try Plan.forward("{\(rules)}").streamsFlattened, "\(rules)") }
        for rules in buffered { #expect(try !Plan.forward("{\(rules)}").streamsFlattened, "\(rules)") }
        let inverse = try Profile(parsing: #"{"flatten": {"at": "/a", "prefix": "b"}}"#).compile(.inverse)
        #expect(!inverse.streamsFlattened)
    }
}

/// Makes profiles with `flatten` and payloads of few keys, so that rules often apply and keys often collide.
private struct FlattenMaker {
    var random: SeededGenerator

    private static let keys = ["a", "b", "c", "a_b", "ab", "p_a"]
    private static let paths = ["/a", "/b", "/a/b", "/a/b/c", "/*/a", "/a/*/b", "/a/0", "/b/c", "/c/*/a", "/*/*/b"]
    private static let sections = [
        #""keys": "camelCase""#, #""rename": {"a": "b"}"#, #""rename": {"/a/b": "c", "p*": "ab"}"#, #""keep": ["/a"]"#,
        #""keep": ["b"]"#,
        #""keep": ["/**/b"]"#, #""keep": ["/a/b/c", "/*/a"]"#, #""keep": [{"/a": ["b", "c"]}]"#, #""drop": ["/a/c"]"#,
        #""drop": ["ab"]"#, #""require": ["/a/b"]"#, #""prune": {"null": true}"#,
        #""prune": {"null": true, "emptyString": true, "emptyObject": true, "emptyArray": true}"#,
        #""prune": {"emptyObject": true, "inArrays": true}"#, #""values": {"at": "/a", "map": {"x": null}}"#,
        #""values": {"at": "b", "as": "number"}"#, #""values": {"at": ["/a/b", "c"], "as": "json"}"#,
        #""values": {"at": "/a/b", "as": "mask"}"#, #""values": {"at": ["/*/a"], "as": "string"}"#,
        #""output": {"indent": 2}"#, #""output": {"escapes": "ascii"}"#, #""unwrap": "/c""#, #""wrap": "w""#,
        #""on": {"collision": "first"}"#, #""on": {"collision": "keep"}"#, #""on": {"duplicateKey": "first"}"#,
        #""on": {"badValue": "null"}"#, #""on": {"badValue": "keep", "collision": "first"}"#,
    ]

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

    mutating func profile() -> String {
        var sections: [String: String] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let section = Self.sections.randomElement(using: &random) ?? ""
            sections[String(section.prefix { $0 != ":" })] = section
        }
        var rules: [String: String] = [:]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let path = Self.paths.randomElement(using: &random) ?? ""
            let prefix = ["a", "p_", "é\\u0001"].randomElement(using: &random) ?? ""
            rules[path] = chance(2) ? "\"\(path)\"" : "{\"at\": \"\(path)\", \"prefix\": \"\(prefix)\"}"
        }
        let flattens = rules.keys.sorted().map { rules[$0] ?? "" }.joined(separator: ", ")
        return (["\"flatten\": [\(flattens)]"] + sections.keys.sorted().map { sections[$0] ?? "" }).joined(
            separator: ", ")
    }

    mutating func payload(_ framing: Converter.Framing) -> String {
        guard framing == .lines else { return object(depth: 0) }
        return (0..<3).map { _ in object(depth: 0) + "\n" }.joined()
    }

    private mutating func object(depth: Int) -> String {
        var keys = Self.keys.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map { $0 }
        if chance(30), let first = keys.first { keys.append(first) }
        let space = chance(4) ? " " : ""
        let members = keys.map { key in
            let name = chance(12) ? key.replacing("a", with: "\\u0061") : key
            return "\"\(name)\":\(space)\(value(depth: depth + 1, isLikelyObject: key.count == 1))"
        }
        return "{\(members.joined(separator: ",\(space)"))}"
    }

    private mutating func value(depth: Int, isLikelyObject: Bool) -> String {
        if depth < 4, isLikelyObject && !chance(5) { return object(depth: depth) }
        switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
        case 0: return "null"
        case 1: return "\"\""
        case 2: return ["\"x\"", "\"{}\"", "\"é\\u00e9\"", "\"12\""].randomElement(using: &random) ?? "0"
        case 3: return "17"
        case 4: return "true"
        case 5: return depth < 4 ? "[]" : "{}"
        case 6: return "{}"
        default:
            let elements = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                value(depth: depth + 1, isLikelyObject: true)
            }
            return "[\(elements.joined(separator: ","))]"
        }
    }
}
