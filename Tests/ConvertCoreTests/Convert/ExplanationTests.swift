import Testing

@testable import ConvertCore

struct ExplanationTests {
    /// Each effect as `input > output < rule: what`.
    private static func effects(_ profile: String, _ payload: String) throws -> [String] {
        try Explanation(of: Profile(profile), on: Array(payload.utf8)).effects.map {
            "\($0.input) > \($0.output ?? "-") < \($0.rule): \($0.what)"
        }
    }

    @Test func `names, values, dates and what is left out are told with their rules, in the order of the payload`()
        throws
    {
        let profile = """
            {"keys": {"case": "camelCase", "except": "_the_links", "opaque": ["/by_id"]},
             "rename": {"first_name": "fn", "/orders/*/made_at": "m"},
             "dates": [{"at": "made_at", "to": "epoch-s"}, {"to": "rfc3339"}],
             "values": {"at": "/status", "map": {"1": "on"}}, "drop": ["x", "/orders/0"]}
            """
        let payload = """
            {"first_name": "A\\u0007", "last_name": "B", "status": 1, "x": {"a_b": 1}, "_the_links": null,
             "orders": [{"made_at": 9}, {"made_at": "1970-01-01T00:00:09Z", "t": "1970-01-01T01:00:00+01:00"}],
             "by_id": {"a_b": 2}}
            """
        #expect(
            try Self.effects(profile, payload) == [
                "/first_name > /fn < /rename/first_name: rename: `first_name` -> `fn`",
                "/last_name > /lastName < /keys: key: `last_name` -> `lastName`",
                "/x > - < /drop/0: drop: left out with all below it",
                "/_the_links > /_the_links < /keys/except: except: the name is kept",
                "/by_id > /byId < /keys: key: `by_id` -> `byId`",
                "/by_id > /byId < /keys/opaque/0: opaque: names below are kept",
                "/status > /status < /values: value: 1 -> \"on\"",
                "/orders/0 > - < /drop/1: drop: left out with all below it",
                "/orders/1/made_at > /orders/0/m < /rename/~1orders~1*~1made_at: rename: `made_at` -> `m`",
                "/orders/1/made_at > /orders/0/m < /dates/0: date: \"1970-01-01T00:00:09Z\" -> 9",
                "/orders/1/t > /orders/0/t < /dates/1: date: \"1970-01-01T01:00:00+01:00\" -> \"1970-01-01T00:00:00Z\"",
            ])
    }

    @Test func `a payload that cannot be converted has its fault beside what would be done to it`() throws {
        let profile = try Profile(#"{"rename": {"a": "b"}, "dates": {"at": "t"}}"#)
        let explanation = try Explanation(of: profile, on: Array(#"{"a": 1, "t": "x", "u": [1]}"#.utf8))
        #expect(explanation.fault?.code == .badValue)
        #expect(explanation.effects.map(\.input) == ["/a", "/t"])
        #expect(explanation.effects.last?.what.hasPrefix("date: bad value: ") == true)
        let malformed = try Explanation(of: profile, on: Array("{".utf8))
        #expect(malformed.fault?.code == .json && malformed.effects.isEmpty)
    }

    @Test func `sections whose effects are not shown are named`() throws {
        let profile = try Profile(#"{"keep": "/a", "move": {"/a/b": "/b"}, "prune": {}, "drop": "c"}"#)
        #expect(try Explanation(of: profile, on: Array("{}".utf8)).unexplained == ["keep", "move"])
    }

    @Test func `long values are cut, and control characters stay escaped`() throws {
        let long = String(repeating: "9", count: 100)
        let cut = try Self.effects(#"{"values": {"at": "a", "as": "string"}}"#, #"{"a": \#(long)}"#)
        let nines = String(repeating: "9", count: 40)
        #expect(cut == ["/a > /a < /values: value: \(nines)… -> \"\(nines)…\""])
        let bell = try Self.effects(#"{"rename": {"a": "\u0007"}}"#, #"{"a": 1}"#)
        #expect(bell.first?.hasSuffix(#"`a` -> `\u0007`"#) == true)
    }

    /// The names and dropped places of an explanation are those of what the converter writes.
    @Test func `every output pointer of the fixtures is a place of the converter's own output`() throws {
        let profile = try Profile(
            #"{"keys": "camelCase", "rename": {"/a/*/b_c": "x"}, "drop": ["/a/0", "*_z"], "dates": "rfc3339"}"#)
        let payload = Array(
            #"{"a": [{"b_c": 1}, {"b_c": 2, "q_z": 3}, {"d_e": "2026-03-01T12:00:00+01:00"}], "f_z": 4}"#.utf8)
        let output = try #require(EngineRun(try profile.compile(.forward), payload: payload).output)
        let document = try ProfileDocumentParser.parse(output)
        let places = Set(document.nodes.indices.map { document.pointer(to: .init(index: $0)) })
        let explanation = try Explanation(of: profile, on: payload)
        #expect(explanation.effects.count == 6)
        for place in explanation.effects.compactMap(\.output) { #expect(places.contains(place), "\(place)") }
    }
}
