import ConvertEngine
import ConvertProfiles
import TestSupport
import Testing

@testable import PayloadStreams

/// The framing of WebSocket messages.
struct MessageStreamTests {
    private typealias Frame = WebSocketFrameText

    /// The key of the examples in RFC 6455 §5.7.
    private static let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    /// One direction with a converter that writes keys in camelCase.
    private struct Trial {
        var output: [UInt8] = []
        var steps: [PayloadStream.Step] = []
        var payloads: [String] = []
        var error: WebSocketError?
        /// Output after each piece.
        var counts: [Int] = []

        init(
            _ pieces: [[UInt8]], fromClient: Bool = false, converts: Bool = true, withholds: Bool = false,
            maxUnitBytes: Int = 1 << 20
        ) throws {
            let plan = try Profile(parsing: Array(#"{ "keys": { "case": "camelCase" } }"#.utf8)).compile(.forward)
            var stream = MessageStream(
                MessageRule(isFromClient: fromClient, convertsText: converts, withholds: withholds),
                maxUnitBytes: maxUnitBytes)
            var converter = Converter(plan, framing: .lines)
            var written = ByteBuffer()
            do throws(WebSocketError) {
                for piece in pieces {
                    var position = 0
                    while true {
                        let step = try stream.take(piece.span, at: &position, into: &written)
                        guard step != .needsInput else { break }
                        steps.append(step)
                        guard step == .payload || step == .notJSON else { continue }
                        payloads.append(String(decoding: Array(stream.payload), as: UTF8.self))
                        var converted = ByteBuffer()
                        converter.resetForNextLines()
                        do throws(ConversionError) {
                            try converter.finish(stream.payload.bytes, into: &converted)
                            stream.write(converted.bytes.extracting(0..<converted.count - 1), into: &written)
                        } catch {
                            stream.pass(into: &written)
                        }
                    }
                    counts.append(written.count)
                }
            } catch {
                self.error = error
            }
            output = Array(written)
        }

        var frames: [Frame]? { Frame.all(of: output)?.map(\.unmasked) }
    }

    /// The bytes whole, byte by byte, and in every split into two pieces.
    private static func splits(_ bytes: [UInt8]) -> [[[UInt8]]] {
        [[bytes], bytes.map { [$0] }] + bytes.indices.dropFirst().map { [Array(bytes[..<$0]), Array(bytes[$0...])] }
    }

    @Test func `the examples of the standard`() throws {
        let hello = Array("Hello".utf8)
        let text = Frame(1, hello)
        let rows: [(bytes: [UInt8], fromClient: Bool, frames: [Frame])] = [
            ([0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], false, [text]),
            ([0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58], true, [text]),
            (
                [0x01, 0x03, 0x48, 0x65, 0x6c, 0x80, 0x02, 0x6c, 0x6f], false,
                [Frame(1, "Hel", isFinal: false), Frame(0, "lo")]
            ),
            ([0x89, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f], false, [Frame(9, hello)]),
            ([0x8a, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58], true, [Frame(10, hello)]),
            (
                [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256), false,
                [Frame(2, [UInt8](repeating: 7, count: 256))]
            ),
            (
                [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65536), false,
                [Frame(2, [UInt8](repeating: 7, count: 65536))]
            ),
        ]
        for row in rows {
            for pieces in row.bytes.count > 300 ? [[row.bytes]] : Self.splits(row.bytes) {
                for converts in [true, false] {
                    let trial = try Trial(pieces, fromClient: row.fromClient, converts: converts)
                    // Nothing of them is JSON, so the bytes stay.
                    #expect(trial.output == row.bytes && trial.error == nil, "\(row.frames)")
                    #expect(trial.frames == row.frames)
                }
            }
        }
    }

    @Test func `a text message becomes one frame, and control frames overtake its fragments`() throws {
        for fromClient in [false, true] {
            let key = fromClient ? Self.key : nil
            let ping = Frame(9, "now", key: key)
            let bytes =
                Frame(1, "{\"first_na", isFinal: false, key: key).bytes + ping.bytes
                + Frame(0, "", isFinal: false, key: key).bytes + Frame(10, "", key: key).bytes
                + Frame(0, "me\":\n1}", key: key).bytes + Frame(closing: 1000, "bye", key: key).bytes
            let expected = [
                ping.unmasked, Frame(10, ""), Frame(1, #"{"firstName":1}"#), Frame(closing: 1000, "bye"),
            ]
            for pieces in Self.splits(bytes) {
                let trial = try Trial(pieces, fromClient: fromClient)
                #expect(trial.frames == expected && trial.error == nil)
                #expect(trial.payloads == ["{\"first_name\":\r1}"])
                let keys = Frame.all(of: trial.output)?.map { $0.key != nil }
                #expect(keys == [Bool](repeating: fromClient, count: 4))
            }
            // Each frame leaves as soon as it is complete.
            let trial = try Trial(bytes.map { [$0] }, fromClient: fromClient)
            let atPing = bytes.firstRange(of: ping.bytes).map { $0.upperBound - 1 }
            #expect(trial.counts[try #require(atPing)] == ping.bytes.count)
        }
    }

    @Test func `each masked frame has a key of its own`() throws {
        let bytes = (0..<64).flatMap { _ in Frame(1, "{}", key: Self.key).bytes }
        let keys = try #require(Frame.all(of: try Trial([bytes], fromClient: true).output)).map { $0.key ?? [] }
        #expect(Set(keys).count > 60 && !keys.contains(Self.key))
    }

    @Test func `other messages are sent as their bytes arrive`() throws {
        let long = Frame(2, [UInt8](repeating: 3, count: 1000), isFinal: false)
        let bytes = long.bytes + Frame(9, "p").bytes + Frame(0, "end").bytes + Frame(1, "{\"a_b\":1}").bytes
        let trial = try Trial(bytes.map { [$0] })
        // The header of four bytes leaves when it is complete.
        #expect(trial.counts[0..<6] == [0, 0, 0, 4, 5, 6])
        #expect(trial.frames == [long, Frame(9, "p"), Frame(0, "end"), Frame(1, "{\"aB\":1}")])
        #expect(trial.steps == [.passed, .payload])
        #expect(try Trial([bytes], converts: false).output == bytes)
    }

    @Test func `lengths are written in the shortest form`() throws {
        for count in [0, 1, 125, 126, 127, 65535, 65536, 70000] {
            for fromClient in [false, true] {
                let text = "[\"\(String(repeating: "x", count: max(0, count - 4)))\"]"
                let frame = Frame(1, text, key: fromClient ? Self.key : nil)
                let trial = try Trial([frame.bytes], fromClient: fromClient)
                #expect(trial.frames == [frame.unmasked] && trial.output.count == frame.bytes.count)
            }
        }
    }

    @Test func `frames that break the standard are errors`() throws {
        let start = Frame(1, "{", isFinal: false).bytes
        let rows: [(bytes: [UInt8], fromClient: Bool, words: String)] = [
            ([0xC1, 0], false, "reserved"), ([0xA1, 0], false, "reserved"), ([0x91, 0], false, "reserved"),
            ([0x83, 0], false, "opcode"), ([0x87, 0], false, "opcode"), ([0x8B, 0], false, "opcode"),
            ([0x8F, 0], false, "opcode"), ([0x81, 0], true, "not masked"), ([0x89, 0], true, "not masked"),
            ([0x81, 0x80, 1, 2, 3, 4], false, "is masked"), ([0x80, 0], false, "continues no message"),
            (start + [0x81, 0], false, "before the end"), (start + [0x82, 0], false, "before the end"),
            ([0x09, 0], false, "control frame"), ([0x89, 126, 0, 126], false, "control frame"),
            ([0x81, 126, 0, 125], false, "shortest"), ([0x81, 127, 0, 0, 0, 0, 0, 0, 255, 255], false, "shortest"),
            ([0x81, 127, 128, 0, 0, 0, 0, 0, 0, 0], false, "too large"), ([0x88, 1, 3], false, "close frame"),
            (Frame(closing: 1005).bytes, false, "close frame"), (Frame(closing: 999).bytes, false, "close frame"),
            (Frame(closing: 1004).bytes, false, "close frame"), (Frame(closing: 1015).bytes, false, "close frame"),
            (Frame(closing: 2999).bytes, false, "close frame"), (Frame(closing: 5000).bytes, false, "close frame"),
        ]
        for row in rows {
            for pieces in Self.splits(row.bytes + [0, 0]) {
                let error = try Trial(pieces, fromClient: row.fromClient).error
                guard case .badFrame(let words)? = error, words.contains(row.words) else {
                    Issue.record("\(row.words): \(String(describing: error))")
                    continue
                }
            }
        }
        #expect(try Trial([Frame(8, [3, 232, 0xFF]).bytes]).error == .notUTF8)
        for code in [1000, 1001, 1003, 1007, 1011, 1014, 3000, 4999] {
            #expect(try Trial([Frame(closing: code, "ü").bytes]).frames == [Frame(closing: code, "ü")])
        }
        #expect(try Trial([[0x88, 0]]).output == [0x88, 0])
    }

    @Test func `after a close frame, everything is discarded`() throws {
        let bytes = Frame(closing: 1000).bytes
        #expect(try Trial([bytes + [0xFF, 0xFF], Frame(1, "{}").bytes]).output == bytes)
    }

    @Test func `a long text message is refused at the header that exceeds the limit`() throws {
        // A frame of 100 bytes has a header of 2.
        let half = Frame(1, [UInt8](repeating: 32, count: 48), isFinal: false).bytes
        #expect(try Trial([half + Frame(0, [UInt8](repeating: 32, count: 48)).bytes], maxUnitBytes: 100).error == nil)
        #expect(try Trial([half + [0x80, 49]], maxUnitBytes: 100).error == .tooLong(100))
        #expect(try Trial([[0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0]]).error == .tooLong(1 << 20))
        // Fragments without a byte count too.
        #expect(
            try Trial([half + (0..<26).flatMap { _ in [0 as UInt8, 0] }], maxUnitBytes: 100).error == .tooLong(100))
        // Others have no limit.
        #expect(try Trial([Frame(2, [UInt8](repeating: 1, count: 500)).bytes], maxUnitBytes: 100).error == nil)
    }

    @Test func `a rule that withholds refuses what is neither an object nor an array`() throws {
        #expect(try Trial([Frame(2, "x").bytes], withholds: true).error == .binary)
        for (text, step) in [
            ("{}", PayloadStream.Step.payload), (" [1]", .payload), ("1", .notJSON), ("\"a\"", .notJSON),
            ("x", .notJSON),
            (" ", .passed), ("", .passed),
        ] {
            #expect(try Trial([Frame(1, text).bytes], withholds: true).steps == [step], "\(text)")
        }
        let closing = try Trial([Frame(closing: 1011, "the secret").bytes], withholds: true)
        #expect(closing.frames == [Frame(closing: 1011)])
    }

    @Test func `our close frame is written unless the output ends inside a frame`() throws {
        func closed(_ bytes: [UInt8], fromClient: Bool = false) throws -> [UInt8] {
            var stream = MessageStream(MessageRule(isFromClient: fromClient, convertsText: true), maxUnitBytes: 1000)
            var output = ByteBuffer()
            var position = 0
            _ = try stream.take(bytes.span, at: &position, into: &output)
            stream.close(.invalidPayload, reason: "json", into: &output)
            stream.close(.tooBig, reason: "", into: &output)
            return Array(output)
        }
        let close = Frame(closing: 1007, "json")
        #expect(try closed([]) == close.bytes)
        #expect(Frame.all(of: try closed([], fromClient: true))?.map(\.unmasked) == [close])
        #expect(Frame.all(of: try closed([], fromClient: true))?.first?.key != nil)
        // A part of a text message is not in the output.
        #expect(try closed([0x81, 9, 1]) == close.bytes)
        #expect(try closed([0x82]) == close.bytes)
        #expect(try closed([0x82, 2, 1]) == [0x82, 2, 1])
        #expect(try closed([0x02, 1, 1]) == [0x02, 1, 1] + close.bytes)
        #expect(try closed([0x02, 1, 1, 0x89, 2, 7]) == [0x02, 1, 1] + close.bytes)
        #expect(try closed([0x88, 0]) == [0x88, 0])
    }

    @Test func `any split and any fragments give the same messages`() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<100 {
            let fromClient = Bool.random(using: &random)
            var bytes: [UInt8] = []
            var expected: [Frame] = []
            var key: [UInt8]? { fromClient ? random.bytes(4) : nil }
            for index in 0..<Int.random(in: 1...6, using: &random) {
                let padding = String(repeating: "ü\\n", count: [0, 1, 40, 7000].randomElement(using: &random) ?? 0)
                let text = "{\"a_b\": [\(index), \"\(padding)\"]}"
                expected.append(Frame(1, "{\"aB\":[\(index),\"\(padding)\"]}"))
                var rest = Array(text.utf8)[...]
                var opcode: UInt8 = 1
                var controls: [Frame] = []
                while true {
                    let count = min(rest.count, Int.random(in: 0...max(1, text.utf8.count), using: &random))
                    let piece = Array(rest.prefix(count))
                    rest = rest.dropFirst(count)
                    bytes += Frame(opcode, piece, isFinal: rest.isEmpty, key: key).bytes
                    opcode = 0
                    if rest.isEmpty { break }
                    if Bool.random(using: &random) {
                        let frame = Frame(9, "\(index)", key: key)
                        bytes += frame.bytes
                        controls.append(frame.unmasked)
                    }
                }
                expected.insert(contentsOf: controls, at: expected.count - 1)
            }
            var pieces: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...max(1, bytes.count / 3), using: &random)
                pieces.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            let trial = try Trial(pieces, fromClient: fromClient)
            #expect(trial.frames == expected && trial.error == nil)
        }
    }

    @Test func `random bytes are frames or an error, however they are split`() throws {
        var random = SeededGenerator(seed: 2)
        for _ in 0..<3000 {
            let opcodes: [UInt8] = [0x00, 0x01, 0x02, 0x80, 0x81, 0x82, 0x88, 0x89, 0x8A, 0xC1, 0x83]
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let count = Int.random(in: 0...6, using: &random)
                bytes += [opcodes.randomElement(using: &random) ?? 0, UInt8(count)] + random.bytes(count)
            }
            let whole = try Trial([bytes])
            let split = try Trial(bytes.map { [$0] })
            #expect(
                whole.output == split.output && whole.error == split.error && whole.steps == split.steps, "\(bytes)")
        }
    }

    @Test func `a closed stream keeps nothing of an unfinished message`() throws {
        var stream = MessageStream(
            MessageRule(isFromClient: false, convertsText: true, withholds: false), maxUnitBytes: 1 << 20)
        var output = ByteBuffer()
        var position = 0
        let text = [UInt8](repeating: UInt8(ascii: "["), count: 300_000)
        #expect(try stream.take(Frame(1, text, isFinal: false).bytes.span, at: &position, into: &output) == .needsInput)
        #expect(stream.heldBytes >= 2 * text.count)
        stream.close(.tryAgainLater, reason: "", into: &output)
        #expect(stream.heldBytes <= 2 * PayloadStream.maxKeptBytes)
    }
}
