import ConvertText

extension DateForm {
    /// Reads the whole content of a string; nil where it is not of this form.
    package func read(string content: Span<UInt8>) -> DateReading? {
        var cursor = DateCursor(content)
        switch self {
        case .auto: return Self.readAny(&cursor)
        case .rfc3339: return cursor.readISO(.rfc3339)
        case .iso8601: return cursor.readISO(.iso8601)
        case .date: return cursor.readDay()
        case .rfc2822: return cursor.readMail()
        case .httpDate: return cursor.readHTTP()
        case .asctime: return cursor.readASCTime()
        case .dotnetJSON: return cursor.readDotnetJSON()
        case .pattern(let pattern): return pattern.read(content)
        // A number in quotes is as good as a number, where a number is what the field holds.
        default:
            guard let number = DecimalText(content), !number.hasExponent else { return nil }
            return readCount(number, content)
        }
    }

    /// Whether a text that this form does not read has a day that its month does not have, such as 31 February.
    func namesMissingDay(_ content: Span<UInt8>) -> Bool {
        if case .pattern(let pattern) = self { return pattern.namesMissingDay(content) }
        // `YYYY-MM-DD`, with which most other forms of text begin.
        var cursor = DateCursor(content)
        guard cursor.digits(4) != nil, cursor.take(ASCII.minus), let month = cursor.digits(2),
            cursor.take(ASCII.minus), let day = cursor.digits(2), 1...12 ~= month, 1...31 ~= day
        else { return false }
        var start = DateCursor(content.extracting(0..<10))
        return start.readDay() == nil
    }

    /// Reads a JSON number from its source text; only forms that count take numbers.
    package func read(number text: Span<UInt8>) -> DateReading? {
        guard let number = DecimalText(text), !number.hasLeadingZero else { return nil }
        return self == .auto ? Self.readBySize(number, text) : readCount(number, text)
    }

    /// Reads what is a date-time and can be nothing else: ISO 8601 or RFC 5322 with a zone.
    static func readScanned(_ content: Span<UInt8>) -> DateReading? {
        var cursor = DateCursor(content)
        if ASCII.isDigit(cursor.next), ASCII.isDigit(cursor.peek(2)), ASCII.isDigit(cursor.peek(3)) {
            return cursor.readISO(.zoned)
        }
        return cursor.readMail()
    }

    /// Everything that `auto` takes from a string. The first bytes decide the grammar, so that each text is tried once.
    private static func readAny(_ cursor: inout DateCursor) -> DateReading? {
        if ASCII.isLetter(cursor.next) {
            switch cursor.peek(3) {
            case ASCII.comma: return cursor.readMail()
            case ASCII.space: return cursor.readASCTime()
            default: return cursor.readRFC850()
            }
        }
        if cursor.next == ASCII.slash { return cursor.readDotnetJSON() }
        if cursor.peek(4) == ASCII.slash { return cursor.readSlashed() }
        if cursor.peek(4) == ASCII.minus || cursor.peek(8) == ASCII.upperT { return cursor.readISO(.iso8601) }
        if ASCII.isDigit(cursor.peek(1)), ASCII.isDigit(cursor.peek(2)) { return readNumericString(cursor.bytes) }
        return ASCII.isDigit(cursor.next) ? cursor.readMail() : nil
    }

    /// Nine digits or more before the point, but not fourteen (`YYYYMMDDhhmmss` looks so), and no exponent.
    private static func readNumericString(_ content: Span<UInt8>) -> DateReading? {
        guard let number = DecimalText(content), number.integerCount >= 9, number.integerCount != 14,
            !number.hasExponent
        else { return nil }
        return readBySize(number, content)
    }

    /// Below 1e11 seconds, below 1e14 milliseconds, below 1e17 microseconds, below 1e20 nanoseconds; the sign does not count.
    private static func readBySize(_ number: DecimalText, _ text: Span<UInt8>) -> DateReading? {
        let unitDigits: Int
        switch number.isZero ? 0 : number.magnitude {
        case ...11: unitDigits = 0
        case ...14: unitDigits = 3
        case ...17: unitDigits = 6
        case ...20: unitDigits = 9
        default: return nil
        }
        return reading(number.instant(of: text, unitDigits: unitDigits))
    }

    /// A count of this form's units, in exact decimal arithmetic; ticks and file times are whole numbers.
    private func readCount(_ number: DecimalText, _ text: Span<UInt8>) -> DateReading? {
        let unitDigits: Int
        let origin: Int64
        switch self {
        case .epochSeconds: (unitDigits, origin) = (0, 0)
        case .epochMilliseconds: (unitDigits, origin) = (3, 0)
        case .epochMicroseconds: (unitDigits, origin) = (6, 0)
        case .epochNanoseconds: (unitDigits, origin) = (9, 0)
        case .dotnetTicks: (unitDigits, origin) = (7, -Instant.secondsFromYearOne)
        case .fileTime: (unitDigits, origin) = (7, -Instant.secondsFrom1601)
        case .appleSeconds: (unitDigits, origin) = (0, Instant.secondsTo2001)
        default: return nil
        }
        guard number.isPlainInteger || self != .dotnetTicks && self != .fileTime else { return nil }
        return Self.reading(number.instant(of: text, unitDigits: unitDigits), from: origin)
    }

    /// A number that lies outside the years 0001–9999 is not a date of its form.
    fileprivate static func reading(_ instant: Instant?, from origin: Int64 = 0) -> DateReading? {
        guard var instant else { return nil }
        instant.seconds += origin
        return instant.isInYearsOneTo9999 ? DateReading(instant) : nil
    }
}

extension DateCursor {
    private static let dotnetStart = Array("/Date(".utf8)
    private static let dotnetEnd = Array(")/".utf8)
    /// More digits of milliseconds lie beyond the year 9999.
    private static let maxDotnetDigits = 15

    /// `/Date(ms±hhmm)/`: milliseconds since 1970; the offset only says where the writer was.
    mutating func readDotnetJSON() -> DateReading? {
        guard take(text: Self.dotnetStart) else { return nil }
        let isNegative = take(ASCII.minus)
        guard let count = milliseconds() else { return nil }
        if next == ASCII.plus || next == ASCII.minus {
            let isWest = next == ASCII.minus
            index += 1
            guard let hours = digits(2), let minutes = digits(2),
                case .known = Self.offset(isWest: isWest, hours: hours, minutes: minutes)
            else { return nil }
        }
        guard take(text: Self.dotnetEnd), isAtEnd else { return nil }
        let milliseconds = isNegative ? -count : count
        let seconds = (isNegative ? milliseconds - 999 : milliseconds) / 1_000
        let rest = Int32(milliseconds - seconds * 1_000)
        return DateForm.reading(Instant(seconds: seconds, nanoseconds: rest * 1_000_000))
    }

    /// More digits than an `Int` of 32 bits holds.
    private mutating func milliseconds() -> Int64? {
        let start = index
        var value: Int64 = 0
        while ASCII.isDigit(next) {
            guard index - start < Self.maxDotnetDigits else { return nil }
            value = value * 10 + Int64(next &- ASCII.zero)
            index += 1
        }
        return index > start ? value : nil
    }
}
