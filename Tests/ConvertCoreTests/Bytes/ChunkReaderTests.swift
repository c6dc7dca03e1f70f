import TestSupport
import Testing

@testable import ConvertEngine

/// A reader that scans in blocks finds the same bytes as a loop over single bytes, wherever a chunk begins and ends.
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
                }
            }
        }
    }

    @Test func `line feeds are counted and the last one is found, for every length`() {
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

    @Test func `a pattern matches only if all of its bytes match, up to the chunk's end`() {
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

    @Test func `plain strings are copied up to the first byte that is not plain`() {
        let stops: [UInt8] = [0x22, 0x5C, 0x00, 0x1F, 0x80, 0xFF]
        for length in 0...130 {
            let stop = stops[length % stops.count]
            let text = [UInt8](repeating: UInt8(ascii: "t"), count: length) + [stop]
            var reader = ChunkReader(text.span)
            var buffer = ByteBuffer()
            #expect(buffer.copyPlainString(&reader) == stop)
            #expect([UInt8](buffer) == Array(text.dropLast()) && reader.position == length)
        }
    }
}
