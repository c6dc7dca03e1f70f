import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Explanations of the inverse direction, of NDJSON, of the document itself, and of what policies prevent.
struct ExplanationCaseTests {
    private struct Row {
        let profile: String
        let payload: String
        var direction = Profile.Direction.forward
        var framing = Converter.Framing.document
        /// Each effect as `input > output < rule: what`.
        let effects: [String]
        /// Each rule without effect as `label: reason`.
        var idle: [String] = []
    }

    private static func check(_ rows: [Row]) throws {
        for row in rows {
            let explanation = try Explanation(
                of: Profile(row.profile), on: Array(row.payload.utf8), row.direction, framing: row.framing)
            #expect(explanation.lines == row.effects, "\(row.profile)")
            #expect(explanation.idleRules.map { "\($0.label): \($0.reason)" } == row.idle, "\(row.profile)")
        }
    }

    @Test func `a bad value that is the document itself is described`() throws {
        try Self.check([
            Row(
                profile: #"{"unwrap": "/d", "values": {"at": "/d", "as": "json"}, "on": {"badValue": "keep"}}"#,
                payload: #"{"d": "s"}"#,
                effects: [
                    "/d >  < /unwrap: unwrap: becomes the document",
                    """
                    /d >  < /values: value: bad value: expected a string that contains one JSON document; \
                    at line 1, column 1 of it: expected a JSON value
                    """,
                ]),
            Row(
                profile: #"{"unwrap": "/d", "values": {"at": "/d", "as": "number"}}"#, payload: #"{"d": {"a": 1}}"#,
                effects: [
                    "/d >  < /unwrap: unwrap: becomes the document",
                    "/d >  < /values: value: bad value: expected a single value, not an object",
                ]),
        ])
    }

    @Test func `effects that policies or a missing document prevent are not listed`() throws {
        try Self.check([
            Row(profile: #"{"on": {"collision": "keep"}}"#, payload: #"{"a": 1, "a": 2}"#, effects: []),
            Row(
                profile: #"{"on": {"duplicateKey": "keep"}, "keys": "camelCase"}"#, payload: #"{"a_b": 1, "aB": 3}"#,
                effects: ["/a_b > /aB < /keys: key: `a_b` -> `aB`"]),
            Row(profile: #"{"unwrap": "/a/b", "wrap": "w"}"#, payload: #"{"a": {"x": 1}}"#, effects: []),
            Row(
                profile: #"{"keep": ["/a/id", "q"]}"#, payload: #"{"x": {"d": {"e": [1]}}, "a": {"id": 1, "q": 2}}"#,
                effects: [
                    "/x > - < /keep: keep: discarded, nothing in it is kept", "/x/d/e/0 > - < /keep: keep: discarded",
                ]),
        ])
    }

    @Test func `a plain key that looks like an index is found, but only as a key`() throws {
        try Self.check([
            Row(
                profile: #"{"drop": ["1", "2*"], "keys": {"case": "camelCase", "opaque": "3"}}"#,
                payload: #"{"1": 0, "20": [0], "3": {"a_b": 0}, "y_z": [0, 0]}"#,
                effects: [
                    "/1 > - < /drop/0: drop: discarded with everything below it",
                    "/20 > - < /drop/1: drop: discarded with everything below it",
                    "/3 > /3 < /keys/opaque: opaque: keys below are kept", "/y_z > /yZ < /keys: key: `y_z` -> `yZ`",
                ])
        ])
    }

    @Test func `a rename to the same key keeps it from other rules`() throws {
        try Self.check([
            Row(
                profile: #"{"rename": {"a_b": "a_b", "/x/c": "c", "c": "d"}, "keys": "camelCase"}"#,
                payload: #"{"a_b": 0, "x": {"c": 0}, "c": 0, "y_z": 0}"#,
                effects: [
                    "/a_b > /a_b < /rename/a_b: rename: the key is kept",
                    "/x/c > /x/c < /rename/~1x~1c: rename: the key is kept", "/c > /d < /rename/c: rename: `c` -> `d`",
                    "/y_z > /yZ < /keys: key: `y_z` -> `yZ`",
                ]),
            Row(
                profile: #"{"rename": {"a": "a"}}"#, payload: #"{"a": 0}"#, effects: [],
                idle: [#"rename "a": the new key is the old one"#]),
        ])
    }

    @Test func `rules act, match and remove in the inverse direction, too`() throws {
        try Self.check([
            Row(
                profile: #"{"flatten": [{"at": "/xY", "names": ["bC"]}]}"#, payload: #"{"bC": 1}"#, direction: .inverse,
                effects: ["/bC > /xY/bC < /flatten/0: flatten: `bC` goes back into its object"]),
            Row(
                profile: """
                    {"rename": {"/tags": "labels"},
                     "keys": {"case": "camelCase", "from": "snake_case", "opaque": "/tags"}}
                    """,
                payload: #"{"labels": {"aB": 1}}"#, direction: .inverse,
                effects: [
                    "/labels > /tags < /rename/~1tags: rename: `labels` -> `tags`",
                    "/labels > /tags < /keys/opaque: opaque: keys below are kept",
                ], idle: ["keys: every key is written in this case already, or is never converted"]),
            Row(
                profile: #"{"move": {"/a/x": "/b/x"}}"#, payload: #"{"b": {"x": 1}, "a": {}}"#, direction: .inverse,
                effects: [
                    "/b > - < /move: move: discarded, everything in it goes elsewhere",
                    "/b/x > /a/x < /move/~1a~1x: move: moved here",
                ]),
        ])
    }

    @Test func `a line with a bad record is skipped as a whole, and a blank line is no record`() throws {
        try Self.check([
            Row(
                profile: """
                    {"values": {"at": "/items/*/n", "as": "number"}, "records": {"at": "/items/*", "onError": "skip"}}
                    """,
                payload: "{\"items\":[{\"n\":\"x\"},{\"n\":1}]}\n{\"items\":[{\"n\":\"5\"}]}\n", framing: .lines,
                effects: [
                    " > - < /records: record: discarded (badValue)",
                    "/items/0/n > /items/0/n < /values: value: \"5\" -> 5",
                ]),
            Row(
                profile: #"{"keys": "camelCase", "records": {"onError": "skip"}}"#,
                payload: "{\"a_b\":1}\r\n\r\n{\"a\":2}\r\n", framing: .lines,
                effects: ["/a_b > /aB < /keys: key: `a_b` -> `aB`"]),
        ])
    }

    @Test func `equal effects are counted together, also across lines of NDJSON`() throws {
        func groups(_ profile: String, _ payload: String, _ framing: Converter.Framing) throws -> [String] {
            try Explanation(of: Profile(profile), on: Array(payload.utf8), framing: framing).groups.map {
                "\($0.input ?? "-") > \($0.output ?? "-") < \($0.label): \($0.what)\($0.isVaried ? ", …" : "") ×\($0.count)"
            }
        }
        let profile = #"{"rename": {"/*/a": "b"}, "values": {"at": "n", "as": "string"}, "drop": "/0/c"}"#
        #expect(
            try groups(profile, #"[{"a": 1, "c": 0}, {"a": 2, "n": 3}, {"n": 4}, {"n": 4}]"#, .document) == [
                #"/*/a > /*/b < rename "/*/a": rename: `a` -> `b` ×2"#,
                #"/0/c > - < drop "/0/c": drop: discarded with everything below it ×1"#,
                #"/*/n > /*/n < values "n": value: 3 -> "3", … ×3"#,
            ])
        let lines = #"{"keys": "camelCase", "values": {"at": "n", "as": "integer"}, "records": {"onError": "skip"}}"#
        #expect(
            try groups(lines, "{\"a_b\": 1}\n\n{\"a_b\": 2, \"n\": 1.5}\n{\"a_b\"\n{\"a_b\": 3, \"n\": 1}", .lines) == [
                "/a_b > /aB < keys: key: `a_b` -> `aB` ×2",
                " > - < records: record: discarded (badValue) ×1", " > - < records: record: discarded (json) ×1",
                #"/n > /n < values "n": value: 1 is kept ×1"#,
            ])
    }
}
