import ConvertProfiles
import TestSupport
import Testing

@testable import ConvertEngine

/// Under `last`, documents are tried without buffered objects first.
struct RetryingEngineTests {
    private static func plan(_ output: String = "{}") throws -> Plan {
        try .forward(
            #"{"keys": "camelCase", "on": {"duplicateKey": "last", "collision": "last"}, "output": \#(output)}"#)
    }

    /// Members with distinct keys and about `count` bytes, and what becomes of them.
    private static func members(_ count: Int) -> (input: String, output: String) {
        let text = String(repeating: "x", count: 100)
        let numbers = 0..<(count / 120)
        return (
            numbers.map { "\"key_a\($0)\":\"\(text)\"" }.joined(separator: ","),
            numbers.map { "\"keyA\($0)\":\"\(text)\"" }.joined(separator: ",")
        )
    }

    @Test(arguments: [1000, 200_000, 4_300_000])
    func `a later member replaces an earlier one in documents of any length`(count: Int) throws {
        let (input, output) = Self.members(count)
        let plan = try Self.plan()
        for (first, last, expected) in [
            ("", "", "[{\(output)}]"), (#""b":1,"#, #","b":2"#, "[{\(output),\"b\":2}]"),
            (#""x_y":1,"#, #","xY":2"#, "[{\(output),\"xY\":2}]"),
        ] {
            let payload = Array("[{\(first)\(input)\(last)}]".utf8)
            for cuts in count < 1_000_000 ? [[], [1], [payload.count - 1]] : [[payload.count / 2]] {
                let isEqual = ConverterTrial(plan, payload, cuts: cuts).wholeOutput == Array(expected.utf8)
                #expect(isEqual, "\(count), \(last), cut at \(cuts)")
            }
        }
    }

    @Test func `an error does not count if a later member replaces its member`() throws {
        let plan: Plan = try .forward(#"{"values": {"at": "n", "as": "integer"}, "on": {"duplicateKey": "last"}}"#)
        #expect(try plan.convert(#"{"n":"x","n":"1"}"#) == #"{"n":1}"#)
        let error = #expect(throws: ConversionError.self) { try plan.convert(#"{"n":"1","n":"x"}"#) }
        #expect(error?.pointer == "/n" && error?.offset == 13)
    }

    @Test func `long output is handed on in parts, and only when the document has ended`() throws {
        var converter = Converter(try Self.plan(#"{"indent": 16}"#))
        var output = ByteBuffer()
        let nested = String(repeating: "[", count: 400) + "0" + String(repeating: ",0", count: 2000)
        try converter.begin(Array(nested.utf8).span, into: &output)
        #expect(output.isEmpty && !converter.isWriting)
        try converter.begin(Array(String(repeating: "]", count: 400).utf8).span, into: &output)
        var longest = output.count
        while converter.isWriting {
            let written = output.count
            try converter.continueWriting(into: &output)
            longest = max(longest, output.count - written)
        }
        #expect(output.count > 12_000_000 && longest < 1_000_000, "\(output.count), \(longest)")
        let error = #expect(throws: ConversionError.self) { try converter.begin(Array(" 1".utf8).span, into: &output) }
        #expect(error?.code == .json)
    }

    /// The output of a payload in pieces of `count` bytes, and the longest output of one call.
    private static func convert(
        _ payload: String, inPiecesOf count: Int, _ converter: inout Converter
    ) throws -> (text: String, longest: Int) {
        let bytes = Array(payload.utf8)
        var output = ByteBuffer()
        var longest = 0
        for start in stride(from: 0, to: bytes.count, by: count) {
            var written = output.count
            try converter.begin(bytes.span.extracting(start..<min(start + count, bytes.count)), into: &output)
            longest = max(longest, output.count - written)
            while converter.isWriting {
                written = output.count
                try converter.continueWriting(into: &output)
                longest = max(longest, output.count - written)
            }
        }
        return (String(decoding: Array(output), as: UTF8.self), longest)
    }

    @Test func `a failed attempt takes no memory, and its input is taken again in pieces that are not longer`() throws {
        let objects = String(repeating: #"{"a":[1,2,3]},"#, count: 70_000)
        var converter = Converter(try Self.plan())
        let before = converter.heldBytes
        let (text, longest) = try Self.convert("[\(objects){\"a\":1,\"a\":2}]", inPiecesOf: 1000, &converter)
        let isExpected = text == "[\(objects){\"a\":2}]"
        #expect(isExpected)
        #expect(longest < 1200, "\(longest)")
        #expect(converter.heldBytes - before < 100_000, "\(converter.heldBytes), \(before) before")
    }

    @Test func `a document that is too long in one piece is not copied`() throws {
        let objects = String(repeating: #"{"a":[1,2,3]},"#, count: 310_000)
        for pauses in [false, true] {
            var converter = Converter(try Self.plan())
            let before = converter.heldBytes
            var output = ByteBuffer()
            let payload = Array("[\(objects)1]".utf8)
            if pauses {
                try converter.begin(payload.span, into: &output)
            } else {
                try converter.convert(payload.span, into: &output)
            }
            let isExpected = Array(output) == payload
            #expect(isExpected)
            #expect(converter.heldBytes - before < 100_000, "\(converter.heldBytes), \(before) before")
        }
    }

    @Test func `nothing is left to write after an error in what is taken again`() throws {
        let plan: Plan = try .forward(#"{"values": {"at": "n", "as": "integer"}, "on": {"duplicateKey": "last"}}"#)
        var converter = Converter(plan)
        var output = ByteBuffer()
        let payload = Array("[{\"n\":\"x\"}\(String(repeating: ",{}", count: 20_000))".utf8)
        let error = #expect(throws: ConversionError.self) { try converter.begin(payload.span, into: &output) }
        #expect(error?.pointer == "/0/n" && !converter.isWriting)
    }

    @Test func `the members of a large object are sorted where the caller wants`() throws {
        let names = (0..<20_000).map { String(100_000 + $0 * 7_919 % 20_011) }
        let payload = Array("{\(names.map { "\"\($0)\":1" }.joined(separator: ","))}".utf8)
        let expected = "{\(names.sorted().map { "\"\($0)\":1" }.joined(separator: ","))}"
        let plan: Plan = try .forward(#"{"output": {"sortKeys": true}, "on": {"duplicateKey": "last"}}"#)
        var converter = Converter(plan)
        var output = ByteBuffer()
        try converter.begin(payload.span, into: &output)
        _ = converter.takeWork()
        converter.reset()
        try converter.begin(payload.span, into: &output)
        #expect(output.isEmpty && converter.isWriting && converter.work > 10_000)
        var work = converter.takeWork()
        work.perform()
        converter.finish(work)
        #expect(converter.work == 0)
        while converter.isWriting { try converter.continueWriting(into: &output) }
        try converter.finish(into: &output)
        let isExpected = String(decoding: Array(output), as: UTF8.self) == expected
        #expect(isExpected)
    }

    @Test func `a converter tries each document anew`() throws {
        var converter = Converter(try Self.plan())
        for payload in [
            #"{"a":1,"a":2}"#, #"{"a":2}"#, #"{"a":1,"a":"#, #"{"a":2}"#, "[1", #"{"b":0,"a":1,"b":3,"a":2}"#,
        ] {
            var output = ByteBuffer()
            let isWhole = payload.hasSuffix("}")
            for byte in payload.utf8 { try converter.convert([byte].span, into: &output) }
            if isWhole {
                try converter.finish(into: &output)
                let expected = payload.contains("b") ? #"{"b":3,"a":2}"# : #"{"a":2}"#
                #expect(String(decoding: Array(output), as: UTF8.self) == expected)
            }
            converter.reset()
        }
    }

    // MARK: NDJSON

    /// What an engine without attempts, or a converter, makes of lines: whole lines of output, and the error.
    private struct LinesResult: Equatable {
        var output: [UInt8] = []
        var error: ConversionError?

        init(_ buffer: borrowing ByteBuffer, _ error: ConversionError?) {
            output = Array(Array(buffer).prefix(buffer.bytes.endOfLastLine(from: 0)))
            self.error = error
        }
    }

    private static func withoutAttempts(_ plan: Plan, _ payload: [UInt8]) -> LinesResult {
        var engine = Engine(plan, framing: .lines)
        var output = ByteBuffer()
        do throws(ConversionError) {
            try engine.finish(payload.span, into: &output)
            return LinesResult(output, nil)
        } catch {
            return LinesResult(output, error)
        }
    }

    private static func converted(
        _ payload: [UInt8], cuts: [Int], pauses: Bool, _ converter: inout Converter
    ) -> LinesResult {
        var output = ByteBuffer()
        do throws(ConversionError) {
            for (start, end) in zip([0] + cuts, cuts + [payload.count]) {
                let piece = payload.span.extracting(start..<end)
                if pauses {
                    try converter.begin(piece, into: &output)
                    while converter.isWriting { try converter.continueWriting(into: &output) }
                } else {
                    try converter.convert(piece, into: &output)
                }
            }
            try converter.finish(into: &output)
            return LinesResult(output, nil)
        } catch {
            return LinesResult(output, error)
        }
    }

    @Test(arguments: ["{}", #"{"sortKeys": true}"#], [40_000, .max])
    func `lines are as without an attempt, with the same errors`(format: String, maxHeldBytes: Int) throws {
        let profile = try Profile(
            parsing: #"{"keys": "camelCase", "values": {"at": "n", "as": "integer"}, "prune": {"null": true}, "#
                + #""on": {"duplicateKey": "last", "collision": "last"}, "output": \#(format)}"#)
        let plan = try profile.compile(.forward, limits: Limits(maxHeldBytes: maxHeldBytes))
        let good = [
            #"{"a_b":{"c":[1,"é"]}}"#, "[]", "", " 7 ", #"{"n":"12","o":null}"#,
            "{\(Self.members(9000).input)}",
        ]
        let retried = [#"{"a":1,"a":2}"#, #"{"a_b":1,"z":0,"aB":2}"#, #"{"n":"x","n":3}"#]
        let bad = [#"{"n":"x"}"#, #"{"a":1"#, "1 2", #"[{"a":1,"a":[}]"#]
        var random = SeededGenerator(seed: 26)
        var converter = Converter(plan, framing: .lines)
        for trial in 0..<400 {
            var lines = (0..<Int.random(in: 1...12, using: &random)).map { _ in good.randomElement(using: &random)! }
            for (extra, share) in [(retried, 2), (retried, 2), (retried, 3), (bad, 3)]
            where Int.random(in: 0..<share, using: &random) == 0 {
                lines.insert(extra.randomElement(using: &random)!, at: Int.random(in: 0...lines.count, using: &random))
            }
            if trial % 7 == 0 { lines[0] = "\u{FEFF}" + lines[0] }
            let ending = ["\n", "\r\n"].randomElement(using: &random)!
            let payload = Array((lines.joined(separator: ending) + (trial % 3 == 0 ? "" : ending)).utf8)
            let cuts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                Int.random(in: 0...payload.count, using: &random)
            }
            let result = Self.converted(payload, cuts: cuts.sorted(), pauses: trial % 2 == 0, &converter)
            let isEqual = result == Self.withoutAttempts(plan, payload)
            #expect(isEqual, "\(lines.map { $0.prefix(30) }), cut at \(cuts)")
            converter.reset()
        }
    }

    @Test func `a part of NDJSON is tried from its first line on, and only the line that fails is taken again`() throws
    {
        let plan = try Self.plan()
        var converter = Converter(plan, framing: .lines)
        let many = String(repeating: "{\"a_b\":1}\n", count: 20_000)
        for reset in [false, true] {
            if reset { converter.resetForNextLines() }
            let payload = Array((many + "{\"c\":1,\"c\":2}\n" + many + "[1,]").utf8)
            let result = Self.converted(payload, cuts: [], pauses: false, &converter)
            let expected = String(repeating: "{\"aB\":1}\n", count: 20_000)
            let isExpected = String(decoding: result.output, as: UTF8.self) == expected + "{\"c\":2}\n" + expected
            #expect(isExpected)
            #expect(result.error?.line == 40_002 && result.error?.column == 4)
            #expect(result.error?.offset == payload.count - 1)
        }
    }

    @Test func `a line that is too long for an attempt is written in pieces, and the next ones are tried`() throws {
        let (input, output) = Self.members(200_000)
        let profile = try Profile(
            parsing: Array(#"{"keys": "camelCase", "on": {"duplicateKey": "last"}}"#.utf8))
        let plan = try profile.compile(.forward, limits: Limits(maxHeldBytes: 700_000))
        let payload = Array("{\(input)}\n{\"a_b\":1}\n{\"c\":1,\"c\":2}\n".utf8)
        var converter = Converter(plan, framing: .lines)
        // The first piece is longer than an attempt may keep.
        let result = Self.converted(payload, cuts: [payload.count - 100, payload.count], pauses: true, &converter)
        let isExpected = result.output == Array("{\(output)}\n{\"aB\":1}\n{\"c\":2}\n".utf8)
        #expect(isExpected && result.error == nil)
    }

    @Test func `a line of any length is converted`() throws {
        let (input, output) = Self.members(4_300_000)
        let plan = try Self.plan()
        for last in ["", ",\"b\":1,\"b\":2"] {
            let payload = Array("{\"a_a\":1}\n{\(input)\(last)}\n{\"a_a\":1}\n".utf8)
            let expected = "{\"aA\":1}\n{\(output)\(last.isEmpty ? "" : ",\"b\":2")}\n{\"aA\":1}\n"
            for pieceBytes in [60_000, payload.count] {
                var converter = Converter(plan, framing: .lines)
                let cuts = Array(stride(from: pieceBytes, to: payload.count, by: pieceBytes))
                let result = Self.converted(payload, cuts: cuts, pauses: false, &converter)
                let isExpected = result.output == Array(expected.utf8) && result.error == nil
                #expect(isExpected)
            }
        }
    }
}
