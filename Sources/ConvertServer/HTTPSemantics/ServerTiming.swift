import Text

/// The value of the `Server-Timing` response field (W3C Server Timing).
package enum ServerTiming {
    /// A hundredth of a millisecond in nanoseconds. The value is rounded to a multiple of it.
    private static let step: Int64 = 10_000

    /// `convert;dur=0.42` for 420 microseconds; a clock that went backwards shows as 0.
    package static func convert(nanoseconds: Int64) -> [UInt8] {
        let steps = (max(0, nanoseconds) + step / 2) / step
        let (milliseconds, hundredths) = steps.quotientAndRemainder(dividingBy: 100)
        var value: [UInt8] = []
        value.reserveCapacity(32)
        value += metric
        value.appendDecimal(Int(milliseconds))
        value.append(ASCII.dot)
        value.append(ASCII.zero + UInt8(hundredths / 10))
        value.append(ASCII.zero + UInt8(hundredths % 10))
        return value
    }

    private static let metric = Array("convert;dur=".utf8)
}
