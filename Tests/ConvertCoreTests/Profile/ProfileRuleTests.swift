import ConvertText
import Testing

@testable import ConvertCodable
@testable import ConvertEngine
@testable import ConvertProfiles

struct ProfileRuleTests {
    /// Rules, and their sections in the profile format, without `version`.
    private static let rows: [(rules: [ProfileRule], sections: String)] = [
        ([], ""),
        ([.name("m"), .description("Short \"names\"")], #""name":"m","description":"Short \"names\"""#),
        ([.keys(.camelCase)], #""keys":{"case":"camelCase"}"#),
        (
            [
                .keys(
                    .snakeCase, from: .camelCase, acronyms: ["ID"], acronymStyle: .asListed, digits: .word,
                    except: ["_links"],
                    opaque: ["/a", "/b/*"])
            ],
            #""keys":{"case":"snake_case","from":"camelCase","acronyms":["ID"],"acronymStyle":"asListed","digits":"word","except":["_links"],"opaque":["/a","/b/*"]}"#
        ),
        (
            [.rename("a", to: "b"), .drop("/x"), .rename(["c": "d", "/e/*": "f"]), .drop("/y", "z_*")],
            #""rename":{"a":"b","c":"d","/e/*":"f"},"drop":["/x","/y","z_*"]"#
        ),
        (
            [
                .dates(at: "a", "/b", from: [.pattern("dd/MM/yyyy"), .auto], to: .epochSeconds, assumeZone: "UTC"),
                .dates(.rfc3339, precision: 3, zone: "Europe/Paris"),
            ],
            #""dates":[{"at":["a","/b"],"from":[{"pattern":"dd/MM/yyyy"},"auto"],"to":"epoch-s","assumeZone":"UTC"},{"to":"rfc3339","precision":3,"zone":"Europe/Paris"}]"#
        ),
        (
            [
                .values(at: "zip", as: .string), .values(at: "id", as: .upperCaseUUID),
                .values(at: "url", as: .url(relativeTo: "https://a.example")),
            ],
            #""values":[{"at":["zip"],"as":"string"},{"at":["id"],"as":"uuid","case":"upper"},{"at":["url"],"as":"url","relativeTo":"https://a.example"}]"#
        ),
        (
            [
                .values(at: "a", as: .mask), .values(at: "b", as: .mask(text: "x")),
                .values(at: "c", as: .mask(keepingFirst: 1, last: 2, character: "•", text: "y")),
            ],
            #""values":[{"at":["a"],"as":"mask"},{"at":["b"],"as":"mask","text":"x"},{"at":["c"],"as":"mask","keep":{"first":1,"last":2},"char":"•","text":"y"}]"#
        ),
        (
            [.keep("/a"), .keep(["id", "/b/c"], of: "/a/*")],
            #""keep":["/a",{"/a/*":["id","/b/c"]}]"#
        ),
        (
            [.values(at: "a", as: .hash(keyVariable: "K")), .values(at: "b", as: .hash(keyFile: "/k", bytes: 8))],
            #""values":[{"at":["a"],"as":"hash","key":{"env":"K"}},{"at":["b"],"as":"hash","key":{"file":"/k"},"bytes":8}]"#
        ),
        (
            [
                .values(at: "a", as: .name()), .values(at: "b", as: .path(of: "/x/*", separator: "/")),
                .values(at: "c", as: .names(of: "/y")), .values(at: "d", as: .pointer),
            ],
            #""values":[{"at":["a"],"as":"name"},{"at":["b"],"as":"path","of":"/x/*","separator":"/"},{"at":["c"],"as":"names","of":"/y"},{"at":["d"],"as":"pointer"}]"#
        ),
        (
            [.move("/a/b", to: "/c"), .move(["/d/e": "/f", "/g/*/h/i": "/g/*/j"]), .move([:])],
            #""move":{"/a/b":"/c","/d/e":"/f","/g/*/h/i":"/g/*/j"}"#
        ),
        ([.unwrap("/data"), .wrap("items")], #""unwrap":"/data","wrap":"items""#),
        (
            [.wrap("/a/b", with: ["ok": true, "n": [1, nil]])],
            #""wrap":{"at":"/a/b","with":{"ok":true,"n":[1,null]}}"#
        ),
        (
            [
                .on(collision: .first, duplicateKey: .keep, badValue: .null, lossyKey: .error),
                .output(indent: 2, escapes: .ascii), .roundTrip(.ignore), .example(#"{"a": 1}"#, becomes: "[1]"),
            ],
            #""on":{"collision":"first","duplicateKey":"keep","badValue":"null","lossyKey":"error"},"output":{"indent":2,"sortKeys":false,"escapes":"ascii"},"roundTrip":"ignore","examples":[{"in":{"a":1},"out":[1]}]"#
        ),
        (
            [
                .values(at: "s", map: ["0": "off", "1": true, "": nil, "x": 1.5]), .default("/c", "EUR"),
                .default("/d/*/e", ["a": [1, nil]]),
            ],
            #""values":[{"at":["s"],"map":{"0":"off","1":true,"":null,"x":1.5}}],"defaults":{"/c":"EUR","/d/*/e":{"a":[1,null]}}"#
        ),
        (
            [
                .keep("/a", "/b/**"), .require("/id"), .move("/a/b", to: "/c"),
                .flatten("/d"), .flatten("/e", prefix: "e_"), .flatten("/f", names: ["g", "h"]),
                .prune(null: true, inArrays: true), .records(at: "/items/*", onError: .skip),
            ],
            #""keep":["/a","/b/**"],"require":["/id"],"move":{"/a/b":"/c"},"flatten":[{"at":"/d"},{"at":"/e","prefix":"e_"},{"at":"/f","names":["g","h"]}],"prune":{"null":true,"emptyString":false,"emptyArray":false,"emptyObject":false,"inArrays":true},"records":{"at":"/items/*","onError":"skip"}"#
        ),
    ]

    @Test func `rules give the JSON of the profile format`() throws {
        for row in Self.rows {
            let written = try Plan.minify().convert(Profile.document(of: row.rules))
            let expected = #"{"version":1"# + (row.sections.isEmpty ? "" : ",") + row.sections + "}"
            #expect(String(decoding: written, as: UTF8.self) == expected)
        }
    }

    @Test func `every date format is in the profile format`() throws {
        let formats: [DateFormat] = [
            .auto, .rfc3339, .iso8601, .date, .epochSeconds, .epochMilliseconds, .epochMicroseconds, .epochNanoseconds,
            .rfc2822, .httpDate, .asctime, .dotnetJSON, .dotnetTicks, .fileTime, .appleSeconds, .pattern("dd/MM/yyyy"),
        ]
        let profile = try Profile(.dates(at: "d", from: formats, to: .date))
        #expect(profile.dates.first?.from.map(\.name) == DateForm.names + ["the pattern dd/MM/yyyy"])
    }

    @Test func `a profile in Swift converts like its JSON, in both directions`() throws {
        let profile = try Profile(
            .keys(.camelCase, from: .snakeCase),
            .rename("first_name", to: "fn"),
            .dates(at: "at", from: [.date], to: .epochSeconds, assumeZone: "UTC"),
            .values(at: "home", as: .url(relativeTo: "https://a.example")))
        let input = #"{"first_name":"A","last_name":"B","at":"1970-01-02","home":"https://a.example/h"}"#
        let output = #"{"fn":"A","lastName":"B","at":86400,"home":"/h"}"#
        #expect(try profile.compile(.forward).convert(input) == output)
        #expect(try profile.compile(.inverse).convert(output) == input)
    }

    @Test func `errors are those of the parser, with the lines of the document`() throws {
        let rules: [ProfileRule] = [
            .rename("a", to: "b"), .rename("a", to: "c"), .dates(.auto), .keys(.camelCase), .keys(.flatCase),
            .drop("/a~9"),
        ]
        let document = Profile.document(of: rules)
        let error = #expect(throws: ProfileError.self) { try Profile(rules: rules) }
        let faults = error?.faults.map { fault in
            var fault = fault
            #expect(fault.source?.hasPrefix("ConvertCoreTests/ProfileRuleTests.swift:") == true)
            fault.source = nil
            fault.hint = nil
            return fault
        }
        let written = profileFaults(document).map { fault in
            var fault = fault
            fault.hint = nil
            return fault
        }
        #expect(faults == written)
        #expect(error?.faults.map(\.pointer) == ["/rename/a", "/dates/0/to", "/keys", "/drop/0"])
        let lines = document.split(separator: ASCII.lineFeed)
        let second = try #require(error?.faults.first)
        #expect(String(decoding: lines[second.line - 1], as: UTF8.self) == #"    "a": "c""#)
    }

    @Test func `errors and losses name the file and the line of the rule`() throws {
        let file = "ConvertCoreTests/ProfileRuleTests.swift"
        let line = #line + 1
        let keys = try Profile(.drop("x"), .keys(.camelCase))
        let error = #expect(throws: ProfileError.self) { try ConvertEncoder(keys) }
        #expect(error?.description.hasPrefix("\(file):\(line): `keys` is one way") == true)
        #expect(keys.invertibility.losses.map(\.source) == ["\(file):\(line)", "\(file):\(line)"])
        let reversible = try Profile(.keys(.camelCase, from: .snakeCase))
        #expect(reversible.invertibility.conditions.map(\.source) == ["\(file):\(line + 4)"])
        // Equality of profiles does not include the file and the line.
        #expect(try reversible == Profile(parsing: Profile.document(of: [.keys(.camelCase, from: .snakeCase)])))
    }

    @Test func `a message that mentions another rule names the file and line of that rule`() throws {
        let first = "at ConvertCoreTests/ProfileRuleTests.swift:\(#line + 2)"
        let profile = try Profile(
            .rename("a", to: "x"),
            .rename("b", to: "x"))
        #expect(profile.invertibility.losses.map(\.message) == ["`a` \(first) also becomes `x`"])
        let second = "at ConvertCoreTests/ProfileRuleTests.swift:\(#line + 2)"
        let rules: [ProfileRule] = [
            .rename("a*", to: "x"), .output(),
            .rename("*b", to: "y"), .output(),
        ]
        let error = #expect(throws: ProfileError.self) { try Profile(rules: rules) }
        #expect(error?.faults.first?.message.hasPrefix("`*b` and `a*` \(second) can match") == true)
        #expect(error?.faults.last?.hint == "the first one is \(second)")
    }

    @Test func `an empty rule changes nothing`() throws {
        #expect(try Profile(.drop(), .drop("a"), .rename([:]), .rename("b", to: "c")).drops.count == 1)
        #expect(try Profile(.drop(), .rename([:])) == Profile(.rename([:]), .drop()))
    }

    @Test func `whole payloads are converted in one call, as text, bytes and lines`() throws {
        let plan = try Profile(.rename("a", to: "b")).compile(.forward)
        #expect(try plan.convert(#"{ "a" : 1 }"#) == #"{"b":1}"#)
        #expect(try plan.convert(Array("[{\"a\":1}\n]".utf8)) == Array(#"[{"b":1}]"#.utf8))
        #expect(try plan.convert("{\"a\":1}\n{\"a\":2}", framing: .lines) == "{\"b\":1}\n{\"b\":2}\n")
        let error = #expect(throws: ConversionError.self) { try plan.convert("[1,") }
        #expect(error?.code == .json)
        #expect(error?.offset == 3)
    }
}
