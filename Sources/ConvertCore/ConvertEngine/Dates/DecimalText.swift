import ConvertText

/// A JSON number read digit by digit: exact for any length and any exponent, and never a Double.
///
/// It keeps places in the text only; the text itself is given again to each question.
struct DecimalText: Sendable {
    private(set) var isNegative = false
    private var integerStart = 0
    /// Digits before the point, at least 1.
    private(set) var integerCount = 0
    private var fractionStart = 0
    private var fractionCount = 0
    private(set) var hasExponent = false
    /// Zeros before the first digit that counts.
    private var leadingZeros = 0
    /// Digits before the point once the exponent is applied and leading zeros are gone; negative for small fractions.
    private(set) var magnitude = 0

    /// Exponents beyond this are all the same: out of range or zero.
    private static let maxExponent = Int.max / 32
    /// Digits of the largest count of seconds that any form can hold.
    private static let maxSecondsDigits = 12

    var isZero: Bool { leadingZeros == integerCount + fractionCount }

    /// Whether it has no fraction and no exponent.
    var isPlainInteger: Bool { fractionCount == 0 && !hasExponent }

    /// Whether it has a zero that a JSON number may not have; numbers in strings may.
    private(set) var hasLeadingZero = false

    /// `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`, the whole text.
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

    /// The number as seconds and nanoseconds, where it counts units of 10 to the power −`unitDigits` seconds.
    ///
    /// What is smaller than a nanosecond is cut toward the past. Nil where the seconds have more than 12 digits.
    func instant(of text: Span<UInt8>, unitDigits: Int) -> Instant? {
        guard !isZero else { return Instant(seconds: 0, nanoseconds: 0) }
        let wholeDigits = magnitude - unitDigits
        guard wholeDigits <= Self.maxSecondsDigits else { return nil }
        var seconds: Int64 = 0
        for place in 0..<max(wholeDigits, 0) { seconds = seconds * 10 + Int64(significant(text, place)) }
        var nanoseconds: Int32 = 0
        for place in wholeDigits..<wholeDigits + 9 { nanoseconds = nanoseconds * 10 + Int32(significant(text, place)) }
        guard isNegative else { return Instant(seconds: seconds, nanoseconds: nanoseconds) }
        if hasRest(text, from: max(wholeDigits + 9, 0)) { nanoseconds += 1 }
        guard nanoseconds > 0 else { return Instant(seconds: -seconds, nanoseconds: 0) }
        return Instant(seconds: -seconds - 1, nanoseconds: Instant.nanosecondsPerSecond - nanoseconds)
    }

    /// The digit `place` digits after the first one that counts; 0 before and after the digits written.
    private func significant(_ text: Span<UInt8>, _ place: Int) -> UInt8 {
        guard place >= 0, place < integerCount + fractionCount - leadingZeros else { return 0 }
        return value(of: text, at: leadingZeros + place)
    }

    private func hasRest(_ text: Span<UInt8>, from place: Int) -> Bool {
        let count = integerCount + fractionCount - leadingZeros
        var place = place
        while place < count {
            if significant(text, place) != 0 { return true }
            place += 1
        }
        return false
    }

    private func value(of text: Span<UInt8>, at place: Int) -> UInt8 {
        let index = place < integerCount ? integerStart + place : fractionStart + place - integerCount
        return text[index] &- ASCII.zero
    }

    /// Nil where an exponent begins and has no digits.
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
