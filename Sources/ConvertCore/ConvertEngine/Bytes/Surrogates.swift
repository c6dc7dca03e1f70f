/// The UTF-16 code units that are valid only in pairs, as `\u` escapes write them.
package enum Surrogates {
    private static let high: Range<UInt32> = 0xD800..<0xDC00
    private static let low: Range<UInt32> = 0xDC00..<0xE000
    private static let firstSupplementary: UInt32 = 0x10000
    /// The number of bits of a supplementary scalar value in each unit of a pair.
    private static let bitsAUnit: UInt32 = 10

    package static func isHigh(_ value: UInt32) -> Bool { high.contains(value) }
    package static func isLow(_ value: UInt32) -> Bool { low.contains(value) }
    package static func contain(_ value: UInt32) -> Bool { isHigh(value) || isLow(value) }

    /// The scalar value that a pair represents.
    package static func scalar(high first: UInt32, low second: UInt32) -> UInt32 {
        firstSupplementary + (first - high.lowerBound) << bitsAUnit + (second - low.lowerBound)
    }

    /// The pair that represents a scalar value; nil if one unit represents it.
    static func pair(for value: UInt32) -> (high: UInt32, low: UInt32)? {
        guard value >= firstSupplementary else { return nil }
        let offset = value - firstSupplementary
        return (high.lowerBound + offset >> bitsAUnit, low.lowerBound + offset & (1 << bitsAUnit - 1))
    }
}
