import ConvertEngine
import FoundationEssentials
import Testing

@testable import ConvertProfiles

/// The cost of checking a profile and the length of its report have limits, whatever the profile makes of its examples.
struct ProfileReportLimitTests {
    /// A long new key: it turns 8 bytes of input into 60,000.
    private static let name = String(repeating: "n", count: 60_000)
    /// An object in which 200 members get the long key: 12 MB of output.
    private static let many = "{\"x\":[" + Array(repeating: "{\"a\":1}", count: 200).joined(separator: ",") + "]}"

    /// The report on a profile with these sections and examples; each example is an input and an output.
    private static func report(_ sections: String, _ examples: [(String, String)]) -> ProfileReport {
        let list = examples.map { "{\"in\":\($0.0),\"out\":\($0.1)}" }.joined(separator: ",")
        return ProfileReport(checking: Array("{\(sections),\"examples\":[\(list)]}".utf8))
    }

    private static func pointers(_ indices: Range<Int>) -> [String] { indices.map { "/examples/\($0)" } }

    /// List elements made from `element`, with each number in place of every `#`.
    private static func list(_ element: String, _ numbers: Range<Int>) -> String {
        numbers.map { element.replacing("#", with: "\($0)") }.joined(separator: ",")
    }

    /// A JSON string of `byteCount` bytes, with its quotes.
    private static func string(byteCount: Int) -> String { "\"" + String(repeating: "x", count: byteCount - 2) + "\"" }

    // MARK: Memory

    @Test func `an example that buffers too much fails at the limit, and the next one runs`() {
        let sections = [
            #""output":{"sortKeys":true},"drop":"/y""#, #""on":{"collision":"last"}"#, #""move":{"/y":"/p/q"}"#,
        ]
        for section in sections {
            let report = Self.report(
                "\"rename\":{\"a\":\"\(Self.name)\"},\(section)", [(Self.many, "{}"), ("{\"b\":1}", "{\"b\":1}")])
            #expect(report.faults.isEmpty && report.invertibility?.isInvertible == false, "\(section)")
            #expect(report.failedExamples.map(\.pointer) == Self.pointers(0..<1), "\(section)")
            let message = report.failedExamples.first?.message ?? ""
            #expect(message.hasPrefix("the example fails: limit: "), "\(section): \(message.prefix(100))")
        }
    }

    @Test func `an example that buffers too much in the inverse direction fails at the limit`() {
        // Longer selectors are refused, so 1,200 members get a key of 4,000 bytes.
        let sections = "\"rename\":{\"\(String(repeating: "n", count: 4_000))\":\"a\"}"
        let many = "{\"x\":[" + Array(repeating: "{\"a\":1}", count: 1_200).joined(separator: ",") + "]}"
        let report = Self.report(sections, [("{}", many), ("{\"b\":1}", "{\"b\":1}")])
        #expect(report.invertibility?.isInvertible == true)
        #expect(report.failedExamples.map(\.pointer) == ["/examples/0", "/examples/0"])
        #expect(report.failedExamples.first?.message.hasPrefix("the example gives {}, not {\"x\":[{\"a\":1}") == true)
        #expect(report.failedExamples.last?.message.hasPrefix("the example fails backwards: limit: ") == true)
    }

    @Test func `only the compared part of a buffered object is written`() {
        let sections = #"""
            "rename":{"a":"A#","b":"B#"},"on":{"collision":"last"},"dates":{"at":"t"}
            """#.replacing("#", with: String(repeating: "n", count: 20_000))
        // The bad date follows within the same few bytes.
        let report = Self.report(sections, [(#"[{"a":1,"b":1},{"t":"never"}]"#, "[]"), (#"{"c":1}"#, #"{"c":1}"#)])
        #expect(report.failedExamples.map(\.pointer) == Self.pointers(0..<1))
        #expect(report.failedExamples.first?.message.hasPrefix("the example gives [{\"Annn") == true)
    }

    // MARK: Length

    @Test func `no more than 1000 failed examples are reported`() {
        let rows: [(sections: String, count: Int, told: [String])] = [
            (#""drop":"/a""#, 999, Self.pointers(0..<999)), (#""drop":"/a""#, 1000, Self.pointers(0..<1000)),
            (#""drop":"/a""#, 1001, Self.pointers(0..<1000)), (#""drop":"/a""#, 5000, Self.pointers(0..<1000)),
            // Forward first, then backwards.
            (#""name":"x""#, 600, Self.pointers(0..<600) + Self.pointers(0..<400)),
            (#""name":"x""#, 500, Self.pointers(0..<500) + Self.pointers(0..<500)),
        ]
        for row in rows {
            let report = Self.report(row.sections, Array(repeating: ("1", "2"), count: row.count))
            #expect(report.profile?.examples.count == row.count)
            #expect(report.failedExamples.map(\.pointer) == row.told, "\(row.count) examples, \(row.sections)")
        }
    }

    @Test func `no more failed examples are reported after a mebibyte of messages`() {
        let example = ("{\"\(Self.name)\":\"never\"}", "{}")
        let report = Self.report(#""dates":{"at":"/*"}"#, Array(repeating: example, count: 30))
        // Each message has the path: 17 times 60,000 bytes and some words are less than 1,048,576 bytes, and 18 times are more.
        #expect(report.failedExamples.map(\.pointer) == Self.pointers(0..<18))
    }

    private struct Lists: Decodable {
        struct Entry: Decodable {
            let pointer: String
        }
        let faults: [Entry]
        let warnings: [Entry]
        let losses: [Entry]?
        let conditions: [Entry]?
    }

    @Test func `each list of a report has a limit`() throws {
        let lossy =
            "{\"keys\":{\"case\":\"preserve\",\"opaque\":[\(Self.list("\"/o#\"", 0..<1100))]},"
            + "\"drop\":[\(Self.list("\"/d#\"", 0..<1001))]}"
        let date = #"{"at":"/d#","from":{"pattern":"yyyy-MM-dd'T'HH:mm:ssXXX"},"to":"epoch-s"}"#
        let conditional = "{\"dates\":[\(Self.list(date, 0..<1001))]}"
        let rows: [(document: String, counts: [Int?])] = [
            // The last entry says that there are more.
            ("{\(Self.list("\"x#\":0", 0..<1500))}", [1001, 0, nil, nil]),
            (lossy, [0, 1000, 1000, 0]), (conditional, [0, 0, 0, 1000]),
        ]
        for row in rows {
            let report = ProfileReport(checking: Array(row.document.utf8))
            let lists = try JSONDecoder().decode(Lists.self, from: Data(report.json()))
            let counts: [Int?] = [
                lists.faults.count, lists.warnings.count, lists.losses?.count, lists.conditions?.count,
            ]
            #expect(counts == row.counts, "\(row.document.prefix(40))")
            #expect([nil, "/drop/999"].contains(lists.losses?.last?.pointer))
        }
    }

    @Test func `a list below a key that is no selector is not read`() {
        // Each error in it would repeat the key.
        let report = ProfileReport(checking: Array("{\"keep\":{\"\(Self.name)\":[1,2,3]}}".utf8))
        #expect(report.faults.map(\.message).count == 1)
    }

    // MARK: Time

    @Test func `short examples with long results are stopped after the time limit`() {
        // Each result has `{"a":[`, 39,999 bytes and `]}`, 40,005 more than the input. 199 times that is less than 8,000,000.
        let zeros = Array(repeating: "0", count: 20_000).joined(separator: ",")
        let report = Self.report("\"defaults\":{\"/a\":[\(zeros)]}", Array(repeating: ("{}", "{}"), count: 300))
        #expect(report.failedExamples.map(\.pointer) == Self.pointers(0..<201))
        #expect(report.failedExamples.last?.message.hasPrefix("the example takes too long under this profile") == true)
    }

    @Test func `examples for too many selectors are not run, nor those after them`() throws {
        let sections = "\"drop\":[\(Self.list("\"*zq#*\"", 1000..<1800))]"
        #expect(try Profile("{\(sections)}").compile(.forward).maxTries == 800)
        // Each selector is tried once for every 6 bytes, so 60,000 bytes take 8,000,000 tries.
        let rows: [(byteCounts: [Int], fault: String?)] = [
            ([59_999], nil), ([60_000], "/examples/0"), ([30_000, 29_999], nil), ([30_000, 30_000], "/examples/1"),
            ([6_000, 60_000, 2], "/examples/1"),
        ]
        for row in rows {
            let strings = row.byteCounts.map { Self.string(byteCount: $0) }
            let report = Self.report(sections, strings.map { ($0, $0) } + [("1", "2")])
            // The last example fails, which is seen only if it is run.
            let last = "/examples/\(row.byteCounts.count)"
            #expect(report.failedExamples.map(\.pointer) == [row.fault ?? last], "\(row.byteCounts)")
            let isLong = report.failedExamples.first?.message.hasPrefix("the example takes too long under") == true
            #expect(isLong == (row.fault != nil), "\(row.byteCounts)")
        }
    }

    @Test func `many examples that buffer much are stopped after the time limit`() {
        // 72 members of 60,000 bytes exceed the limit of buffered bytes. The 64 steps for each of them, and for the other buffered
        // bytes, count as at least 32,768 tries.
        let example = ("{\"x\":[" + Array(repeating: "{\"a\":1}", count: 72).joined(separator: ",") + "]}", "{}")
        let report = Self.report(
            "\"rename\":{\"a\":\"\(Self.name)\"},\"on\":{\"collision\":\"last\"}",
            Array(repeating: example, count: 400))
        let failed = report.failedExamples
        #expect(failed.dropLast().allSatisfy { $0.message.hasPrefix("the example fails: limit: ") })
        #expect(failed.last?.message.hasPrefix("the example takes too long under this profile") == true)
        // At most 244 examples use up 8,000,000 tries; one more entry reports that.
        #expect((100...245).contains(failed.count), "\(failed.count)")
    }

    @Test func `examples with too many inverse tries run only forward`() {
        let sections = "\"rename\":{\(Self.list("\"/*/a#\":\"b#\"", 0..<100))}"
        // 100 selectors are tried for every 6 bytes.
        let report = Self.report(sections, [("1", Self.string(byteCount: 480_000)), ("1", "2")])
        #expect(report.invertibility?.isInvertible == true)
        #expect(report.failedExamples.map(\.pointer) == ["/examples/0", "/examples/1", "/examples/0"])
        #expect(report.failedExamples.last?.message.hasPrefix("the example takes too long backwards") == true)
    }

    @Test func `a mebibyte of examples of a usual profile is run in both directions`() {
        let sections = #"""
            "rename":{"firstName":"fn","/orders/*/createdAt":"ca"},
            "dates":{"at":"/orders/*/createdAt","from":[{"pattern":"yyyy-MM-dd'T'HH:mm:ssXXX"}],"to":"epoch-s"}
            """#
        func payload(_ name: String, _ order: String) -> String {
            "{\"\(name)\":\"Ada\",\"orders\":[" + Self.list(order, 0..<25) + "]}"
        }
        let input = payload("firstName", ##"{"id":#,"createdAt":"2026-03-01T12:00:00Z"}"##)
        let output = payload("fn", ##"{"id":#,"ca":1772366400}"##)
        #expect(1000 * input.utf8.count > 1024 * 1024)
        let report = Self.report(sections, Array(repeating: (input, output), count: 1000) + [("1", "2")])
        #expect(report.invertibility?.isInvertible == true)
        let messages = ["the example gives 1, not 2", "the example gives back 2, not 1"]
        #expect(report.failedExamples.map(\.message) == messages)
        #expect(report.failedExamples.map(\.pointer) == ["/examples/1000", "/examples/1000"])
    }

    @Test func `the search for nearest paths ends after a number of steps`() throws {
        // In 480 nested objects, a `**` leads from each of 64 ways to every value. So each costs about 64 times 481 of a million steps.
        let payload = String(repeating: "{\"a\":", count: 480) + "1" + String(repeating: "}", count: 480)
        for (count, reason) in [(4, "keys are case-sensitive: write \"/a\""), (40, "the payload has no key `A`")] {
            let path = String(repeating: "/**/a", count: count)
            let profile = try Profile(parsing: "{\"drop\":[\"\(path)/z\",\"/A\"]}")
            let rules = try Explanation(of: profile, on: Array(payload.utf8)).idleRules
            #expect(rules.map(\.reason).last == reason, "\(count)")
        }
    }
}
