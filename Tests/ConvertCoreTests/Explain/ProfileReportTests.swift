import ConvertEngine
import FoundationEssentials
import Testing

@testable import ConvertProfiles

struct ProfileReportTests {
    private struct Decoded: Decodable, Equatable {
        struct Entry: Decodable, Equatable {
            let pointer: String
            let line: Int
            let column: Int
            let message: String
            let hint: String?
        }
        let valid: Bool
        let faults: [Entry]
        let warnings: [Entry]
    }

    private static func decoded(_ report: ProfileReport) throws -> Decoded {
        try JSONDecoder().decode(Decoded.self, from: Data(report.json()))
    }

    @Test func `a valid profile has a report without errors`() throws {
        let report = ProfileReport(checking: Array(#"{"keys": "camelCase"}"#.utf8))
        #expect(report.isValid)
        #expect(report.profile?.keys?.target == .camelCase)
        let document = #"{"require": "/a"}"#
        #expect(
            ProfileReport(checking: Array(document.utf8)).json()
                == Array(
                    #"{"valid":true,"faults":[],"warnings":[],"examples":0,"failedExamples":[],"invertible":true,"losses":[],"conditions":[]}"#
                        .utf8))
    }

    @Test func `a profile with failed examples is not valid`() throws {
        let document = #"{"drop": "/a", "examples": [{"in": {"a": 1}, "out": {}}, {"in": {"b": 1}, "out": {}}]}"#
        let report = ProfileReport(checking: Array(document.utf8))
        #expect(!report.isValid)
        #expect(report.faults.isEmpty && report.profile != nil)
        #expect(report.failedExamples.map(\.pointer) == ["/examples/1"])
        let text = String(decoding: report.json(), as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"valid":false,"faults":[],"warnings":[],"examples":2,"failedExamples":[{"pointer":"/examples/1","#))
    }

    @Test func `the report's JSON has the messages of the errors`() throws {
        let document =
            "{\"re\\\"name\\n\\u0001é\": {},\n \"keys\": {\"case\": \"preserve\", \"from\": \"snake_case\"}, \"name\": 1}"
        let report = ProfileReport(checking: Array(document.utf8))
        let decoded = try Self.decoded(report)
        #expect(!report.isValid && !decoded.valid)
        #expect(report.profile == nil)
        #expect(decoded.faults.map(\.pointer) == ["/re\"name\n\u{1}é", "/name"])
        #expect(decoded.faults.map(\.line) == [1, 2])
        #expect(decoded.faults.map(\.column) == [2, 62])
        #expect(decoded.faults.map(\.message) == report.faults.map(\.message))
        #expect(decoded.faults.map(\.hint) == report.faults.map(\.hint))
        #expect(decoded.warnings.map(\.hint) == report.warnings.map(\.hint))
        #expect(decoded.warnings.map(\.pointer) == ["/keys/from"])
    }

    @Test func `a profile that is not JSON also has a report`() throws {
        for bytes in [[], [0xFF], Array("{".utf8), Array("null".utf8)] as [[UInt8]] {
            let decoded = try Self.decoded(ProfileReport(checking: bytes))
            #expect(!decoded.valid && decoded.faults.count == 1)
        }
    }
}

struct ProfileWarningTests {
    private static func warnings(_ text: String) throws -> [String] { try Profile(text).warnings.map(\.pointer) }

    @Test func `selectors in the style of jq and JSONPath and rules without effect cause warnings`() throws {
        let rows: [(profile: String, meant: [String?])] = [
            (
                #"{"keep": ["/items[]/id", ".items[].name", "$.a.b", "/user/", "/a[0]", ".a"]}"#,
                ["`/items/*/id`", "`/items/*/name`", "`/a/b`", "`/user`", "`/a/0`", "`/a`"]
            ),
            (#"{"drop": ["a.b", "$ref", "a[b]", "/c.d", "..", "/", "a~1b", "~1c", "[x]y"]}"#, []),
            (
                #"{"drop": "users/*/secret", "keys": {"case": "camelCase", "except": ["users/x"]}, "rename": {"a/b": "c"}}"#,
                ["`/users/*/secret`", "`/users/x`", "`/a/b`"]
            ),
            (
                #"{"drop": ["**/a", "users/**/a", "$..a", "$.users..a", "a~1b/c"]}"#,
                ["`/**/a`", "`/users/**/a`", "`/**/a`", "`/users/**/a`", "`/a~1b/c`"]
            ),
            (#"{"rename": {"/i": "/betId"}}"#, ["the key without `/`; `move` writes a value at another path"]),
            (#"{"rename": {"a": "text/html", "b": "/"}}"#, []),
            (#"{"rename": {"$['a']": "b"}}"#, []),
            (#"{"keep": ["a", "/b"], "drop": ["/b", "c"]}"#, [nil]),
            (#"{"rename": {"/x/a": "a"}}"#, [nil]),
            (#"{"rename": {"a_b": "a_b"}, "keys": "camelCase"}"#, []),
            (#"{"rename": {"/x/a": "a", "a": "b"}}"#, []),
            (#"{"move": {"/a/b": "/"}}"#, [nil]),
        ]
        for row in rows {
            let warnings = try Profile(row.profile).warnings
            #expect(warnings.count == row.meant.count, "\(row.profile): \(warnings)")
            for (warning, meant) in zip(warnings, row.meant) {
                #expect(meant.map { warning.hint == "write \($0)" } ?? true, "\(row.profile): \(warning)")
            }
        }
    }

    @Test func `an output key as a selector causes a warning if the examples show it`() {
        func warnings(_ example: String) -> [ProfileFault] {
            let text = #"{"keys": "camelCase", "drop": ["/firstName", "nick"], "examples": [\#(example)]}"#
            return ProfileReport(checking: Array(text.utf8)).warnings
        }
        let found = warnings(#"{"in": {"first_name": 1}, "out": {"firstName": 1}}"#)
        #expect(found.map(\.pointer) == ["/drop/0"])
        #expect(found.first?.hint == "selectors name the input: write \"/first_name\"", "\(found)")
        #expect(warnings(#"{"in": {"last_name": 1}, "out": {"lastName": 1}}"#).isEmpty)
        #expect(warnings(#"{"in": {"firstName": 1}, "out": {}}"#).isEmpty)
    }

    @Test func `renames below opaque paths never apply`() throws {
        let rows: [(rename: String, opaque: String, neverApplies: Bool)] = [
            ("/a/b", "/a", true), ("/a/b/c", "/a", true), ("/a", "/a", false), ("/b/a", "/a", false),
            ("/a/*", "/a", true), ("/*/b", "/a", false), ("/*/b", "/*", true), ("/a/**/c", "/a", true),
            ("/a/**", "/a", false), ("/**/b", "/a", false), ("/x/metadata/k", "/**/metadata", true),
            ("/**/metadata/k", "/**/metadata", true), ("/**/metadata/k", "metadata", true), ("/m/0/k", "0", false),
            ("/meta/*/k", "meta*", true), ("b", "/**", true), ("b", "/*", false), ("b*", "a", false),
            ("/a", "/**", true),
            ("/**/x/y/**", "/**/x", true),
        ]
        for row in rows {
            let text = "{\"keys\": {\"opaque\": \"\(row.opaque)\"}, \"rename\": {\"\(row.rename)\": \"new\"}}"
            let pointer = "/rename/" + row.rename.replacing("/", with: "~1")
            #expect(try Self.warnings(text) == (row.neverApplies ? [pointer] : []), "\(row.rename) below \(row.opaque)")
        }
    }

    @Test func `an example of a reversible profile that loses data is an error`() throws {
        let rows: [(profile: String, message: String)] = [
            // In addressLine1, the 1 is not a word of its own.
            (
                #""keys": {"case": "camelCase", "from": "snake_case"}, "examples": [{"in": {"address_line_1": 1}, "out": {"addressLine1": 1}}]"#,
                #"the example gives back {"address_line1":1}, not {"address_line_1":1}"#
            ),
            // Samoa skipped 30 December 2011.
            (
                #""dates": {"at": "t", "from": "date", "to": "rfc3339", "assumeZone": "Pacific/Apia"}, "examples": [{"in": {"t": "2011-12-30"}, "out": {"t": "2011-12-30T10:00:00Z"}}]"#,
                #"the example gives back {"t":"2011-12-31"}, not {"t":"2011-12-30"}"#
            ),
        ]
        for row in rows {
            let report = ProfileReport(checking: Array("{\(row.profile)}".utf8))
            #expect(report.invertibility?.isInvertible == true, "\(row)")
            #expect(report.invertibility?.conditions.count == 1, "\(row)")
            #expect(
                !report.isValid && report.failedExamples.map(\.message) == [row.message], "\(report.failedExamples)")
            let strict = ProfileReport(checking: Array("{\(row.profile), \"roundTrip\": \"required\"}".utf8))
            #expect(strict.invertibility?.conditions == [], "\(row)")
            #expect(!strict.isValid && strict.failedExamples.count == 2, "refused forward: \(strict.failedExamples)")
        }
    }

    @Test func `exceptions below opaque paths never apply`() throws {
        let text = #"{"keys": {"case": "flatcase", "except": ["/a", "/a/b", "b"], "opaque": ["/x", "/a"]}}"#
        #expect(try Self.warnings(text) == ["/keys/except/1"])
    }

    @Test func `a rule for dates whose formats have no time zone needs one`() throws {
        let rows: [(rule: String, isWarned: Bool)] = [
            (#""from": {"pattern": "yyyy-MM-dd HH:mm:ss"}"#, true), (#""from": ["date", "asctime"]"#, true),
            (#""from": {"pattern": "dd.MM.yyyy H:mm"}, "to": "date""#, true), (#""from": "date", "to": "date""#, false),
            (#""from": "date", "assumeZone": "UTC""#, false), (#""from": "date", "assumeZone": "reject""#, false),
            (#""from": ["date", "rfc3339"]"#, false), (#""from": {"pattern": "yyyy-MM-dd HH:mm X"}"#, false),
        ]
        for row in rows {
            let warnings = try Self.warnings("{\"dates\": {\"at\": \"d\", \(row.rule)}}")
            #expect(warnings == (row.isWarned ? ["/dates/from"] : []), "\(row.rule)")
        }
        let misspelt = ProfileReport(checking: Array(#"{"dates": {"at": "d", "from": ["date", "rfc3399"]}}"#.utf8))
        #expect(misspelt.faults.map(\.pointer) == ["/dates/from/1"] && misspelt.warnings.isEmpty)
    }

    @Test func `rules that a more specific one overrides never apply`() throws {
        let rows: [(rules: [String], unused: [Int])] = [
            (["a", "/**/a"], [0]), (["/**/a", "a"], [1]), (["a", "/**/*"], [0]), (["a*", "/**/*"], [0]),
            (["a", "/*/a"], []), (["a", "/**/b"], []), (["a*", "/**/a"], []), (["a", "a*"], []), (["/a", "a"], []),
            (["/a", "/**/a"], []), (["/*", "/**/*"], []),
        ]
        for row in rows {
            let renames = row.rules.enumerated().map { "\"\($1)\": \"new\($0)\"" }.joined(separator: ", ")
            let pointers = row.unused.map { "/rename/" + row.rules[$0].replacing("/", with: "~1") }
            #expect(try Self.warnings("{\"rename\": {\(renames)}}") == pointers, "\(row.rules)")
            let dates = row.rules.map { "{\"at\": \"\($0)\"}" }.joined(separator: ", ")
            #expect(
                try Self.warnings("{\"dates\": [\(dates)]}") == row.unused.map { "/dates/\($0)/at" }, "\(row.rules)")
        }
        // `except` exempts a key from the case rule only: a rename of any rank applies before it.
        let text =
            #"{"keys": {"case": "flatcase", "except": ["a", "/b", "c", "d*"]}, "rename": {"/**/a": "x", "b": "y", "/d": "z"}}"#
        #expect(try Self.warnings(text) == ["/keys/except/0", "/keys/except/1"])
    }

    @Test func `rules for dropped values never apply`() throws {
        let rows: [(rule: String, drop: String, neverApplies: Bool)] = [
            ("/a", "/a", true), ("/a/b", "/a", true), ("/a/b", "a", true), ("a", "a", true), ("ab", "a*", true),
            ("/x/a", "/**/a", true), ("a", "/**/a", true), ("a", "/**", true), ("/a/**", "/a", false),
            ("/a", "/a/b", false), ("a", "/a", false), ("a*", "a", false), ("/0/k", "0", false), ("/*", "/a", false),
        ]
        for row in rows {
            let pointer = "/rename/" + row.rule.replacing("/", with: "~1")
            let text = "{\"rename\": {\"\(row.rule)\": \"new\"}, \"drop\": \"\(row.drop)\"}"
            #expect(
                try Self.warnings(text) == (row.neverApplies ? [pointer] : []), "\(row.rule) dropped by \(row.drop)")
        }
    }

    @Test func `rules for values that keep removes never apply`() throws {
        let rows: [(rule: String, keep: String, neverApplies: Bool)] = [
            ("/b", "/a", true), ("/a", "/a", false), ("/a/b", "/a", false), ("/a", "/a/b", false),
            ("/a/c", "/a/b", true), ("/a/*", "/a/b", false), ("/*/c", "/a/b", true), ("/**/c", "/a/b", false),
            ("/a/c", "/a/**/b", false), ("/c", "/a/**/b", true), ("c", "/a", false), ("/c", "a", false),
            ("/a/0/c", "/a/*/b", true), ("/a/0", "/a/*/b", false),
        ]
        for row in rows {
            let pointer = row.rule.replacing("/", with: "~1")
            let rules: [(text: String, pointer: String)] = [
                (#""rename": {"\#(row.rule)": "new"}"#, "/rename/\(pointer)"),
                (#""values": {"at": "\#(row.rule)", "as": "string"}"#, "/values/at"),
                (#""dates": {"at": ["\#(row.rule)"]}"#, "/dates/at/0"), (#""drop": "\#(row.rule)""#, "/drop"),
            ]
            for rule in rules {
                let found = try Self.warnings("{\(rule.text), \"keep\": \"\(row.keep)\"}").filter { $0 != "/keep" }
                #expect(found == (row.neverApplies ? [rule.pointer] : []), "\(rule.text) kept by \(row.keep)")
            }
        }
        #expect(try Self.warnings(#"{"keep": "/a", "move": {"/b/c": "/d"}}"#) == ["/move/~1b~1c"])
        #expect(try Self.warnings(#"{"keep": ["/a", "/b/c"], "move": {"/b/c": "/d"}}"#) == [])
    }

    @Test func `a move sets the key, and a dropped value is neither kept nor moved`() throws {
        let rows: [(profile: String, unused: [String])] = [
            (#"{"move": {"/a/b": "/c"}, "rename": {"/a/b": "d", "b": "e", "/a": "f"}}"#, ["/rename/~1a~1b"]),
            (#"{"move": {"/*/b": "/*/c"}, "rename": {"/a/b": "d"}}"#, ["/rename/~1a~1b"]),
            (#"{"move": {"/a/b": "/c"}, "rename": {"/*/b": "d"}}"#, []),
            (#"{"move": {"/a/b": "/c"}, "drop": "/a"}"#, ["/move/~1a~1b"]),
            (#"{"keep": ["/a/b", "/c"], "drop": "/a"}"#, ["/keep/0"]),
            (#"{"values": [{"at": "a", "as": "string"}, {"at": "/**/a", "as": "integer"}]}"#, ["/values/0/at"]),
            (#"{"values": {"at": "a", "as": "string"}, "dates": {"at": "/**/a"}}"#, ["/values/at"]),
            (#"{"values": {"at": "/x/a", "as": "string"}, "drop": "/x"}"#, ["/values/at"]),
            (
                #"{"keys": {"case": "flatcase", "opaque": ["/x", "/x/a", "/y", "b"]}, "drop": ["/x", "b"]}"#,
                ["/keys/opaque/0", "/keys/opaque/1", "/keys/opaque/3"]
            ),
            (
                #"{"keys": {"case": "flatcase", "opaque": ["/x", "/y/a", "/z"]}, "keep": ["/x/a", "/y"]}"#,
                ["/keys/opaque/2"]
            ),
            (
                #"{"keys": {"case": "flatcase", "opaque": ["/x/a"]}, "values": {"at": "/x", "as": "json"}}"#,
                ["/keys/opaque/0"]
            ),
            // Duplicate keys in a record, and its required members, are checked before the record is discarded.
            (#"{"records": {"at": "/x/*", "onError": "skip"}, "drop": "/x"}"#, []),
            (
                #"{"records": {"at": "/x/*", "onError": "skip"}, "drop": "/x", "on": {"duplicateKey": "keep"}}"#,
                ["/records/at"]
            ),
            (
                #"{"records": {"at": "/x/*", "onError": "skip"}, "keep": "/y", "on": {"duplicateKey": "keep"}}"#,
                ["/records/at"]
            ),
            (
                #"{"records": {"at": "/x/*", "onError": "skip"}, "keep": "/y", "on": {"duplicateKey": "keep"}, "require": "/x/*/a"}"#,
                []
            ),
            (#"{"records": {"at": "/x/*", "onError": "skip"}, "keep": "/x/*/a", "on": {"duplicateKey": "keep"}}"#, []),
        ]
        for row in rows { #expect(try Self.warnings(row.profile) == row.unused, "\(row.profile)") }
    }

    @Test func `selectors covered by another one in their list never apply, nor a repeated one`() throws {
        let rows: [(profile: String, unused: [String])] = [
            (#"{"drop": ["/a/b", "/a", "/a", "x", "/**/x"]}"#, ["/drop/0", "/drop/2", "/drop/4"]),
            (#"{"drop": ["/a", "/b", "c*", "cd"]}"#, ["/drop/3"]),
            (#"{"keep": ["/z/**", "/z/y", "/q", "/q/r/s"]}"#, ["/keep/1", "/keep/3"]),
            // A pointer of `keep` also keeps the containers on its path, even empty ones.
            (#"{"keep": ["/**/b", "/a/b", "b", "/c/b"]}"#, ["/keep/2"]),
            (
                #"{"keys": {"case": "flatcase", "except": ["/a", "a"], "opaque": ["/m/n", "/m"]}}"#,
                ["/keys/except/0", "/keys/opaque/0"]
            ),
        ]
        for row in rows { #expect(try Self.warnings(row.profile) == row.unused, "\(row.profile)") }
    }

    @Test func `a rule for keys and values around the document never applies`() throws {
        let rows: [(rules: String, unused: [String])] = [
            (#""drop": ["/d/e", "/*/*", "/x/y", "/d"]"#, ["/drop/0", "/drop/1", "/drop/2", "/drop/3"]),
            // `/d/e` stays, so the rules for what is in it apply.
            (#""drop": ["/d/e", "/d/e/x"], "rename": {"/d/e/y": "z"}"#, ["/drop/0"]),
            (#""drop": ["x", "/*/e/y", "/**/z"]"#, []),
            // These match the document or an object around it, where `drop` does nothing, and perhaps nothing else.
            (#""drop": ["e", "/**/d"], "rename": {"/d/e/x": "y"}, "dates": {"at": "/d/e/t"}"#, []),
            (#""drop": ["x", "/d/e/x"], "values": {"at": "/d/e/x/y", "as": "string"}"#, ["/drop/1", "/values/at"]),
            (#""values": [{"at": "d", "as": "string"}, {"at": "/d/e/x", "as": "string"}]"#, []),
            (#""values": [{"at": "e", "as": "string"}, {"at": "/d/e/x", "as": "string"}]"#, ["/values/1/at"]),
            (
                #""rename": {"/d/e": "f", "/d/e/g": "h"}, "values": {"at": ["/d", "/d/e/x"], "as": "string"}"#,
                ["/rename/~1d~1e", "/values/at/0"]
            ),
            (#""values": {"at": "/d", "as": "mask"}, "drop": "/d/e/x""#, ["/values/at"]),
            (#""dates": {"at": "/d/e"}, "keys": {"case": "camelCase", "except": "/d"}"#, ["/keys/except"]),
        ]
        for row in rows {
            #expect(try Self.warnings(#"{"unwrap": "/d/e", \#(row.rules)}"#) == row.unused, "\(row.rules)")
        }
    }

    @Test func `a scan never applies if every value has its own rule`() throws {
        #expect(try Self.warnings(#"{"values": {"at": "/**", "as": "string"}, "dates": "rfc3339"}"#) == ["/dates"])
        #expect(try Self.warnings(#"{"dates": [{"to": "epoch-s"}, {"at": "/**", "from": "rfc3339"}]}"#) == ["/dates/0"])
        // `/**/*` does not match the outermost value, and `*` does not match elements of arrays.
        #expect(try Self.warnings(#"{"values": {"at": "/**/*", "as": "string"}, "dates": "rfc3339"}"#) == [])
        #expect(try Self.warnings(#"{"values": {"at": "*", "as": "string"}, "dates": "rfc3339"}"#) == [])
    }

    @Test func `a number in a pointer of the output is a key, which is warned about`() throws {
        let rows: [(profile: String, warned: [String])] = [
            (#"{"defaults": {"/items/0/count": 1, "/a1": 1}}"#, ["/defaults/~1items~10~1count"]),
            (#"{"move": {"/a": "/b/0/c", "/d": "/e/f1"}}"#, ["/move/~1a"]),
            // In a source, and in the part that both paths share, a number may be an index.
            (#"{"move": {"/a/0/b": "/a/0/c", "/d/0": "/e"}}"#, []),
            (#"{"wrap": "/record/0"}"#, ["/wrap"]),
            (#"{"wrap": {"at": "/0", "with": {"a": 1}}}"#, ["/wrap/at"]),
            (#"{"wrap": "0"}"#, []),
        ]
        for row in rows { #expect(try Self.warnings(row.profile) == row.warned, "\(row.profile)") }
    }

    @Test func `a default for a key that a rename removes always applies`() throws {
        #expect(try Self.warnings(#"{"rename": {"/a": "b"}, "defaults": {"/a": 0}}"#) == ["/defaults/~1a"])
        #expect(try Self.warnings(#"{"rename": {"/a": "b"}, "defaults": {"/b": 0}}"#) == [])
        #expect(try Self.warnings(#"{"rename": {"/a": "b", "/c": "a"}, "defaults": {"/a": 0}}"#) == [])
        // A rename with a pattern that cannot write the key.
        for (pattern, warned) in [("x_*", true), ("*_x", true), ("a*a", true), ("a*", false), ("*", false)] {
            let profile = #"{"rename": {"/a": "b", "old_*": {"pattern": "\#(pattern)"}}, "defaults": {"/a": 0}}"#
            #expect(try Self.warnings(profile) == (warned ? ["/defaults/~1a"] : []), "\(pattern)")
        }
        #expect(try Self.warnings(#"{"rename": {"/a": "b"}, "move": {"/x/y": "/a"}, "defaults": {"/a": 0}}"#) == [])
    }

    @Test func `drop does not apply inside JSON text that becomes a value`() throws {
        #expect(try Self.warnings(#"{"values": {"at": "/a", "as": "json"}, "drop": "ssn"}"#) == ["/values/at"])
        #expect(try Self.warnings(#"{"values": {"at": "/a", "as": "json"}, "drop": "/**/ssn"}"#) == ["/values/at"])
        #expect(try Self.warnings(#"{"values": {"at": "/a", "as": "json"}, "drop": "/b"}"#) == [])
    }

    @Test func `a repeated rule never applies, and each such rule is reported once`() throws {
        let rows: [(profile: String, unused: [String])] = [
            (#"{"values": {"at": ["a", "b", "a"], "as": "string"}}"#, ["/values/at/2"]),
            (#"{"dates": [{"at": ["/a", "/a"]}, {"at": ["a", "/**/b"]}]}"#, ["/dates/0/at/1"]),
            (#"{"require": ["/a", "/a/b", "/a/b", "/c"]}"#, ["/require/0", "/require/2"]),
            // `/items/*/id` requires a key of each item, but not that `/items` exists.
            (#"{"require": ["/items", "/items/*/id", "/x/*/a", "/x/*/a/b"]}"#, ["/require/2"]),
            (#"{"rename": {"/a/b": "x"}, "drop": ["/a", "b"], "keep": ["/c"]}"#, ["/rename/~1a~1b", "/drop/0"]),
        ]
        for row in rows {
            #expect(try Self.warnings(row.profile).filter { !$0.hasPrefix("/keep") } == row.unused, "\(row.profile)")
        }
    }

    @Test func `rules below a converted value never apply, unless containers are kept`() throws {
        let rules = #""values": {"at": "/a", "as": "json"}, "rename": {"/a/b": "x", "/c/b": "y"}, "drop": "/a/d""#
        #expect(try Self.warnings("{\(rules)}") == ["/rename/~1a~1b", "/drop"])
        #expect(try Self.warnings("{\(rules), \"on\": {\"badValue\": \"keep\"}}").isEmpty)
        // The containers around `b` stay, though `b` itself is dropped.
        #expect(
            try Self.warnings(#"{"keep": ["b", "/x/c", "/d/e"], "drop": ["b", "/x/c", "/d"]}"#) == [
                "/keep/2", "/drop/0", "/drop/1",
            ])
        // An object at `/a` is kept for its possible members, and is then a bad value.
        #expect(try Self.warnings(#"{"values": {"at": "/a", "as": "json"}, "keep": ["/a/b", "/c"]}"#).isEmpty)
    }

    @Test func `settings that preserve does not use are reported`() throws {
        let all = #""from": "snake_case", "acronyms": ["ID"], "acronymStyle": "title", "except": "a", "opaque": "b""#
        let unused = ["/keys/from", "/keys/acronyms", "/keys/acronymStyle", "/keys/except", "/keys/opaque"]
        #expect(try Self.warnings("{\"keys\": {\(all)}}") == unused)
        #expect(try Self.warnings("{\"keys\": {\(all)}, \"rename\": {\"x\": \"y\"}}") == Array(unused.dropLast()))
        #expect(try Self.warnings("{\"keys\": {\"case\": \"preserve\", \(all)}}") == unused)
        #expect(try Self.warnings("{\"keys\": {\"case\": \"flatcase\", \(all)}}").isEmpty)
    }

    @Test func `acronyms that no word can contain are reported`() throws {
        let text =
            #"{"keys": {"case": "camelCase", "acronyms": ["ID", "A_B", "2FA", "A B", "ИНН", "C++", "Id", "ID"]}}"#
        let numbers = [1, 3, 5, 7]
        #expect(try Self.warnings(text) == numbers.map { "/keys/acronyms/\($0)" })
    }
}
