import ConvertEngine
import ConvertProfiles
import HTTPWire
import TestSupport
import Testing
import Text

@testable import Gateway
@testable import HTTPSemantics

/// Queries of any bytes: their keys are mapped as the converter maps keys of bodies.
struct QueryNamesFuzzTests {
    private static let forms = NameForm.OutsideSyntax.allCases

    private static func plan(_ profile: String) throws -> Plan {
        try Profile(parsing: Array(profile.utf8)).compile(.inverse)
    }

    private static func names(_ profile: String, values: Bool = true) throws -> QueryNames {
        var rule = QueryRule()
        rule.names = [.all]
        if values {
            rule.values = try ["a", "b[*]", "c*", "sort"].enumerated().map { index, text in
                QueryRule.Value(try #require(ParameterPattern(text)), forms[index % forms.count])
            }
        }
        return QueryNames(rule, plan: try plan(profile), withholdsRequests: false, withholdingResponses: nil)
    }

    private static func randomQuery(_ numbers: inout SeededGenerator) -> [UInt8] {
        let pieces = [
            "a", "b[", "]", "c", "sort", "=", "=", "&", "&", ",", ".", "-", "+", "%5B", "%5d", "%2C", "%zz", "%", "%ff",
            "%00", "created_at",
            "createdAt", "lineItems", "0", "[]", "[1]", ":desc", "%20asc", "/", "~", "~1", "%7E0", ";", "é", "?", "'",
            "\\", "utm_source",
        ]
        return (0..<Int.random(in: 0...30, using: &numbers)).flatMap { _ in
            Array(pieces[Int.random(in: 0..<pieces.count, using: &numbers)].utf8)
        }
    }

    @Test func `a profile without rules leaves every query unchanged`() throws {
        let names = try Self.names("{}")
        for seed in FuzzSeeds(usual: 7) {
            var numbers = SeededGenerator(seed: seed)
            for _ in 0..<2_000 {
                let query = Self.randomQuery(&numbers)
                #expect(try Array(names.converted(query[...])) == query, "seed \(seed)")
            }
        }
    }

    @Test func `parameters of any query stay separate, and a second conversion changes nothing`() throws {
        let names = try Self.names(
            #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "rename": { "x&y=z": "lineItems" } }"#)
        for seed in FuzzSeeds(usual: 8) {
            var numbers = SeededGenerator(seed: seed)
            for _ in 0..<2_000 {
                let query = Self.randomQuery(&numbers)
                let converted = Array(try names.converted(query[...]))
                // A further `=` belongs to the value, which may get it encoded.
                func haveValues(_ query: [UInt8]) -> [Bool] {
                    query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { parameter in
                        parameter.contains(UInt8(ascii: "="))
                    }
                }
                #expect(
                    haveValues(converted) == haveValues(query),
                    "seed \(seed): \(String(decoding: query, as: UTF8.self))")
                #expect(
                    try Array(names.converted(converted[...])) == converted,
                    "seed \(seed): \(String(decoding: query, as: UTF8.self))")
            }
        }
    }

    @Test func `a key is converted in a query like in a body`() throws {
        let profiles = [
            #"{ "keys": { "case": "camelCase", "from": "snake_case", "digits": "word" }, "rename": { "org_id": "organization", "left": "right", "right": "left" } }"#,
            #"{ "keys": { "case": "snake_case", "from": "PascalCase", "acronyms": "common", "except": "page_size" } }"#,
        ]
        let letters = Array("abzAZ09_-éÜ &=+%#/?~".map { $0 })
        for profile in profiles {
            let (names, plan) = (try Self.names(profile, values: false), try Self.plan(profile))
            for seed in FuzzSeeds(usual: 9) {
                var numbers = SeededGenerator(seed: seed)
                for _ in 0..<1_000 {
                    let known = ["organization", "left", "page_size", "orgId"].randomElement(using: &numbers) ?? ""
                    let random = (0..<Int.random(in: 1...9, using: &numbers)).map { _ in
                        letters[Int.random(in: 0..<letters.count, using: &numbers)]
                    }
                    let key = Bool.random(using: &numbers) ? known : String(random)
                    // A key of digits is an index, which no rule changes.
                    guard !key.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
                        continue
                    }
                    let query = key.utf8.flatMap {
                        [ASCII.percent, ASCII.upperHexDigit($0 >> 4), ASCII.upperHexDigit($0 & 0xF)]
                    }
                    let sent = try #require(QueryText(decoding: names.converted(query[...])))
                    let body = try plan.convert("{\"\(key)\":0}")
                    #expect("{\"\(String(decoding: sent.bytes, as: UTF8.self))\":0}" == body, "\(key)")
                }
            }
        }
    }
}
