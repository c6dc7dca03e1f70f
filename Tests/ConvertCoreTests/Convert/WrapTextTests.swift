import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `unwrap` and `wrap`: profiles, payloads and their outputs, in any cuts.
struct WrapTextTests {
    @Test func `the value at a path becomes the document`() throws {
        let rows: [(profile: String, payload: String, output: String)] = [
            (#"{"unwrap": "/data"}"#, #"{"a":[1,{"data":2}],"data":[{"b":[]}],"c":{}}"#, #"[{"b":[]}]"#),
            (#"{"unwrap": "/data"}"#, #" {"data" : "x\u0041"}"#, #""x\u0041""#),
            // A rule for an object around the document does not apply to the document.
            (
                #"{"unwrap": "/d/e", "values": [{"at": ["/d", "d"], "as": "mask"}, {"at": "/d/e/n", "as": "integer"}]}"#,
                #"{"d":{"e":{"n":"1"}}}"#, #"{"n":1}"#
            ),
            // But what `keep` and `opaque` name, they name with everything below.
            (#"{"unwrap": "/d/e", "keep": "d"}"#, #"{"d":{"e":{"n":1,"m":2}}}"#, #"{"n":1,"m":2}"#),
            (#"{"unwrap": "/d/e", "keep": ["/d", "/d/e/n"]}"#, #"{"d":{"e":{"n":1,"m":2}}}"#, #"{"n":1,"m":2}"#),
            (#"{"unwrap": "/d/e", "keep": "x*"}"#, #"{"d":{"e":{"n":1,"x1":2}}}"#, #"{"x1":2}"#),
            (
                #"{"unwrap": "/d/e", "keys": {"case": "camelCase", "opaque": ["d"]}}"#,
                #"{"d":{"e":{"n_m":{"o_p":1}}}}"#, #"{"n_m":{"o_p":1}}"#
            ),
            (#"{"unwrap": "/data"}"#, #"{"d\u0061ta":null}"#, "null"),
            (#"{"unwrap": "/a/b"}"#, #"{"b":0,"a":{"a":1,"b":{"a":{"b":2}},"c":3}}"#, #"{"a":{"b":2}}"#),
            (#"{"unwrap": "/r/1"}"#, #"{"r":[[0],[1],[2]]}"#, "[1]"), (#"{"unwrap": "/r/1"}"#, #"{"r":{"1":2}}"#, "2"),
            (
                #"{"unwrap": "/d", "keys": "camelCase", "rename": {"/d/*/x_y": "z", "/d": "e"}}"#,
                #"{"d":[{"x_y":1,"a_b":2}]}"#, #"[{"z":1,"aB":2}]"#
            ),
            (
                #"{"unwrap": "/d", "keep": ["/d/*/id"], "defaults": {"/*/n": 0}}"#,
                #"{"d":[{"id":1,"x":2},{}],"id":3}"#, #"[{"id":1,"n":0},{"n":0}]"#
            ),
            (
                #"{"unwrap": "/d", "move": {"/d/a/b": "/b"}, "prune": {"emptyObject": true}}"#,
                #"{"e":{},"d":{"a":{"b":1},"c":{}}}"#, #"{"b":1}"#
            ),
            (
                #"{"unwrap": "/d", "move": {"/d/*": {"/a/b": "/c"}}}"#, #"{"d":[{"a":{"b":1}}]}"#, #"[{"a":{},"c":1}]"#
            ),
            (
                #"{"unwrap": "/d", "output": {"indent": 1, "sortKeys": true}}"#, #"{"d":{"b":[1],"a":{}}}"#,
                "{\n \"a\": {},\n \"b\": [\n  1\n ]\n}"
            ),
            (#"{"unwrap": "/d", "on": {"duplicateKey": "keep"}}"#, #"{"d":1,"d":2}"#, "1"),
            (
                #"{"unwrap": "/d", "records": {"at": "/d/*", "onError": "skip"}, "values": {"at": "/d/*/n", "as": "integer"}}"#,
                #"{"d":[{"n":"x"},{"n":"1"}]}"#, #"[{"n":1}]"#
            ),
            (#"{"unwrap": "/d", "drop": ["d", "x"]}"#, #"{"d":{"d":1,"x":{},"y":2}}"#, #"{"y":2}"#),
            (#"{"unwrap": "/d", "drop": ["/d", "/d/x"]}"#, #"{"d":{"x":1,"y":2}}"#, #"{"y":2}"#),
            (#"{"unwrap": "/d", "values": {"at": "/d", "as": "mask"}}"#, #"{"d":{"x":1}}"#, #""***""#),
        ]
        for row in rows { #expect(try ConverterTrial.text(row.profile, row.payload) == row.output, "\(row.profile)") }
    }

    @Test func `a missing value is an error with its path`() throws {
        for payload in ["{}", #"{"a":1}"#, #"{"a":null}"#, #"{"a":[]}"#, #"{"a":{"c":1}}"#, "5", "[]"] {
            let plan = try Profile(parsing: #"{"unwrap": "/a/b"}"#).compile(.forward)
            let error = #expect(throws: ConversionError.self) { try plan.convert(payload) }
            #expect(error?.code == .require)
            #expect(error?.pointer == "/a/b", "\(payload)")
            #expect(error?.rule == "/unwrap")
        }
    }

    @Test func `the output becomes a member of an object`() throws {
        let rows: [(wrap: String, payload: String, output: String)] = [
            (#""data""#, "[1, 2]", #"{"data":[1,2]}"#), (#""x""#, "[1]", #"{"x":[1]}"#),
            (#""/a/b""#, "1", #"{"a":{"b":1}}"#),
            (
                #"{"at": "/data", "with": {"ok": true, "x": "xx", "n": [1.10]}}"#, "{}",
                #"{"ok":true,"x":"xx","n":[1.10],"data":{}}"#
            ),
            (#"{"at": "/a/b/c", "with": {"a": {"z": 1}, "d": {}}}"#, "null", #"{"a":{"z":1,"b":{"c":null}},"d":{}}"#),
            (#""b", "output": {"sortKeys": true}"#, #"{"b":1,"a":2}"#, #"{"b":{"a":2,"b":1}}"#),
            (#"{"at": "b", "with": {"\u0061": "\u00e9\/"}}"#, #""\u0041""#, #"{"a":"é/","b":"\u0041"}"#),
            (#"{"at": "b", "with": {"c": "\u0078"}}"#, "1", #"{"c":"x","b":1}"#),
            (#"{"at": "b", "with": {"\u0078": 2}}"#, "1", #"{"x":2,"b":1}"#),
            (#"{"at": "b", "with": {"c": 1, "a": 2}}, "output": {"sortKeys": true}"#, "0", #"{"a":2,"b":0,"c":1}"#),
            (#""d", "output": {"indent": 1}"#, #"[{"a":1}]"#, "{\n \"d\": [\n  {\n   \"a\": 1\n  }\n ]\n}"),
            (
                #""d", "output": {"indent": 1, "sortKeys": true}"#, #"{"b":[0],"a":1}"#,
                "{\n \"d\": {\n  \"a\": 1,\n  \"b\": [\n   0\n  ]\n }\n}"
            ),
            (#""é", "output": {"escapes": "ascii"}"#, #""é""#, #"{"\u00e9":"\u00e9"}"#),
            (#""d", "move": {"/a/b": "/b"}"#, #"{"a":{"b":1}}"#, #"{"d":{"a":{},"b":1}}"#),
            (#""d", "unwrap": "/a""#, #"{"a":[1]}"#, #"{"d":[1]}"#),
            (
                #""d", "values": {"at": "/**", "as": "mask"}, "output": {"sortKeys": true}"#, #"{"a":1}"#,
                #"{"d":"***"}"#
            ),
            (#""d", "values": {"at": "/**", "as": "mask"}, "move": {"/x/y": "/y"}"#, "[[1]]", #"{"d":"***"}"#),
        ]
        for row in rows {
            #expect(try ConverterTrial.text("{\"wrap\": \(row.wrap)}", row.payload) == row.output, "\(row.wrap)")
        }
    }

    @Test func `a document that a rule replaces as a whole is complete, also if its output is taken piece by piece`()
        throws
    {
        let rules = [
            #""values": {"at": "/**", "as": "mask"}"#,
            #""values": {"at": "/**", "as": "number"}, "on": {"badValue": "null"}"#,
        ]
        for (rule, replacement) in zip(rules, [#""***""#, "null"]) {
            for more in [
                "", #", "output": {"sortKeys": true}"#, #", "move": {"/x/y": "/y"}"#,
                #", "prune": {"emptyString": true}"#,
            ] {
                for (wrap, output) in [("", replacement), (#""wrap": "d", "#, "{\"d\":\(replacement)}")] {
                    let plan = try Profile("{\(wrap)\(rule)\(more)}").compile(.forward)
                    for payload in [#"{"a":1}"#, "[1]", #"{"a":1} "#] {
                        for drains in [false, true] {
                            let bytes = Array(payload.utf8)
                            var converter = Converter(plan)
                            let whole = ConverterTrial(&converter, bytes, drains: drains)
                            let cut = ConverterTrial(&converter, bytes, cuts: Array(1..<bytes.count), drains: drains)
                            #expect(whole.text == output && cut.text == output, "\(wrap)\(rule)\(more) \(payload)")
                        }
                        var converter = Converter(plan, framing: .lines)
                        let lines = ConverterTrial(&converter, Array(payload.utf8), drains: true)
                        #expect(lines.text == output + "\n", "\(wrap)\(rule)\(more) \(payload)")
                    }
                }
            }
        }
    }

    @Test func `lines are unwrapped and wrapped one by one`() throws {
        let profile = #"{"unwrap": "/d", "wrap": "e", "records": {"onError": "POLICY"}}"#
        let lines = "{\"d\":1}\n\n{\"e\":2}\n{\"d\":\n{\"d\":{},\"x\":0}\n"
        #expect(
            try ConverterTrial.text(profile.replacing("POLICY", with: "skip"), lines, framing: .lines)
                == "{\"e\":1}\n{\"e\":{}}\n")
        #expect(
            try ConverterTrial.text(profile.replacing("POLICY", with: "null"), lines, framing: .lines)
                == "{\"e\":1}\n{\"e\":null}\n{\"e\":null}\n{\"e\":{}}\n")
        #expect(try ConverterTrial.text(#"{"wrap": "e"}"#, "1\n[2]", framing: .lines) == "{\"e\":1}\n{\"e\":[2]}\n")
        let masks = #"{"wrap": "e", "values": {"at": "/**", "as": "mask"}, "output": {"sortKeys": true}}"#
        #expect(
            try ConverterTrial.text(masks, "{\"a\":1}\n[2]", framing: .lines) == "{\"e\":\"***\"}\n{\"e\":\"***\"}\n")
    }

    @Test func `unwrap and wrap are inverses of each other`() throws {
        let unwrap = try Profile(parsing: #"{"unwrap": "/a/b", "rename": {"/a/b/*/x": "y"}}"#)
        #expect(unwrap.invertibility.isInvertible)
        #expect(try unwrap.compile(.inverse).convert(#"[{"y":1}]"#) == #"{"a":{"b":[{"x":1}]}}"#)
        let wrap = try Profile(parsing: #"{"wrap": {"at": "/a", "with": {"n": 1}}, "rename": {"/*/x": "y"}}"#)
        #expect(wrap.invertibility.isInvertible)
        #expect(try wrap.compile(.inverse).convert(#"{"n":2,"a":[{"y":1}],"m":{}}"#) == #"[{"x":1}]"#)
        let both = try Profile(parsing: #"{"unwrap": "/a", "wrap": "b", "rename": {"/a/x": "y"}}"#)
        #expect(try both.compile(.inverse).convert(#"{"b":{"y":1}}"#) == #"{"a":{"x":1}}"#)
        #expect(try !Profile(parsing: #"{"unwrap": "/a/0"}"#).invertibility.isInvertible)
        #expect(profileFaults(Array(#"{"unwrap": "/a", "roundTrip": "required"}"#.utf8)).map(\.pointer) == ["/unwrap"])
        let last = try Profile(parsing: #"{"wrap": "/a", "on": {"duplicateKey": "last"}}"#)
        #expect(try last.compile(.forward).convert(#"{"b":1,"b":2}"#) == #"{"a":{"b":2}}"#)
        let refusal = #expect(throws: ProfileError.self) { try last.compile(.inverse) }
        #expect(refusal?.faults.map(\.pointer) == ["/on/duplicateKey"])
    }

    @Test func `rules for values outside of the unwrapped document are refused`() {
        for row in [
            (#""require": "/b""#, "/require"), (#""records": {"at": "/a", "onError": "skip"}"#, "/records/at"),
            (#""move": {"/b/c": "/d"}"#, "/move/~1b~1c"), (#""keep": "/b""#, "/keep"),
            (#""on": {"duplicateKey": "last"}"#, "/on/duplicateKey"), (#""keep": {"/b": "c"}"#, "/keep/~1b"),
        ] {
            #expect(profileFaults(Array("{\"unwrap\": \"/a\", \(row.0)}".utf8)).map(\.pointer) == [row.1], "\(row)")
        }
        let taken = profileFaults(Array(#"{"wrap": {"at": "/a/b", "with": {"a": 1}}}"#.utf8))
        #expect(taken.map(\.pointer) == ["/wrap/with/a"])
    }
}
