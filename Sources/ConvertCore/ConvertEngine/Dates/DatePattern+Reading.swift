import ConvertText

extension DatePattern {
    /// The values of the fields in one text.
    private struct Values {
        var year = 0
        var month: Int?
        var day = 0
        var dayOfYear: Int?
        /// The weekday, from Sunday as 0.
        var weekday: Int?
        var time = DayTime()
        /// 0 for AM, 1 for PM.
        var half: Int?
        var offset: Int?

        var date: CivilDate? {
            if let dayOfYear { return CivilDate(checkedYear: year, dayOfYear: dayOfYear) }
            return month.flatMap { CivilDate(checkedYear: year, month: $0, day: day) }
        }
    }

    /// Why a text that matches the pattern has no such date: its year, the day of its month such as 31 February, or its weekday.
    func error(in content: Span<UInt8>) -> String? {
        guard let values = values(content) else { return nil }
        if let date = values.date {
            return values.weekday == nil || values.weekday == date.weekday ? nil : DateForm.otherWeekday
        }
        guard values.dayOfYear == nil, let month = values.month, 1...12 ~= month, 1...31 ~= values.day else {
            return nil
        }
        return values.year > 0 ? DateForm.missingDay : DateForm.missingYear
    }

    /// The values of the fields in a whole text; nil if it does not match the pattern.
    private func values(_ content: Span<UInt8>) -> Values? {
        var cursor = DateCursor(content)
        var values = Values()
        for field in fields {
            guard Self.take(field, from: &cursor, into: &values) else { return nil }
        }
        return cursor.isAtEnd ? values : nil
    }

    /// Reads a whole text; nil if it does not match the pattern, or is not a date.
    func read(_ content: Span<UInt8>) -> DateReading? {
        guard var values = values(content), let date = values.date,
            values.weekday == nil || values.weekday == date.weekday
        else {
            return nil
        }
        if isDateOnly { return DateReading(dateOnly: date) }
        if let half = values.half { values.time.hour += half * 12 }
        guard values.time.isValid else { return nil }
        return DateReading(date, values.time, offset: values.offset)
    }

    private static func take(_ field: Field, from cursor: inout DateCursor, into values: inout Values) -> Bool {
        switch field {
        case .literal(let bytes): return cursor.take(text: bytes)
        case .year, .month, .day, .dayOfYear, .hour, .minute, .second, .fraction:
            return takeNumber(field, from: &cursor, into: &values)
        case .shortMonth: values.month = cursor.name(of: DateNames.shortMonths).map { $0 + 1 }
        case .longMonth: values.month = cursor.name(of: DateNames.months).map { $0 + 1 }
        case .shortWeekday: values.weekday = cursor.name(of: DateNames.shortDays)
        case .longWeekday: values.weekday = cursor.name(of: DateNames.days)
        case .half: values.half = cursor.name(of: DateNames.halves)
        case .offset(let style): values.offset = offset(style, from: &cursor)
        case .zoneName: values.offset = ObsoleteZone.hours(takenFrom: &cursor).map { $0 * 3_600 }
        case .narrowMonth, .narrowWeekday: return false
        }
        return switch field.kind {
        case .month: values.month != nil
        case .weekday: values.weekday != nil
        case .half: values.half != nil
        default: values.offset != nil
        }
    }

    private static func takeNumber(_ field: Field, from cursor: inout DateCursor, into values: inout Values) -> Bool {
        if case .fraction(let width) = field {
            guard let nanoseconds = cursor.digits(width) else { return false }
            values.time.nanoseconds = Int32(nanoseconds)
            for _ in width..<9 { values.time.nanoseconds *= 10 }
            return true
        }
        guard let width = field.digitWidth,
            let value = width == 1 ? cursor.digits(1...field.maxDigits) : cursor.digits(width)
        else { return false }
        switch field {
        case .year: values.year = width == 2 ? CivilDate.year(ofTwoDigits: value) : value
        case .month: values.month = value
        case .day: values.day = value
        case .dayOfYear: values.dayOfYear = value
        case .minute: values.time.minute = value
        case .second: values.time.second = value
        case .hour(let cycle, _):
            guard cycle.digitRange ~= value else { return false }
            switch cycle {
            case .from0To23, .from0To11: values.time.hour = value
            case .from1To24: values.time.hour = value % 24
            case .from1To12: values.time.hour = value % 12
            }
        default: return false
        }
        return true
    }

    private static func offset(_ style: OffsetStyle, from cursor: inout DateCursor) -> Int? {
        if style.usesZ, cursor.take(ASCII.upperZ) { return 0 }
        guard let isWest = cursor.takeSign(), let hours = cursor.digits(2) else { return nil }
        var minutes = 0
        if !style.dropsZeroMinutes || ASCII.isDigit(cursor.next) {
            guard !style.hasColon || cursor.take(ASCII.colon), let value = cursor.digits(2) else { return nil }
            minutes = value
        }
        return DateCursor.offset(isWest: isWest, hours: hours, minutes: minutes)
    }
}

extension DatePattern.Field {
    /// The most digits that are read for a field of open length.
    fileprivate var maxDigits: Int {
        switch self {
        case .year: 4
        case .dayOfYear: 3
        default: 2
        }
    }
}
