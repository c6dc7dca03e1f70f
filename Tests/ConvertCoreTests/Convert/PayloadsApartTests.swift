import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// A value, line or payload that breaks off does not affect the data after it.
struct PayloadsApartTests {
    private static let quoting = #""values":{"at":["/j","/items/*/j"],"as":"json"}"#

    /// Payloads in which a value that becomes text breaks off, because of a duplicate key or invalid JSON.
    private static let broken = [
        #"{"j":{"a":1,"a":2}}"#, #"{"j":[1,x]}"#, #"{"j":["é"#, #"{"j":{"é":[{"b":"\u00"#,
        #"{"items":[{"j":[{"a":1,"a":2}]}]}"#,
    ]

    private static func plan(_ sections: String, escapes: OutputOptions.Escapes) throws -> Plan {
        try Profile(parsing: "{\(quoting),\(sections)\"output\":{\"escapes\":\"\(escapes)\"}}").compile(.inverse)
    }

    @Test func `a truncated value that becomes text does not change the escapes of later payloads`() throws {
        let rows: [(escapes: OutputOptions.Escapes, text: String)] = [
            (.preserve, #"{"a":"é\u00e9\/"}"#), (.minimal, #"{"a":"éé/"}"#), (.ascii, #"{"a":"\u00e9\u00e9/"}"#),
        ]
        for row in rows {
            var converter = Converter(try Self.plan("", escapes: row.escapes))
            for payload in Self.broken {
                #expect(ConverterTrial(&converter, Array(payload.utf8)).error != nil)
                #expect(ConverterTrial(&converter, Array(#"{"a":"é\u00e9\/"}"#.utf8)).text == row.text)
            }
        }
    }

    @Test func `a payload that breaks off in a flattened object does not change the indentation of later payloads`()
        throws
    {
        let profile = #"{"flatten":["/data","/data/a"],"output":{"indent":2}}"#
        var converter = Converter(try Profile(parsing: profile).compile(.forward))
        for broken in [#"{"data":{"b":tru}}"#, #"{"data":{"a":{"b":[1,{"c":x"#, #"{"data":{"a":{"b":1,"b":2}}}"#] {
            #expect(ConverterTrial(&converter, Array(broken.utf8)).error != nil)
            let sound = ConverterTrial(&converter, Array(#"{"x":{"y":1},"data":{"a":{"b":[2]}}}"#.utf8))
            #expect(sound.text == "{\n  \"x\": {\n    \"y\": 1\n  },\n  \"b\": [\n    2\n  ]\n}", "\(broken)")
        }
    }

    @Test func `a skipped record does not change the escapes of later records`() throws {
        let plan = try Self.plan(#""records":{"at":"/items/*","onError":"skip"},"#, escapes: .ascii)
        let payload = #"{"items":[{"j":{"a":1,"a":2}},{"s":"é"},{"j":{"a":1,"b":"é"}}]}"#
        #expect(try plan.convert(payload) == #"{"items":[{"s":"\u00e9"},{"j":"{\"a\":1,\"b\":\"\u00e9\"}"}]}"#)
    }

    @Test func `a skipped line does not change the escapes of later lines`() throws {
        for onError in ["skip", "null"] {
            let plan = try Self.plan("\"records\":{\"onError\":\"\(onError)\"},", escapes: .ascii)
            for broken in Self.broken {
                let lines = "{\"a\":\"é\"}\n\(broken)\n{\"a\":\"é\"}\n"
                let sound = "{\"a\":\"\\u00e9\"}\n"
                let replaced = onError == "null" ? "null\n" : ""
                #expect(try plan.convert(lines, framing: .lines) == sound + replaced + sound, "\(broken)")
            }
        }
    }

    @Test func `the lines before a bad one are written, whatever the rules and the pieces`() throws {
        let rules = [
            #""rename":{"a":"b"}"#, #""defaults":{"/z":1}"#, #""prune":{"null":true}"#,
            #""prune":{"null":true,"inArrays":true}"#,
            #""move":{"/a":"/c"}"#, #""keep":["/a","/n"]"#, #""require":["/a"]"#, #""on":{"collision":"last"}"#,
            #""on":{"duplicateKey":"last"}"#, #""output":{"sortKeys":true}"#, Self.quoting,
        ]
        let long = String(repeating: "long text ", count: 10_000)
        let good = [#"{"n":null,"a":[1,{"x":null}]}"#, "", #" {"a":"\#(long)","j":"[1]"} "#, #"{"a":{},"d":2}"#]
        let bad = [#"{"a":x}"#, #"{"a":[1,{"b":tru}]}"#, #"{"a":1} 2"#, #"{"a":"\#(long)","j":[x]}"#, "x", #"{"a":"#]
        var random = SeededGenerator(seed: 28)
        for rule in rules {
            for direction in [Profile.Direction.forward, .inverse] {
                let profile = try Profile(parsing: "{\(rule)}")
                guard let plan = try? profile.compile(direction) else { continue }
                let lines = good.map { $0 + "\n" }.joined()
                let expected = try plan.convert(Array(lines.utf8), framing: .lines)
                var converter = Converter(plan, framing: .lines)
                for bad in bad {
                    let payload = Array((lines + bad + "\n" + lines).utf8)
                    let cuts = (0..<5).map { _ in Int.random(in: 0...payload.count, using: &random) }.sorted()
                    for cuts in [[], cuts] {
                        let trial = ConverterTrial(&converter, payload, cuts: cuts, drains: Bool.random(using: &random))
                        #expect(trial.error?.line == good.count + 1, "\(rule) \(bad.prefix(30))")
                        let end = trial.output.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
                        #expect(Array(trial.output[..<end]) == expected, "\(rule) \(bad.prefix(30)) \(cuts)")
                    }
                }
            }
        }
    }

    @Test func `one converter reads JSON texts in strings, whatever the previous text was`() throws {
        let profile = #"{"values":{"at":"/*","as":"json"},"on":{"badValue":"keep"},"output":{"indent":1}}"#
        var converter = Converter(try Profile(parsing: profile).compile(.forward))
        let rows = [
            ("\"[1\"", "\"[1\""), ("\"[1]\"", "[\n  1\n ]"), ("\"\"", "\"\""), ("\"{}\"", "{}"),
            ("\"[\"", "\"[\""), ("\"2\"", "2"),
        ]
        let payload = "[\(rows.map(\.0).joined(separator: ","))]"
        let expected = "[\n \(rows.map(\.1).joined(separator: ",\n "))\n]"
        var usedBytes: Int?
        for _ in 0..<2 {
            #expect(ConverterTrial(&converter, Array(payload.utf8)).text == expected)
            #expect(usedBytes == nil || converter.storedBytes == usedBytes)
            usedBytes = converter.storedBytes
        }
    }

    @Test func `stored bytes include what the lookup of keys in values keeps`() throws {
        let profile = #"{"keys":"camelCase","values":{"at":"/sort","as":"names"}}"#
        let plan = try Profile(parsing: profile).compile(.forward)
        var converter = Converter(plan)
        #expect(ConverterTrial(&converter, Array(#"{"sort":null}"#.utf8)).text == #"{"sort":null}"#)
        let before = converter.storedBytes
        #expect(ConverterTrial(&converter, Array(#"{"sort":"a_b"}"#.utf8)).text == #"{"sort":"aB"}"#)
        var translator = NameTranslator(plan)
        var output = ByteBuffer()
        let content = Array("a_b".utf8)
        translator.translate(content.span, NameForm(syntax: .names), into: &output)
        #expect(translator.storedBytes > 0)
        #expect(converter.storedBytes >= before + translator.storedBytes)
    }
}
