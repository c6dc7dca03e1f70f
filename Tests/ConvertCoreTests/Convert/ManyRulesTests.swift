import Testing

@testable import ConvertCore

/// Profiles of so many rules that neither time nor memory may grow by their number for each name of a payload.
struct ManyRulesTests {
    @Test func `each of many rules acts on its own names and gives them back`() throws {
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

    @Test func `what many rules require is worked out with the plan`() throws {
        for place in ["", "/a", "/a/0/b"] {
            let rules = (0..<1500).map { "\"\(place)/k\($0)\"" }
            let plan = try Profile(parsing: "{\"require\":[\(rules.joined(separator: ","))]}").compile(.forward)
            var (one, other) = (plan.paths, plan.paths)
            var none: [Int32] = []
            one.removeAll(keeping: &none)
            var (state, same) = (one.rootMatch.state, other.rootMatch.state)
            for name in place.split(separator: "/").map({ Array($0.utf8) }) {
                state =
                    PathStates.isIndex(name) ? one.element(name, of: state).state : one.member(name, of: state).state
                same =
                    PathStates.isIndex(name) ? other.element(name, of: same).state : other.member(name, of: same).state
            }
            #expect(one.obligations(of: state) === other.obligations(of: same), "\(place)")
            #expect(one.obligations(of: state).requirements.count == 1500)
        }
    }

    @Test func `states of many positions are let go before there are too many`() throws {
        let rules = (0..<16).map { "\"/**/a\(String(repeating: "/*", count: 300))/q\($0)\": \"b\($0)\"" }
        let plan = try Profile(parsing: "{\"rename\": {\(rules.joined(separator: ","))}}").compile(.forward)
        var states = PathStates(plan.selectors)
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
        // 16 rules with up to 300 positions each fill the table long before 4,096 states do.
        #expect(states.isFull && made < PathStates.maxStates)
        // What open containers need is no reason to let go of everything at each name.
        states.settle()
        #expect(!states.isFull)
        let open = states.member(Array("a".utf8), of: root.state).state
        let deeper = states.member(Array("a".utf8), of: open).state
        let before = [root.state, open, deeper, PathStates.inert].map { states[$0] }
        var kept = [root.state, open, deeper, PathStates.inert]
        states.removeAll(keeping: &kept)
        #expect(kept.map { states[$0] } == before)
        #expect(states.member(Array("a".utf8), of: kept[1]).state == kept[2])
        #expect(kept.max()! < made)
        states.settle()
        #expect(!states.isFull)
    }

    @Test func `what the states of many positions take counts as held`() throws {
        let rules = (1..<100).map { "\"/**/a\(String(repeating: "/*", count: $0))/x\"" }
        let plan = try Profile(parsing: "{\"drop\": [\(rules.joined(separator: ","))]}").compile(.forward)
        var converter = Converter(plan)
        let before = converter.heldBytes
        var random = SeededGenerator(seed: 11)
        let path = (0..<500).map { _ in "{\"\(Bool.random(using: &random) ? "a" : "b")\":" }.joined()
        var output = ByteBuffer()
        try converter.convert(Array(path.utf8).span, into: &output)
        // Of 99 rules some half of up to 100 positions each are on their way, in all but the first hundred of 500 objects.
        let positions = 400 * 99 * 50 / 2
        #expect(converter.heldBytes - before > positions * MemoryLayout<PathStates.Item>.stride)
    }

    @Test func `positions behind any depth are bounded by the profile`() throws {
        let segments = String(repeating: "/*", count: 99)
        func document(_ count: Int) -> [UInt8] {
            let places = (0..<count).map { "\"/**\(segments)/d\($0)\"" }
            return Array("{\"drop\": [\(places.joined(separator: ","))], \"rename\": {\"/a/b\": \"c\"}}".utf8)
        }
        // Each has 101 segments, its `**` among them.
        #expect(ProfileReport(checking: document(99)).faults.isEmpty)
        let faults = ProfileReport(checking: document(200)).faults
        #expect(faults.map(\.pointer) == ["/drop/99"])
    }
}
