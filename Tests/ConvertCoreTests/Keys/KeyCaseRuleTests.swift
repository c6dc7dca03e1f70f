import ConvertText
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine

struct KeyCaseRuleTests {
    /// Written by hand from the format's rules.
    @Test func `keys agree with the specification`() throws {
        let groups: [SpecifiedKeys] = try Fixtures.decode("keys/specified.json")
        for group in groups {
            let rule = try KeyFixture.rule(
                group.case, acronyms: group.acronyms ?? [], style: group.acronymStyle ?? "title")
            for row in group.rows { check(rule, row[0], row[1], group.title) }
        }
        #expect(groups.reduce(0) { $0 + $1.rows.count } >= 190)
    }

    /// `Tests/reference/keys_table.py` computes these with Python's Unicode tables.
    @Test func `keys agree with an independent implementation, in every case`() throws {
        let count = try check(Fixtures.decode("keys/computed.json"))
        #expect(count >= 10_000)
    }

    /// Names that the table does not have: every class of scalar at random, with unusual lists of acronyms.
    @Test(.enabled(if: PythonReference.isAvailable, "needs python3"))
    func `generated keys agree with an independent implementation`() throws {
        let result = try PythonReference.run("keys_table.py", ["--random", "20261121", "10000"])
        try #require(result.status == 0, "\(result.errors)")
        let count = try check(JSONDecoder().decode(ComputedKeys.self, from: Data(result.output)))
        #expect(count == 80_000)
    }

    /// Checks every cell of a table and returns their number.
    private func check(_ computed: ComputedKeys) throws -> Int {
        var count = 0
        for table in computed.tables {
            for (column, target) in computed.targets.enumerated() {
                let rule = try KeyFixture.rule(target, acronyms: table.acronyms, style: table.acronymStyle)
                for row in table.rows { check(rule, row[0], row[column + 1], "\(target) \(table.acronyms)") }
                count += table.rows.count
            }
        }
        #expect(Set(computed.targets) == Set(KeyCase.allCases.filter { $0 != .preserve }.map(\.rawValue)))
        return count
    }

    @Test func `a key that is not valid UTF-8 stays unchanged`() {
        let names: [[UInt8]] = [
            Array("foo_bar".utf8) + [.max], [.max, ASCII.a], Array("foo_é".utf8.dropLast()),
            // The surrogate U+D83D, encoded as if UTF-8 allowed it.
            Array("foo_".utf8) + [237, 160, 189] + Array("_bar".utf8),
        ]
        for target in KeyCase.allCases {
            for name in names { #expect(KeyCaseRule(target: target).converted(name) == name) }
        }
    }

    /// With a list of acronyms, keys are split by other code, which maps every scalar by its Unicode properties.
    @Test func `a list of acronyms that do not occur changes no key, with any scalar`() {
        let unusual = stride(from: UInt32(0x3400), to: 0x11_0000, by: 89).compactMap(Unicode.Scalar.init)
        let scalars = (UInt32(0)..<0x3400).compactMap(Unicode.Scalar.init) + unusual
        for target in [KeyCase.camelCase, .screamingSnakeCase, .trainCase, .flatCase] {
            let rule = KeyCaseRule(target: target)
            let listing = KeyCaseRule(target: target, acronyms: ["QQXZQ"])
            for scalar in scalars {
                for name in ["\(scalar)aB\(scalar)c", "a\(scalar)\u{301}bC_\(scalar)"] {
                    let (plain, listed) = (rule.converted(name), listing.converted(name))
                    guard plain != listed || plain.utf8.count != listed.utf8.count else { continue }
                    Issue.record("\(target): \(scalar.value) \(name) \(plain) \(listed)")
                }
            }
        }
        #expect(scalars.count > 20_000)
    }

    @Test func `acronyms that no word can contain are never found`() {
        let unfit = ["", "A_B", "A B", "A$", "\u{301}A", "B\u{2D}"]
        let rule = KeyCaseRule(target: .snakeCase, acronyms: unfit + ["ID"])
        for (name, expected) in [("A_B", "a_b"), ("A$", "a$"), ("fooIDs", "foo_ids"), ("xA\u{301}A", "x_a\u{301}a")] {
            check(rule, name, expected, "unfit acronyms")
        }
    }

    @Test func `an acronym is found up to the maximum length`() {
        let longest = String(repeating: "A", count: KeyCaseRule.maxAcronymScalars)
        let found = KeyCaseRule(target: .pascalCase, acronyms: [longest], acronymStyle: .asListed)
        check(found, "x" + longest, "X" + longest, "longest")
        let notFound = KeyCaseRule(target: .pascalCase, acronyms: [longest + "A"], acronymStyle: .asListed)
        check(notFound, "x" + longest + "A", "XA" + longest.lowercased(), "one too long")
    }

    @Test func `an exact spelling beats capitals, and an earlier acronym beats a later one`() {
        let exact = KeyCaseRule(target: .pascalCase, acronyms: ["Url", "URL"], acronymStyle: .asListed)
        check(exact, "myURL", "MyURL", "exact")
        check(exact, "UrlName", "UrlName", "exact")
        let earlier = KeyCaseRule(target: .pascalCase, acronyms: ["uRl", "Url"], acronymStyle: .asListed)
        check(earlier, "myURL", "MyuRl", "earlier")
    }

    @Test func `rules that differ only in the normal form of an acronym are different`() {
        let composed = KeyCaseRule(target: .camelCase, acronyms: ["\u{C9}T"])
        let decomposed = KeyCaseRule(target: .camelCase, acronyms: ["E\u{301}T"])
        #expect(composed != decomposed)
        #expect(composed == KeyCaseRule(target: .camelCase, acronyms: ["\u{C9}T"]))
    }

    /// Converts both bytes and text, and compares them as UTF-8: `String` would call two normal forms equal.
    private func check(_ rule: KeyCaseRule, _ name: String, _ expected: String, _ title: String) {
        let bytes = rule.converted(Array(name.utf8))
        #expect(
            bytes == Array(expected.utf8),
            "\(title): \(name) became \(String(decoding: bytes, as: UTF8.self)), not \(expected)")
        #expect(Array(rule.converted(name).utf8) == bytes)
    }
}
