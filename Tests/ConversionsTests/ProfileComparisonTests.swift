import ConvertEngine
import Testing

@testable import Conversions
@testable import ConvertProfiles

/// The differences between the outputs of two profiles.
struct ProfileComparisonTests {
    private static func compared(_ text: String, _ direction: Profile.Direction = .forward) throws -> ComparedProfile {
        let profile = try Profile(parsing: Array(text.utf8))
        return ComparedProfile(profile, try profile.compile(direction))
    }

    static func comparison(
        _ old: String, _ new: String, _ keys: ShownKeys = .all, _ direction: Profile.Direction = .forward,
        maxGroups: Int = 100
    ) throws -> ProfileComparison {
        ProfileComparison(
            old: try compared(old, direction), new: try compared(new, direction), keys, maxGroups: maxGroups)
    }

    /// A line for each group: path, kind, count, and the rules or error codes.
    static func lines(_ tally: DifferenceTally) -> [String] {
        tally.groups.map { group in
            let old = group.difference.oldError?.rawValue ?? group.oldRule ?? "-"
            let new = group.difference.newError?.rawValue ?? group.newRule ?? "-"
            return "\(group.difference.path) \(group.difference.kind.rawValue) \(group.count) | \(old) | \(new)"
        }
    }

    private static func lines(
        _ old: String, _ new: String, on payload: String, _ direction: Profile.Direction = .forward
    ) throws -> [String] {
        var comparison = try comparison(old, new, .all, direction)
        _ = comparison.add(Array(payload.utf8), .document)
        return lines(comparison.tally)
    }

    @Test(
        arguments: [
            // The same.
            (#"{ "rename": { "a": "b" } }"#, #"{ "rename": { "/a": "b" } }"#, #"{"a":1}"#, []),
            // Two output keys for a key.
            (
                #"{ "rename": { "a": "b" } }"#, #"{ "rename": { "a": "c" } }"#, #"{"a":1}"#,
                [#"/b only-in-old 1 | rename "a" | rename "a""#, #"/c only-in-new 1 | rename "a" | rename "a""#]
            ),
            (
                #"{ "keys": "camelCase" }"#, "{}", #"{"x":[{"a_b":1},{"a_b":2,"c":3}]}"#,
                ["/x/*/aB only-in-old 2 | keys | -", "/x/*/a_b only-in-new 2 | keys | -"]
            ),
            // A value that one of them removes, adds or moves.
            ("{}", #"{ "drop": "/a/b" }"#, #"{"a":{"b":{"c":1},"d":2}}"#, [#"/a/b only-in-old 1 | - | drop "/a/b""#]),
            ("{}", #"{ "defaults": { "/v": 1 } }"#, "{}", [#"/v only-in-new 1 | - | defaults "/v""#]),
            (
                "{}", #"{ "move": { "/a/b": "/b" }, "drop": "/a/c" }"#, #"{"a":{"b":1,"c":2}}"#,
                [
                    #"/b only-in-new 1 | - | move "/a/b""#, #"/a/b only-in-old 1 | - | move "/a/b""#,
                    #"/a/c only-in-old 1 | - | drop "/a/c""#,
                ]
            ),
            // Other values: of the same type, of another one, and with other escapes.
            (
                #"{ "dates": { "at": "t", "to": "epoch-s" } }"#, #"{ "dates": { "at": "t", "to": "epoch-ms" } }"#,
                #"{"t":"1970-01-01T00:00:01Z"}"#, [#"/t value 1 | dates "t" | dates "t""#]
            ),
            (
                #"{ "dates": { "at": "t", "to": "epoch-s" } }"#, #"{ "rename": { "u": "v" } }"#,
                #"{"t":"1970-01-01T00:00:01Z","u":true}"#,
                [
                    #"/t type 1 | dates "t" | -"#, #"/u only-in-old 1 | - | rename "u""#,
                    #"/v only-in-new 1 | - | rename "u""#,
                ]
            ),
            (
                "{}", #"{ "output": { "escapes": "ascii" } }"#, #"{"a":"ü","ö":"x"}"#,
                [
                    "/a escapes 1 | - | -", "/ö escapes 1 | - | -",
                ]
            ),
            ("{}", #"{ "output": { "indent": 2 } }"#, #"{"a":1}"#, [" indent 1 | - | output.indent"]),
            (
                "{}", #"{ "output": { "indent": 2 }, "drop": "/a" }"#, #"{"a":1}"#,
                [#"/a only-in-old 1 | - | drop "/a""#]
            ),
            // The order of keys.
            (
                "{}", #"{ "output": { "sortKeys": true } }"#, #"{"o":{"b":1,"a":{"d":1,"c":2}}}"#,
                [
                    "/o order 1 | - | output.sortKeys",
                    "/o/a order 1 | - | output.sortKeys",
                ]
            ),
            // A new key between the others does not change their order.
            (
                "{}", #"{ "rename": { "b": "c" } }"#, #"{"a":1,"b":2,"d":3}"#,
                [
                    #"/b only-in-old 1 | - | rename "b""#, #"/c only-in-new 1 | - | rename "b""#,
                ]
            ),
        ] as [(String, String, String, [String])])
    func `each difference has its path, its kind and the rules there`(
        old: String, new: String, payload: String, expected: [String]
    ) throws {
        #expect(try Self.lines(old, new, on: payload) == expected)
    }

    @Test func `an element that only one output has is found between equal ones`() throws {
        let old = #"{ "records": { "at": "/items/*", "onError": "skip" }, "require": "/items/*/id" }"#
        let new = #"{ "records": { "at": "/items/*", "onError": "null" }, "require": "/items/*/id" }"#
        let kept = try Self.lines(old, new, on: #"{"items":[{"id":1},{},{"id":2}]}"#)
        #expect(kept.count == 1 && kept[0].hasPrefix("/items/* only-in-new 1 | "), "\(kept)")
    }

    @Test func `duplicate keys are compared in their order`() throws {
        let keep = #"{ "on": { "duplicateKey": "keep" } }"#
        let first = #"{ "on": { "duplicateKey": "first" } }"#
        #expect(
            try Self.lines(keep, first, on: #"{"a":1,"b":2,"a":3}"#) == [
                "/a only-in-old 1 | on.duplicateKey | on.duplicateKey"
            ])
    }

    @Test func `the inverse direction is compared, too`() throws {
        #expect(
            try Self.lines(
                #"{ "rename": { "first": "fn" } }"#, #"{ "rename": { "firstName": "fn" } }"#, on: #"{"fn":1}"#, .inverse
            )
                == [
                    #"/first only-in-old 1 | rename "first" | rename "firstName""#,
                    #"/firstName only-in-new 1 | rename "first" | rename "firstName""#,
                ])
    }

    @Test func `an error of one profile is a difference, an error of both is none`() throws {
        let strict = #"{ "require": "/items/*/id" }"#
        var comparison = try Self.comparison("{}", strict)
        #expect(comparison.add(Array(#"{"items":[{"id":1},{}]}"#.utf8), .document) == .error)
        #expect(comparison.add(Array(#"{"items":[{},{"id":1}]}"#.utf8), .document) == .error)
        #expect(comparison.add(Array(#"{"items":[]}"#.utf8), .document) == .same)
        guard case .unconvertible(let error) = comparison.add(Array("{,".utf8), .document) else {
            Issue.record("not JSON")
            return
        }
        #expect(error.code == .json)
        #expect(Self.lines(comparison.tally) == ["/items/*/id error 2 | - | require"])
        #expect(comparison.tally.groups.first?.newRule == #"require "/items/*/id""#)
        // The same payload breaks two different rules.
        var other = try Self.comparison(strict, #"{ "values": { "at": "n", "as": "number" } }"#)
        #expect(other.add(Array(#"{"n":"x","items":[{}]}"#.utf8), .document) == .error)
        #expect(Self.lines(other.tally).map { $0.split(separator: " | ").dropFirst() } == [["require", "badValue"]])
    }

    @Test func `a line that only one profile discards is a difference`() throws {
        var comparison = try Self.comparison(
            #"{ "records": { "onError": "skip" }, "require": "/id" }"#,
            #"{ "records": { "onError": "null" }, "require": "/id" }"#)
        #expect(comparison.add(Array(#"{"id":1}"#.utf8), .lines) == .same)
        #expect(comparison.add(Array("{}".utf8), .lines) == .differs)
        #expect(Self.lines(comparison.tally) == [" only-in-new 1 | records | -"])
    }

    @Test func `differences beyond the limit are counted together, and time that is over counts nothing`() throws {
        var comparison = try Self.comparison("{}", #"{ "drop": ["a", "b", "c"] }"#, maxGroups: 2)
        #expect(comparison.add(Array(#"{"a":1,"b":2,"c":3}"#.utf8), .document, { true }) == .cut)
        #expect(comparison.tally.groups.isEmpty)
        for _ in 0..<2 { _ = comparison.add(Array(#"{"a":1,"b":2,"c":3}"#.utf8), .document) }
        #expect(Self.lines(comparison.tally).map { $0.prefix(2) } == ["/a", "/b"])
        #expect(comparison.tally.groups.map(\.count) == [2, 2] && comparison.tally.others == 2)
        // The time ends between the conversions and the end of the comparison.
        for turns in 0..<4 {
            var left = turns
            var late = try Self.comparison("{}", #"{ "drop": "a" }"#)
            let outcome = late.add(Array(#"{"a":1}"#.utf8), .document) {
                left -= 1
                return left < 0
            }
            #expect(outcome == (turns < 3 ? .cut : .differs))
            #expect(late.tally.groups.isEmpty == (turns < 3))
        }
    }

    @Test func `paths show keys that look like names, or those that a profile names`() throws {
        let keys = [
            "id", "createdAt", "address_line-1", "$ref", "ada@example.com", "a3f5c0de-1f0b-4c1e-9d5e-6a7b8c9d0e1f",
            "4111111111111111", "Ada Lovelace", "", String(repeating: "x", count: 65), "user_12345", "Zürich",
        ]
        #expect(
            keys.map { ShownKeys.plain.step(Array($0.utf8)) } == [
                "/id", "/createdAt", "/address_line-1", "/$ref", "/*", "/*", "/*", "/*", "/*", "/*", "/*", "/*",
            ])
        let profile = #"""
            { "keys": "camelCase", "drop": ["/people/*/tax_id", "/rate~2", "x~2~1"], "rename": { "/a~1b": "c_d" },
              "examples": [{ "in": { "secretKey": 1 }, "out": { "secretKey": 1 } }] }
            """#
        let named = ShownKeys(namedIn: [Array(profile.utf8)], [try Self.compared(profile).plan])
        let steps = ["people", "tax_id", "taxId", "a/b", "rate*", "x*/", "c_d", "cD", "Ada", "secretKey", "0"].map {
            named.step(Array($0.utf8))
        }
        #expect(steps == ["/people", "/tax_id", "/taxId", "/a~1b", "/rate*", "/x*~1", "/c_d", "/cD", "/*", "/*", "/*"])
        #expect(named.path(of: "/people/0/a~1b/Ada") == "/people/*/a~1b/*" && named.path(of: "") == "")
        var comparison = try Self.comparison("{}", #"{ "rename": { "x": "y" } }"#, .plain)
        _ = comparison.add(Array(#"{"ada@example.com":{"x":1},"bob@example.com":{"x":1}}"#.utf8), .document)
        #expect(
            Self.lines(comparison.tally) == [
                #"/*/x only-in-old 2 | - | rename "x""#, #"/*/y only-in-new 2 | - | rename "x""#,
            ])
    }
}
