import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Flattened objects that are written as they come, beside the same profile with a rule that buffers the object around them.
struct StreamedFlattenTests {
    /// A rule for a key that no payload has.
    private static let buffering = #""move": {"/unused/a": "/unused/b"}"#

    @Test func `streamed and buffered objects give the same output and the same errors`() throws {
        let count = TestVariable.number("CONVERT_FUZZ_PROFILES", 1500)
        var (usable, trial) = (0, TwoPlans())
        for seed in FuzzSeeds(usual: 1) {
            var maker = FlattenMaker(seed: seed)
            for _ in 0..<count {
                let rules = maker.profile()
                guard let streaming = try? Profile(parsing: "{\(rules)}").compile(.forward),
                    let buffering = try? Profile(parsing: "{\(rules), \(Self.buffering)}").compile(.forward)
                else { continue }
                let streams = (streaming.stages?.rules ?? streaming).streamsFlattened
                #expect(streams && !buffering.streamsFlattened && buffering.stages == nil, "\(rules)")
                usable += 1
                trial.compare(streaming, with: buffering, &maker.payloads, "seed \(seed) {\(rules)}")
            }
        }
        #expect(usable > count / 2 && trial.outputs > trial.errors, "\(usable) \(trial)")
        #expect(trial.sameErrors * 4 > trial.errors * 3, "\(trial)")
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
            #expect(streamed.error == buffered.error, "\(row)\n\(streamed)\n\(buffered)")
            #expect(buffered.error != nil || streamed.agrees(with: buffered), "\(row)")
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

/// Makes profiles with `flatten`, and payloads for them.
private struct FlattenMaker {
    var payloads: FewKeysMaker

    init(seed: UInt64) {
        payloads = FewKeysMaker(random: SeededGenerator(seed: seed), keys: ["a", "b", "c", "a_b", "ab", "p_a"])
    }

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
        #""output": {"sortKeys": true}"#, #""output": {"indent": 2}"#, #""output": {"escapes": "ascii"}"#,
        #""unwrap": "/c""#, #""wrap": "w""#,
        #""on": {"collision": "first"}"#, #""on": {"collision": "keep"}"#, #""on": {"duplicateKey": "first"}"#,
        #""on": {"badValue": "null"}"#, #""on": {"badValue": "keep", "collision": "first"}"#,
    ]

    mutating func profile() -> String {
        var sections: [String: String] = [:]
        for _ in 0..<Int.random(in: 0...3, using: &payloads.random) {
            let section = Self.sections.randomElement(using: &payloads.random) ?? ""
            sections[String(section.prefix { $0 != ":" })] = section
        }
        var rules: [String: String] = [:]
        for _ in 0..<Int.random(in: 1...3, using: &payloads.random) {
            let path = Self.paths.randomElement(using: &payloads.random) ?? ""
            let prefix = ["a", "p_", "é\\u0001"].randomElement(using: &payloads.random) ?? ""
            rules[path] = payloads.chance(2) ? "\"\(path)\"" : "{\"at\": \"\(path)\", \"prefix\": \"\(prefix)\"}"
        }
        let flattens = rules.keys.sorted().map { rules[$0] ?? "" }.joined(separator: ", ")
        return (["\"flatten\": [\(flattens)]"] + sections.keys.sorted().map { sections[$0] ?? "" }).joined(
            separator: ", ")
    }
}
