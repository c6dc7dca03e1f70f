import Testing

@testable import ConvertEngine

/// Surrogate pairs and byte sequences equal those of Swift's own encoders.
struct SurrogatesTests {
    /// Coprime to the sizes of all blocks, so that every bit pattern of the low bits occurs.
    private static let step = 13

    @Test func `surrogate pairs are split and combined as in UTF-16`() {
        var failures: [UInt32] = []
        for value in stride(from: UInt32(0x10000), through: 0x10FFFF, by: Self.step) {
            guard let scalar = Unicode.Scalar(value), let pair = Surrogates.pair(for: value) else {
                failures.append(value)
                continue
            }
            let isRight =
                pair.high == UInt32(UTF16.leadSurrogate(scalar)) && pair.low == UInt32(UTF16.trailSurrogate(scalar))
                && Surrogates.isHigh(pair.high) && Surrogates.isLow(pair.low)
                && Surrogates.scalar(high: pair.high, low: pair.low) == value
            if !isRight { failures.append(value) }
        }
        #expect(failures.isEmpty, "\(failures.prefix(5))")
        #expect(Surrogates.pair(for: 0xFFFF) == nil)
        for value in [0xD7FF, 0xE000] as [UInt32] { #expect(!Surrogates.contain(value)) }
        for value in [0xD800, 0xDBFF, 0xDC00, 0xDFFF] as [UInt32] { #expect(Surrogates.contain(value)) }
    }

    @Test func `UTF-8 sequences are written as by Swift`() {
        var failures: [UInt32] = []
        let values =
            [0, 0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF] + stride(from: 1, to: 0x110000, by: Self.step)
        for value in values.map(UInt32.init) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            var output = ByteBuffer()
            UTF8Sequence.append(value, to: &output)
            if [UInt8](output) != Array(String(Character(scalar)).utf8) { failures.append(value) }
        }
        #expect(failures.isEmpty, "\(failures.prefix(5))")
    }
}
