import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// A document with marks, and the expected error for each mark in order.
private struct FaultRow {
    let text: String
    let expected: [(pointer: String, message: String, hint: String?)]

    init(_ text: String, _ expected: (pointer: String, message: String, hint: String?)...) {
        self.init(text, all: expected)
    }

    init(_ text: String, all expected: [(pointer: String, message: String, hint: String?)]) {
        self.text = text
        self.expected = expected
    }
}

struct ProfileFaultTests {
    /// Lines, columns and pointers must be exact; messages and hints must contain the given words.
    private func check(_ rows: [FaultRow]) {
        for row in rows {
            let document = MarkedDocument(row.text)
            let faults = profileFaults(document.bytes)
            #expect(faults.count == row.expected.count, "\(row.text): \(faults)")
            #expect(document.marks.count == row.expected.count, "\(row.text)")
            for (fault, (mark, expected)) in zip(faults, zip(document.marks, row.expected)) {
                #expect(fault.line == mark.line && fault.column == mark.column, "\(row.text): \(fault)")
                #expect(fault.pointer == expected.pointer, "\(row.text): \(fault)")
                #expect(fault.message.contains(expected.message), "\(row.text): \(fault)")
                #expect((fault.hint ?? "").contains(expected.hint ?? ""), "\(row.text): \(fault)")
            }
        }
    }

    @Test func `invalid profiles, empty keep and misspelt zones get a hint`() {
        check([
            FaultRow(#"§{"user": {}, "items": []}"#, ("", "this may be a payload", "check --explain PAYLOAD PROFILE")),
            FaultRow(
                #"§{"$schema": "x", "listen": ":80", "profiles": "dir"}"#,
                ("", "looks like the configuration of a server", "use `check --config FILE`")),
            FaultRow(
                #"{"keys": "camelCase", §"upstreams": {}}"#, ("/upstreams", "unknown key `upstreams`", "known keys")),
            FaultRow(#"{"keep": §[]}"#, ("/keep", "keeps nothing", "write `drop`")),
            FaultRow(#"{"prune": §true}"#, ("/prune", "expected an object", #"write {"null": true}"#)),
            FaultRow(#"{"records": §"skip"}"#, ("/records", "expected an object", #"write {"onError": "skip"}"#)),
            FaultRow(
                #"{"dates": {"at": "a", "assumeZone": §"Europe/Pariss"}}"#,
                ("/dates/assumeZone", "not a time zone", "did you mean `Europe/Paris`?")),
            FaultRow(
                #"{"dates": {"at": "a", "assumeZone": §"berlin"}}"#,
                ("/dates/assumeZone", "not a time zone", "did you mean `Europe/Berlin`?")),
            FaultRow(
                #"{"values": {"at": "a", "as": §"bool"}}"#, ("/values/as", "not a valid", "did you mean `boolean`?")),
        ])
        let faults = profileFaults(Array(#"{"dates": {"at": "a", "zone": "Mars/Base"}}"#.utf8))
        #expect(faults.first?.hint?.hasPrefix("write an IANA name") == true, "\(faults)")
    }

    @Test func `the number of selectors for each new key is limited, over all sections`() {
        func list(_ count: Int, _ selector: (Int) -> String) -> String {
            "[" + (0..<count).map { "\"\(selector($0))\"" }.joined(separator: ",") + "]"
        }
        // The numbers of names with a wildcard, of pointers with `*`, and of pointers with `**` and one segment behind it.
        let rows: [(names: Int, pointers: Int, depths: Int, fault: String?)] = [
            (400, 0, 0, nil), (401, 0, 0, "/drop/400"), (400, 9998, 1, nil), (400, 9999, 1, "/keep/0"),
            (0, 10_001, 0, "/drop/10000"), (0, 0, 5001, "/keep/5000"),
        ]
        for row in rows {
            let drops = list(row.names + row.pointers) { $0 < row.names ? "b*\($0)" : "/*/p\($0)" }
            let text = """
                {"keys": {"case": "camelCase", "except": \(list(600) { "a*\($0)" })}, "drop": \(drops),
                 "\(row.depths > 0 ? "keep" : "require")": \(list(row.depths) { "/**/d\($0)" })}
                """
            let faults = profileFaults(Array(text.utf8))
            #expect(faults.map(\.pointer) == (row.fault.map { [$0] } ?? []), "\(row)")
        }
    }

    @Test func `the error for an unknown key names the nearest known one`() {
        check([
            .init(#"{§"renme": {}}"#, ("/renme", "unknown key `renme`", "`rename`")),
            .init(#"{"name": "x", §"Keys": "camelCase"}"#, ("/Keys", "`Keys`", "`keys`")),
            .init(#"{§"dropp": []}"#, ("/dropp", "unknown", "`drop`")),
            .init(#"{"keys": {§"acronym": []}}"#, ("/keys/acronym", "unknown", "`acronyms`")),
            .init(#"{"dates": {"at": "t", §"assumezone": "UTC"}}"#, ("/dates/assumezone", "unknown", "`assumeZone`")),
            .init(
                #"{"dates": [{"at": "t", "to": {§"patern": "yyyy"}}]}"#, ("/dates/0/to/patern", "unknown", "`pattern`")),
            .init(#"{"on": {§"duplicatekeys": "error"}}"#, ("/on/duplicatekeys", "unknown", "`duplicateKey`")),
            .init(#"{"output": {§"ident": 2}}"#, ("/output/ident", "unknown", "`indent`")),
            .init(#"{"examples": [{"in": 1, §"uot": 1}]}"#, ("/examples/0/uot", "unknown", "`out`")),
            .init("{\n  §\"a/b~\": 1\n}", ("/a~1b~0", "`a/b~`", nil)),
            // Names are compared by their bytes: a Kelvin sign is not a K, though canonically equal to one.
            .init("{\"output\": {}, §\"\u{212A}eys\": 1}", ("/\u{212A}eys", "unknown", "`keys`")),
        ])
    }

    @Test func `moves, defaults, requirements and records accept only pointers`() {
        check([
            .init(#"{"move": {§"a": "/b"}}"#, ("/move/a", "needs pointers, not keys", "`/a`")),
            .init(#"{"move": {"/a": §"b"}}"#, ("/move/~1a", "needs pointers, not keys", "`/b`")),
            .init(#"{"move": {§"/**/a": "/b"}}"#, ("/move/~1**~1a", "does not accept `**`", "`*`")),
            .init(
                #"{"move": {§"/a/*/b": "/c/*/b"}}"#, ("/move/~1a~1*~1b", "common beginning of source and target", nil)),
            .init(#"{"move": {"/a": §1}}"#, ("/move/~1a", "expected the target", nil)),
            .init(
                #"{"move": {"/*/a": "/*/b", "/x/a": "/x/c", "/x/b": "/x/d"}}"#, all: []),
            .init(
                #"{"move": {"/*/x/a": "/*/x/b", §"/y/*/a": "/y/*/c"}}"#,
                ("/move/~1y~1*~1a", "can match the same path", nil)),
            .init(#"{"defaults": {§"a": 1}}"#, ("/defaults/a", "needs pointers, not keys", "`/a`")),
            .init(#"{"defaults": {§"/a/**": 1}}"#, ("/defaults/~1a~1**", "does not accept `**`", nil)),
            .init(#"{"require": [§"id"]}"#, ("/require/0", "needs pointers, not keys", "`/id`")),
            .init(#"{"require": §"/items/*"}"#, ("/require", "cannot end in `*`", nil)),
            .init(
                #"{"prune": {§"nulls": true, "null": §1}}"#, ("/prune/nulls", "unknown", "`null`"),
                ("/prune/null", "expected true or false", nil)),
            .init(
                #"{"records": {"at": §"items", "onError": §"keep"}}"#, ("/records/at", "needs pointers", nil),
                ("/records/onError", "`keep` is not a valid value", "`skip`")),
            .init(
                #"{"records": {"at": "/items/*", "onError": "skip"}, "move": {§"/items/0/a": "/b"}}"#,
                ("/move/~1items~10~1a", "out of a record", "`/items/*`")),
            .init(
                #"{"records": {"at": "/items/*", "onError": "skip"}, "move": {"/items/*/a": "/items/*/b"}}"#, all: []),
        ])
    }

    @Test func `values of the wrong type are errors with the expected and the found type`() {
        check([
            .init("§[]", ("", "expected an object, found an array", nil)),
            .init("§\"camelCase\"", ("", "expected an object, found a string", nil)),
            .init(#"{"version": §"1"}"#, ("/version", "expected a number, found a string", nil)),
            .init(#"{"name": §null}"#, ("/name", "expected a string, found null", nil)),
            .init(
                #"{"description": §1, "$schema": §false}"#, ("/description", "found a number", nil),
                ("/$schema", "found false", nil)),
            .init(#"{"keys": §[]}"#, ("/keys", "found an array", nil)),
            .init(#"{"keys": {"case": §1}}"#, ("/keys/case", "`camelCase`", nil)),
            .init(#"{"keys": {"acronyms": §"ID"}}"#, ("/keys/acronyms", "an array of strings", "[\"ID\"]")),
            .init(#"{"keys": {"acronyms": ["ID", §7]}}"#, ("/keys/acronyms/1", "expected a string", nil)),
            .init(
                #"{"keys": {"except": [§{}], "opaque": §1}}"#, ("/keys/except/0", "a selector", nil),
                ("/keys/opaque", "a selector", nil)),
            .init(#"{"rename": §[]}"#, ("/rename", "an object of selectors", nil)),
            .init(
                #"{"rename": {"a": §1, "b": §null}}"#, ("/rename/a", "the new key", nil),
                ("/rename/b", "found null", nil)
            ),
            .init(#"{"dates": §1}"#, ("/dates", "found a number", nil)),
            .init(#"{"dates": [§"rfc3339"]}"#, ("/dates/0", "expected an object", nil)),
            .init(
                #"{"dates": {"at": "t", "to": §1, "from": [§[]]}}"#, ("/dates/to", "a date format", nil),
                ("/dates/from/0", "a date format", nil)),
            .init(
                #"{"dates": {"at": "t", "precision": §"3", "zone": §2}}"#, ("/dates/precision", "from 0 to 9", nil),
                ("/dates/zone", "a time zone", nil)),
            .init(#"{"on": §"error"}"#, ("/on", "expected an object", nil)),
            .init(
                #"{"output": {"indent": §true, "sortKeys": §0}}"#, ("/output/indent", "found true", nil),
                ("/output/sortKeys", "true or false", nil)),
            .init(#"{"examples": §{}}"#, ("/examples", "an array of examples", nil)),
        ])
    }

    @Test func `the error for an unknown choice names the nearest one, or lists all`() {
        check([
            .init(#"{"keys": §"camelcase"}"#, ("/keys", "`camelcase`", "did you mean `camelCase`?")),
            .init(#"{"keys": {"case": §"snakecase"}}"#, ("/keys/case", "`snakecase`", "did you mean `snake_case`?")),
            .init(#"{"keys": {"from": §"kebab"}}"#, ("/keys/from", "`kebab`", "did you mean `kebab-case`?")),
            .init(
                #"{"keys": {"acronymStyle": §"aslisted"}}"#,
                ("/keys/acronymStyle", "`aslisted`", "did you mean `asListed`?")),
            .init(
                #"{"on": {"collision": §"frist", "badValue": §"first"}}"#, ("/on/collision", "`frist`", "`first`"),
                ("/on/badValue", "`first`", "`null`")),
            .init(#"{"output": {"escapes": §"ASCII"}}"#, ("/output/escapes", "`ASCII`", "did you mean `ascii`?")),
            .init(#"{"roundTrip": §"ignored"}"#, ("/roundTrip", "`ignored`", "did you mean `ignore`?")),
            .init(#"{"dates": §"rfc3393"}"#, ("/dates", "`rfc3393`", "did you mean `rfc3339`?")),
            .init(
                #"{"dates": {"at": "t", "to": §"asctime", "from": §"epoch"}}"#, ("/dates/to", "`asctime`", "`date`"),
                ("/dates/from", "`epoch`", "`epoch-s`")),
        ])
    }

    @Test func `numbers out of range are refused`() {
        for (text, isLegal) in [("1", true), ("2", false), ("0", false), ("1.0", false), ("-1", false), ("1e0", false)]
        {
            let faults = profileFaults(Array("{\"version\": \(text)}".utf8))
            #expect(faults.map(\.pointer) == (isLegal ? [] : ["/version"]), "\(text)")
        }
        for (text, isLegal) in [
            ("0", true), ("16", true), ("17", false), ("-1", false), ("-0", false), ("2.0", false),
            ("99999999999999999999", false),
        ] {
            let faults = profileFaults(Array("{\"output\": {\"indent\": \(text)}}".utf8))
            #expect(faults.map(\.pointer) == (isLegal ? [] : ["/output/indent"]), "\(text)")
        }
        for (text, isLegal) in [("0", true), ("9", true), ("10", false), ("3.5", false)] {
            let faults = profileFaults(Array("{\"dates\": {\"precision\": \(text)}}".utf8))
            #expect(faults.map(\.pointer) == (isLegal ? [] : ["/dates/precision"]), "\(text)")
        }
    }

    @Test func `bad selectors are refused in every section`() {
        check([
            .init(
                #"{"rename": {§"": "a", §"~": "b", §"/a*": "c", "/": "d"}}"#, ("/rename/", "is empty", "path"),
                ("/rename/~0", "`~`", "~0"), ("/rename/~1a*", "`*` inside", "~2")),
            .init(
                #"{"keys": {"except": [§"a~9"], "opaque": §"/x/***"}}"#, ("/keys/except/0", "`a~9`", "~0"),
                ("/keys/opaque", "`*` inside", nil)),
            .init(#"{"dates": {"at": ["ok", §""]}}"#, ("/dates/at/1", "is empty", nil)),
            .init(
                #"{"rename": {§"\ud800": "a", "b": §"\udc00x"}}"#,
                ("/rename/\u{FFFD}\u{FFFD}\u{FFFD}", "surrogate", nil), ("/rename/b", "surrogate", nil)),
        ])
    }

    @Test func `repeated members are refused at the second one`() {
        check([
            .init("{\"name\": \"a\",\n §\"name\": \"b\"}", ("/name", "duplicate key `name`", "line 1")),
            .init(#"{"rename": {"a": "x", §"\u0061": "x"}}"#, ("/rename/a", "duplicate key", nil)),
            .init(#"{"on": {"collision": "error", §"collision": 1}}"#, ("/on/collision", "duplicate key", nil)),
            // Swift's strings call the two spellings equal, but here they are two keys.
            .init("{\"rename\": {\"\u{E9}\": \"x\", \"e\u{301}\": \"y\"}}"),
        ])
    }

    @Test func `the rules in dates are checked like other rules`() {
        check([
            .init(
                #"{"dates": {§"from": "auto", §"assumeZone": "UTC"}}"#, ("/dates/from", "scans", "`at`"),
                ("/dates/assumeZone", "scans", "`at`")),
            .init(#"{"dates": {"at": §[]}}"#, ("/dates/at", "`at` is empty", "leave `at` out")),
            .init(#"{"dates": {"at": "t", "from": §[]}}"#, ("/dates/from", "`from` is empty", "`auto`")),
            .init(
                #"{"dates": {"at": "t", "to": "date", §"precision": 3}}"#,
                ("/dates/precision", "only with `rfc3339`", nil)),
            .init(#"{"dates": {"at": "t", "to": §{}}}"#, ("/dates/to", "`pattern` is missing", nil)),
            .init(
                #"{"dates": {"at": "t", "to": {"pattern": §"dd/MM/yyyy z"}}}"#,
                ("/dates/to/pattern", "cannot be written", nil)),
            .init(
                #"{"dates": {"at": "t", "from": {"pattern": §"qq"}, "zone": §"Europe/Atlantis"}}"#,
                ("/dates/from/pattern", "byte 0", "dd/MM/yyyy"), ("/dates/zone", "`Europe/Atlantis`", "IANA")),
            .init(
                #"{"name": §1, "dates": {"at": "t", "from": {"pattern": §"HH:mm"}}}"#,
                ("/name", "expected a string", nil), ("/dates/from/pattern", "cannot be read", nil)),
            .init(
                #"{"dates": {"at": "t", "to": {"pattern": §"dd 'of MMM"}}}"#, ("/dates/to/pattern", "apostrophe", nil)),
            .init(
                #"{"dates": {"at": "t", "from": [{"pattern": §"--"}]}}"#,
                ("/dates/from/0/pattern", "cannot be read", nil)),
            .init(#"{"dates": {"at": "t", "zone": §"+19:00"}}"#, ("/dates/zone", "+19:00", "IANA")),
            .init(#"{"dates": [{"to": "rfc3339"}, §{"to": "date"}]}"#, ("/dates/1", "two rules scan", "`at`")),
        ])
    }

    @Test func `acronyms and examples are checked`() {
        check([
            .init(#"{"keys": {"acronyms": ["ID", §""]}}"#, ("/keys/acronyms/1", "empty", nil))
        ])
        let faults = profileFaults(Array(#"{"examples": [{"in": 1}, {"out": 1}, {}]}"#.utf8))
        #expect(faults.map(\.pointer) == ["/examples/0", "/examples/1", "/examples/2", "/examples/2"])
        #expect(faults.map(\.column) == [15, 26, 38, 38])
    }

    @Test func `selectors of one rank that can match the same value must agree`() {
        check([
            .init(#"{"rename": {"a*": "x", §"*b": "y"}}"#, ("/rename/*b", "`*b` and `a*` on line 1", nil)),
            .init(#"{"rename": {"/a/*": "x", §"/*/b": "y"}}"#, ("/rename/~1*~1b", "same path", nil)),
            .init(#"{"rename": {"/**/a": "x", §"/b/**": "y"}}"#, ("/rename/~1b~1**", "same path", nil)),
            .init(#"{"rename": {"a*": "x", "*b": "x"}}"#),
            .init(#"{"rename": {"a*": "x", "b*": "y", "/a": "z", "/**/ab": "w", "/*/ab": "v", "ab": "u"}}"#),
            .init(#"{"rename": {"\u00e9*": "x", "e\u0301*": "y"}}"#),
            // The targets differ in their bytes, though Unicode calls them equal.
            .init(#"{"rename": {"a*": "\u00e9", §"*b": "e\u0301"}}"#, ("/rename/*b", "same path", nil)),
            .init(
                "{\"dates\": [{\"at\": [\"t\", \"t\"]},\n {\"at\": [\"u\", §\"t\"]}]}",
                ("/dates/1/at/1", "`t` and `t` on line 1", nil)),
            .init(
                #"{"dates": [{"at": "*_at"}, {"at": §"created*"}, {"at": "created_at"}, {"at": "/x/created_at"}]}"#,
                ("/dates/1/at", "same path", nil)),
            .init(
                #"{"dates": [{"at": "/0"}, {"at": §"/0"}], "rename": {"/0": "x"}}"#, ("/dates/1/at", "same path", nil)),
        ])
    }

    @Test func `every error is reported at once, in the order of the document`() {
        let text = """
            {
              §"verson": 1,
              "keys": { "case": §"camel", §"exept": [], "acronyms": [§"", "ID", §1] },
              "rename": { §"/a*": "x", "b": §2, "c*": "x", §"*c": "y" },
              "dates": [ { "at": §"", "to": §"auto", "zone": §"?" }, §1, { §"from": "auto" } ],
              "move": §[],
              "on": { "collision": §"latest", "badValue": §[] },
              "output": { "indent": §-1 },
              §"output": {},
              "examples": [ §{ "in": 1 } ]
            }
            """
        let document = MarkedDocument(text)
        let faults = profileFaults(document.bytes)
        #expect(faults.map(\.line) == document.marks.map(\.line))
        #expect(faults.map(\.column) == document.marks.map(\.column))
        #expect(
            faults.map(\.pointer) == [
                "/verson", "/keys/case", "/keys/exept", "/keys/acronyms/0", "/keys/acronyms/2", "/rename/~1a*",
                "/rename/b",
                "/rename/*c", "/dates/0/at", "/dates/0/to", "/dates/0/zone", "/dates/1", "/dates/2/from", "/move",
                "/on/collision", "/on/badValue", "/output/indent", "/output", "/examples/0",
            ])
    }

    @Test func `the long example has no error`() {
        let text = """
            {
              "version": 1,
              "name": "mobile",
              "description": "Short names for the app",
              "keys":   { "case": "camelCase", "from": "snake_case", "acronyms": ["ID", "URL"], "acronymStyle": "title",
                          "except": ["_links"], "opaque": ["/translations", "/**/metadata"] },
              "rename": { "first_name": "fn", "/orders/*/created_at": "ca" },
              "dates":  [ { "at": ["created_at", "*_date", "/log/*/t"], "from": ["auto"], "to": "rfc3339",
                            "precision": 3, "zone": "UTC", "assumeZone": "Europe/Paris" } ],
              "values": [ { "at": "/**/zip", "as": "string" },
                          { "at": "/contactUrl", "as": "url", "relativeTo": "http://www.google.com" },
                          { "at": "/status", "map": { "0": "inactive", "1": "active" } } ],
              "keep":   ["/orders/**"],
              "drop":   ["/**/password"],
              "require":["/id"],
              "move":   { "/content/headline": "/headline", "/items/*/content/author/name": "/items/*/author" },
              "defaults": { "/currency": "EUR" },
              "prune":  { "null": true, "emptyString": false, "emptyArray": false, "emptyObject": false, "inArrays": false },
              "records": { "at": "/items/*", "onError": "fail" },
              "on":     { "collision": "error", "duplicateKey": "error", "badValue": "error", "lossyKey": "keep" },
              "output": { "indent": 0, "sortKeys": false, "escapes": "preserve" },
              "roundTrip": "ignore",
              "examples": [ { "in": {"first_name": "A"}, "out": {"fn": "A"} } ]
            }
            """
        check([FaultRow(text, all: [])])
    }

    @Test func `errors beyond the limit are counted as one`() {
        let members = (0..<3000).map { "\"unknown\($0)\": 1" }.joined(separator: ",\n")
        let faults = profileFaults(Array("{\(members)}".utf8))
        #expect(faults.count == ProfileReader.maxFaults + 1)
        #expect(faults.last?.message.contains("more errors") == true)
    }

    @Test func `a description is one line with position, pointer and hint`() {
        let fault = ProfileFault(pointer: "/a\nb", line: 3, column: 7, message: "bad \u{1B}", hint: "good")
        #expect(fault.description == #"3:7: bad \u{1b} (/a\u{a}b); good"#)
        #expect(ProfileFault(pointer: "", line: 1, column: 1, message: "bad").description == "1:1: bad")
    }
}
