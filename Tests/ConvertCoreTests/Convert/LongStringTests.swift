import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Strings that a rule of `values` reads piece by piece; the result does not depend on the cuts.
struct LongStringTests {
    private struct Row {
        let rule: String
        /// The spelling of the string, without its quotes.
        let spelling: String
        /// Nil if the value is bad.
        let output: String?
    }

    private static let many = 6 * HeldString.minBytes

    private static let rows: [Row] = {
        let digits = String(repeating: "1234567890", count: many / 10)
        let path = String(repeating: "/a%20b?x=1", count: many / 10)
        let escapedPath = path.replacing("/", with: "\\/")
        let text = String(repeating: "é\\n\\\"\\ud83d\\ude00x", count: many / 20)
        let elements = Array(repeating: #"{\"a\" : \"\\u00e9\\\\ \\ud83d\\ude00\"}"#, count: many / 30)
        let converted = Array(repeating: #"{"a":"\u00e9\\ \ud83d\ude00"}"#, count: many / 30)
        let json = (spelled: "[\(elements.joined(separator: " , "))]", plain: "[\(converted.joined(separator: ","))]")
        let url = #""as": "url", "relativeTo": "http://a.example""#
        return [
            Row(rule: #""as": "string""#, spelling: text, output: "\"\(text)\""),
            Row(rule: #""as": "number""#, spelling: digits, output: digits),
            Row(rule: #""as": "number""#, spelling: "-0.\(digits)e-5", output: "-0.\(digits)e-5"),
            Row(rule: #""as": "number""#, spelling: "\\u0031\(digits)", output: "1\(digits)"),
            Row(rule: #""as": "number""#, spelling: "0\(digits)", output: nil),
            Row(rule: #""as": "number""#, spelling: "\(digits).", output: nil),
            Row(rule: #""as": "number""#, spelling: "\(digits) ", output: nil),
            Row(rule: #""as": "integer""#, spelling: "-\(digits)", output: "-\(digits)"),
            Row(rule: #""as": "integer""#, spelling: "\(digits).5", output: nil),
            Row(rule: #""as": "boolean""#, spelling: digits, output: nil),
            Row(rule: #""as": "uuid""#, spelling: digits, output: nil),
            Row(rule: #""as": "url""#, spelling: "http:\(escapedPath)", output: "\"http:\(escapedPath)\""),
            Row(rule: #""as": "url""#, spelling: "http:\(path)%2", output: nil),
            Row(rule: #""as": "url""#, spelling: "http:\(path)é", output: nil),
            Row(rule: #""as": "url""#, spelling: "http:\(path)\\ud800", output: nil),
            Row(rule: url, spelling: "http://a.example\(path)", output: "\"\(path)\""),
            Row(rule: url, spelling: "http:\\/\\/a.example\(escapedPath)", output: "\"\(path)\""),
            Row(rule: url, spelling: "http://b.example\(path)", output: "\"http://b.example\(path)\""),
            Row(rule: #""as": "json""#, spelling: json.spelled, output: json.plain),
            Row(rule: #""as": "json""#, spelling: "\(json.spelled) 1", output: nil),
            Row(rule: #""as": "json""#, spelling: "[\(json.spelled)", output: nil),
            Row(rule: #""map": {"1": 2}"#, spelling: digits, output: nil),
            Row(rule: "\"map\": {\"\(digits)\": 2, \"1\": 3}", spelling: digits, output: "2"),
        ]
    }()

    @Test(arguments: [1, 7, 1000, HeldString.minBytes, 100_000])
    func `a long string has the same output for any cuts`(pieceBytes: Int) throws {
        for row in Self.rows {
            let plan = try Profile("{\"values\": {\"at\": \"/a\", \(row.rule)}}").compile(.forward)
            let payload = Array("{\"a\": \"\(row.spelling)\", \"b\": 1}".utf8)
            // Cuts near the end are inside the string's last escapes.
            let cuts = stride(from: pieceBytes, to: payload.count, by: pieceBytes)
            let trial = ConverterTrial(plan, payload, cuts: Array(cuts))
            let name = "\(row.rule.prefix(50)), \(row.spelling.prefix(20))…\(row.spelling.suffix(20))"
            if let output = row.output {
                #expect(trial.error == nil, "\(name)")
                #expect(trial.text == "{\"a\":\(output),\"b\":1}", "\(name)")
            } else {
                #expect(trial.error?.code == .badValue && trial.error?.pointer == "/a", "\(name)")
                #expect(trial == ConverterTrial(plan, payload), "\(name)")
            }
        }
    }

    @Test func `a kept bad string keeps its spelling, with the escapes of the output`() throws {
        for row in Self.rows where row.output == nil {
            let profile = "{\"values\": {\"at\": \"/a\", \(row.rule)}, \"on\": {\"badValue\": \"keep\"}}"
            let payload = Array("{\"a\":\"\(row.spelling)\"}".utf8)
            let trial = ConverterTrial(
                try Profile(profile).compile(.forward), payload, cuts: [20_000, payload.count - 4])
            #expect(trial.error == nil)
            #expect(trial.output == payload, "\(row.rule), \(row.spelling.suffix(20))")
        }
    }

    @Test func `a path of any length is restored to its URL`() throws {
        let profile = try Profile(#"{"values": {"at": "/a", "as": "url", "relativeTo": "http://a.example"}}"#)
        let spelled = String(repeating: "/a?b=\\\"\\u0001é\\ud83d\\ude00", count: Self.many / 24)
        let payload = Array("{\"a\":\"\(spelled)\"}".utf8)
        let written = spelled.replacing("\\ud83d\\ude00", with: "😀")
        for pieceBytes in [7, 30_000] {
            let cuts = Array(stride(from: pieceBytes, to: payload.count, by: pieceBytes))
            let trial = ConverterTrial(try profile.compile(.inverse), payload, cuts: cuts)
            #expect(trial.text == "{\"a\":\"http://a.example\(written)\"}")
        }
    }

    @Test(arguments: ["minimal", "ascii", "preserve"])
    func `a value that becomes text is written while it arrives`(escapes: String) throws {
        let profile = try Profile(
            "{\"values\": {\"at\": \"/a\", \"as\": \"json\"}, \"output\": {\"escapes\": \"\(escapes)\"}}")
        let element = "{\"é\" : \"x\\n\\ud800😀\"} , "
        let payload = Array("{\"a\": [\(String(repeating: element, count: 10_000))[]], \"b\": 1}".utf8)
        let inside =
            switch escapes {
            case "ascii": "{\\\"\\u00e9\\\":\\\"x\\\\n\\\\ud800\\ud83d\\ude00\\\"},"
            default: "{\\\"é\\\":\\\"x\\\\n\\\\ud800😀\\\"},"
            }
        let expected = "{\"a\":\"[\(String(repeating: inside, count: 10_000))[]]\",\"b\":1}"
        let plan = try profile.compile(.inverse, limits: Limits(maxHeldBytes: 100_000))
        for pieceBytes in [1, 5000, payload.count] {
            var converter = Converter(plan)
            let cuts = Array(stride(from: pieceBytes, to: payload.count, by: pieceBytes))
            let trial = ConverterTrial(&converter, payload, cuts: cuts, drains: true)
            #expect(trial.error == nil && trial.text == expected)
        }
    }

    @Test func `embedded JSON text is indented like the payload; the buffer limit counts the text alone`() throws {
        let profile = try Profile(#"{"values": {"at": "/a/b", "as": "json"}, "output": {"indent": 2}}"#)
        let count = HeldString.minBytes
        let spelling = "[\(Array(repeating: "1", count: count).joined(separator: ","))]"
        let payload = Array("{\"a\":{\"b\":\"\(spelling)\"}}".utf8)
        let lines = Array(repeating: "      1", count: count).joined(separator: ",\n")
        let expected = "{\n  \"a\": {\n    \"b\": [\n\(lines)\n    ]\n  }\n}"
        for cuts in [[], [20_000], [20_000, 20_001, payload.count - 3]] {
            #expect(ConverterTrial(try profile.compile(.forward), payload, cuts: cuts).text == expected)
            let limited = try profile.compile(.forward, limits: Limits(maxHeldBytes: count * 3))
            #expect(ConverterTrial(limited, payload, cuts: cuts).error == nil)
            let tight = try profile.compile(.forward, limits: Limits(maxHeldBytes: count))
            #expect(ConverterTrial(tight, payload, cuts: cuts).error?.code == .limit)
        }
    }

    @Test func `a line with a truncated long string does not affect the next line`() throws {
        let profile = try Profile(#"{"values": {"at": "/a", "as": "url"}, "records": {"onError": "skip"}}"#)
        let long = String(repeating: "x", count: 40_000)
        let stays = "{\"a\":\"ftp:\(long)\"}\n"
        let payload = Array("{\"a\":\"http:\(long)\u{1}\"}\n\(stays){\"a\":\"no \(long)\"}\n".utf8)
        let trial = ConverterTrial(try profile.compile(.forward), payload, framing: .lines, cuts: [30_000, 50_000])
        #expect(trial.error == nil)
        #expect(trial.text == stays)
    }
}
