import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// The rules of `values`, as profile-rules defines them: each row is a rule, an input and the expected output.
struct ValuesTests {
    private struct Row {
        let rule: String
        let input: String
        /// Nil if the value is bad.
        let output: String?

        init(_ rule: String, _ input: String, _ output: String?) {
            self.rule = rule
            self.input = input
            self.output = output
        }
    }

    private static let rows: [Row] = [
        Row(#""as": "string""#, "1.10", #""1.10""#), Row(#""as": "string""#, "true", #""true""#),
        Row(#""as": "string""#, #""é\n""#, #""é\n""#), Row(#""as": "string""#, "null", "null"),
        Row(#""as": "number""#, #""12345678901234567890""#, "12345678901234567890"),
        Row(#""as": "number""#, #""1E400""#, "1E400"), Row(#""as": "number""#, "-0.0", "-0.0"),
        Row(#""as": "number""#, #""+1""#, nil), Row(#""as": "number""#, #"" 1""#, nil),
        Row(#""as": "number""#, #""01""#, nil), Row(#""as": "number""#, #""0x1F""#, nil),
        Row(#""as": "number""#, #""""#, nil), Row(#""as": "number""#, "true", nil),
        Row(#""as": "integer""#, #""-7""#, "-7"), Row(#""as": "integer""#, "0", "0"),
        Row(#""as": "integer""#, "1.0", nil), Row(#""as": "integer""#, "1e3", nil),
        Row(#""as": "integer""#, #""-""#, nil), Row(#""as": "integer""#, #""00""#, nil),
        Row(#""as": "boolean""#, #""true""#, "true"), Row(#""as": "boolean""#, "0", "false"),
        Row(#""as": "boolean""#, "1", "true"), Row(#""as": "boolean""#, "false", "false"),
        Row(#""as": "boolean""#, #""1""#, nil), Row(#""as": "boolean""#, "1.0", nil),
        Row(#""as": "boolean""#, #""TRUE""#, nil),
        Row(
            #""as": "uuid""#, #""550E8400-E29B-41D4-A716-446655440000""#,
            #""550e8400-e29b-41d4-a716-446655440000""#),
        Row(
            #""as": "uuid", "case": "upper""#, #""550e8400-e29b-41d4-a716-446655440000""#,
            #""550E8400-E29B-41D4-A716-446655440000""#),
        Row(#""as": "uuid""#, #""550e8400e29b41d4a716446655440000""#, nil), Row(#""as": "uuid""#, "1", nil),
        Row(#""as": "url""#, #""mailto:a@b.example""#, #""mailto:a@b.example""#),
        Row(#""as": "url""#, #""/just/a/path""#, nil), Row(#""as": "url""#, #""http://a b""#, nil),
        Row(#""as": "url""#, #""http://a/%4""#, nil),
        Row(#""as": "url", "relativeTo": "http://a.example/""#, #""http://a.example/x?y#z""#, #""/x?y#z""#),
        Row(#""as": "url", "relativeTo": "http://a.example""#, #""http://a.example//x""#, #""http://a.example//x""#),
        Row(
            #""as": "url", "relativeTo": "http://a.example""#, #""http://a.example.org/x""#,
            #""http://a.example.org/x""#),
        Row(#""as": "url", "relativeTo": "http://a.example""#, #""http://a.example""#, #""http://a.example""#),
        Row(#""as": "json""#, #""{\"a\" : [1.10, \"\\u00e9\"]}""#, #"{"a":[1.10,"\u00e9"]}"#),
        Row(#""as": "json""#, #"" 12 ""#, "12"), Row(#""as": "json""#, #""1 2""#, nil),
        Row(#""as": "json""#, #""""#, nil),
        Row(#""as": "json""#, "12", nil),
        Row(#""map": {"0": "off", "1.0": 5, "true": null, "x": "\"q\""}"#, "0", #""off""#),
        Row(#""map": {"0": "off"}"#, #""0""#, #""off""#), Row(#""map": {"1.0": 5}"#, "1.0", "5"),
        Row(#""map": {"1.0": 5}"#, "1", nil), Row(#""map": {"true": null}"#, "true", "null"),
        Row(#""map": {"x": "\"q\""}"#, #""\u0078""#, #""\"q\"""#),
        Row(#""map": {"x": 1}"#, "[1]", nil), Row(#""as": "string""#, "{}", nil),
        Row(#""as": "mask""#, #""secret""#, #""***""#), Row(#""as": "mask""#, "12.50", #""***""#),
        Row(#""as": "mask""#, "null", "null"), Row(#""as": "mask""#, "false", #""***""#),
        Row(#""as": "mask""#, #"{"a":[1,{"b":"c"}]}"#, #""***""#), Row(#""as": "mask""#, "[]", #""***""#),
        Row(#""as": "mask", "text": "\"x\"""#, "[[1]]", #""\"x\"""#), Row(#""as": "mask", "text": """#, "1", #""""#),
        Row(#""as": "mask", "keep": {"last": 4}"#, #""4111111111111111""#, #""************1111""#),
        Row(#""as": "mask", "keep": {"first": 2, "last": 1}"#, #""abcdef""#, #""ab***f""#),
        Row(#""as": "mask", "keep": {"first": 2, "last": 1}"#, #""abc""#, #""***""#),
        Row(#""as": "mask", "keep": {"first": 2, "last": 1}"#, #""""#, #""""#),
        Row(#""as": "mask", "keep": {"first": 1}, "char": "•""#, #""é\ud83d\ude00ü""#, #""é••""#),
        Row(#""as": "mask", "keep": {"first": 1}, "char": "\"""#, "-1.5", #""-\"\"\"""#),
        Row(#""as": "mask", "keep": {}"#, "true", #""***""#),
        Row(#""as": "mask", "keep": {}, "text": "t""#, "{}", #""t""#),
    ]

    private func convert(_ rule: String, _ input: String, cutting step: Int) throws -> [UInt8] {
        let profile = #"{"values": {"at": "v", \#(rule)}}"#
        let plan = try Profile(parsing: Array(profile.utf8)).compile(.forward)
        let payload = Array(#"{"v": \#(input), "w": 1}"#.utf8)
        var converter = Converter(plan)
        var output = ByteBuffer()
        for start in stride(from: 0, to: payload.count, by: step) {
            let end = min(start + step, payload.count)
            try converter.convert(payload.span.extracting(start..<end), into: &output)
        }
        try converter.finish(into: &output)
        return [UInt8](output)
    }

    @Test func `every form agrees with the specification, whole and byte by byte`() throws {
        for row in Self.rows {
            for step in [1, 3, 1 << 20] {
                do {
                    let found = String(decoding: try convert(row.rule, row.input, cutting: step), as: UTF8.self)
                    #expect(found == row.output.map { #"{"v":\#($0),"w":1}"# }, "\(row.rule) \(row.input)")
                } catch let error as ConversionError {
                    #expect(row.output == nil, "\(row.rule) \(row.input): \(error)")
                    #expect(error.code == .badValue && error.pointer == "/v" && error.rule == "/values")
                }
            }
        }
    }

    @Test func `an error in a URL says whether its scheme or a character is wrong`() throws {
        let character = "the URL has a character that must be percent-encoded"
        let scheme = "expected a URL with a scheme"
        let rows = [
            ("https://h/é", character), ("https://h/a b", character), ("https://h/%4", character),
            ("https://h/%4x", character), ("/just/a/path", scheme), ("h", scheme), ("", scheme), ("https:", scheme),
            (":x", scheme), ("1:x", scheme),
        ]
        for (text, message) in rows {
            let error = #expect(throws: ConversionError.self) {
                try convert(#""as": "url""#, "\"\(text)\"", cutting: 1 << 20)
            }
            #expect(error?.message.contains(message) == true, "\(text)")
        }
    }

    @Test func `an error under a map names its keys or, in the inverse direction, its values`() throws {
        for (map, direction, message) in [
            (#"{"0": "off", "1": "on"}"#, Profile.Direction.forward, "expected one of the 2 keys of `map`"),
            (#"{"0": "off", "1": "on"}"#, .inverse, "expected one of the 2 values of `map`"),
            (#"{"0": "off"}"#, .forward, "expected the one key of `map`"),
            (#"{"0": "off"}"#, .inverse, "expected the one value of `map`"),
        ] {
            let plan = try Profile(parsing: #"{"values": {"at": "v", "map": \#(map)}}"#).compile(direction)
            for value in ["7", #""a text that is longer than any key""#] {
                let error = #expect(throws: ConversionError.self) { try plan.convert(#"{"v":\#(value)}"#) }
                #expect(error?.message == message)
            }
        }
    }

    @Test func `an embedded text has the output's indentation`() throws {
        let profile = #"{"values": {"at": "v", "as": "json"}, "output": {"indent": 2}}"#
        let plan = try Profile(parsing: Array(profile.utf8)).compile(.forward)
        var converter = Converter(plan)
        var output = ByteBuffer()
        let payload = Array(#"{"v": "{\"a\":[1]}"}"#.utf8)
        try converter.convert(payload.span, into: &output)
        try converter.finish(into: &output)
        let expected = "{\n  \"v\": {\n    \"a\": [\n      1\n    ]\n  }\n}"
        #expect(String(decoding: [UInt8](output), as: UTF8.self) == expected)
    }

    @Test func `texts from strings and defaults are indented like all others, however long that makes them`() throws {
        let rules = #""values": {"at": "v", "as": "json"}, "output": {"indent": 8}"#
        // Each of 2,400 elements is on a line of its own, behind 8 spaces for each of 61 levels: 1.2 MB.
        let elements = Array(repeating: "1", count: 2_400).joined(separator: ",")
        let deep = String(repeating: "[", count: 60) + elements + String(repeating: "]", count: 60)
        for (profile, members) in [
            ("{\(rules)}", #""v": "\#(deep)", "w": 1"#),
            (#"{\#(rules), "move": {"/m": "/w"}}"#, #""v": "\#(deep)", "m": 1"#),
            (#"{"defaults": {"/w": 1, "/v": \#(deep)}, "output": {"indent": 8}}"#, ""),
        ] {
            let output = try Profile(parsing: profile).compile(.forward).convert("{\(members)}")
            let lines = Array(output.utf8).split(separator: UInt8(ascii: "\n"))
            let indented = lines.filter { $0.prefix { $0 == UInt8(ascii: " ") }.count == 8 * 61 }
            #expect(indented.count == 2_400, "\(profile.prefix(60))")
        }
    }

    @Test func `settings that exclude each other are refused`() {
        let faulty: [(String, String)] = [
            (#"{"values": {"as": "string"}}"#, "`at` is missing"),
            (#"{"values": {"at": "a"}}"#, "needs `as` or `map`"),
            (#"{"values": {"at": "a", "as": "string", "map": {}}}"#, "not both"),
            (#"{"values": {"at": "a", "as": "text"}}"#, "not a valid value"),
            (#"{"values": {"at": "a", "as": "string", "case": "upper"}}"#, "works only with"),
            (#"{"values": {"at": "a", "as": "uuid", "relativeTo": "http://a"}}"#, "works only with"),
            (#"{"values": {"at": "a", "as": "url", "relativeTo": "http://a/b"}}"#, "must be a scheme and a host"),
            (#"{"values": {"at": "a", "as": "url", "relativeTo": "a"}}"#, "must be a scheme and a host"),
            (#"{"values": {"at": "a", "map": {"x": []}}}"#, "found an array"),
            (#"{"values": {"at": "a", "as": "string"}, "dates": {"at": "a"}}"#, "can match the same path"),
        ]
        for (document, message) in faulty {
            let faults = Profile.read(Array(document.utf8)).faults
            #expect(faults.contains { $0.description.contains(message) }, "\(document): \(faults)")
        }
    }
}
