extension [UInt8] {
    /// Appends a number that is not negative in decimal digits, without making a String.
    package mutating func appendDecimal(_ value: Int) {
        precondition(value >= 0)
        var digits = InlineArray<19, UInt8>(repeating: 0)
        var start = digits.count
        var rest = value
        repeat {
            start -= 1
            digits[start] = ASCII.zero &+ UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        for index in start..<digits.count { append(digits[index]) }
    }
}
