import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Buffered objects whose members are kept as text if no move concerns them, beside the same profile with a rule that needs every member.
struct HeldTextTests {
    /// A rule for a key that no payload has. It needs every member.
    private static func buffering(_ direction: Profile.Direction) -> String {
        direction == .forward
            ? #""flatten": {"at": "/unused", "prefix": "unused_"}"# : #""values": {"at": "/unused", "as": "json"}"#
    }

    @Test(arguments: [Profile.Direction.forward, .inverse])
    func `text and nodes give the same output`(direction: Profile.Direction) throws {
        let count = TestVariable.number("CONVERT_FUZZ_PROFILES", 1500)
        var (usable, trial) = (0, TwoPlans())
        for seed in FuzzSeeds(usual: 1) {
            var maker = MoveMaker(seed: seed)
            for _ in 0..<count {
                let rules = maker.profile(direction)
                guard let text = try? Profile(parsing: "{\(rules)}").compile(direction),
                    let nodes = try? Profile(parsing: "{\(rules), \(Self.buffering(direction))}").compile(direction)
                else { continue }
                // The inverse of `as: json` needs each member of the value that becomes a string.
                guard (text.stages?.rules ?? text).holdsText else { continue }
                #expect(!nodes.holdsText && nodes.stages == nil, "\(rules)")
                usable += 1
                trial.compare(text, with: nodes, &maker.payloads, ignoresCodes: true, "seed \(seed) {\(rules)}")
            }
        }
        #expect(usable > count / 5 && trial.outputs > trial.errors, "\(usable) \(trial)")
        #expect(trial.sameErrors * 2 > trial.errors, "\(trial)")
    }

    /// Whether two keys collide may depend on whether a container stays, which is known only when moves have emptied it.
    @Test func `a member that leaves collides with nothing`() throws {
        let plan = try Plan.forward(
            #"""
            {"keys": "camelCase", "move": {"/the_box/v": "/v", "/user_name": "/a/n"}, "prune": {"emptyObject": true}}
            """#)
        let rows: [(payload: String, expected: String)] = [
            (#"{"x":[{"y_z":1}],"user_name":2,"b_c":{}}"#, #"{"x":[{"yZ":1}],"a":{"n":2}}"#),
            (#"{"user_name":1,"userName":2}"#, #"{"userName":2,"a":{"n":1}}"#),
            (#"{"userName":1,"user_name":2}"#, #"{"userName":1,"a":{"n":2}}"#),
            (#"{"the_box":{"v":1},"theBox":2}"#, #"{"theBox":2,"v":1}"#),
            (#"{"theBox":2,"the_box":{"v":1}}"#, #"{"theBox":2,"v":1}"#),
            (#"{"the_box":{"v":1,"w":2},"theBox":2}"#, "collision /theBox"),
            (#"{"theBox":2,"the_box":{"v":1,"w":2}}"#, "collision /the_box"),
            (#"{"theBox":2,"the_box":{"v":1},"the-box":4}"#, "collision /the-box"),
            (#"{"theBox":{},"the_box":{"v":1,"w":2}}"#, #"{"theBox":{"w":2},"v":1}"#),
            (#"{"the_box":{"w":2},"theBox":{},"the-box":{}}"#, #"{"theBox":{"w":2}}"#),
            (#"{"the_box":{"v":1},"theBox":{},"the-box":3}"#, #"{"theBox":3,"v":1}"#),
            (#"{"the_box":{"v":1,"w":2},"theBox":{}}"#, #"{"theBox":{"w":2},"v":1}"#),
            (#"{"a":{"N":1},"user_name":2}"#, "collision /user_name"),
            (#"{"a":{"x":1},"user_name":2,"b_c":1,"bC":2}"#, "collision /bC"),
        ]
        for row in rows {
            let trial = ConverterTrial(plan, Array(row.payload.utf8))
            let outcome =
                trial.error.map { "\($0.code) \($0.pointer)" } ?? String(decoding: trial.output, as: UTF8.self)
            #expect(outcome == row.expected, "\(row.payload)")
        }
    }

    /// Rules may still remove what is around the buffered object, or abandon the record around it.
    @Test func `what is around a buffered object is handed on only when it stays`() throws {
        let rows: [(profile: String, payload: String, framing: Converter.Framing, expected: String)] = [
            (
                #"{"move": {"/*/*/x/y": "/*/*/z/w"}, "prune": {"emptyObject": true}}"#, #"{"k":{"id":{   }}}"#,
                .document, "{}"
            ),
            (
                #"{"move": {"/*/*/x/y": "/*/*/z"}, "keep": ["t"]}"#, #"{"k":{"id":{"pad":"yyyyyyyyyyyyyy"}}}"#,
                .document, "{}"
            ),
            (
                #"{"move": {"/p/c": "/v"}, "dates": {"at": "b", "to": "rfc3339"}, "records": {"onError": "null"}}"#,
                #"{"p":{"b":"nope nope nope nope nope"}}"# + "\n" + #"{"p":{"c":1}}"# + "\n", .lines,
                "null\n" + #"{"p":{},"v":1}"# + "\n"
            ),
            (
                #"{"keys": "camelCase", "dates": {"at": "/**/e_x"}, "records": {"onError": "null"}}"#,
                #"{"A_B":1,"aB":{"e_x":"x","2":1}}"# + "\n" + #"{"createdAt":1}"# + "\n", .lines,
                "null\n" + #"{"createdAt":1}"# + "\n"
            ),
        ]
        for row in rows {
            let (plan, payload) = (try Plan.forward(row.profile), Array(row.payload.utf8))
            for cuts in [[], Array(0..<payload.count)] {
                let trial = ConverterTrial(plan, payload, framing: row.framing, cuts: cuts)
                #expect(trial.error == nil && trial.output == Array(row.expected.utf8), "\(row.profile) \(trial)")
            }
        }
    }

    /// The error is in a part of the last line that the fast path reads.
    @Test(arguments: [#""/x/y/q": "/x/u/n""#, #""/x/y/q": "/x/n""#, #""/q": "/u/n""#, #""/q": "/n""#])
    func `lines before an error are written, and those before a line that is taken again`(move: String) throws {
        let long = #""dddddddddddddddddddddddddd":["eeeeeeeeeeeeeeeeeeeeeeeeeeeeee",1,2,3,4,5,6,7,8,9,10,11,12,13]"#
        let lines = "{\"a\":1}\n{\"b\":2,\(long)}\n"
        let plan = try Plan.forward(#"{"move": {\#(move)}}"#)
        let failed = ConverterTrial(plan, Array((lines + "{\"c\":1,\(long),}\n").utf8), framing: .lines)
        #expect(failed.error?.line == 3 && failed.text == lines, "\(failed)")
        let text = try ConverterTrial.text(
            #"{"move": {\#(move)}, "on": {"duplicateKey": "last"}}"#, lines + "{\"c\":1,\(long),\"c\":2}\n",
            framing: .lines)
        #expect(text == lines + "{\(long),\"c\":2}\n")
    }

    @Test(arguments: ["", #", "defaults": {"/z": 1}"#])
    func `a collision names the rule that made the key`(buffering: String) throws {
        let rows = [
            (#""keys": "camelCase""#, #"{"a_b":1,"aB":2}"#, "/keys"),
            (#""rename": {"a": "b"}"#, #"{"a":1,"b":2}"#, "/rename/a"),
        ]
        for (rules, payload, rule) in rows {
            let plan = try Plan.forward(#"{\#(rules), "move": {"/q": "/r"}\#(buffering)}"#)
            #expect(ConverterTrial(plan, Array(payload.utf8)).error?.rule == rule, "\(rules)")
        }
    }

    @Test func `members are kept as text unless a rule needs each of them`() throws {
        let text = [
            #""move": {"/a": "/b"}"#, #""move": {"/*/a/b": "/*/c"}, "prune": {"null": true}, "require": "/a""#,
            #""move": {"/a": "/b"}, "on": {"collision": "keep", "duplicateKey": "first"}"#,
            #""move": {"/a": "/b"}, "output": {"indent": 2, "escapes": "ascii"}"#,
            #""move": {"/a": "/b", "/*/a": "/*/b"}, "defaults": {"/b": 1}"#,
            #""move": {"/*/a": "/*/b"}, "defaults": {"/*/b": 1}"#,
        ]
        let nodes = [
            #""flatten": "/a""#, #""move": {"/a": "/b"}, "on": {"collision": "first"}"#,
            #""move": {"/a": "/b"}, "on": {"duplicateKey": "last"}"#, #""move": {"/a": "/b"}, "keep": ["b"]"#,
            #""move": {"/a": "/b"}, "defaults": {"/*/b": 1}"#, #""move": {"/a": "/b"}, "output": {"sortKeys": true}"#,
        ]
        for rules in text { #expect(try Plan.forward("{\(rules)}").holdsText, "\(rules)") }
        for rules in nodes { #expect(try !Plan.forward("{\(rules)}").holdsText, "\(rules)") }
    }
}

/// Makes profiles with `move`, and payloads for them.
struct MoveMaker {
    var payloads: FewKeysMaker

    init(seed: UInt64) {
        let keys = ["a", "b", "c", "a_b", "aB", "ab", "v_w", "vW"]
        payloads = FewKeysMaker(random: SeededGenerator(seed: seed), keys: keys)
    }

    private static let sources = ["/a", "/b/a", "/a_b/c", "/a/b/c", "/*/a", "/b/*/a", "/c/a_b", "/v_w", "/b/0/a"]
    private static let targets = ["/a", "/c", "/aB", "/b/x", "/*/c", "/*/vW", "/b/*/ab", "/c/aB/y", "/vW/a", "/b/0/c"]
    /// Moves inside of objects that are not the root.
    private static let nested = [
        ("/b/*/a", "/b/*/ab"), ("/*/*/a/b", "/*/*/c"), ("/*/a", "/*/c"), ("/a/b/c", "/a/b/aB"), ("/*/v_w/a", "/*/a"),
    ]
    private static let sections = [
        #""rename": {"a": "b"}"#, #""rename": {"/a/b": "c", "v*": "ab"}"#, #""drop": ["/a/c"]"#, #""drop": ["ab"]"#,
        #""require": ["/a/b"]"#, #""values": {"at": "b", "as": "number"}"#, #""values": {"at": "/a/b", "as": "mask"}"#,
        #""values": {"at": ["/a/b", "c"], "as": "json"}"#, #""output": {"escapes": "ascii"}"#,
        #""output": {"sortKeys": true}"#, #""output": {"sortKeys": true, "indent": 1}"#,
        #""on": {"collision": "keep"}"#, #""on": {"duplicateKey": "first"}"#, #""on": {"duplicateKey": "keep"}"#,
        #""on": {"badValue": "null"}"#, #""records": {"at": "/b/*", "onError": "skip"}"#,
        #""records": {"at": ["/*/*", "/a"], "onError": "null"}"#, #""records": {"onError": "skip"}"#,
        #""dates": {"at": "b", "to": "rfc3339"}, "records": {"onError": "null"}"#,
    ]
    private static let forwardSections = [
        #""prune": {"null": true}"#, #""prune": {"emptyObject": true, "emptyArray": true}"#,
        #""prune": {"null": true, "emptyString": true, "emptyObject": true, "inArrays": true}"#, #""unwrap": "/c""#,
        #""defaults": {"/c": 1, "/aB": {"b": 2}}"#, #""defaults": {"/a/ab": {"c": 1}, "/a/ab/c": 2, "/a/ab/v": 3}"#,
        #""defaults": {"/b/x/a": 2, "/vW/b": [], "/c/aB/ab": "é"}"#, #""defaults": {"/*/ab": 1, "/b/*/c/a": null}"#,
    ]

    private static let inverseSections = [
        #""flatten": {"at": "/c", "prefix": "v_"}"#,
        #""flatten": {"at": "/*/c", "prefix": "v_"}"#,
        #""flatten": [{"at": "/c", "names": ["a", "ab"]}, {"at": "/b/*/c", "prefix": "v_"}]"#,
        #""flatten": [{"at": "/c", "prefix": "a"}, {"at": "/c/b", "prefix": "v_"}]"#,
    ]

    mutating func profile(_ direction: Profile.Direction) -> String {
        var sections: [String: String] = [:]
        if !payloads.chance(4) { sections["keys"] = #""keys": {"case": "camelCase", "from": "snake_case"}"# }
        let choices = Self.sections + (direction == .forward ? Self.forwardSections : Self.inverseSections)
        for _ in 0..<Int.random(in: 0...2, using: &payloads.random) {
            let section = choices.randomElement(using: &payloads.random) ?? ""
            sections[String(section.prefix { $0 != ":" })] = section
        }
        var moves: [String: String] = [:]
        let isNested = payloads.chance(3)
        for _ in 0..<Int.random(in: 1...3, using: &payloads.random) {
            if isNested {
                let (source, target) = Self.nested.randomElement(using: &payloads.random) ?? ("", "")
                moves[source] = target
                continue
            }
            moves[Self.sources.randomElement(using: &payloads.random) ?? ""] =
                Self.targets.randomElement(using: &payloads.random) ?? ""
        }
        let pairs = moves.keys.sorted().map { "\"\($0)\": \"\(moves[$0] ?? "")\"" }
        return (["\"move\": {\(pairs.joined(separator: ", "))}"] + sections.keys.sorted().map { sections[$0] ?? "" })
            .joined(separator: ", ")
    }
}
