import TestSupport
import Testing

@testable import ConvertEngine

/// Searches, copies of runs and checks in blocks give the same result as the same work byte by byte.
struct SpanSearchingTests {
    private static let alphabet = Array("ab<& \n\t\r\"\\%+".utf8) + [0x01, 0x1F, 0x80, 0xC3, 0xFF]

    @Test func `a search by blocks finds the same as one by bytes, for any range`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...70, using: &random)).map { _ in
                Int.random(in: 0...20, using: &random) > 0
                    ? UInt8(ascii: "a") : Self.alphabet.randomElement(using: &random) ?? 0
            }
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = Int.random(in: start...bytes.count, using: &random)
            func first(_ isWanted: (UInt8) -> Bool) -> Int { bytes[start..<end].firstIndex(where: isWanted) ?? end }
            let span = bytes.span
            let (less, ampersand) = (UInt8(ascii: "<"), UInt8(ascii: "&"))
            #expect(span.firstIndex(of: less, from: start, to: end) == first { $0 == less })
            #expect(
                span.firstIndex(of: less, or: ampersand, from: start, to: end)
                    == first { $0 == less || $0 == ampersand })
            #expect(span.endOfASCII(from: start, to: end) == first { $0 > 127 })
            let blanks = bytes.map { $0 == UInt8(ascii: "a") ? UInt8(ascii: " ") : $0 }
            let space = blanks[start..<end].firstIndex { !" \t\r\n".utf8.contains($0) } ?? end
            #expect(blanks.span.endOfWhiteSpace(from: start, to: end) == space)

            var output = ByteBuffer()
            let stop = output.appendRun(
                of: span, from: start, to: end, until: less, or: ampersand, stopsAtControls: true)
            #expect(stop == first { $0 == less || $0 == ampersand || $0 < 32 })
            #expect([UInt8](output) == Array(bytes[start..<stop]))
            output.removeAll()
            let textStop = output.appendTextRun(of: span, from: start, to: end)
            #expect(textStop == first { $0 < 32 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
            #expect([UInt8](output) == Array(bytes[start..<textStop]))
        }
    }

    /// Checks the bytes piece by piece and returns the offset of the first error, or nil.
    private static func errorOffset(in bytes: [UInt8], pieces size: Int) -> Int? {
        var position = 0
        while position < bytes.count {
            let (end, isValid) = bytes.span.checkUTF8(from: position, to: min(bytes.count, position + size))
            guard isValid else { return end }
            position = end
        }
        return nil
    }

    @Test func `UTF-8 is accepted or refused as by Swift, in pieces of any size`() {
        var random = SeededGenerator(seed: 8)
        let parts: [[UInt8]] =
            ["a", "plain ASCII text", "é", "ß語", "語語語語語語", "😀", "\u{7FF}\u{800}\u{FFFF}", "\u{10FFFF}"].map {
                Array($0.utf8)
            }
            + [
                [0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF8],
                [0xE8, 0xAA],
            ]
        var errors = 0
        for _ in 0..<3_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                let isSound = Int.random(in: 0...30, using: &random) > 0
                bytes +=
                    (isSound ? parts[..<8].randomElement(using: &random) : parts.randomElement(using: &random)) ?? []
            }
            let found = [1, 3, 16, 1000].map { Self.errorOffset(in: bytes, pieces: $0) }
            #expect(Set(found).count == 1, "\(bytes)")
            #expect((found[0] == nil) == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
            guard let offset = found[0] else { continue }
            errors += 1
            #expect(String(validating: bytes[..<offset], as: UTF8.self) != nil)
        }
        #expect(errors > 100)
    }
}
