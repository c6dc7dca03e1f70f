import ConvertText
import Testing

@testable import ConvertEngine

/// The cursor reads in blocks and consumes the same bytes as a loop over single bytes. It never moves from the chunk into its
/// padding.
struct TokenCursorTests {
    /// The effects of one operation on a chunk with padding behind it.
    private struct Trial<Outcome> {
        var outcome: Outcome
        /// Bytes consumed.
        var taken: Int
        /// Line feeds among the consumed bytes.
        var lineFeeds: Int
        /// Bytes written behind the three that the output had before.
        var output: [UInt8]

        init(
            _ bytes: [UInt8], padding: Int = TokenCursor.turnBytes + 1, _ operation: (inout TokenCursor) -> Outcome
        ) {
            var indentations = Indentations()
            self.init(bytes, padding: padding, &indentations) { cursor, _ in operation(&cursor) }
        }

        init(
            _ bytes: [UInt8], padding: Int = TokenCursor.turnBytes + 1, _ indentations: inout Indentations,
            _ operation: (inout TokenCursor, inout Indentations) -> Outcome
        ) {
            let padded = bytes + [UInt8](repeating: 0, count: padding)
            var reader = ChunkReader(padded.span, padding: padding)
            var buffer = ByteBuffer(capacity: 2000)
            buffer.append([1, 2, 3])
            var cursor = TokenCursor(reader, buffer)
            outcome = operation(&cursor, &indentations)
            cursor.commit(to: &reader, &buffer, lineFeeds: &indentations.lineFeeds)
            taken = reader.position
            lineFeeds = reader.lineFeeds
            output = Array([UInt8](buffer).dropFirst(3))
        }
    }

    @Test func `the next token is found behind any run of white space`() {
        for length in 0...70 {
            for stop in [UInt8(ascii: "x"), 0x0A, 0x1F, 0xFF] {
                for lineFeed in [UInt8(0x0A), 0x20] {
                    for blanks in [" \t\r ", "    ", "\n   ", "\r\n  "] {
                        let run = (0..<length).map { index in
                            blanks.hasPrefix("    ") || blanks.hasPrefix(" \t")
                                ? Array(blanks.utf8)[index % 4] : index < 4 ? Array(blanks.utf8)[index] : 0x20
                        }
                        let bytes = run + [stop] + [UInt8](repeating: 0x20, count: 20) + [UInt8(ascii: "y")]
                        let position = bytes.firstIndex { ![0x20, 0x09, 0x0D, lineFeed].contains($0) }!
                        // In the first pass the expected indentation comes from other text, in the second from this text.
                        var indentations = Indentations()
                        let elsewhere = [lineFeed] + [UInt8](repeating: 0x20, count: length % 40) + [UInt8(ascii: "x")]
                        _ = Trial(elsewhere, &indentations) { $0.nextToken(lineFeed: lineFeed, &$1, at: 0) }
                        for _ in 0..<2 {
                            let trial = Trial(bytes, &indentations) { $0.nextToken(lineFeed: lineFeed, &$1, at: 0) }
                            #expect(trial.outcome == bytes[position] && trial.taken == position, "\(bytes)")
                        }
                    }
                }
            }
        }
    }

    @Test func `an indentation is predicted only if the same one follows`() {
        let lineFeed = ASCII.lineFeed
        for expected in 0...40 {
            for met in 0...40 {
                let spaces = [UInt8](repeating: ASCII.space, count: 41)
                let text = Array("none of these is to be stepped over, whatever was expected".utf8)
                var indentations = Indentations()
                _ = Trial([lineFeed] + spaces[..<expected] + text, &indentations) {
                    $0.nextToken(lineFeed: lineFeed, &$1, at: 0)
                }
                let bytes = [lineFeed] + spaces[..<met] + text
                let isNext = unsafe bytes.withUnsafeBufferPointer { unsafe indentations[0].isNext($0.baseAddress! + 1) }
                #expect(isNext == (expected == met && met < ByteWindow.size), "\(met) for \(expected)")
                let trial = Trial(bytes, &indentations) { $0.nextToken(lineFeed: lineFeed, &$1, at: 0) }
                #expect(trial.outcome == text[0] && trial.taken == met + 1, "\(met) for \(expected)")
            }
        }
    }

    @Test func `any white space with a line feed is predicted again, and nothing else matches`() {
        let text = Array("none of these is to be stepped over, whatever was expected".utf8)
        for (line, blank) in [("\n", " "), ("\r\n", " "), ("\n", "\t"), (" \n\n", " "), ("\r\n\t", " ")] {
            let runs = (0...90).map { Array((line + String(repeating: blank, count: $0)).utf8) }
            for expected in runs {
                let near = runs.filter { abs($0.count - expected.count) < 20 } + [expected + [ASCII.tab]]
                for met in near {
                    var indentations = Indentations()
                    let most = blank == " " ? Indentation.maxBytes : ByteWindow.size
                    for (step, bytes) in [expected, met, expected, expected].enumerated() {
                        let trial = Trial(bytes + text, &indentations) {
                            $0.nextToken(lineFeed: ASCII.lineFeed, &$1, at: 0)
                        }
                        #expect(trial.outcome == text[0] && trial.taken == bytes.count, "\(met) for \(expected)")
                        #expect(trial.lineFeeds == bytes.count { $0 == ASCII.lineFeed }, "\(met) for \(expected)")
                        guard step == 0 else { continue }
                        #expect(
                            Int(indentations[0].count) == (expected.count <= most ? expected.count : 0), "\(expected)")
                    }
                }
            }
        }
    }

    @Test func `if the space ends in white space, the result is the reached byte`() {
        let limit = TokenCursor.turnBytes
        for padding in stride(from: limit - 100, through: limit, by: 3) {
            for count in 0...70 {
                for blank in [ASCII.space, ASCII.tab] {
                    let bytes = [UInt8](repeating: blank, count: count) + Array("]z".utf8)
                    let room = bytes.count + padding - limit
                    guard room >= 0 else { continue }
                    var indentations = Indentations()
                    let trial = Trial(bytes, padding: padding, &indentations) {
                        $0.nextToken(lineFeed: ASCII.lineFeed, &$1, at: 0)
                    }
                    #expect(trial.taken <= count && trial.outcome == bytes[trial.taken], "\(count) blanks, \(padding)")
                    // It stops inside the white space only where the room for a turn ends.
                    #expect(trial.taken == count || trial.taken > room - 1, "\(count) blanks, \(padding)")
                }
            }
        }
    }

    @Test func `a key is copied with its colon, or with one space and its colon`() {
        for length in 0...64 {
            for blank in [" ", "\t", "\r", " \t", "\n"] {
                for count in 0...17 {
                    let name = "\"\(String(repeating: "n", count: length))\""
                    let blanks = String(repeating: blank, count: count)
                    let trial = Trial(Array("\(name)\(blanks):1".utf8)) { $0.copyName(isFirst: true) }
                    let isTaken = length < 64 && ["", " "].contains(blanks)
                    #expect(trial.outcome == isTaken && trial.output == (isTaken ? Array("\(name):".utf8) : []))
                    #expect(trial.taken == (isTaken ? name.utf8.count + blanks.utf8.count + 1 : 0))
                    let other = Trial(Array("\(name)\(blanks)x".utf8)) { $0.copyName(isFirst: true) }
                    #expect(!other.outcome && other.taken == 0)
                }
            }
        }
    }

    @Test func `strings are copied with their quotes, or up to the first special byte`() {
        let stops: [UInt8] = [0x22, 0x5C, 0x00, 0x1F, 0x80, 0xFF]
        for length in 0...130 {
            let stop = stops[length % stops.count]
            let text = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "t"), count: length) + [stop]
            let trial = Trial(text) { $0.copyString() }
            let taken = stop == 0x22 ? length + 2 : length + 1
            #expect(trial.outcome == stop && trial.taken == taken && trial.output == Array(text[..<taken]))
        }
    }

    @Test func `a string is copied while a turn fits, without the padding`() {
        let turn = TokenCursor.turnBytes
        let text = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "t"), count: 2 * turn)
        for length in stride(from: turn, through: 2 * turn, by: 1) {
            let trial = Trial(Array(text[..<length]), padding: 0) { $0.copyString() }
            #expect(trial.outcome == 0 && trial.output == Array(text[..<trial.taken]))
            // It stops at most one step behind the last offset where a turn fits.
            let last = length - turn
            #expect(trial.taken > last && trial.taken <= last + TokenCursor.stepBytes, "\(length)")
        }
        for length in [turn + 81, turn + 96, turn + 177] {
            for (end, stop) in zip(length - 200...length, repeatElement(UInt8(ascii: "\""), count: 201)) {
                var whole = Array(text[..<end])
                whole.append(stop)
                whole += [UInt8](repeating: UInt8(ascii: " "), count: length - end)
                let trial = Trial(whole, padding: 0) { $0.copyString() }
                let isWhole = trial.outcome == stop
                #expect(isWhole ? trial.taken == end + 1 : trial.outcome == 0 && trial.taken > whole.count - turn)
                #expect(trial.output == Array(whole[..<trial.taken]))
            }
        }
    }

    @Test func `short numbers are copied, and nothing else`() {
        let digits = "12345678901234567890123456789012345"
        var rows: [(text: String, length: Int)] = [
            ("0,", 1), ("-0]", 2), ("-", 0), ("--1", 0), ("01", 0), ("-01", 0), ("1.", 0), ("1.x", 0), ("1.5}", 3),
            ("1e5", 0), ("1E5", 0), ("1.5e5", 0), ("1.5.5", 0), ("1-", 1), ("9\"", 1), ("0.0 ", 3), (".5", 0),
            ("00", 0), ("1", 0), ("1.5", 0),
        ]
        for count in 1...10 { rows.append((String(digits.prefix(count)) + "," + digits, count)) }
        for count in 1...5 { rows.append((String(digits.prefix(count)) + "." + digits.prefix(7) + "]1.1", count + 8)) }
        for row in rows {
            let bytes = Array(row.text.utf8)
            let trial = Trial(bytes) { $0.copyShortNumber() }
            #expect(trial.outcome == (row.length > 0), "\(row.text)")
            #expect(trial.taken == row.length && trial.output == Array(bytes[..<row.length]), "\(row.text)")
        }
        // Numbers that fill the window are copied whole or left to the resumable lexer, never copied in part.
        for count in 11...35 {
            for form in [digits.prefix(count) + "", digits.prefix(3) + "." + digits.prefix(count)] {
                let trial = Trial(Array((form + ",").utf8)) { $0.copyShortNumber() }
                #expect(trial.taken == (trial.outcome ? form.utf8.count : 0) && trial.output.count == trial.taken)
            }
        }
    }

    @Test func `the literals are copied, and nothing else`() {
        for text in ["true", "false", "null", "trux", "fals", "nul", "nulll", "True", "t", "n"] {
            let expected = ["true", "false", "null"].first { text.hasPrefix($0) } ?? ""
            let bytes = Array(text.utf8)
            let trial = Trial(bytes) { $0.copyLiteral(bytes[0]) }
            #expect(trial.outcome == !expected.isEmpty && trial.output == Array(expected.utf8), "\(text)")
            #expect(trial.taken == expected.utf8.count, "\(text)")
        }
    }

    @Test func `a turn begins only if it fits into the chunk and the output`() {
        let turn = TokenCursor.turnBytes
        let bytes = [UInt8](repeating: UInt8(ascii: "1"), count: turn + 10)
        for (left, room) in [(turn, turn), (turn + 10, turn), (turn + 1, 0)] {
            let reader = ChunkReader(bytes.span.extracting(0..<left))
            #expect(TokenCursor.fits(reader) == (left > turn))
            guard left > turn, room > 0 else { continue }
            let cursor = TokenCursor(reader, ByteBuffer(capacity: room))
            let canBegin = cursor.canBegin
            #expect(canBegin)
        }
        let reader = ChunkReader(bytes.span)
        var cursor = TokenCursor(reader, ByteBuffer(capacity: 2 * turn))
        var turns = 0
        while cursor.canBegin {
            cursor.skip(1)
            turns += 1
        }
        #expect(turns == 11)
    }
}
