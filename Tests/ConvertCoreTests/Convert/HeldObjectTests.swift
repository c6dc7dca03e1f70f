import TestSupport
import Testing

@testable import ConvertEngine

/// A buffered object gives the same result whether it is resolved in a call or elsewhere. The number of writing calls is irrelevant.
struct HeldObjectTests {
    /// A converter's output or error, and the number of its calls.
    private struct Run {
        var outcome = ""
        var calls = 0

        init(
            _ plan: Plan, _ payload: [UInt8], framing: Converter.Framing = .document,
            pieceBytes: Int = Engine.maxPieceBytes, worksElsewhere: Bool = false
        ) {
            var converter = Converter(plan, framing: framing)
            converter.setPieceBytes(pieceBytes)
            var output = ByteBuffer()
            do throws(ConversionError) {
                try converter.begin(payload.span, into: &output)
                calls = 1
                while converter.isWriting {
                    if worksElsewhere, converter.work > 0 {
                        var work = converter.takeWork()
                        work.perform()
                        converter.finish(work)
                        #expect(converter.work == 0)
                    }
                    try converter.continueWriting(into: &output)
                    calls += 1
                }
                try converter.finish(into: &output)
                outcome = "\(converter.skippedRecords) " + String(decoding: [UInt8](output), as: UTF8.self)
            } catch {
                // Line and offset are not compared: without a known line, the offset depends on where the previous call ended.
                outcome = "\(error.code) \(error.pointer) \(error.rule ?? "") \(error.message)"
            }
        }
    }

    private static let profiles = [
        #"{"on":{"duplicateKey":"last"}}"#,
        #"{"on":{"duplicateKey":"last","collision":"last"},"keys":"camelCase"}"#,
        #"{"on":{"duplicateKey":"last","collision":"first"},"keys":"camelCase","prune":{"null":true,"emptyObject":true}}"#,
        #"{"on":{"duplicateKey":"keep","collision":"last"},"rename":{"a_*":"b"},"output":{"sortKeys":true}}"#,
        #"{"on":{"duplicateKey":"keep"},"move":{"/a":"/b/c/d"},"keys":"camelCase"}"#,
        #"{"on":{"duplicateKey":"last"},"keep":["a_1","/b/**"],"drop":["b_2"],"prune":{"emptyArray":true}}"#,
        #"""
        {"on":{"duplicateKey":"keep","collision":"first"},"move":{"/*/a_1":"/*/x/y","/*/a_2":"/*/x/z","/a":"/b"},
         "defaults":{"/x":{"y":[1]},"/*/x/n":1,"/*/new":"2","/b/*/*":3}}
        """#,
        #"""
        {"on":{"duplicateKey":"last"},"records":{"at":"/list/*","onError":"skip"},"require":["/list/*/a"],
         "values":{"at":"/list/*/b","as":"number"},"move":{"/list/*/c":"/list/*/a2"},"keys":"camelCase"}
        """#,
        #"""
        {"on":{"duplicateKey":"last"},"records":{"at":"/list/*","onError":"null"},"keep":["/list/*/a","/list/*/b_1"],
         "values":{"at":"/list/*/b","as":"number"},"prune":{"null":true,"inArrays":true}}
        """#,
        #"{"on":{"collision":"error","duplicateKey":"last"},"keys":"camelCase"}"#,
        #"{"move":{"/a":"/b/c"},"on":{"duplicateKey":"keep","collision":"keep"}}"#,
    ]

    /// An object with few different keys, so that they repeat and collide. It has more members than are compared one by one.
    private static func object(_ random: inout SeededGenerator, depth: Int) -> String {
        let names = ["a", "b", "c", "x", "list", "a_1", "a1", "a_2", "b_1", "b1", "b_2", "\\u0061", "a_\\u0031", "new"]
        let values = ["1", "null", "\"\"", "[]", "{}", "\"2\"", "[1,{}]", "true"]
        let members = (0..<Int.random(in: 0...(depth == 0 ? 60 : 12), using: &random)).map { number in
            let isUnique = Int.random(in: 0..<3, using: &random) == 0
            let name = names.randomElement(using: &random)! + (isUnique ? "_\(number)" : "")
            guard depth < 2, Int.random(in: 0..<4, using: &random) == 0 else {
                return "\"\(name)\":\(values.randomElement(using: &random)!)"
            }
            let elements = (0..<Int.random(in: 0..<4, using: &random)).map { _ in object(&random, depth: depth + 1) }
            return name.hasPrefix("list")
                ? "\"\(name)\":[\(elements.joined(separator: ","))]"
                : "\"\(name)\":\(object(&random, depth: depth + 1))"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test func `the output does not depend on the bytes per call or the queue`() throws {
        var random = SeededGenerator(seed: 31)
        var written = 0
        for profile in Self.profiles {
            let plan: Plan = try .forward(profile)
            for number in 0..<9 {
                let framing: Converter.Framing = number % 3 == 2 ? .lines : .document
                let objects = (0..<3).map { _ in Self.object(&random, depth: 0) }
                let text = framing == .lines ? objects.joined(separator: "\n") : objects[0]
                let payload = Array(text.utf8)
                let whole = Run(plan, payload, framing: framing, pieceBytes: .max)
                for bytes in [1, 2, 7, 100] {
                    let pieces = Run(plan, payload, framing: framing, pieceBytes: bytes)
                    #expect(pieces.outcome == whole.outcome, "\(bytes) bytes, \(profile) \(text)")
                    let elsewhere = Run(plan, payload, framing: framing, pieceBytes: bytes, worksElsewhere: true)
                    #expect(elsewhere.outcome == whole.outcome, "\(bytes) bytes, elsewhere, \(profile) \(text)")
                    if whole.outcome.contains("{"), payload.count > 1_000 {
                        written += 1
                        #expect(bytes > 1 || pieces.calls > whole.calls, "\(profile)")
                    }
                }
            }
        }
        #expect(written > 50)
    }

    @Test func `large objects are processed at once or in a queue, and written in pieces`() throws {
        let count = 20_000
        let pairs = (0..<count).map { "\"name_\($0)\":\($0)" }
        let renamed = (0..<count).map { "\"name\($0)\":\($0)" }.joined(separator: ",")
        let rows: [(profile: String, payload: String, expected: String)] = [
            (
                #"{"on":{"duplicateKey":"last"}}"#, (pairs + pairs).joined(separator: ","), pairs.joined(separator: ",")
            ),
            (
                #"{"on":{"collision":"last"},"keys":"camelCase"}"#,
                pairs.joined(separator: ",") + ",\"name0\":7", renamed.dropFirst(10) + ",\"name0\":7"
            ),
            (
                #"{"move":{"/o/first":"/o/last/of/them"}}"#, "\"first\":{}," + pairs.joined(separator: ","),
                pairs.joined(separator: ",") + ",\"last\":{\"of\":{\"them\":{}}}"
            ),
            (
                #"{"on":{"collision":"last"},"defaults":{"/o/name_7":1,"/o/z":2}}"#, pairs.joined(separator: ","),
                pairs.joined(separator: ",") + ",\"z\":2"
            ),
        ]
        for row in rows {
            for worksElsewhere in [false, true] {
                let run = Run(
                    try .forward(row.profile), Array("{\"o\":{\(row.payload)}}".utf8), worksElsewhere: worksElsewhere)
                let isExpected = run.outcome == "0 {\"o\":{\(row.expected)}}"
                #expect(isExpected, "\(row.profile)")
                #expect(run.calls > row.expected.utf8.count / (Engine.maxPieceBytes + 100), "\(row.profile)")
            }
        }
    }
}
