import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Large objects that are buffered until their end are written in pieces, which together are the object.
struct HeldWritingTests {
    private struct Member {
        var name: String
        var value: String

        var text: String { "\"\(name)\":\(value)" }
    }

    /// The members of an object, in no particular order.
    private static func members(_ count: Int, distinct: Int) -> [Member] {
        (0..<count).map { Member(name: "name_\($0 * 7_919 % distinct)", value: "[\($0),{\"x\":null}]") }
    }

    private static func text(_ members: [Member]) -> String {
        "{" + members.map(\.text).joined(separator: ",") + "}"
    }

    /// Converts each piece between the cuts by itself; returns the text and the largest output of one call.
    private static func convert(_ payload: [UInt8], _ plan: Plan, cuts: [Int]) throws -> (text: String, most: Int) {
        var converter = Converter(plan)
        var output = ByteBuffer()
        var text: [UInt8] = []
        var most = 0
        func drain() {
            most = max(most, output.count)
            text += [UInt8](output)
            output.removeAll()
        }
        for (start, end) in zip([0] + cuts, cuts + [payload.count]) {
            try converter.begin(payload.span.extracting(start..<end), into: &output)
            drain()
            while converter.isWriting {
                try converter.continueWriting(into: &output)
                drain()
            }
        }
        try converter.finish(into: &output)
        drain()
        return (String(decoding: text, as: UTF8.self), most)
    }

    @Test func `each way to buffer an object writes it in pieces`() throws {
        let some = Self.members(3_000, distinct: 3_001)
        let twice = Self.members(3_000, distinct: 2_003)
        let sorted = some.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let first = Member(name: "a", value: "1")
        let lasts = twice.enumerated().filter { $0.offset + 2_003 >= twice.count }.map(\.element)
        let rows: [(profile: String, object: String, expected: String)] = [
            (#"{"output":{"sortKeys":true}}"#, Self.text(some), Self.text(sorted)),
            (#"{"on":{"duplicateKey":"last"}}"#, Self.text(twice), Self.text(lasts)),
            (
                #"{"move":{"/*/a":"/*/z"}}"#, Self.text([first] + some),
                Self.text(some + [Member(name: "z", value: "1")])
            ),
            (
                #"{"move":{"/*/a":"/*/z/y"}}"#, Self.text([first] + some),
                Self.text(some + [Member(name: "z", value: #"{"y":1}"#)])
            ),
            (
                #"{"move":{"/*/a":"/*/z"},"output":{"sortKeys":true}}"#, Self.text([first] + some),
                Self.text(sorted + [Member(name: "z", value: "1")])
            ),
        ]
        for row in rows {
            let plan: Plan = try .forward(row.profile)
            let payload = Array("[\(row.object),2,\(row.object)]".utf8)
            let expected = "[\(row.expected),2,\(row.expected)]"
            var random = SeededGenerator(seed: 22)
            let slices = Array(stride(from: 1_000, to: payload.count, by: 1_000))
            for cuts in [slices, random.cuts(count: payload.count, most: 9), []] {
                let (text, most) = try Self.convert(payload, plan, cuts: cuts)
                // Not shown when it differs, because of its length.
                let isExpected = text == expected
                #expect(isExpected, "\(row.profile) with \(cuts.count) cuts")
                // The limit is a piece, the output of a slice without buffered objects, and one member.
                if cuts.count == slices.count { #expect(most < Engine.maxPieceBytes + 1_100, "\(row.profile)") }
            }
        }
    }

    @Test func `buffered objects are indented like others`() throws {
        let members = Self.members(500, distinct: 501)
        let moved = members + [Member(name: "b", value: "\"{\\\"y\\\":[1]}\"")]
        let payload = Self.text([Member(name: "a", value: moved[500].value)] + members)
        let profile = #"{"move":{"/a":"/b"},"values":{"at":"/a","as":"json"},"output":{"indent":2}}"#
        let lines =
            members.enumerated().map { number, member in
                "  \"\(member.name)\": [\n    \(number),\n    {\n      \"x\": null\n    }\n  ]"
            } + ["  \"b\": {\n    \"y\": [\n      1\n    ]\n  }"]
        let (text, _) = try Self.convert(Array(payload.utf8), try .forward(profile), cuts: [7, 3_000])
        #expect(text == "{\n" + lines.joined(separator: ",\n") + "\n}")
    }

    @Test func `a container that becomes a string in a buffered object is written completely`() throws {
        let members = Self.members(2_000, distinct: 2_003)
        let held = Self.text(members)
        let profile = #"{"move":{"/a":"/b"},"values":{"at":"/s","as":"json"}}"#
        let plan = try Profile(parsing: Array(profile.utf8)).compile(.inverse)
        let (text, _) = try Self.convert(Array("{\"b\":1,\"s\":\(held)}".utf8), plan, cuts: [1_000, 20_000])
        #expect(text == "{\"s\":\"\(held.replacing("\"", with: "\\\""))\",\"a\":1}")
    }

    /// A payload that was abandoned, as by a client that disconnects, leaves nothing to the next payload.
    @Test func `a converter that stopped at any piece converts the next payload like a new one`() throws {
        let members = Self.members(60, distinct: 61)
        let profiles = [
            #"{"output":{"sortKeys":true},"move":{"/zz":"/first"}}"#,
            #"{"output":{"sortKeys":true},"on":{"duplicateKey":"last"},"move":{"/zz":"/first"}}"#,
            #"{"output":{"sortKeys":true},"values":{"at":"/zz","as":"json"},"defaults":{"/y":1},"move":{"/a":"/m"}}"#,
            #"{"output":{"sortKeys":true},"records":{"at":"/*","onError":"skip"},"on":{"duplicateKey":"last"}}"#,
        ]
        for profile in profiles {
            let plan: Plan = try .forward(profile)
            let next = Array(#"{"b":1,"a":{"d":2,"c":3},"zz":"[4]"}"#.utf8)
            let expected = ConverterTrial(plan, next)
            #expect(expected.error == nil)
            var converter = Converter(plan)
            converter.setMinLongBytes(5)
            var output = ByteBuffer()
            var pieces = 0
            var isWhole = false
            while !isWhole {
                converter.reset()
                converter.setPieceBytes(5)
                try converter.begin(Array("[\(Self.text(members)),3]".utf8).span, into: &output)
                for _ in 0..<pieces where converter.isWriting { try converter.continueWriting(into: &output) }
                isWhole = !converter.isWriting
                // Work that is taken elsewhere would come back too late.
                if converter.work > 0 { _ = converter.takeWork() }
                pieces += 1
                converter.setPieceBytes(Engine.maxPieceBytes)
                let trial = ConverterTrial(&converter, next)
                #expect(trial == expected, "\(profile) left after \(pieces) pieces: \(trial)")
            }
            #expect(pieces > 10, "\(profile): \(pieces)")
        }
    }

    @Test func `thousands of bad records are removed quickly from a buffered object`() throws {
        let records = (0..<12_000).map { $0 % 3 == 0 ? "{\"id\":\($0)}" : "{\"x\":\($0)}" }
        let good = (0..<4_000).map { "{\"id\":\($0 * 3)}" }
        let plan: Plan = try .forward(
            #"{"move":{"/a":"/b"},"records":{"at":"/c/*","onError":"skip"},"require":["/c/*/id"]}"#)
        let payload = "{\"a\":1,\"c\":[\(records.joined(separator: ","))]}"
        let (text, _) = try Self.convert(Array(payload.utf8), plan, cuts: [])
        let isExpected = text == "{\"c\":[\(good.joined(separator: ","))],\"b\":1}"
        #expect(isExpected)
    }
}
