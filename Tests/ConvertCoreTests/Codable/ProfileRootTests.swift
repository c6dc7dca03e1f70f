import ConvertEngine
import FoundationEssentials
import Testing

@testable import ConvertCodable
@testable import ConvertProfiles

/// Profiles whose paths begin at a type.
struct ProfileRootTests {
    private struct User: Codable, Hashable {
        var firstName: String
        var bets: [Bet]
    }

    private struct Bet: Codable, Hashable {
        var betId: String?
        var amount: Double?
    }

    /// Renames from the short keys of the wire to those of the code.
    private static let rules: [ProfileRule] = [
        .rename(["/fn": "firstName", "/b": "bets"]), .rename(["/b/*/i": "betId", "/b/*/a": "amount"]),
    ]
    private static let user = #"{"fn":"A","b":[{"i":"1","a":2.5}]}"#
    private static let value = User(firstName: "A", bets: [Bet(betId: "1", amount: 2.5)])

    @Test func `a coder of one type accepts its lists, sets and dictionaries, and no other type`() throws {
        let profile = try Profile(rules: Self.rules)
        let decoder = try ConvertDecoder(profile, describing: User.self)
        let encoder = try ConvertEncoder(profile, describing: User.self)
        func roundTrip<Value: Codable & Equatable>(_ value: Value, _ json: String) throws {
            #expect(try decoder.decode(Value.self, from: json) == value)
            #expect(String(decoding: try encoder.encode(value), as: UTF8.self) == json)
        }
        try roundTrip(Self.value, Self.user)
        try roundTrip([Self.value, Self.value], "[\(Self.user),\(Self.user)]")
        try roundTrip(["k": [Self.value]], #"{"k":[\#(Self.user)]}"#)
        try roundTrip(Set([Self.value]), "[\(Self.user)]")
        try roundTrip([Self.value, nil], "[\(Self.user),null]")
        let refused = #expect(throws: DecodingError.self) { try decoder.decode(Bet.self, from: #"{"i":"1"}"#) }
        #expect(String(describing: refused).contains("describes User, not Bet"))
        let unwritten = #expect(throws: EncodingError.self) { try encoder.encode(Bet(betId: "1", amount: 1)) }
        #expect(String(describing: unwritten).contains("describes User, not Bet"))
    }

    @Test func `a prefix is added to all pointers of a profile, and not to bare keys`() throws {
        let profile = try Profile(
            .keys(.camelCase, opaque: ["/map_of_x"]), .rename("/old_name", to: "name"), .rename("id", to: "key"),
            .move("/a/b", to: "/c"), .default("/kind", "x"), .drop("/secret"), .require("/a"),
            .dates(at: "/seen", to: .epochSeconds), .records(at: "/list/*", onError: .skip),
            .values(at: "/n", as: .string))
        let inner = #"""
            {"old_name":1,"id":2,"a":{"b":3},"map_of_x":{"k_y":1},"secret":4,"seen":"1970-01-01T00:00:01Z","n":5}
            """#
        let output = try profile.compile(.forward).convert(inner)
        #expect(
            output
                == #"{"name":1,"key":2,"a":{},"mapOfX":{"k_y":1},"seen":1,"n":"5","c":3,"kind":"x"}"#)
        for (prefix, before, after) in [("/*", "[", "]"), ("/data/*/of_it", #"{"data":[{"of_it":"#, "}]}")] {
            let plan = try profile.prefixed(with: prefix).compile(.forward)
            let expected = before.replacing("of_it", with: "ofIt") + output + after
            #expect(try plan.convert(before + inner + after) == expected, "\(prefix)")
        }
        for wrong in ["x", "/**/x", "/~9"] {
            let error = #expect(throws: ProfileError.self) { try profile.prefixed(with: wrong) }
            #expect(error?.faults.first?.message.contains("prefix") == true)
        }
    }

    @Test func `at() in Swift gives the same rules as a profile written by hand`() throws {
        let nested = Profile.document(of: [
            .at(
                "/articles/*", .move("/content/headline", to: "/headline"), .at("/tags", .drop("/0", "name")),
                .rename(["/a~1b": "c", "d": "e"]), .move(["/b": "/c"])), .dates(at: "/x", to: .rfc3339),
        ])
        let byHand = Profile.document(of: [
            .move("/articles/*/content/headline", to: "/articles/*/headline"),
            .drop("/articles/*/tags/0", "name"), .rename(["/articles/*/a~1b": "c", "d": "e"]),
            .move("/articles/*/b", to: "/articles/*/c"),
            .dates(at: "/x", to: .rfc3339),
        ])
        #expect(String(decoding: nested, as: UTF8.self) == String(decoding: byHand, as: UTF8.self))
        let error = #expect(throws: ProfileError.self) { try Profile(.at("/a", .keys(.camelCase)), .drop("/b")) }
        #expect(error?.faults.first?.message == "`keys` applies to the whole payload, so it cannot be put below /a")
    }

    @Test func `an invalid path of at is an error at its line`() throws {
        let line = #line + 2
        let rows: [(rule: ProfileRule, words: String)] = [
            (.at("users/*", .drop("/secret")), "write `/users/*`, not `users/*`"),
            (.at("/users/*/", .drop("/secret")), "write `/users/*`, not `/users/*/`"),
            (.at("$.users[]", .drop("/secret")), "write `/users/*`, not `$.users[]`"),
            (.at("users", .keys(.camelCase)), "write `/users`, not `users`"),
            (.at("/a", .at("b", .drop("/c"))), "write `/b`, not `b`"),
            (.at("/", .drop("/a")), "leave out `at` for the root"),
            (.at("a~9"), "write `/a~9`, not `a~9`"),
        ]
        for (index, row) in rows.enumerated() {
            let error = #expect(throws: ProfileError.self, "\(row.words)") { try Profile(row.rule) }
            let fault = error?.faults.first
            #expect(fault?.message.hasPrefix("the path of `at` begins with `/` and does not end with it") == true)
            #expect(fault?.message.hasSuffix(row.words) == true, "\(String(describing: fault))")
            #expect(fault?.source == "ConvertCoreTests/ProfileRootTests.swift:\(line + index)")
        }
        #expect(try Profile(.at("", .drop("/a"))).drops == Profile(.drop("/a")).drops)
    }

    @Test func `a default below a pointer applies there, or is an error with the rule`() throws {
        let value = ProfileRule.at("/users/*", .default("/kind", "x"))
        let plan = try Profile(value, .keys(.camelCase)).compile(.forward)
        #expect(try plan.convert(#"{"users":[{}]}"#) == #"{"users":[{"kind":"x"}]}"#)
        let below = ProfileRule.at("/user_list/*", .default("/kind", "x"))
        // Its path in the output has another key or is another path.
        let others: [ProfileRule] = [
            .keys(.camelCase), .rename("user_list", to: "users"), .rename("user_*", to: "users"),
            .move("/user_list", to: "/users"), .flatten("/user_list"), .unwrap("/user_list"),
        ]
        for other in others {
            let error = #expect(throws: ProfileError.self, "\(other)") { try Profile(below, other) }
            let fault = try #require(error?.faults.first)
            #expect(fault.message.contains("the profile writes /user_list/* with another key"))
            #expect(fault.pointer == "/defaults")
            #expect(fault.source?.hasPrefix("ConvertCoreTests/ProfileRootTests.swift:") == true)
        }
        let moving = ProfileRule.at("/data/user", .move("/name/first", to: "/first"))
        let error = #expect(throws: ProfileError.self) { try Profile(moving, .unwrap("/data")) }
        #expect(error?.faults.map(\.pointer) == ["/move"])
        #expect(try Profile(moving, .keys(.camelCase)).moves.count == 1)
        // These rules keep the key.
        for other in [
            ProfileRule.keys(.camelCase, except: ["/user_list"]), .keys(.camelCase, opaque: ["/**"]),
            .rename("user_list", to: "user_list"), .rename("/user_list/*/x", to: "y"),
        ] {
            let plan = try Profile(below, other).compile(.forward)
            #expect(try plan.convert(#"{"user_list":[{}]}"#) == #"{"user_list":[{"kind":"x"}]}"#, "\(other)")
        }
        // A whole profile that is placed there writes the keys of the output itself.
        let renaming = try Profile(.default("/kind", "x"), .rename("user_list", to: "users"))
        let prefixed = try renaming.prefixed(with: "/user_list/*").compile(.forward)
        #expect(try prefixed.convert(#"{"user_list":[{}]}"#) == #"{"users":[{"kind":"x"}]}"#)
    }

    @Test func `values that contain keys refer to the keys below the pointer of at`() throws {
        let rules: [ProfileRule] = [
            .rename("/first_name", to: "first"), .values(at: "/sort", as: .name()),
            .values(at: "/path", as: .path(separator: "/")),
        ]
        let input = #"{"first_name":1,"sort":"first_name","path":"first_name"}"#
        let output = #"{"first":1,"sort":"first","path":"first"}"#
        #expect(try Profile(rules: rules).compile(.forward).convert(input) == output)
        let inside = try Profile(.at("/a", .at("/*", rules[0], rules[1], rules[2]))).compile(.forward)
        #expect(try inside.convert(#"{"a":[\#(input)]}"#) == #"{"a":[\#(output)]}"#)
    }

    @Test func `an error of a rule names the file and the line of the rule`() throws {
        let first = #line + 1
        let rules: [ProfileRule] = [
            .rename(["/ok": "a", "/b/~9": "c"]),
            .dates(at: "/x", to: .pattern("QQ")),
            .keys(.camelCase),
            .keys(.snakeCase),
        ]
        let error = #expect(throws: ProfileError.self) { try Profile(rules: rules) }
        let file = "ConvertCoreTests/ProfileRootTests.swift"
        let sources = Set(error?.faults.map(\.source) ?? [])
        #expect(sources == Set([1, 2, 4].map { "\(file):\(first + $0)" }))
        #expect(error?.description.contains("\(file):\(first + 1): ") == true)
        // Two rules with the same content are equal, wherever they are written.
        #expect(ProfileRule.drop("/a") == ProfileRule.drop("/a"))
    }

    @Test func `a map of keys may be a dictionary`() throws {
        let names = ["first_name": "fn", "/a/b": "c"]
        let profile = try Profile(.rename(names))
        #expect(try profile.compile(.forward).convert(#"{"first_name":1,"a":{"b":2}}"#) == #"{"fn":1,"a":{"c":2}}"#)
    }

    @Test func `a report lists the rules that matched nothing, and those that cannot match`() throws {
        let profile = try Profile(rules: Self.rules + [.drop("/**/secret", "hidden*")])
        let decoder = try ConvertDecoder(profile)
        let matching = try decoder.decodeReporting(User.self, from: Self.user)
        #expect(matching.unmatchedRules.map(\.selector) == ["/**/secret", "hidden*"])
        #expect(matching.unmatchedRules.allSatisfy { !$0.cannotMatch })
        #expect(matching.unmatchedRules.first?.rule == "/drop/0")
        let list = try decoder.decodeReporting([JSONValue].self, from: #"[{"fn":1,"x":{"secret":1,"hiddenOne":2}}]"#)
        #expect(list.unmatchedRules.map(\.selector) == ["/fn", "/b", "/b/*/i", "/b/*/a"])
        #expect(list.unmatchedRules.allSatisfy { $0.cannotMatch })
        // In the inverse direction, selectors match the output.
        let inverse = try ConvertDecoder(profile, applying: .inverse)
        let back = try inverse.decodeReporting(JSONValue.self, from: #"{"firstName":"A","bets":[{"betId":1}]}"#)
        #expect(back.unmatchedRules.map(\.selector) == ["/b/*/a"])
        // A default matches nothing where it applies.
        #expect(try Profile(.default("/x/y", 1)).unmatchedRules(in: Array("[1]".utf8)) == [])
        // Many `**` take time in proportion to their number.
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let wild = try Profile(.drop("/**/*/**/*/**/*/**/x"))
        #expect(try wild.unmatchedRules(in: Array(deep.utf8)).count == 1)
    }

    @Test func `a report of an encoder lists the rules that matched nothing`() throws {
        let profile = try Profile(rules: Self.rules + [.drop("/secret")])
        let report = try ConvertEncoder(profile).encodeReporting(Self.value)
        #expect(String(decoding: report.json, as: UTF8.self) == Self.user)
        // The inverse drops nothing.
        #expect(report.unmatchedRules == [])
        let list = try ConvertEncoder(profile).encodeReporting([Self.value])
        #expect(list.unmatchedRules.map(\.selector) == ["/fn", "/b", "/b/*/i", "/b/*/a"])
        #expect(list.unmatchedRules.allSatisfy { $0.cannotMatch })
        let out = try Profile(
            .keys(.snakeCase), .rename("/firstName", to: "fn"), .rename("/lastName", to: "ln"), .drop("/bets/*/id"),
            .default("/x", 1))
        let forward = try ConvertEncoder(out, applying: .forward).encodeReporting(Self.value)
        #expect(forward.unmatchedRules.map(\.selector) == ["/lastName", "/bets/*/id"])
        #expect(forward.unmatchedRules.allSatisfy { !$0.cannotMatch })
        #expect(try ConvertEncoder().encodeReporting([1]).unmatchedRules == [])
    }

    @Test func `a report lists the rules for elements that matched no array`() throws {
        struct Page: Decodable { var sections: [[String: [Int]]] }
        var decoder = ConvertDecoder()
        let rules = [
            ElementFailureRule(.skip, inArray: "/sections/*/items"), ElementFailureRule(.fail, inArray: "/sections"),
            ElementFailureRule(.skip, inArray: "/section"), ElementFailureRule(.skip, inArray: "/sections/0/items"),
        ]
        decoder.elementFailures = rules
        let report = try decoder.decodeReporting(Page.self, from: #"{"sections":[{"items":[1,"x"]}],"section":[1]}"#)
        #expect(report.failures.map(\.pointer) == ["/sections/0/items/1"])
        #expect(report.unmatchedElementRules == [rules[2], rules[3]])
        decoder.elementFailures = [ElementFailureRule(.skip)]
        #expect(try decoder.decodeReporting(Int.self, from: "1").unmatchedElementRules == decoder.elementFailures)
        // An array inside the replacement of an element counts.
        decoder.elementFailures = [
            ElementFailureRule(.skip, inArray: "/0"), ElementFailureRule(.replace(with: [1]), inArray: ""),
        ]
        let replaced = try decoder.decodeReporting([[Int]].self, from: "[null]")
        #expect(replaced.value == [[1]])
        #expect(replaced.unmatchedElementRules == [])
    }

    @Test func `a profile with unwrap describes one value only`() throws {
        struct User: Codable, Equatable { var id: Int }
        let decoder = try ConvertDecoder(Profile(.unwrap("/data")), describing: User.self)
        #expect(try decoder.decode(User.self, from: #"{"data":{"id":1}}"#) == User(id: 1))
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode([User].self, from: #"{"data":[{"id":1}]}"#)
        }
        #expect(String(describing: error).contains("`unwrap` or `wrap` is for whole documents"))
    }
}
