import ConvertText

/// The subsets of ISO 8601 that a form accepts.
enum ISOFlavor: Sendable {
    /// RFC 3339, section 5.6: extended form, with seconds and zone.
    case rfc3339
    /// ISO 8601: extended or basic form, also a date without a time.
    case iso8601
    /// Like `iso8601`, but only a date-time with its zone.
    case zoned

    var takesReducedForms: Bool { self != .rfc3339 }
    var needsZone: Bool { self == .rfc3339 || self == .zoned }
}

extension DateCursor {
    /// The largest offset from UTC in a text, in minutes.
    static let maxOffsetMinutes = 18 * 60

    /// ```
    /// YYYY-MM-DD [(T|t| ) HH:MM[:SS[(.|,)digits]] [zone]]   YYYYMMDDTHHMM[SS[(.|,)digits]] [zone]
    /// YYYY-Www-D   YYYY-DDD          zone = Z | z | ±HH | ±HH:MM | ±HHMM
    /// ```
    mutating func readISO(_ flavor: ISOFlavor) -> DateReading? {
        guard let year = digits(4) else { return nil }
        guard take(ASCII.minus) else { return flavor.takesReducedForms ? readBasic(year: year, flavor) : nil }
        if next == DateLetter.week || ASCII.isDigit(peek(2)) {
            return flavor.needsZone ? nil : readWeekOrOrdinal(year: year)
        }
        guard let month = digits(2), take(ASCII.minus), let day = digits(2),
            let date = CivilDate(checkedYear: year, month: month, day: day)
        else { return nil }
        if isAtEnd { return flavor.needsZone ? nil : DateReading(dateOnly: date) }
        // ISO 8601 does not allow the space, but RFC 3339 mentions it and databases write it.
        guard take(ASCII.upperT, or: ASCII.t) || take(ASCII.space), let time = isoTime(flavor, isBasic: false)
        else { return nil }
        return zoned(date, time, flavor)
    }

    /// `yyyy/MM/dd[ HH:mm:ss]`
    mutating func readSlashed() -> DateReading? {
        guard let date = civilDate(separator: ASCII.slash) else { return nil }
        if isAtEnd { return DateReading(dateOnly: date) }
        guard take(ASCII.space), let time = clockTime(), isAtEnd, time.isValid else { return nil }
        return DateReading(date, time, offset: nil)
    }

    /// Exactly `YYYY-MM-DD`.
    mutating func readDay() -> DateReading? {
        guard bytes.count == 10, let date = civilDate(separator: ASCII.minus) else { return nil }
        return DateReading(dateOnly: date)
    }

    /// Four digits of a year, two of a month and two of a day, with `separator` between them.
    private mutating func civilDate(separator: UInt8) -> CivilDate? {
        guard let year = digits(4), take(separator), let month = digits(2), take(separator), let day = digits(2)
        else { return nil }
        return CivilDate(checkedYear: year, month: month, day: day)
    }

    private mutating func readBasic(year: Int, _ flavor: ISOFlavor) -> DateReading? {
        guard let month = digits(2), let day = digits(2), take(ASCII.upperT),
            let date = CivilDate(checkedYear: year, month: month, day: day),
            let time = isoTime(flavor, isBasic: true)
        else { return nil }
        return zoned(date, time, flavor)
    }

    /// Week and ordinal dates have no time.
    private mutating func readWeekOrOrdinal(year: Int) -> DateReading? {
        let date: CivilDate?
        if take(DateLetter.week) {
            guard let week = digits(2), take(ASCII.minus), let weekday = digits(1) else { return nil }
            date = CivilDate(checkedWeekYear: year, week: week, weekday: weekday)
        } else {
            guard let dayOfYear = digits(3) else { return nil }
            date = CivilDate(checkedYear: year, dayOfYear: dayOfYear)
        }
        // The last week of year 9999 extends into the next year.
        guard isAtEnd, let date, 1...9999 ~= date.year else { return nil }
        return DateReading(dateOnly: date)
    }

    private mutating func isoTime(_ flavor: ISOFlavor, isBasic: Bool) -> DayTime? {
        var time = DayTime()
        guard let hour = digits(2), isBasic || take(ASCII.colon), let minute = digits(2) else { return nil }
        time.hour = hour
        time.minute = minute
        let hasSeconds = isBasic ? ASCII.isDigit(next) : take(ASCII.colon)
        if hasSeconds {
            guard let second = digits(2) else { return nil }
            time.second = second
            if take(ASCII.dot) || flavor.takesReducedForms && take(ASCII.comma) {
                guard let nanoseconds = fraction() else { return nil }
                time.nanoseconds = nanoseconds
            }
        }
        guard hasSeconds || flavor.takesReducedForms else { return nil }
        return time.isValid ? time : nil
    }

    private mutating func zoned(_ date: CivilDate, _ time: DayTime, _ flavor: ISOFlavor) -> DateReading? {
        if isAtEnd { return flavor.needsZone ? nil : DateReading(date, time, offset: nil) }
        guard let offset = isoOffset(isStrict: !flavor.takesReducedForms), isAtEnd else { return nil }
        return DateReading(date, time, offset: offset)
    }

    /// `Z`, `z` or `±HH:MM`, and unless strict also `±HH` and `±HHMM`, in seconds east of UTC.
    mutating func isoOffset(isStrict: Bool) -> Int? {
        if take(ASCII.upperZ, or: ASCII.z) { return 0 }
        guard let isWest = takeSign(), let hours = digits(2) else { return nil }
        var minutes = 0
        let hasColon = take(ASCII.colon)
        if hasColon || !isStrict && ASCII.isDigit(next) {
            guard let value = digits(2) else { return nil }
            minutes = value
        } else if isStrict {
            return nil
        }
        return Self.offset(isWest: isWest, hours: hours, minutes: minutes)
    }

    /// An offset in seconds east of UTC; nil if no zone has it.
    static func offset(isWest: Bool, hours: Int, minutes: Int) -> Int? {
        let total = hours * 60 + minutes
        guard minutes <= 59, total <= maxOffsetMinutes else { return nil }
        return isWest ? -total * 60 : total * 60
    }
}
