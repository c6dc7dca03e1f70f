import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct ExplanationTests {
    /// Each effect as `input > output < rule: what`.
    private static func effects(_ profile: String, _ payload: String) throws -> [String] {
        try Explanation(of: Profile(profile), on: Array(payload.utf8)).lines
    }

    @Test func `changed keys, values and dates are reported with their rules, in payload order`() throws {
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
                "/status > /status < /values: value: 1 -> \"on\"",
                "/x > - < /drop/0: drop: discarded with everything below it",
                "/_the_links > /_the_links < /keys/except: except: the key is kept",
                "/orders/0 > - < /drop/1: drop: discarded with everything below it",
                "/orders/1/made_at > /orders/0/m < /rename/~1orders~1*~1made_at: rename: `made_at` -> `m`",
                "/orders/1/made_at > /orders/0/m < /dates/0: date: \"1970-01-01T00:00:09Z\" -> 9",
                "/orders/1/t > /orders/0/t < /dates/1: date: \"1970-01-01T01:00:00+01:00\" -> \"1970-01-01T00:00:00Z\"",
                "/by_id > /byId < /keys: key: `by_id` -> `byId`",
                "/by_id > /byId < /keys/opaque/0: opaque: keys below are kept",
            ])
    }

    @Test func `kept, required, moved, pruned and added values are listed`() throws {
        let rows: [(profile: String, payload: String, effects: [String])] = [
            (
                #"{"keep": ["/a/b", "/**/id"]}"#, #"{"a": {"b": 1, "c": 2}, "d": [{"e": 3}, {"id": 4}], "f": {}}"#,
                [
                    "/a/c > - < /keep: keep: discarded",
                    "/d/0 > - < /keep: keep: discarded, nothing in it is kept",
                    "/d/0/e > - < /keep: keep: discarded",
                    "/f > - < /keep: keep: discarded, nothing in it is kept",
                ]
            ),
            (
                #"{"require": ["/id", "/items/*/n"], "rename": {"id": "i"}}"#, #"{"id": null, "items": [{"n": 1}]}"#,
                [
                    "/id > /i < /rename/id: rename: `id` -> `i`", "/id > /i < /require/0: require: present",
                    "/items/0/n > /items/0/n < /require/1: require: present",
                ]
            ),
            (
                #"{"move": {"/*/a/b": "/*/c/d"}, "rename": {"b": "x"}, "values": {"at": "b", "as": "string"}}"#,
                #"[{"a": {"b": 1}}, {"a": {}}]"#,
                [
                    "/0/a/b > /0/c/d < /values: value: 1 -> \"1\"",
                    "/0/a/b > /0/c/d < /move/~1*~1a~1b: move: moved here",
                ]
            ),
            (
                #"{"prune": {"null": true, "emptyString": true, "emptyArray": true, "emptyObject": true}}"#,
                #"{"a": {"b": null}, "c": [null], "d": [], "e": ""}"#,
                [
                    "/a > - < /prune/emptyObject: prune: an empty object is discarded",
                    "/a/b > - < /prune/null: prune: null is discarded",
                    "/d > - < /prune/emptyArray: prune: an empty array is discarded",
                    "/e > - < /prune/emptyString: prune: an empty string is discarded",
                ]
            ),
            (
                #"{"defaults": {"/a/b": [1], "/items/*/n": 0}, "keys": "camelCase"}"#, #"{"items": [{}, {"n": 1}]}"#,
                [
                    "- > /a < /defaults/~1a~1b: default: {\"b\":[1]}",
                    "- > /items/0/n < /defaults/~1items~1*~1n: default: 0",
                ]
            ),
            (
                #"{"output": {"sortKeys": true}}"#, #"[{"b": 1, "a": {"c": 1, "d": 2}}]"#,
                ["/0 > /0 < /output/sortKeys: sortKeys: keys are reordered"]
            ),
        ]
        for row in rows { #expect(try Self.effects(row.profile, row.payload) == row.effects, "\(row.profile)") }
    }

    @Test func `values that are unwrapped, wrapped, masked or kept are listed`() throws {
        let rows: [(profile: String, payload: String, effects: [String])] = [
            (
                #"{"keep": {"/items/*": ["id", "/price/amount"]}}"#,
                #"{"items": [{"id": 1, "x": 2, "price": {"amount": 3, "c": 4}}], "other": 5}"#,
                [
                    "/items/0/x > - < /keep/~1items~1*: keep: discarded, nothing in it is kept",
                    "/items/0/price/c > - < /keep/~1items~1*: keep: discarded, nothing in it is kept",
                ]
            ),
            (
                #"{"unwrap": "/data"}"#, #"{"data": [1], "meta": {}}"#,
                [
                    "/data >  < /unwrap: unwrap: becomes the document",
                    "/meta > - < /unwrap: unwrap: discarded, it is outside of the document",
                ]
            ),
            (
                #"{"wrap": "data", "rename": {"a": "b"}}"#, #"{"a": 1}"#,
                [" > /data < /wrap: wrap: put at /data", "/a > /data/b < /rename/a: rename: `a` -> `b`"]
            ),
            (
                #"{"values": {"at": "a", "as": "mask"}}"#, #"{"a": {"b": 1, "b": 2}, "c": {"a": "x"}}"#,
                [
                    "/a > /a < /values: value: (hidden) -> \"***\"",
                    "/c/a > /c/a < /values: value: (hidden) -> \"***\"",
                ]
            ),
            (
                #"{"values": {"at": "a", "as": "mask"}, "keep": ["b"]}"#, #"{"a": {"b": 1, "c": 2}, "d": {"e": 3}}"#,
                [
                    "/a > /a < /values: value: (hidden) -> \"***\"",
                    "/d > - < /keep: keep: discarded, nothing in it is kept",
                    "/d/e > - < /keep: keep: discarded",
                ]
            ),
            (
                #"{"keys": "camelCase", "values": {"at": "sort", "as": "names"}}"#, #"{"sort": "-a_b,c"}"#,
                [#"/sort > /sort < /values: value: "-a_b,c" -> "-aB,c""#]
            ),
        ]
        for row in rows { #expect(try Self.effects(row.profile, row.payload) == row.effects, "\(row.profile)") }
    }

    @Test func `the policies for records, duplicates and collisions are described`() throws {
        let records = #"{"at": "/*", "onError": "skip"}"#
        let rows: [(profile: String, payload: String, effects: [String])] = [
            (
                #"{"records": \#(records), "values": {"at": "n", "as": "integer"}, "rename": {"m": "o"}}"#,
                #"[{"m": 0, "n": 1.5}, {"m": 2}, {"n": 1, "n": 2}]"#,
                [
                    "/0 > - < /records: record: discarded (badValue)",
                    "/0/n > - < /values: value: bad value: expected a whole number without fraction, exponent or leading zero",
                    "/1/m > /0/o < /rename/m: rename: `m` -> `o`",
                    "/2 > - < /records: record: discarded (duplicateKey)",
                ]
            ),
            (
                #"{"records": {"at": "/*", "onError": "null"}, "keys": "camelCase"}"#, #"[{"a_b": 1, "aB": 2}]"#,
                ["/0 > /0 < /records: record: becomes null (collision)"]
            ),
            // A bad value in which `keep` finds nothing is no error of its record.
            (
                #"{"records": \#(records), "keep": "k", "dates": {"at": "x"}}"#, #"{"r": {"x": [], "y": {"k": 1}}}"#,
                ["/r/x > - < /keep: keep: discarded, nothing in it is kept"]
            ),
            (
                #"{"on": {"duplicateKey": "first"}, "rename": {"a": "b"}}"#, #"{"a": 1, "a": {"a": 2}}"#,
                [
                    "/a > /b < /rename/a: rename: `a` -> `b`",
                    "/a > - < /on/duplicateKey: duplicate: discarded, the first one is kept",
                ]
            ),
            (
                #"{"on": {"duplicateKey": "last"}}"#, #"{"a": 1, "a": 2}"#,
                ["/a > - < /on/duplicateKey: duplicate: discarded, the last one is kept"]
            ),
            (
                #"{"on": {"collision": "first"}, "rename": {"a": "b"}}"#, #"{"b": 1, "a": {"b": 2}}"#,
                [
                    "/a > - < /rename/a: rename: `a` -> `b`",
                    "/a > - < /on/collision: collision: discarded, `b` has the same output key",
                ]
            ),
            (
                #"{"on": {"collision": "last"}, "rename": {"a": "b"}}"#, #"{"b": 1, "a": 2}"#,
                [
                    "/b > - < /on/collision: collision: discarded, `a` has the same output key",
                    "/a > /b < /rename/a: rename: `a` -> `b`",
                ]
            ),
            (
                #"{"on": {"collision": "keep"}, "rename": {"a": "b"}}"#, #"{"b": 1, "a": 2}"#,
                [
                    "/a > /b < /rename/a: rename: `a` -> `b`", "/a > /b < /on/collision: collision: kept beside `b`",
                ]
            ),
        ]
        for row in rows { #expect(try Self.effects(row.profile, row.payload) == row.effects, "\(row.profile)") }
    }

    @Test func `explaining a payload that cannot be converted reports the error beside the effects`() throws {
        let profile = try Profile(#"{"rename": {"a": "b"}, "dates": {"at": "t"}}"#)
        let explanation = try Explanation(of: profile, on: Array(#"{"a": 1, "t": "x", "u": [1]}"#.utf8))
        #expect(explanation.fault?.code == .badValue)
        #expect(explanation.groups.map(\.input) == ["/a", "/t"])
        #expect(explanation.groups.last?.what.hasPrefix("date: bad value: ") == true)
        let later = #"{"rename": {"a": "b"}, "prune": {"null": true}, "defaults": {"/d": 1}}"#
        #expect(
            try Self.effects(later, #"{"a": 1, "b": 2, "n": null}"#) == [
                "/a > /b < /rename/a: rename: `a` -> `b`", "/n > - < /prune/null: prune: null is discarded",
                "- > /d < /defaults/~1d: default: 1",
            ])
        for short in ["1", "[]", "{}"] {
            #expect(try Self.effects(later, short) == (short == "{}" ? ["- > /d < /defaults/~1d: default: 1"] : []))
        }
        let malformed = try Explanation(of: profile, on: Array("{".utf8))
        #expect(malformed.fault?.code == .json && malformed.groups.isEmpty)
    }

    @Test func `long values are cut, and control characters stay escaped`() throws {
        let long = String(repeating: "9", count: 100)
        let cut = try Self.effects(#"{"values": {"at": "a", "as": "string"}}"#, #"{"a": \#(long)}"#)
        let nines = String(repeating: "9", count: 40)
        #expect(cut == ["/a > /a < /values: value: \(nines)… -> \"\(nines)…\""])
        let bell = try Self.effects(#"{"rename": {"a": "\u0007"}}"#, #"{"a": 1}"#)
        #expect(bell.first?.hasSuffix(#"`a` -> `\u0007`"#) == true)
    }

    /// An explanation computes the output on its own, so its output must equal the converter's.
    @Test func `the explanation of each fixture agrees with the converter's output`() throws {
        var held = 0
        for fixture in try TransformFixture.all() where fixture.framing == .document {
            let profile = try Profile(parsing: fixture.profile)
            let plan = try profile.compile(fixture.direction)
            guard let output = ConverterTrial(plan, fixture.input).wholeOutput, plan.output.escapes == .preserve else {
                continue
            }
            let document = try JSONDocumentParser.parse(fixture.input, maxDepth: 512)
            var explained = ExplainedPayload(profile, plan, document)
            let notes = explained.effects()
            let minified = ConverterTrial(.minify(), output).wholeOutput
            #expect(
                explained.outputText() == minified,
                "\(fixture.name): \(String(decoding: explained.outputText(), as: UTF8.self))")
            let result = try JSONDocumentParser.parse(output, maxDepth: 512)
            let pointers = Set(result.nodes.indices.map { result.pointer(to: .init(index: $0)) })
            let outputPointers = explained.outputPointers()
            for pointer in notes.compactMap({ outputPointers[$0.node] }) {
                #expect(pointers.contains(pointer), "\(fixture.name): \(pointer)")
            }
            if minified != ConverterTrial(.minify(), fixture.input).wholeOutput {
                #expect(!notes.isEmpty, "\(fixture.name)")
            }
            held += 1
        }
        #expect(held > 200)
    }

    /// Each idle rule as `label: reason`.
    private static func idle(
        _ profile: String, _ payload: String, _ direction: Profile.Direction = .forward,
        _ framing: Converter.Framing = .document
    ) throws -> [String] {
        try Explanation(of: Profile(profile), on: Array(payload.utf8), direction, framing: framing).idleRules.map {
            "\($0.label): \($0.reason)"
        }
    }

    @Test func `a rule without effect is listed with the nearest existing path`() throws {
        let payload = """
            {"user": {"first_name": "Ada", "id": 7, "nick": null}, "status": "ok",
             "items": [{"user_id": 1, "created_at": "2024-07-14"}, {"user_id": 2, "created_at": "2024-07-15"}]}
            """
        let rows: [(rules: String, idle: [String])] = [
            (#""rename": {"/first_name": "x"}"#, [#"rename "/first_name": `first_name` is at /user/first_name"#]),
            (
                #""keys": "camelCase", "rename": {"firstName": "x"}"#,
                [#"rename "firstName": selectors name the input: write "/user/first_name""#]
            ),
            (
                #""keys": "camelCase", "opaque": 0, "rename": {"/items/*/createdAt": "x"}"#,
                [#"rename "/items/*/createdAt": selectors name the input: write "/items/*/created_at""#]
            ),
            (
                #""rename": {"user.first_name": "x"}"#,
                [#"rename "user.first_name": a dot is part of a key here: write "/user/first_name""#]
            ),
            (
                #""rename": {"user/first_name": "x"}"#,
                [#"rename "user/first_name": a path begins with `/`: write "/user/first_name""#]
            ),
            (
                #""rename": {"$.user.first_name": "x"}"#,
                [#"rename "$.user.first_name": `$` and `.` are part of a key here: write "/user/first_name""#]
            ),
            (
                #""drop": ".items[].user_id""#,
                [#"drop ".items[].user_id": brackets are part of a key here: write "/items/*/user_id""#]
            ),
            (
                #""rename": {"/user/first_name/": "x"}"#,
                [#"rename "/user/first_name/": a slash at the end means the key "": write "/user/first_name""#]
            ),
            (
                #""rename": {"/USER/first_name": "x", "STATUS": "y"}"#,
                [
                    #"rename "/USER/first_name": keys are case-sensitive: write "/user/first_name""#,
                    #"rename "STATUS": keys are case-sensitive: write `status`"#,
                ]
            ),
            (
                #""dates": {"at": "/items/created_at", "from": "date", "to": "epoch-s"}"#,
                [#"dates "/items/created_at": "/items" is an array: write "/items/*/created_at""#]
            ),
            (#""keep": ["/status", "/users/*/nick"]"#, [#"keep "/users/*/nick": `nick` is at /user/nick"#]),
            (
                #""drop": ["/user/frst_name", "/user/zip", "/user/id/x", "zip"]"#,
                [
                    #"drop "/user/frst_name": nothing is there; did you mean "/user/first_name"?"#,
                    #"drop "/user/zip": "/user" has no key `zip`"#, #"drop "/user/id/x": "/user/id" has no key `x`"#,
                    #"drop "zip": no key of this name is in the payload"#,
                ]
            ),
            (
                #""defaults": {"/status": "new", "/user/nick": "a", "/shop/*/x": 1}"#,
                [
                    #"defaults "/status": /status is there already"#,
                    #"defaults "/user/nick": /user/nick is there already: null counts as a value"#,
                    #"defaults "/shop/*/x": the output has no object at /shop/*"#,
                ]
            ),
            (
                #""drop": "/user", "rename": {"first_name": "x"}"#,
                [#"rename "first_name": /user/first_name is discarded by drop "/user""#]
            ),
            (
                #""keys": {"case": "camelCase", "opaque": "/user"}, "rename": {"first_name": "x"}"#,
                [#"rename "first_name": opaque "/user" protects the keys below it"#]
            ),
            (
                #""values": [{"at": "/user/id", "as": "string"}, {"at": ["id", "nick"], "as": "integer"}]"#,
                [
                    #"values "id": values "/user/id" takes precedence at /user/id"#,
                    #"values "nick": /user/nick is null, and null is never converted"#,
                ]
            ),
            (
                #""dates": "rfc3339", "prune": {"null": true, "emptyArray": true}, "keys": "snake_case""#,
                [
                    "keys: every key is written in this case already, or is never converted",
                    "dates: no string is a date-time with a zone in another format",
                    "prune.emptyArray: there is no empty array that it could discard",
                ]
            ),
            (#""move": {"/first_name": "/name"}"#, [#"move "/first_name": `first_name` is at /user/first_name"#]),
            (#""drop": ["status", "/items/*/user_id"], "rename": {"/items/*/created_at": "t"}"#, []),
            (
                #""keep": {"/items/*": ["user_id", "zip"], "/users/*": ["id"]}"#,
                [
                    #"keep "/items/*/zip": "/items/*" has no key `zip`"#,
                    #"keep "/users/*": nothing is there; did you mean "/user/*"?"#,
                ]
            ),
            (
                #""unwrap": "/user", "wrap": "u", "rename": {"/first_name": "x"}, "defaults": {"/id": 0}"#,
                [
                    #"rename "/first_name": selectors name the input: write "/user/first_name""#,
                    #"defaults "/id": /id is there already"#,
                ]
            ),
            (
                #""values": [{"at": "/user/id", "as": "mask"}, {"at": "/id", "as": "mask"}, {"at": "nick", "as": "path"}]"#,
                [
                    #"values "/id": `id` is at /user/id"#,
                    #"values "nick": /user/nick is null, and null is never converted"#,
                ]
            ),
            (
                #""move": {"/items/*": {"/userid": "/id"}}"#,
                [#"move "/items/*/userid": nothing is there; did you mean "/items/*/user_id"?"#]
            ),
        ]
        for row in rows {
            let rules = row.rules.replacing(#""opaque": 0, "#, with: "")
            #expect(try Self.idle("{\(rules)}", payload) == row.idle, "\(rules)")
        }
    }

    @Test func `selectors name the forward input, also in an explanation of the inverse`() throws {
        let profile =
            #"{"keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"/a_b/c_d": "x", "/a_b/e": "y"}}"#
        let payload = #"{"aB": {"x": 1}}"#
        #expect(
            try Self.idle(profile, payload, .inverse) == [#"rename "/a_b/e": "/a_b" has no key `e`"#])
        let unwrapped = #"{"unwrap": "/data", "rename": {"/data/*/a": "b", "/data/*/c": "d"}}"#
        #expect(
            try Self.idle(unwrapped, #"[{"b": 1}]"#, .inverse) == [#"rename "/data/*/c": "/data/*" has no key `c`"#])
        let output = #"{"keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"/aB": "y"}}"#
        #expect(
            try Self.idle(output, payload, .inverse) == [
                #"rename "/aB": selectors name the input of the forward direction: write "/a_b""#
            ])
    }
}
