import ConvertText

extension DateForm {
    /// Reads the whole content of a string; nil if it is not of this form.
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
        // These forms are counts, and accept a number in a string, too.
        default:
            guard let number = DecimalText(content), !number.hasExponent else { return nil }
            return readCount(number, content)
        }
    }

    static let missingDay = "the month has no such day"
    static let missingYear = "expected a year from 0001 to 9999"
    static let otherWeekday = "the weekday does not fit the date"

    /// Why a text that looks like this form has no such date: its year, the day of its month such as 31 February, or its weekday.
    func error(in content: Span<UInt8>) -> String? {
        if case .pattern(let pattern) = self { return pattern.error(in: content) }
        var cursor = DateCursor(content)
        if self == .auto || self == .rfc2822 || self == .httpDate, cursor.peek(3) == ASCII.comma,
            cursor.peek(4) == ASCII.space
        {
            guard let weekday = cursor.name(of: DateNames.shortDays) else { return nil }
            var rest = DateCursor(content.extracting(5...))
            guard let reading = rest.readMail(), !reading.isLeapSecond else { return nil }
            return reading.date.weekday == weekday ? nil : Self.otherWeekday
        }
        // The start `YYYY-MM-DD`, which most other text forms have.
        guard let year = cursor.digits(4), cursor.take(ASCII.minus), let month = cursor.digits(2),
            cursor.take(ASCII.minus), let day = cursor.digits(2), 1...12 ~= month, 1...31 ~= day
        else { return nil }
        guard year > 0 else { return Self.missingYear }
        return CivilDate(checkedYear: year, month: month, day: day) == nil ? Self.missingDay : nil
    }

    /// Reads a JSON number from its source text; only forms that are counts accept numbers.
    package func read(number text: Span<UInt8>) -> DateReading? {
        guard let number = DecimalText(text), !number.hasLeadingZero else { return nil }
        return self == .auto ? Self.readBySize(number, text) : readCount(number, text)
    }

    /// Reads only unambiguous date-times: ISO 8601 or RFC 5322 with a zone.
    static func readScanned(_ content: Span<UInt8>) -> DateReading? {
        var cursor = DateCursor(content)
        if ASCII.isDigit(cursor.next), ASCII.isDigit(cursor.peek(2)), ASCII.isDigit(cursor.peek(3)) {
            return cursor.readISO(.zoned)
        }
        return cursor.readMail()
    }

    /// Every form that `auto` accepts in a string. The first bytes determine the grammar, so each text is parsed once.
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

    /// Reads a number without exponent, with at least nine digits before the point, but not fourteen: they may be `YYYYMMDDhhmmss`.
    private static func readNumericString(_ content: Span<UInt8>) -> DateReading? {
        guard let number = DecimalText(content), number.integerCount >= 9, number.integerCount != 14,
            !number.hasExponent
        else { return nil }
        return readBySize(number, content)
    }

    /// Reads a count in a unit by its size: seconds below 1e11, milliseconds below 1e14, microseconds below 1e17, nanoseconds below 1e20.
    /// The sign does not matter.
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

    /// Reads a count of this form's units, in exact decimal arithmetic. Ticks and file times must be whole numbers.
    private func readCount(_ number: DecimalText, _ text: Span<UInt8>) -> DateReading? {
        guard let count, number.isPlainInteger || self != .dotnetTicks && self != .fileTime else { return nil }
        return Self.reading(number.instant(of: text, unitDigits: count.unitDigits), from: count.origin)
    }

    /// The reading of an instant; nil outside the years 0001–9999.
    fileprivate static func reading(_ instant: Instant?, from origin: Int64 = 0) -> DateReading? {
        guard var instant else { return nil }
        instant.seconds += origin
        return instant.isInYearsOneTo9999 ? DateReading(instant) : nil
    }
}

extension DateCursor {
    private static let dotnetStart = Array("/Date(".utf8)
    private static let dotnetEnd = Array(")/".utf8)
    /// The limit for digits; a larger number is beyond the year 9999.
    private static let maxDotnetDigits = 15

    /// `/Date(ms±hhmm)/`: milliseconds since 1970. The offset is only the writer's zone and does not change the instant.
    mutating func readDotnetJSON() -> DateReading? {
        guard take(text: Self.dotnetStart) else { return nil }
        let isNegative = take(ASCII.minus)
        guard let count = milliseconds() else { return nil }
        if let isWest = takeSign() {
            guard let hours = digits(2), let minutes = digits(2),
                Self.offset(isWest: isWest, hours: hours, minutes: minutes) != nil
            else { return nil }
        }
        guard take(text: Self.dotnetEnd), isAtEnd else { return nil }
        let milliseconds = isNegative ? -count : count
        let seconds = (isNegative ? milliseconds - 999 : milliseconds) / 1_000
        let rest = Int32(milliseconds - seconds * 1_000)
        return DateForm.reading(Instant(seconds: seconds, nanoseconds: rest * 1_000_000))
    }

    /// Reads up to 15 digits, which an `Int` of 32 bits could not store.
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
