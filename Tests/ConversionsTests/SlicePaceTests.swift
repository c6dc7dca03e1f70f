import Testing

@testable import Conversions

struct SlicePaceTests {
    @Test func `fast conversions get longer slices, up to the recipe's maximum`() {
        var pace = SlicePace(most: 100_000)
        var lengths = [pace.bytes]
        for _ in 0..<4 {
            pace.note(pace.bytes, nanoseconds: 20_000)
            lengths.append(pace.bytes)
        }
        #expect(lengths == [16_384, 32_768, 65_536, 100_000, 100_000])
    }

    @Test func `a slice that takes longer than a turn makes the next slice shorter`() {
        var pace = SlicePace(most: 100_000)
        pace.note(16_384, nanoseconds: 16_000_000)
        #expect(pace.bytes == 1024)
        pace.note(1024, nanoseconds: 900_000)
        #expect(pace.bytes == 1024)
        pace.note(1024, nanoseconds: 1_000_000_000)
        #expect(pace.bytes == SlicePace.leastBytes)
        pace.note(SlicePace.leastBytes, nanoseconds: 1000)
        #expect(pace.bytes == 2 * SlicePace.leastBytes)
    }

    @Test func `short pieces do not make the slices longer`() {
        var pace = SlicePace(most: 100_000)
        for _ in 0..<10 { pace.note(1000, nanoseconds: 1000) }
        #expect(pace.bytes == SlicePace.firstBytes)
    }

    @Test func `no slice is longer than the recipe's maximum, even a very short one`() {
        var pace = SlicePace(most: 40)
        #expect(pace.bytes == 40)
        pace.note(40, nanoseconds: 1000)
        #expect(pace.bytes == 40)
        pace.note(40, nanoseconds: 50_000_000)
        #expect(pace.bytes == 40)
    }
}
