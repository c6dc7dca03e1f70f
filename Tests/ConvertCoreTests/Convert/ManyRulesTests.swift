import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Profiles with so many rules that neither time nor memory may grow with their number for each key of a payload.
struct ManyRulesTests {
    @Test func `each of many rules renames its own keys and restores them`() throws {
        let count = 900
        let rules = (0..<count).flatMap { index in
            [
                "\"bare\(index)\": \"b\(index)\"", "\"/at/*/deep\(index)\": \"d\(index)\"",
                "\"/at/0/own\(index)\": \"o\(index)\"",
            ]
        }
        let profile = try Profile(parsing: "{\"rename\": {\(rules.joined(separator: ","))}}")
        func payload(_ bare: String, _ deep: String, _ own: String) -> String {
            let members = stride(from: 0, to: count, by: 7).map { index in
                "\"\(bare)\(index)\":0,\"\(deep)\(index)\":1,\"\(own)\(index)\":2"
            }
            return "{\"at\":[{\(members.joined(separator: ","))}],\"beside\":{\"deep7\":3,\"own7\":4}}"
        }
        let (given, renamed) = (payload("bare", "deep", "own"), payload("b", "d", "o"))
        #expect(try profile.compile(.forward).convert(given) == renamed)
        #expect(try profile.compile(.inverse).convert(renamed) == given)
    }

    @Test func `the requirements of many rules are computed with the plan`() throws {
        for pointer in ["", "/a", "/a/0/b"] {
            let rules = (0..<1500).map { "\"\(pointer)/k\($0)\"" }
            let plan = try Profile(parsing: "{\"require\":[\(rules.joined(separator: ","))]}").compile(.forward)
            var (one, other) = (plan.paths, plan.paths)
            var none: [Int32] = []
            one.removeAll(keeping: &none, plan.paths)
            var (state, same) = (one.rootMatch.state, other.rootMatch.state)
            for step in pointer.split(separator: "/") {
                func follow(_ paths: inout PathAutomaton, _ state: Int32) -> Int32 {
                    let match = Int(step).flatMap { paths.namedElement($0, of: state) }
                    return (match ?? paths.member(Array(step.utf8), of: state)).state
                }
                (state, same) = (follow(&one, state), follow(&other, same))
            }
            #expect(one.contract(of: state) === other.contract(of: same), "\(pointer)")
            #expect(one.contract(of: state).requirements.count == 1500)
        }
    }

    @Test func `states of many positions are discarded before there are too many`() throws {
        let rules = (0..<16).map { "\"/**/a\(String(repeating: "/*", count: 300))/q\($0)\": \"b\($0)\"" }
        let plan = try Profile(parsing: "{\"rename\": {\(rules.joined(separator: ","))}}").compile(.forward)
        var states = plan.paths
        var random = SeededGenerator(seed: 9)
        let root = states.rootMatch
        var made = 0
        while !states.isFull, made < 200_000 {
            var state = root.state
            for _ in 0..<300 where !states.isFull {
                state = states.member(Bool.random(using: &random) ? Array("a".utf8) : Array("b".utf8), of: state).state
                made += 1
            }
        }
        // With about 150 positions each, the states fill the table long before there are 4,096 of them.
        #expect(states.isFull && made < PathAutomaton.maxStates)
        // States that open containers need must not cause an emptying at each key.
        states.resetLimits()
        #expect(!states.isFull)
        let open = states.member(Array("a".utf8), of: root.state).state
        let deeper = states.member(Array("a".utf8), of: open).state
        let before = [root.state, open, deeper, PathAutomaton.inert].map { states[$0] }
        var kept = [root.state, open, deeper, PathAutomaton.inert]
        states.removeAll(keeping: &kept, plan.paths)
        #expect(kept.map { states[$0] } == before)
        #expect(states.member(Array("a".utf8), of: kept[1]).state == kept[2])
        #expect(kept.max()! < made)
        states.resetLimits()
        #expect(!states.isFull)
    }

    @Test func `the memory of states with many positions counts as buffered`() throws {
        let rules = (1..<100).map { "\"/**/a\(String(repeating: "/*", count: $0))/x\"" }
        let plan = try Profile(parsing: "{\"drop\": [\(rules.joined(separator: ","))]}").compile(.forward)
        var converter = Converter(plan)
        let before = converter.heldBytes
        var random = SeededGenerator(seed: 11)
        let path = (0..<500).map { _ in "{\"\(Bool.random(using: &random) ? "a" : "b")\":" }.joined()
        var output = ByteBuffer()
        try converter.convert(Array(path.utf8).span, into: &output)
        // About half of the 99 positions that the rules share are open, in all but the first hundred of 500 objects.
        let positions = 400 * 99 / 2 / 2
        #expect(converter.heldBytes - before > positions * MemoryLayout<Int32>.stride)
    }

    @Test func `the number of positions after ** is limited for a profile`() throws {
        let segments = String(repeating: "/*", count: 99)
        func document(_ count: Int) -> [UInt8] {
            let selectors = (0..<count).map { "\"/**\(segments)/d\($0)\"" }
            return Array("{\"drop\": [\(selectors.joined(separator: ","))], \"rename\": {\"/a/b\": \"c\"}}".utf8)
        }
        // Each selector has 101 segments, including its `**`.
        #expect(ProfileReport(checking: document(99)).faults.isEmpty)
        let faults = ProfileReport(checking: document(200)).faults
        #expect(faults.map(\.pointer) == ["/drop/99"])
    }

    @Test func `an index that rules name is looked up and resolved once`() throws {
        let rules = stride(from: 0, to: 4000, by: 2).map { "\"/items/\($0)\"" }
        let none = ["\"/items/00\"", "\"/items/99999999999999999999\""]
        let plan = try Profile(parsing: "{\"drop\":[\((rules + none).joined(separator: ","))]}").compile(.forward)
        let (given, kept) = (0..<5000, (0..<5000).filter { $0 >= 4000 || $0 % 2 == 1 })
        #expect(
            try plan.convert("{\"items\":[\(given.map(String.init).joined(separator: ","))]}")
                == "{\"items\":[\(kept.map(String.init).joined(separator: ","))]}")
        var paths = plan.paths
        let items = paths.member(Array("items".utf8), of: paths.rootMatch.state).state
        for index in given { #expect((paths.namedElement(index, of: items) == nil) == kept.contains(index)) }
        let known = paths.elements(of: items)
        #expect(known.namingIndices.count == 1 && known.namedMatches.count == 2000)
    }

    @Test func `moves are looked up by the next key and share the state of their anchor`() throws {
        // With `roundTrip`, at most 1,000 moves are allowed.
        let count = 900
        let moves = (0..<count).map { "\"/m/a\($0)\": \"/b\($0)\"" }
        let rules = "{\"move\":{\(moves.joined(separator: ","))},\"roundTrip\":\"required\"}"
        let profile = try Profile(parsing: rules)
        let given = "{\"m\":{\((0..<count).map { "\"a\($0)\":\($0)" }.joined(separator: ","))}}"
        let moved = "{\"m\":{},\((0..<count).map { "\"b\($0)\":\($0)" }.joined(separator: ","))}"
        for (direction, payload, expected) in [(Profile.Direction.forward, given, moved), (.inverse, moved, given)] {
            let plan = try profile.compile(direction)
            #expect(try plan.convert(payload) == expected)
            var paths = plan.paths
            let root = paths.rootMatch.state
            let trails = paths[root].trails
            #expect(trails.count == count && trails.allSatisfy { $0.anchor === trails[0].anchor })
            #expect(paths.move(to: Array("b7".utf8), in: root) == 7)
            #expect(paths.movedMember(Array("b7".utf8), of: root)?.move == 7)
            #expect(paths.move(to: Array("a7".utf8), in: root) == nil)
            #expect(paths.trailsByName[Int(root)]?.count == count)
        }
    }

    @Test func `a key is resolved once, whatever its escapes`() throws {
        let rules = (0..<2000).map { "\"/name/k\($0)\"" }
        let sections = "\"drop\":[\(rules.joined(separator: ","))],\"on\":{\"duplicateKey\":\"keep\"}"
        var converter = Converter(try Profile(parsing: "{\(sections)}").compile(.forward))
        let spellings = (0..<16).map { number in
            zip("name", ["\\u006e", "\\u0061", "\\u006d", "\\u0065"]).enumerated().map { index, letter in
                number >> index & 1 == 0 ? String(letter.0) : letter.1
            }.joined()
        }
        func payload(_ value: String) -> String {
            "{\(spellings.map { "\"\($0)\":\(value)" }.joined(separator: ","))}"
        }
        let trial = ConverterTrial(&converter, Array(payload(#"{"k7":1,"k":2}"#).utf8))
        #expect(trial.text == payload(#"{"k":2}"#))
        #expect(converter.engine.keys.escapedResolutions.count == 1)
    }

    @Test func `the cost of requirements and defaults is proportional to the keys of the object`() throws {
        let count = 1500
        func list(_ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: ",") }
        let profile = """
            {"require":[\(list { "\"/items/*/k\($0)\"" })],"records":{"at":"/items/*","onError":"skip"},
             "defaults":{"/items/*/added":0,"/items/*/given":0}}
            """
        var converter = Converter(try Profile(parsing: profile).compile(.forward))
        let whole = "{\(list { "\"k\($0)\":1" }),\"given\":1"
        // The counts of one record never affect another record, whether that comes before, after or inside it.
        let records = ["{}", whole + "}", "{\"k0\":1}", "{}", whole + ",\"in\":{}}", "{\"k0\":[{}]}", whole + "}"]
        let kept = [whole, whole + ",\"in\":{}", whole].map { $0 + ",\"added\":0}" }
        let trial = ConverterTrial(&converter, Array("{\"items\":[\(records.joined(separator: ","))]}".utf8))
        #expect(trial.text == "{\"items\":[\(kept.joined(separator: ","))]}")
        #expect(trial.skippedRecords == 4)
        // The counters are allocated once for all records, and only as many are used as there are members.
        #expect(
            converter.engine.counters.counters.count == count + 2
                && converter.engine.counters.containers == records.count)
    }
}
