import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `sortKeys` by a second engine, behind the one that carries out all other rules.
struct OutputStagesTests {
    private static let sorting = #""output": {"sortKeys": true}"#

    /// Members in any order, and sorted.
    private static func members(_ count: Int) -> (input: String, output: String) {
        let names = (0..<count).map { String(100_000 + $0 * 7_919 % 20_011) }
        func text(_ names: [String]) -> String { names.map { "\"\($0)\":1" }.joined(separator: ",") }
        return (text(names), text(names.sorted()))
    }

    @Test func `a second engine sorts if the first one makes no trees without that`() throws {
        let staged = [
            #""move": {"/a": "/b"}"#, #""move": {"/*/a/b": "/*/c"}, "prune": {"null": true}, "require": "/a""#,
            #""flatten": "/a""#, #""flatten": "/a", "keep": ["b"]"#, #""move": {"/a": "/b"}, "wrap": "w""#,
            #""move": {"/a": "/b"}, "on": {"duplicateKey": "last"}"#, #""flatten": "/a", "on": {"collision": "last"}"#,
        ]
        let whole = [
            #""keys": "camelCase""#, #""on": {"duplicateKey": "last"}"#, #""defaults": {"/b": 1}, "wrap": "w""#,
            #""move": {"/a": "/b"}, "keep": ["b"]"#, #""move": {"/a": "/b"}, "flatten": "/c""#,
            #""move": {"/a": "/b"}, "on": {"collision": "first"}"#, #""flatten": "/a", "defaults": {"/b": 1}"#,
            #""move": {"/a": "/b"}, "records": {"onError": "skip"}"#,
        ]
        for rules in staged { #expect(try Plan.forward("{\(rules), \(Self.sorting)}").stages != nil, "\(rules)") }
        for rules in whole { #expect(try Plan.forward("{\(rules), \(Self.sorting)}").stages == nil, "\(rules)") }
        for rules in staged { #expect(try Plan.forward("{\(rules)}").stages == nil, "\(rules)") }
    }

    @Test func `values that other rules write are sorted, and text that becomes a string is not`() throws {
        let rows: [(rules: String, payload: String, expected: String)] = [
            (
                #""move": {"/z/a": "/y/b"}, "defaults": {"/y": {"c": {"k": 1, "j": 2}}}, "wrap": "w""#,
                #"{"z":{"a":{"d":1,"c":2},"b":3}}"#, #"{"w":{"y":{"b":{"c":2,"d":1}},"z":{"b":3}}}"#
            ),
            (
                #""move": {"/a": "/b"}, "values": {"at": "s", "as": "json"}"#,
                #"{"s":"{\"z\":[{\"d\":1,\"c\":\"{\\\"b\\\":1,\\\"a\\\":2}\"}],\"y\":2}","a":1}"#,
                #"{"b":1,"s":{"y":2,"z":[{"c":"{\"b\":1,\"a\":2}","d":1}]}}"#
            ),
            (#""flatten": {"at": "/m", "prefix": "a_"}"#, #"{"b":1,"m":{"z":1,"y":2}}"#, #"{"a_y":2,"a_z":1,"b":1}"#),
            (
                #""move": {"/q": "/r"}, "on": {"collision": "keep", "duplicateKey": "keep"}"#,
                #"{"b":1,"\u0061":2,"b":3,"a":4}"#, #"{"\u0061":2,"a":4,"b":1,"b":3}"#
            ),
        ]
        for row in rows {
            #expect(try ConverterTrial.text("{\(row.rules), \(Self.sorting)}", row.payload) == row.expected)
        }
    }

    /// The limit counts the text of the outermost object in both engines.
    @Test(arguments: [64, 1000, 5000])
    func `more text than the limit is an error at the payload's position`(pieceBytes: Int) throws {
        let lines = (0..<2000).map { " \"k\($0)\": {\"c_d\": [1, 2],\n\"b\":null}" }.joined(separator: ",\n")
        let payload = Array("{\n\(lines)}".utf8)
        let profile = try Profile(parsing: #"{"keys": "camelCase", "move": {"/*/x": "/*/y"}, \#(Self.sorting)}"#)
        let plan = try profile.compile(.forward, limits: Limits(maxHeldBytes: 20_000))
        let cuts = Array(stride(from: pieceBytes, to: payload.count, by: pieceBytes))
        let error = try #require(ConverterTrial(plan, payload, cuts: cuts).error)
        #expect(error.code == .limit && error.message.contains("more than 20000 bytes"), "\(error)")
        #expect(error.offset % pieceBytes == 0 && error.offset > 20_000 && error.offset < 30_000, "\(error)")
        let before = payload[..<error.offset]
        let lineStart = (before.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        #expect(error.line == before.count { $0 == UInt8(ascii: "\n") } + 1)
        #expect(error.column == error.offset - lineStart + 1)
        #expect(error.pointer.hasPrefix("/k"), "\(error)")
    }

    @Test(arguments: [#""output": {"sortKeys": true}"#, #""output": {"sortKeys": true, "escapes": "ascii"}"#])
    func `lines before an error are written, and large ones are sorted where the caller wants`(output: String) throws {
        let (input, sorted) = Self.members(20_000)
        let payload = Array("{\"b\":{\"é\":1,\"d\":2}}\n{\(input)}\n{\"x\": @}\n".utf8)
        let plan: Plan = try .forward(#"{"move": {"/b/d": "/a"}, \#(output)}"#)
        var converter = Converter(plan, framing: .lines)
        for _ in 0..<2 {
            var output = ByteBuffer()
            try converter.begin(payload.span, into: &output)
            var (error, handed) = (ConversionError?.none, 0)
            while error == nil, converter.isWriting {
                if converter.work > 10_000 {
                    handed += 1
                    var work = converter.takeWork()
                    work.perform()
                    converter.finish(work)
                }
                do throws(ConversionError) { try converter.continueWriting(into: &output) } catch let thrown {
                    error = thrown
                }
            }
            #expect(handed == 1 && error?.line == 3 && error?.column == 7 && error?.pointer == "/x")
            let letter = plan.output.escapes == .ascii ? "\\u00e9" : "é"
            let first = "{\"a\":2,\"b\":{\"\(letter)\":1}}"
            let isExpected = String(decoding: Array(output), as: UTF8.self) == "\(first)\n{\(sorted)}\n"
            #expect(isExpected)
            converter.reset()
        }
    }

    @Test func `a plan keeps what the second engine learned`() throws {
        let plan: Plan = try .forward(#"{"flatten": "/a", \#(Self.sorting)}"#)
        let stages = try #require(plan.stages)
        for _ in 0..<2 { #expect(try plan.convert(#"{"c":1,"b":2,"a":{"d":3}}"#) == #"{"b":2,"c":1,"d":3}"#) }
        for part in [stages.rules, stages.sorting] {
            let keys = part.spareKeys.take().count { $0.cache.entries.count }
            #expect(keys >= 3)
        }
    }
}
