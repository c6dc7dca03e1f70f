import TestSupport
import Testing

@testable import ConvertEngine

/// A string takes the byte sequences that Swift's own UTF-8 decoder takes, and no others.
struct UTF8SequenceTests {
    /// Whether a copier takes the bytes as the content of a string, in two pieces cut at `cut`; nil when its result is wrong.
    private static func isTaken(_ inside: [UInt8], cut: Int, behind: Int) -> Bool? {
        let chunk = inside + [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: " "), count: behind)
        var copier = StringCopier()
        var output = ByteBuffer()
        var first = ChunkReader(chunk.span.extracting(0..<cut))
        var second = ChunkReader(chunk.span.extracting(cut...))
        do throws(EngineError) {
            guard try !copier.copy(&first, into: &output) else { return nil }
            guard try copier.copy(&second, into: &output) else { return nil }
            return [UInt8](output) == inside + [UInt8(ascii: "\"")]
        } catch {
            // The error's position is the first byte of a sequence, so the bytes before it are valid.
            let position = error.position + (first.isAtEnd ? cut : 0)
            return error.kind == .badUTF8 && String(validating: inside[..<position], as: UTF8.self) != nil ? false : nil
        }
    }

    /// Whether a copier and Swift's decoder agree on the bytes: whole, in two pieces, and after other text.
    private static func agreesWithSwift(_ inside: [UInt8]) -> Bool {
        let isValid = String(validating: inside, as: UTF8.self) != nil
        // With sixteen bytes behind, the copier takes the block path; with none, the path near the end of a chunk.
        return isTaken(inside, cut: 0, behind: 16) == isValid && isTaken(inside, cut: 0, behind: 0) == isValid
            && isTaken(inside, cut: 1, behind: 16) == isValid
            && [16, 17, 76, 77, 78, 79, 80].allSatisfy { isTaken(after(inside, $0), cut: 0, behind: 96) == isValid }
    }

    /// The bytes after `count` bytes of text. Copiers that copy 64 bytes at a time begin after 16.
    private static func after(_ inside: [UInt8], _ count: Int) -> [UInt8] {
        Array(String(repeating: "имя", count: 24).utf8.prefix(count & ~1)) + (count & 1 == 1 ? [0x61] : []) + inside
    }

    private static func isPlainOrHigh(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x22 && byte != 0x5C }

    @Test func `every pair of bytes is accepted or refused as by Swift`() {
        var failures: [[UInt8]] = []
        for lead in UInt8(0x80)...0xFF {
            for second in UInt8.min...UInt8.max where Self.isPlainOrHigh(second) {
                if !Self.agreesWithSwift([lead, second]) { failures.append([lead, second]) }
            }
        }
        #expect(failures.isEmpty, "\(failures.prefix(5))")
    }

    @Test func `sequences of three and four bytes are accepted or refused as by Swift`() {
        let edges: [UInt8] = [0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xFF]
        var failures: [[UInt8]] = []
        for lead in UInt8(0xBF)...0xF8 {
            for second in edges {
                for third in edges {
                    if !Self.agreesWithSwift([lead, second, third]) { failures.append([lead, second, third]) }
                    for fourth in [UInt8(0x20), 0x80, 0xBF, 0xC3] where lead >= 0xEF {
                        let sequence = [lead, second, third, fourth]
                        if !Self.agreesWithSwift(sequence) { failures.append(sequence) }
                    }
                }
            }
        }
        #expect(failures.isEmpty, "\(failures.prefix(5))")
    }

    @Test func `every scalar at the edges of a plane is copied, in runs and in pieces`() {
        let text = String(
            String.UnicodeScalarView(
                [0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF]
                    .compactMap(Unicode.Scalar.init)))
        let inside = Array((text + "a" + text + text).utf8)
        for cut in 0...inside.count {
            for behind in [0, 16] { #expect(Self.isTaken(inside, cut: cut, behind: behind) == true) }
        }
        for scalar in text.unicodeScalars {
            #expect(UTF8Sequence.scalar(Array(String(scalar).utf8).span) == scalar.value)
        }
    }

    @Test func `valid and damaged texts of mixed scripts are accepted or refused as by Swift`() {
        var random = SeededGenerator(seed: 3629)
        let pieces = [
            "a", "plain words ", "é", "имя", "語", "日本語の文字", "한국어", "\u{E000}", "ก", "😀", "\u{7FF}\u{800}", "ñ ",
        ]
        var failures: [[UInt8]] = []
        for _ in 0..<20_000 {
            var inside: [UInt8] = []
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                inside += Array(pieces.randomElement(using: &random)!.utf8)
            }
            for _ in 0..<Int.random(in: 0...2, using: &random) where !inside.isEmpty {
                let position = Int.random(in: 0..<inside.count, using: &random)
                if Bool.random(using: &random) {
                    inside.remove(at: position)
                } else {
                    inside[position] = UInt8.random(in: 0x80...0xFF, using: &random)
                }
            }
            guard !inside.isEmpty else { continue }
            let isValid = String(validating: inside, as: UTF8.self) != nil
            let cut = Int.random(in: 0..<inside.count, using: &random)
            if Self.isTaken(inside, cut: 0, behind: 16) != isValid
                || Self.isTaken(inside, cut: cut, behind: 16) != isValid
            {
                failures.append(inside)
            }
        }
        #expect(failures.isEmpty, "\(failures.prefix(5))")
    }
}
