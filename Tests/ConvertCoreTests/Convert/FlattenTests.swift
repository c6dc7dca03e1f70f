import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `flatten`: profiles, payloads and their outputs, in any cuts. Further cases are in `Fixtures/transform`.
struct FlattenTests {
    @Test func `each line of NDJSON is flattened by itself`() throws {
        let profile = #"{"flatten": {"at": "/a", "prefix": "a_"}}"#
        let lines = "{\"a\":{\"b\":1}}\n\n{\"c\":[{\"a\":{}}],\"a\":null}\n{\"a\":{}}\n[{\"a\":{}}]\n"
        let flat = "{\"a_b\":1}\n{\"c\":[{\"a\":{}}],\"a\":null}\n{}\n[{\"a\":{}}]\n"
        #expect(try ConverterTrial.text(profile, lines, framing: .lines) == flat)
        let skipping = #"{"flatten": {"at": "/a", "prefix": "a_"}, "records": {"onError": "skip"}}"#
        #expect(try ConverterTrial.text(skipping, "{\"a\":1}\n" + lines, framing: .lines) == flat)
    }

    @Test func `flattened objects are indented and sorted like flat ones`() throws {
        let profile = #"{"flatten": ["/b", "/b/a"], "output": {"indent": 1, "sortKeys": true}}"#
        #expect(
            try ConverterTrial.text(profile, #"{"d":[{}],"b":{"c":{"x":1},"a":{"e":2}}}"#)
                == "{\n \"c\": {\n  \"x\": 1\n },\n \"d\": [\n  {}\n ],\n \"e\": 2\n}")
    }

    @Test func `an error has the path in the payload and the rule`() throws {
        let rows: [(profile: String, payload: String, code: ConversionError.Code, pointer: String, words: String)] = [
            (#"["/x", "/a/b"]"#, "{\"a\":\n {\"b\":[]}}", .flatten, "/a/b", "expected an object to flatten, or null"),
            (#"["/x", "/a/*"]"#, "{\"a\":\n [{}]}", .flatten, "/a/0", "the element of an array cannot be flattened"),
            (#"["/x", "/a"]"#, "{\"b\":1,\n \"a\":{\"b\":2}}", .collision, "/a/b", "would both be written as \"b\""),
            (#"["/x", "/a"]"#, "{\"a\":{\"b\":2},\n \"b\":1}", .collision, "/b", "would both be written as \"b\""),
        ]
        for row in rows {
            let plan = try Profile(parsing: #"{"flatten": \#(row.profile)}"#).compile(.forward)
            let error = #expect(throws: ConversionError.self) { try plan.convert(row.payload) }
            #expect(error?.code == row.code && error?.pointer == row.pointer, "\(row.payload) \(error as Any)")
            #expect(error?.rule == "/flatten/1" && error?.line == 2, "\(row.payload) \(error as Any)")
            #expect(error?.message.contains(row.words) == true, "\(error as Any)")
        }
        let undone = try Profile(parsing: #"{"flatten": {"at": "/a", "prefix": "a_"}}"#).compile(.inverse)
        let error = #expect(throws: ConversionError.self) { try undone.convert(#"{"a_b": 1, "a": {}}"#) }
        #expect(error?.code == .collision && error?.pointer == "/a_b" && error?.rule == "/flatten")
        #expect(error?.message.hasPrefix(#""a_b" and "a" would both be written as "a"; "#) == true)
    }

    @Test func `the position of an element that cannot be flattened does not depend on pieces`() throws {
        let plan = try Profile(parsing: #"{"flatten": "/1"}"#).compile(.forward)
        for payload in ["[1,\n{\n}]", "[1,\n\n2]"] {
            let whole = ConverterTrial(plan, Array(payload.utf8))
            #expect(whole.error?.line == 1 && whole.error?.column == 4)
            for cut in 1..<payload.utf8.count {
                #expect(whole.agrees(with: ConverterTrial(plan, Array(payload.utf8), cuts: [cut])), "\(cut)")
            }
        }
    }

    @Test func `the error of a collision names the move`() throws {
        for (move, payload, rule) in [
            (#"{"/a": "/b"}"#, #"{"a":1,"b":5}"#, "/move/~1a"), (#"{"/a": "/b"}"#, #"{"b":5,"a":1}"#, "/move/~1a"),
            (#"{"/o/x": "/b"}"#, #"{"b":5,"o":{"x":1}}"#, "/move/~1o~1x"),
        ] {
            let plan = try Profile(parsing: #"{"move": \#(move)}"#).compile(.forward)
            let error = #expect(throws: ConversionError.self) { try plan.convert(payload) }
            #expect(error?.code == .collision && error?.rule == rule, "\(payload): \(error as Any)")
        }
    }

    @Test func `a collision with an object that a move makes names the moved value`() throws {
        let profile = #"{"move": {"/u": "/b/u"}, "flatten": ["/n"], "on": {"duplicateKey": "last"}}"#
        let plan = try Profile(parsing: profile).compile(.forward)
        for payload in [#"{"n": {"b": ""}, "u": 1}"#, #"{"u": 1, "n": {"b": ""}}"#] {
            let error = #expect(throws: ConversionError.self) { try plan.convert(payload) }
            #expect(error?.code == .collision && error?.pointer == "/u", "\(error as Any)")
            #expect(
                error?.message.hasPrefix(#""/u" and "/n/b" would both be written as "b""#) == true, "\(error as Any)")
        }
    }

    @Test func `keys with prefixes count for the buffer limit`() throws {
        let prefix = String(repeating: "p", count: 1000)
        let profile = try Profile(
            parsing: #"{"flatten": {"at": "/a", "prefix": "\#(prefix)"}, "on": {"duplicateKey": "keep"}}"#)
        let members = (0..<100).map { "\"m\($0)\":0" }.joined(separator: ",")
        let payload = "{\"a\":{\(members)}}"
        let flat = try profile.compile(.forward).convert(payload)
        #expect(flat == "{" + members.split(separator: "\"m").map { "\"\(prefix)m\($0)" }.joined() + "}")
        let plan = try profile.compile(.forward, limits: Limits(maxHeldBytes: 50_000))
        let error = #expect(throws: ConversionError.self) { try plan.convert(payload) }
        #expect(error?.code == .limit)
    }

    @Test func `nested objects are flattened at any depth, and restored`() throws {
        let depth = 150
        let paths = (1...depth).map { String(repeating: "/o", count: $0) }
        let rules = paths.enumerated().map { "{\"at\": \"\($1)\", \"prefix\": \"p\($0)_\"}" }
        let profile = try Profile(parsing: "{\"flatten\": [\(rules.joined(separator: ","))]}")
        let payload = (1...depth).reduce("{\"x\":0}") { inner, level in "{\"o\":\(inner),\"y\":\(level)}" }
        // The innermost object is made first, so `y` counts from the inside.
        let prefixes = (0..<depth).map { "p\($0)_" }
        let members = (1...depth).map { "\"\(prefixes[..<(depth - $0)].joined())y\":\($0)" }
        let flat = "{\"\(prefixes.joined())x\":0,\(members.joined(separator: ","))}"
        #expect(try profile.compile(.forward).convert(payload) == flat)
        let back = (1...depth).reduce("{\"x\":0}") { inner, level in "{\"y\":\(level),\"o\":\(inner)}" }
        #expect(try profile.compile(.inverse).convert(flat) == back)
    }

    @Test func `members that a reversible profile flattens are restored`() throws {
        let rows: [(profile: String, payload: String)] = [
            (#""flatten": {"at": "/a", "prefix": "a_"}"#, #"{"x":1,"a":{"x":2,"a_":[3],"":4},"y":{"a":{"b":5}}}"#),
            (#""flatten": {"at": "/a", "names": ["b", "c"]}"#, #"{"a":{"b":1},"d":{"b":{"c":2}}}"#),
            (#""flatten": {"at": "/*/a", "prefix": "a"}"#, #"[{"a":{"a":1},"b":2},{"a":null},{}]"#),
            (
                #""flatten": [{"at": "/a", "prefix": "a_"}, {"at": "/b", "prefix": "b_"}, {"at": "/a/c", "names": ["d"]}]"#,
                #"{"b":{"a_":1},"a":{"e":2,"c":{"d":3}},"d":4}"#
            ),
            (
                #""keys": {"case": "camelCase", "from": "snake_case"}, "rename": {"/home/city": "town", "x": "home"}, "flatten": {"at": "/home", "prefix": "h."}, "values": {"at": "/home/*", "map": {"no": "off"}}"#,
                #"{"home":{"city":"no","post_code":"no","x":"no"},"x":{"a_b":1}}"#
            ),
            (
                #""unwrap": "/data", "wrap": "d", "flatten": {"at": "/data/*/a", "prefix": "a_"}"#,
                #"{"data":[{"a":{"b":1},"c":2}]}"#
            ),
            (
                #""flatten": {"at": "/a", "prefix": "a_"}, "move": {"/a/b": "/c", "/x/y": "/z"}"#,
                #"{"a":{"b":1,"d":{"b":2}},"x":{"y":3,"w":4}}"#
            ),
        ]
        let sorting = Plan.minify(output: OutputOptions(sortKeys: true))
        for row in rows {
            let profile = try Profile(parsing: "{\(row.profile)}")
            #expect(profile.invertibility.isInvertible, "\(row.profile) \(profile.invertibility.losses)")
            let there = try ConverterTrial.text("{\(row.profile)}", row.payload)
            #expect(there != row.payload)
            let back = try ConverterTrial.text("{\(row.profile)}", there, .inverse)
            #expect(try sorting.convert(back) == sorting.convert(row.payload), "\(row.profile): \(there)")
        }
    }

    @Test func `check reports which rules are reversible, and when`() throws {
        let rows: [(profile: String, losses: [String], words: String)] = [
            (
                #""flatten": [{"at": "/x", "names": ["d"]}, {"at": "/*/c", "names": ["d"]}]"#, ["/flatten/1"],
                "some of the objects around it are flattened"
            ),
            (
                #""flatten": {"at": "/a", "prefix": "a_"}, "on": {"collision": "first"}"#, ["/on/collision"],
                "discarded"
            ),
        ]
        for row in rows {
            let losses = try Profile(parsing: "{\(row.profile)}").invertibility.losses
            #expect(losses.map(\.pointer) == row.losses, "\(row.profile) \(losses)")
            #expect(losses.first?.message.contains(row.words) == true, "\(row.profile) \(losses)")
        }
        let profile = try Profile(.flatten("/a", prefix: "a_"), .flatten("/b", names: ["c"]))
        #expect(
            profile.invertibility.conditions.map(\.message) == [
                "reversible if the object has keys, and no key beside it begins with `a_`",
                "reversible if the object has keys, all of them in `names`, and no key beside it is one of these",
            ])
        // The inverse takes a value with the object's own key for the object: it may be null.
        for (rules, own) in [
            (#""flatten": {"at": "/a_b", "prefix": "a_"}"#, "a_b"),
            (#""keys": {"case": "camelCase", "from": "snake_case"}, "flatten": {"at": "/a_b", "prefix": "aB"}"#, "aB"),
        ] {
            let messages = try Profile(parsing: "{\(rules)}").invertibility.conditions.map(\.message)
            #expect(messages.last?.contains("has keys, none of which becomes `\(own)`, and") == true, "\(messages)")
        }
        // A one-way rule does nothing in the inverse direction and does not affect the rules beside it.
        let half = try Profile(parsing: #"{"flatten": ["/a", {"at": "/b", "prefix": "b_"}]}"#).compile(.inverse)
        #expect(try half.convert(#"{"b_c": 1, "d": 2}"#) == #"{"d":2,"b":{"c":1}}"#)
    }

    @Test func `explain reports which value replaces which`() throws {
        func effects(_ profile: String, _ payload: String, _ direction: Profile.Direction) throws -> [String] {
            try Explanation(of: Profile(parsing: profile), on: Array(payload.utf8), direction).lines
        }
        let rules = #"{"at": "/a", "prefix": "a_"}, {"at": "/*/d", "prefix": "d"}"#
        let profile = #"{"rename": {"/a/b": "c"}, "flatten": [\#(rules)]}"#
        #expect(
            try effects(profile, #"{"a": {"b": 1, "d": {"e": 2}}, "x": {"d": null}}"#, .forward) == [
                "/a > - < /flatten/0: flatten: its values move into the object around it, with `a_` before their keys",
                "/a/b > /a_c < /rename/~1a~1b: rename: `b` -> `c`",
                "/a/d > - < /flatten/1: flatten: its values move into the object around it, with `d` before their keys",
                "/x/d > /x/d < /flatten/1: flatten: null is kept",
            ])
        #expect(
            try effects(profile, #"{"a_c": 1, "a_f": 2}"#, .inverse) == [
                "/a_c > /a/b < /rename/~1a~1b: rename: `a_c` -> `b`",
                "/a_c > /a/b < /flatten/0: flatten: `a_c` goes back into its object",
                "/a_f > /a/f < /flatten/0: flatten: `a_f` goes back into its object",
            ])
        let skipping = #"{"flatten": "/*/a", "records": {"at": "/*", "onError": "skip"}}"#
        #expect(
            try effects(skipping, #"[{"a": 1}]"#, .forward) == [
                "/0 > - < /records: record: discarded (flatten)",
                "/0/a > - < /flatten: flatten: not an object in an object",
            ])
        let idle = try Explanation(of: Profile(parsing: #"{"flatten": ["/a", "/b"]}"#), on: Array(#"{"a": {}}"#.utf8))
        #expect(idle.idleRules.map(\.rule) == ["/flatten/1"])
        #expect(idle.idleRules.map(\.label) == ["flatten \"/b\""])
    }

    @Test func `settings that exclude flatten are refused`() {
        let rows: [(profile: String, pointer: String, words: String)] = [
            (#""flatten": "a""#, "/flatten", "needs pointers"),
            (#""flatten": "/**/a""#, "/flatten", "does not accept `**`"),
            (#""flatten": {"at": "/a/**"}"#, "/flatten/at", "does not accept `**`"),
            (#""flatten": [{"prefix": "a"}]"#, "/flatten/0", "`at` is missing"),
            (#""flatten": {"at": "/a", "prefix": ""}"#, "/flatten/prefix", "`prefix` is empty"),
            (#""flatten": {"at": "/a", "names": []}"#, "/flatten/names", "`names` is empty"),
            (#""flatten": {"at": "/a", "prefix": "a", "names": "b"}"#, "/flatten/names", "nothing beside `prefix`"),
            (#""flatten": {"at": "/a", "suffix": "a"}"#, "/flatten/suffix", "unknown key"),
            (#""flatten": ["/a", {"at": "/a", "prefix": "b"}]"#, "/flatten/1", "also on line 1"),
            (#""flatten": "/a/b", "move": {"/*/b": "/*/c"}"#, "/flatten", "`/a/b` is also moved, on line 1"),
            (#""flatten": "/a", "move": {"/b": "/a/c"}"#, "/move/~1b", "the target is in `/a`"),
            (#""flatten": "/*/a", "move": {"/x/a/b": "/x/a/c"}"#, "/move/~1x~1a~1b", "the target is in `/*/a`"),
            (#""flatten": "/a", "move": {"/b": "/a"}"#, "/move/~1b", "the target is in `/a`"),
            (#""flatten": "/r/0", "records": {"at": "/r/*", "onError": "skip"}"#, "/flatten", "is a record"),
            (#""flatten": "/*/r", "records": {"at": "/a/r/*", "onError": "null"}"#, "/flatten", "contains records"),
            (#""flatten": "/b/c", "unwrap": "/a""#, "/flatten", "not below `/a`"),
            (#""flatten": "/a", "unwrap": "/a""#, "/flatten", "not below `/a`"),
            (#""flatten": "/a", "values": {"at": "b", "as": "path"}"#, "/values", "does not follow"),
            (#""flatten": {"at": "/a", "prefix": "a"}, "roundTrip": "required""#, "/flatten", "an empty object"),
        ]
        for row in rows {
            let faults = profileFaults(Array("{\(row.profile)}".utf8))
            #expect(faults.first?.pointer == row.pointer, "\(row.profile) \(faults)")
            #expect(faults.first?.message.contains(row.words) == true, "\(row.profile) \(faults)")
            #expect(faults.first?.hint?.isEmpty == false, "\(row.profile) \(faults)")
        }
        let taken = [
            #""flatten": "/a", "move": {"/a/b": "/c"}"#,
            #""flatten": "/r/*/a", "records": {"at": "/r/*", "onError": "skip"}"#,
            #""flatten": "/r", "records": {"at": "/r/a/*", "onError": "skip"}"#,
            #""flatten": ["/*/a", "/b/a"]"#, #""flatten": []"#, #""flatten": "/r/*", "records": {"at": "/r/*"}"#,
        ]
        for text in taken { #expect(profileFaults(Array("{\(text)}".utf8)).isEmpty, "\(text)") }
    }

    @Test func `too many paths are refused`() {
        func flattening(_ count: Int, moves: Int = 0) -> [UInt8] {
            let paths = (0..<count).map { "\"/a\($0)\"" }.joined(separator: ",")
            let rules = (0..<moves).map { "\"/x/y\($0)\": \"/x/z\($0)\"" }.joined(separator: ",")
            return Array("{\"flatten\": [\(paths)], \"move\": {\(rules)}}".utf8)
        }
        #expect(profileFaults(flattening(250)).isEmpty)
        #expect(profileFaults(flattening(251)).map(\.pointer) == ["/flatten/250"])
        #expect(profileFaults(flattening(100, moves: 1001)).first?.message.contains("too many moves") == true)
    }

    @Test func `a rule that never applies is a warning`() throws {
        let dropped = try Profile(parsing: #"{"flatten": "/a/b", "drop": "/a"}"#)
        #expect(dropped.warnings.map(\.pointer) == ["/flatten"])
        #expect(dropped.warnings.first?.message.contains("the rule never applies") == true)
    }

    @Test func `a prefix for pointers also applies to flattened objects`() throws {
        let profile = try Profile(.flatten("/a", prefix: "a_"), .flatten("/b")).prefixed(with: "/users/*")
        #expect(
            try profile.compile(.forward).convert(#"{"users":[{"a":{"x":1}},{"b":{"y":2}}],"a":{"x":3}}"#)
                == #"{"users":[{"a_x":1},{"y":2}],"a":{"x":3}}"#)
        let grouped = try Profile(.at("/users/*", .flatten("/a", names: ["x"])))
        #expect(try grouped.compile(.inverse).convert(#"{"users":[{"x":1}]}"#) == #"{"users":[{"a":{"x":1}}]}"#)
    }
}
