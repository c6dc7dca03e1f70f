import ConvertCore
import Testing

/// `keep` of keys that may be anywhere, whose containers the fast path reads without a decision on each member.
struct SearchedMembersTests {
    private static let profile = #"{"keys": "camelCase", "keep": ["id"]}"#

    /// The payload as an element between others of which nothing is kept, so that the fast path reads it.
    private static func surrounded(_ payload: String) -> String {
        let others = Array(repeating: #"{"a_b":{"x":[0]},"x":{"y":1}}"#, count: 10).joined(separator: ",")
        return "[\(others),\(payload),\(others)]"
    }

    @Test(arguments: [
        (#"{"a_b":{"x":1,"id":{"c_d":2}},"e":[3,{"f":4}],"id":5}"#, #"{"aB":{"id":{"cD":2}},"id":5}"#),
        (#"[[1,{"id":2},3],[4],[],[[{"id":[5]}]],{"x":{"y":{}}},"z"]"#, #"[[{"id":2}],[[{"id":[5]}]]]"#),
        (#"[[{"a":{"id":1}},2,3],[4,5],[{"id":6},{"id":[]},7],[],[8]]"#, #"[[{"a":{"id":1}}],[{"id":6},{"id":[]}]]"#),
        (
            #"{"a":{"b":{"c":{"id":1,"x":0},"x":{"y":0}},"x":[0]},"d":{"id":2}}"#,
            #"{"a":{"b":{"c":{"id":1}}},"d":{"id":2}}"#
        ),
        (
            #"{"x":"a\u00e9\n","y":1e9,"id":1,"z":-0.5E-3,"long":"0123456789012345678901234567890123456789"}"#,
            #"{"id":1}"#
        ),
        ("[1,2]", "[]"), (#"{"a":{"b":[]}}"#, "{}"), ("7", "7"),
    ])
    func `what is kept stays in its objects and arrays`(payload: String, expected: String) throws {
        #expect(try ConverterTrial.text(Self.profile, payload) == expected)
        let isKept = expected.contains("id")
        #expect(try ConverterTrial.text(Self.profile, Self.surrounded(payload)) == "[\(isKept ? expected : "")]")
    }

    /// `a_b` and `aB` become one key.
    @Test(arguments: [
        (#"{"a_b":1,"aB":2,"id":3}"#, #"{"id":3}"#),
        (#"{"a_b":{"x":1},"aB":{"id":2}}"#, #"{"aB":{"id":2}}"#),
        (#"{"a_b":{"x":0,"a_b":{"x":1}},"aB":{"id":2}}"#, #"{"aB":{"id":2}}"#),
        (#"{"a_b":{"x":0,"a_b":{"id":1}},"aB":2}"#, #"{"aB":{"aB":{"id":1}}}"#),
        (#"{"c":{"a_b":{"id":1}},"a_b":{"id":2}}"#, #"{"c":{"aB":{"id":1}},"aB":{"id":2}}"#),
    ])
    func `members that are not kept do not collide`(payload: String, expected: String) throws {
        #expect(try ConverterTrial.text(Self.profile, payload) == expected)
        #expect(try ConverterTrial.text(Self.profile, Self.surrounded(payload)) == "[\(expected)]")
    }

    @Test(arguments: [
        (#"{"a_b":{"id":1},"aB":{"id":2}}"#, ConversionError.Code.collision),
        (#"{"a_b":{"x":0,"a_b":{"id":1}},"aB":{"id":2}}"#, .collision),
        (#"{"a_b":[{"x":0,"a_b":[{"x":0,"a_b":[[{"id":1}]]}]}],"aB":{"id":2}}"#, .collision),
        (#"{"x":{"y":0,"y":1}}"#, .duplicateKey), (#"{"x":{"y":{"y":1},"y":1}}"#, .duplicateKey),
        (#"{"x":[0,1,,2]}"#, .json), (#"{"x":{"y":"\q"}}"#, .json), (#"{"x":{"y":01}}"#, .json),
    ])
    func `errors are those of members that stay, and of bad JSON`(payload: String, code: ConversionError.Code) throws {
        for payload in [payload, Self.surrounded(payload)] {
            let error = try #require(throws: ConversionError.self) { try ConverterTrial.text(Self.profile, payload) }
            #expect(error.code == code)
        }
    }

    @Test func `an error inside of what is searched leaves nothing behind in the converter`() throws {
        var converter = Converter(try .forward(Self.profile))
        for (payload, code) in [
            (#"{"x":{"y":{"z":"\q"}}}"#, ConversionError.Code.json), (#"{"a_b":{"id":1},"aB":{"id":2}}"#, .collision),
        ] {
            #expect(ConverterTrial(&converter, Array(Self.surrounded(payload).utf8)).error?.code == code)
        }
    }

    @Test(arguments: [
        (#""drop":["/*/*/*","/*/*/*/*"]"#, #"{"x":1,"y":[{"q":{"k":1}}],"z":1}"#, "{}"),
        (#""values":[{"at":["/*/*/*","/*/*/*/*"],"as":"number"}]"#, #"{"z":1,"x":[{"q":"text"}],"n":1}"#, "{}"),
        (#""drop":["x"]"#, #"{"z":1,"y":{"x":{"id":1},"id":2}}"#, #"{"y":{"id":2}}"#),
        (
            #""drop":["x"]"#, #"{"z":{"x":{"y":{"x":0},"z":[1]}},"x":[[{"x":1,"y":2}],"z"],"y":[{"x":1e9},{"id":2}]}"#,
            #"{"y":[{"id":2}]}"#
        ),
        (
            #""prune":{"null":true,"emptyObject":true,"emptyArray":true,"inArrays":true}"#,
            #"{"z":1,"y":{"id":null,"x":null},"x":{"id":[{}]},"w":[{"z":{}},{"id":1},{"id":null}]}"#,
            #"{"w":[{"id":1}]}"#
        ),
        (
            #""prune":{"null":true}"#, #"{"z":null,"y":{"x":{"y":0,"id":null}},"x":{"y":null},"id":2}"#,
            #"{"y":{"x":{}},"id":2}"#
        ),
        (
            #""output":{"sortKeys":true}"#,
            #"{"z":{"y":[{"x":0,"id":1,"a":{"c":0,"b":{"id":2}}}],"x":{"y":0},"b":{"id":3}},"id":4}"#,
            #"{"id":4,"z":{"b":{"id":3},"y":[{"a":{"b":{"id":2}},"id":1}]}}"#
        ),
        (
            #""dates":"rfc3339""#,
            #"{"x":"2024-01-02T03:04:05+01:00","y":{"z":"2024-01-02 \u00e9","id":"2024-01-02T03:04:05+01:00"}}"#,
            #"{"y":{"id":"2024-01-02T02:04:05Z"}}"#
        ),
    ])
    func `rules beside keep act on the same members`(rules: String, payload: String, expected: String) throws {
        let profile = #"{"keep":["id"],\#(rules)}"#
        #expect(try ConverterTrial.text(profile, payload) == expected)
        let isKept = expected.contains("id")
        #expect(try ConverterTrial.text(profile, Self.surrounded(payload)) == "[\(isKept ? expected : "")]")
    }

    @Test func `a line that is not JSON is skipped`() throws {
        let plan = try Plan.forward(#"{"keep":["id"],"records":{"onError":"skip"}}"#)
        let line = #"{"a":[{"b":{"c":{}}}],"id":1}"#
        let bad = Self.surrounded(#"{"a":{"b":[0,{"c":\q}]},"id":1}"#)
        let lines = "\(line)\n\(bad)\n\(line)\n"
        #expect(try plan.convert(lines, framing: .lines) == "{\"id\":1}\n{\"id\":1}\n")
    }

    /// The first element of the array in line 1 is not a number.
    @Test func `a line after a skipped one stays`() throws {
        let plan = try Plan.forward(
            #"{"keep":["item"],"values":[{"at":"/*","as":"number"}],"records":{"onError":"skip"}}"#)
        let others = String(repeating: "{\"item\":1}\n", count: 50)
        #expect(try plan.convert("[{\"item\":1},{\"item\":1}]\n\(others)", framing: .lines) == others)
    }
}
