import TestSupport
import Testing

@testable import ConvertEngine

/// Vector instructions, word arithmetic and a plain loop classify each byte the same way.
struct LanesTests {
    private struct Classes: Equatable {
        var stops: [Bool]
        var textStops: [Bool]
        var leads: [Bool]
        var rareLeads: [Bool]
        var whiteSpace: [Bool]
        var whiteSpaceInLine: [Bool]
        var digits: [Bool]
        var hexLetters: [Bool]
        var nonASCII: [Bool]
        var equal: [Bool]
    }

    private static func lanes(_ mask: LaneMask) -> [Bool] {
        (0..<16).map { mask.bits >> UInt64($0 << LaneMask.bitsALaneShift) & 1 != 0 }
    }

    private static func plain(_ block: [UInt8], _ other: [UInt8]) -> Classes {
        Classes(
            stops: block.map { $0 < 0x20 || $0 >= 0x80 || $0 == 0x22 || $0 == 0x5C },
            textStops: block.map { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }, leads: block.map { $0 >= 0xC0 },
            rareLeads: block.map { [0xC0, 0xC1, 0xE0, 0xED].contains($0) || $0 >= 0xF0 },
            whiteSpace: block.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) },
            whiteSpaceInLine: block.map { [0x20, 0x09, 0x0D].contains($0) },
            digits: block.map { (0x30...0x39).contains($0) },
            hexLetters: block.map { (0x41...0x46).contains($0) || (0x61...0x66).contains($0) },
            nonASCII: block.map { $0 >= 0x80 }, equal: zip(block, other).map { $0 == $1 })
    }

    private static func words(_ block: [UInt8], _ other: [UInt8]) -> Classes {
        let (a, b) = unsafe block.withUnsafeBufferPointer { block in
            unsafe other.withUnsafeBufferPointer { other in
                unsafe (WordLanes(loading: block.baseAddress!), WordLanes(loading: other.baseAddress!))
            }
        }
        return Classes(
            stops: lanes(a.stringStops), textStops: lanes(a.textStops), leads: lanes(a.atLeast(0xC0)),
            rareLeads: lanes(a.rareLeads), whiteSpace: lanes(a.whiteSpace()),
            whiteSpaceInLine: lanes(a.whiteSpace(lineFeed: 0x20)), digits: lanes(a.digits),
            hexLetters: lanes(a.hexLetters),
            nonASCII: lanes(a.nonASCII), equal: lanes(a.equal(to: b)))
    }

    private static func vectors(_ block: [UInt8], _ other: [UInt8]) -> Classes {
        let (a, b) = unsafe block.withUnsafeBufferPointer { block in
            unsafe other.withUnsafeBufferPointer { other in
                unsafe (Lanes(loading: block.baseAddress!), Lanes(loading: other.baseAddress!))
            }
        }
        return Classes(
            stops: lanes(a.stringStops), textStops: lanes(a.textStops), leads: lanes(a.atLeast(0xC0)),
            rareLeads: lanes(a.rareLeads), whiteSpace: lanes(a.whiteSpace()),
            whiteSpaceInLine: lanes(a.whiteSpace(lineFeed: 0x20)), digits: lanes(a.digits),
            hexLetters: lanes(a.hexLetters),
            nonASCII: lanes(a.nonASCII), equal: lanes(a.equal(to: b)))
    }

    @Test func `every byte value has the same class in every lane`() {
        for value in UInt8.min...UInt8.max {
            for lane in 0..<16 {
                // Neighbours of `value + 1` and of 0xFF reveal carries from one lane to the next.
                var block = (0..<16).map { $0 % 2 == 0 ? value &+ 1 : UInt8.max }
                block[lane] = value
                let other = [UInt8](repeating: value, count: 16)
                let plain = Self.plain(block, other)
                #expect(Self.words(block, other) == plain, "byte \(value) in lane \(lane)")
                #expect(Self.vectors(block, other) == plain, "byte \(value) in lane \(lane)")
            }
        }
    }

    @Test func `random blocks get the same classes`() {
        var random = SeededGenerator(seed: 16)
        let often = Array("\"\\ \t\r\n/0129:!#[]".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xFF]
        for _ in 0..<4000 {
            let block = (0..<16).map { _ in
                Bool.random(using: &random)
                    ? often.randomElement(using: &random)! : UInt8.random(in: 0...255, using: &random)
            }
            let other = block.map { Bool.random(using: &random) ? $0 : $0 ^ 0x80 }
            let plain = Self.plain(block, other)
            #expect(Self.words(block, other) == plain, "\(block)")
            #expect(Self.vectors(block, other) == plain, "\(block)")
        }
    }

    @Test func `lanes count equal bytes, up to 255 in each lane`() {
        var random = SeededGenerator(seed: 255)
        var vectors = Lanes(repeating: 0)
        var words = WordLanes(repeating: 0)
        var expected = 0
        for _ in 0..<255 {
            let block = (0..<16).map { _ in UInt8.random(in: 6...7, using: &random) }
            expected += block.count { $0 == 7 }
            unsafe block.withUnsafeBufferPointer {
                unsafe vectors.count(Lanes(loading: $0.baseAddress!), equalTo: Lanes(repeating: 7))
                unsafe words.count(WordLanes(loading: $0.baseAddress!), equalTo: WordLanes(repeating: 7))
            }
        }
        #expect(vectors.sum == expected && words.sum == expected)
        #expect(Lanes(repeating: 255).sum == 16 * 255 && WordLanes(repeating: 255).sum == 16 * 255)
    }

    @Test func `masks count lanes and find the first one`() {
        for first in 0...16 {
            let block = (0..<16).map { $0 < first ? UInt8(ascii: "7") : UInt8(ascii: "x") }
            let digits = unsafe block.withUnsafeBufferPointer { unsafe Lanes(loading: $0.baseAddress!).digits }
            #expect(digits.bits.nonzeroBitCount &>> LaneMask.bitsALaneShift == first)
            #expect(digits.isEmpty == (first == 0))
            #expect(LaneMask(bits: ~digits.bits).firstIndex >= first)
            if first < 16 { #expect(LaneMask(bits: ~digits.bits).firstIndex == first) }
            for wanted in 1...16 { #expect(digits.holdsFirst(wanted) == (wanted <= first)) }
            #expect(LaneMask(first: first).bits == digits.bits)
            for lane in 0..<16 { #expect(digits.holds(lane) == (lane < first)) }
            if first > 0 { #expect(digits.lastIndex == first - 1) }
            if first < 16 { #expect(LaneMask(first: 1).shifted(by: first).firstIndex == first) }
        }
    }

    @Test func `a store writes the sixteen bytes that were loaded`() {
        let block = (0..<16).map { UInt8($0 * 16 + 5) }
        var vector = [UInt8](repeating: 0, count: 18)
        var words = vector
        unsafe block.withUnsafeBufferPointer { source in
            unsafe vector.withUnsafeMutableBufferPointer {
                unsafe Lanes(loading: source.baseAddress!).store(to: $0.baseAddress! + 1)
            }
            unsafe words.withUnsafeMutableBufferPointer {
                unsafe WordLanes(loading: source.baseAddress!).store(to: $0.baseAddress! + 1)
            }
        }
        #expect(vector == [0] + block + [0])
        #expect(words == vector)
    }
}
