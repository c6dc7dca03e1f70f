extension [UInt8] {
    /// Appends a number that is not negative in decimal digits, without a String.
    package mutating func appendDecimal(_ value: Int) {
        precondition(value >= 0)
        var divisor = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(ASCII.zero &+ UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
