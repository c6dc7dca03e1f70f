import ConvertText

/// A JSON number read digit by digit: exact for any length and any exponent, without `Double`.
///
/// It stores only positions in the text. So the text must be passed to each method again.
struct DecimalText: Sendable {
    private(set) var isNegative = false
    private var integerStart = 0
    /// The number of digits before the point, at least 1.
    private(set) var integerCount = 0
    private var fractionStart = 0
    private var fractionCount = 0
    private(set) var hasExponent = false
    /// The number of zeros before the first other digit.
    private var leadingZeros = 0
    /// The number of digits before the point after the exponent is applied, without leading zeros; negative for small fractions.
    private(set) var magnitude = 0

    /// The limit for exponents; with larger ones, a number is out of range or zero in any case.
    private static let maxExponent = Int.max / 32
    /// The number of digits of the largest count of seconds in any form.
    private static let maxSecondsDigits = 12

    var isZero: Bool { leadingZeros == integerCount + fractionCount }

    var isPlainInteger: Bool { fractionCount == 0 && !hasExponent }

    /// Whether it has a leading zero, which is allowed in strings but not in JSON numbers.
    private(set) var hasLeadingZero = false

    /// Reads the whole text as `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`; nil if it does not match.
    init?(_ text: Span<UInt8>) {
        var index = 0
        if !text.isEmpty, text[0] == ASCII.minus {
            isNegative = true
            index = 1
        }
        integerStart = index
        while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
        integerCount = index - integerStart
        guard integerCount > 0 else { return nil }
        hasLeadingZero = integerCount > 1 && text[integerStart] == ASCII.zero
        fractionStart = index
        if index < text.count, text[index] == ASCII.dot {
            index += 1
            fractionStart = index
            while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
            fractionCount = index - fractionStart
            guard fractionCount > 0 else { return nil }
        }
        guard let exponent = Self.exponent(of: text, at: &index), index == text.count else { return nil }
        hasExponent = exponent.isWritten
        let count = integerCount + fractionCount
        while leadingZeros < count, value(of: text, at: leadingZeros) == 0 { leadingZeros += 1 }
        magnitude = integerCount - leadingZeros + exponent.value
    }

    /// The number as an instant, if it counts units of 10 to the power −`unitDigits` seconds.
    ///
    /// Fractions of a nanosecond are rounded down, into the past. Nil if the seconds have more than 12 digits.
    func instant(of text: Span<UInt8>, unitDigits: Int) -> Instant? {
        guard !isZero else { return Instant(seconds: 0, nanoseconds: 0) }
        let wholeDigits = magnitude - unitDigits
        guard wholeDigits <= Self.maxSecondsDigits else { return nil }
        var seconds: Int64 = 0
        for position in 0..<max(wholeDigits, 0) { seconds = seconds * 10 + Int64(significant(text, position)) }
        var nanoseconds: Int32 = 0
        for position in wholeDigits..<wholeDigits + 9 {
            nanoseconds = nanoseconds * 10 + Int32(significant(text, position))
        }
        guard isNegative else { return Instant(seconds: seconds, nanoseconds: nanoseconds) }
        if hasRest(text, from: max(wholeDigits + 9, 0)) { nanoseconds += 1 }
        guard nanoseconds > 0 else { return Instant(seconds: -seconds, nanoseconds: 0) }
        return Instant(seconds: -seconds - 1, nanoseconds: Instant.nanosecondsPerSecond - nanoseconds)
    }

    /// The digit `position` digits after the first one that is not zero; 0 before and after the digits of the text.
    private func significant(_ text: Span<UInt8>, _ position: Int) -> UInt8 {
        guard position >= 0, position < integerCount + fractionCount - leadingZeros else { return 0 }
        return value(of: text, at: leadingZeros + position)
    }

    private func hasRest(_ text: Span<UInt8>, from position: Int) -> Bool {
        let count = integerCount + fractionCount - leadingZeros
        return position < count && (position..<count).contains { significant(text, $0) != 0 }
    }

    private func value(of text: Span<UInt8>, at position: Int) -> UInt8 {
        let index = position < integerCount ? integerStart + position : fractionStart + position - integerCount
        return text[index] &- ASCII.zero
    }

    /// The value of the exponent, 0 without one; nil if an exponent has no digits.
    private static func exponent(of text: Span<UInt8>, at index: inout Int) -> (value: Int, isWritten: Bool)? {
        guard index < text.count, text[index] == ASCII.e || text[index] == ASCII.upperE else { return (0, false) }
        index += 1
        var isNegative = false
        if index < text.count, text[index] == ASCII.plus || text[index] == ASCII.minus {
            isNegative = text[index] == ASCII.minus
            index += 1
        }
        let start = index
        var value = 0
        while index < text.count, ASCII.isDigit(text[index]) {
            value = min(value * 10 + Int(text[index] &- ASCII.zero), maxExponent)
            index += 1
        }
        return index > start ? (isNegative ? -value : value, true) : nil
    }
}
