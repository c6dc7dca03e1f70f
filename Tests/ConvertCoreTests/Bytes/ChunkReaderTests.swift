import Testing

@testable import ConvertCore

/// Reader and cursor find in blocks what a loop over bytes finds, wherever a chunk begins and ends.
struct ChunkReaderTests {
    private static func token(_ bytes: ArraySlice<UInt8>, stopsAtLineFeed: Bool) -> Int? {
        bytes.firstIndex { byte in
            ![0x20, 0x09, 0x0D].contains(byte) && (stopsAtLineFeed || byte != 0x0A)
        }
    }

    @Test func `the next token is found behind any run of white space`() {
        for length in 0...50 {
            for stop in [UInt8(ascii: "x"), 0, 0x0A, 0x1F, 0xFF] {
                for stopsAtLineFeed in [false, true] {
                    var bytes = (0..<length).map { Array(" \t\r ".utf8)[$0 % 4] }
                    bytes.append(stop)
                    bytes += [UInt8](repeating: 0x20, count: length % 17)
                    let expected = Self.token(bytes[...], stopsAtLineFeed: stopsAtLineFeed)
                    var reader = ChunkReader(bytes.span)
                    let byte = reader.nextToken(stopsAtLineFeed: stopsAtLineFeed)
                    #expect(byte == expected.map { bytes[$0] })
                    #expect(reader.position == expected ?? bytes.count)

                    let padded = bytes + [UInt8](repeating: UInt8(ascii: "y"), count: 100)
                    let place = Self.token(padded[...], stopsAtLineFeed: stopsAtLineFeed)!
                    let long = ChunkReader(padded.span)
                    let buffer = ByteBuffer(capacity: 200)
                    var cursor = TokenCursor(long, buffer)
                    let found = cursor.nextToken(stopsAtLineFeed: stopsAtLineFeed)
                    if cursor.canStep { #expect(found == padded[place] && cursor.read == place) }
                }
            }
        }
    }

    @Test func `line feeds are counted and the last one is found, for every end`() {
        var random = SeededGenerator(seed: 10)
        for length in [0, 1, 15, 16, 17, 31, 32, 33, 64, 100] {
            let bytes = (0..<length).map { _ in UInt8(Int.random(in: 0..<4, using: &random) == 0 ? 0x0A : 0x8A) }
            for end in 0...length {
                let found = ChunkReader(bytes.span).lineFeeds(before: end)
                #expect(found.count == bytes[..<end].count { $0 == 0x0A })
                #expect(found.afterLast == bytes[..<end].lastIndex(of: 0x0A).map { $0 + 1 })
            }
        }
    }

    @Test func `a pattern matches only where each of its bytes does, up to the chunk's last byte`() {
        let text = (0..<80).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        var pattern = ByteBuffer()
        pattern.append(text)
        pattern.padWithSlack()
        for length in 1...60 {
            for (start, behind) in [(0, 0), (3, 1), (7, 15), (20, 16), (1, 70)] where start + length <= text.count {
                var chunk = Array(text[start..<(start + length)]) + [UInt8](repeating: 0, count: behind)
                let isMatch = ChunkReader(chunk.span).matches(pattern, from: start, length: length)
                #expect(isMatch)
                let isShortMatch = ChunkReader(chunk.span.extracting(0..<(length - 1)))
                    .matches(pattern, from: start, length: length)
                #expect(!isShortMatch)
                for wrong in Set([0, length / 2, length - 1]) {
                    chunk[wrong] ^= 0x80
                    let isWrongMatch = ChunkReader(chunk.span).matches(pattern, from: start, length: length)
                    #expect(!isWrongMatch)
                    chunk[wrong] ^= 0x80
                }
            }
        }
    }

    @Test func `the cursor copies plain strings as the buffer does`() {
        let stops: [UInt8] = [0x22, 0x5C, 0x00, 0x1F, 0x80, 0xFF]
        for length in 0...130 {
            let stop = stops[length % stops.count]
            let text = [UInt8](repeating: UInt8(ascii: "t"), count: length) + [stop]
            let padded = text + [UInt8](repeating: UInt8(ascii: "y"), count: 100)
            var reader = ChunkReader(text.span)
            var buffer = ByteBuffer()
            #expect(buffer.copyPlainString(&reader) == stop)
            #expect([UInt8](buffer) == Array(text.dropLast()) && reader.position == length)

            var long = ChunkReader(padded.span)
            var output = ByteBuffer(capacity: 300)
            output.append([1, 2, 3])
            var cursor = TokenCursor(long, output)
            let end = cursor.copyPlainString()
            cursor.commit(to: &long, &output)
            #expect(end == stop || end == 0)
            #expect([UInt8](output) == [1, 2, 3] + text[..<long.position])
            if end == stop { #expect(long.position == length) }
        }
    }

    @Test func `the cursor takes exactly the short numbers and the literals`() {
        let padding = String(repeating: " ", count: 100)
        let digits = "12345678901234567890123456789012345"
        var rows: [(text: String, length: Int)] = [
            ("0,", 1), ("-0]", 2), ("-", 0), ("--1", 0), ("01", 0), ("-01", 0), ("1.", 0), ("1.x", 0), ("1.5}", 3),
            ("1e5", 0), ("1E5", 0), ("1.5e5", 0), ("1.5.5", 3), ("1-", 1), ("9\"", 1), ("0.0 ", 3), (".5", 0),
            ("00", 0),
        ]
        for count in 1...10 { rows.append((String(digits.prefix(count)) + "," + digits, count)) }
        for count in 1...5 { rows.append((String(digits.prefix(count)) + "." + digits.prefix(7) + "]1.1", count + 8)) }
        for row in rows {
            let bytes = Array((row.text + padding).utf8)
            var reader = ChunkReader(bytes.span)
            var output = ByteBuffer(capacity: 300)
            var cursor = TokenCursor(reader, output)
            #expect(cursor.copyShortNumber() == (row.length > 0), "\(row.text)")
            cursor.commit(to: &reader, &output)
            #expect(reader.position == row.length && [UInt8](output) == Array(bytes[..<row.length]), "\(row.text)")
        }
        // Numbers that fill the window are left to the general machine or taken whole, never in part.
        for count in 11...35 {
            for form in [digits.prefix(count) + "", digits.prefix(3) + "." + digits.prefix(count)] {
                let bytes = Array((form + "," + padding).utf8)
                let reader = ChunkReader(bytes.span)
                let output = ByteBuffer(capacity: 300)
                var cursor = TokenCursor(reader, output)
                let isTaken = cursor.copyShortNumber()
                #expect(cursor.read == (isTaken ? form.utf8.count : 0) && cursor.written == cursor.read)
            }
        }
        for text in ["true", "false", "null", "trux", "fals", "nul", "nulll", "True", "t", "n"] {
            let bytes = Array((text + padding).utf8)
            let expected = ["true", "false", "null"].first { text.hasPrefix($0) }?.utf8.count ?? 0
            let reader = ChunkReader(bytes.span)
            let output = ByteBuffer(capacity: 300)
            var cursor = TokenCursor(reader, output)
            #expect(cursor.copyLiteral() == (expected > 0), "\(text)")
            #expect(cursor.read == expected && cursor.written == expected, "\(text)")
        }
    }

    @Test func `a cursor without room does not move`() {
        for (length, capacity) in [(0, 300), (79, 300), (80, 79), (300, 64)] {
            let bytes = [UInt8](repeating: UInt8(ascii: "1"), count: length)
            let reader = ChunkReader(bytes.span)
            let output = ByteBuffer(capacity: capacity)
            var cursor = TokenCursor(reader, output)
            let canStep = cursor.canStep
            #expect(!canStep)
            #expect(cursor.copyPlainString() == 0)
            #expect(cursor.read == 0 && cursor.written == 0)
        }
    }
}
