import ConvertText

/// The rule after a zone's last listed transition: a POSIX TZ string with the extensions of RFC 9636, section 3.3.1.
///
/// ```
/// std offset [dst [offset] , start [/time] , end [/time]]
/// start, end = Jn (1–365, never 29 February) | n (0–365) | Mm.w.d (w = 5: the last)
/// ```
struct ZoneFooter: Sendable, Equatable {
    /// A day of the year on which the offset changes, and the second of that day (which may be several days away).
    fileprivate struct Change: Sendable, Equatable {
        enum Day: Sendable, Equatable {
            case julian(Int)
            case zeroBased(Int)
            case weekday(month: Int, week: Int, weekday: Int)
        }
        var day: Day
        var second: Int

        /// The change in seconds since 1970, in the local time before it.
        func localSeconds(year: Int) -> Int64 {
            let firstOfYear = CivilDate(year: year, month: 1, day: 1).dayNumber
            let dayNumber: Int
            switch day {
            case .julian(let number):
                dayNumber = firstOfYear + number - 1 + (CivilDate.isLeap(year) && number >= 60 ? 1 : 0)
            case .zeroBased(let number):
                dayNumber = firstOfYear + number
            case .weekday(let month, let week, let weekday):
                let first = CivilDate(year: year, month: month, day: 1)
                var day = 1 + (weekday - first.weekday + 7) % 7 + (week - 1) * 7
                if day > CivilDate.days(inMonth: month, of: year) { day -= 7 }
                dayNumber = first.dayNumber + day - 1
            }
            return Int64(dayNumber) * Instant.secondsPerDay + Int64(second)
        }
    }

    /// Summer time: its offset, its start and its end.
    private struct Summer: Sendable, Equatable {
        var offset: Int
        var start: Change
        var end: Change
    }

    /// Seconds east of UTC.
    private var standardOffset: Int
    private var summer: Summer?

    /// The period with one offset that contains a point in time, given in seconds since 1970.
    func segment(at seconds: Int64) -> ZoneRules.Segment {
        guard let summer else { return .init(start: .min, end: .max, offset: standardOffset) }
        let day = Int(seconds / Instant.secondsPerDay)
        let year = CivilDate(dayNumber: day).year
        var found = ZoneRules.Segment(start: .min, end: .max, offset: standardOffset)
        // A change may be up to a week outside the year that it belongs to.
        for year in year - 1...year + 1 {
            // The end comes first. If an end equals a start, summer time is permanent, and the start must win.
            let changes = [
                (summer.end.localSeconds(year: year) - Int64(summer.offset), standardOffset),
                (summer.start.localSeconds(year: year) - Int64(standardOffset), summer.offset),
            ]
            for (time, offset) in changes {
                if time <= seconds, time >= found.start {
                    found.start = time
                    found.offset = offset
                } else if time > seconds {
                    found.end = min(found.end, time)
                }
            }
        }
        return found
    }
}

extension ZoneFooter {
    /// Nil if the text is not such a string.
    init?(parsing text: [UInt8]) {
        var cursor = DateCursor(text.span)
        guard cursor.skipZoneName(), let west = cursor.zoneTime(maxHours: 24) else { return nil }
        standardOffset = -west
        guard !cursor.isAtEnd else { return }
        guard cursor.skipZoneName() else { return nil }
        var offset = standardOffset + 3_600
        if cursor.next != ASCII.comma {
            guard let west = cursor.zoneTime(maxHours: 24) else { return nil }
            offset = -west
        }
        guard let start = cursor.zoneChange(), let end = cursor.zoneChange(), cursor.isAtEnd else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }
}

extension DateCursor {
    /// Skips at least three letters; or letters, digits and signs between angle brackets.
    fileprivate mutating func skipZoneName() -> Bool {
        let start = index
        guard take(ASCII.lessThan) else {
            while ASCII.isLetter(next) { index += 1 }
            return index - start >= 3
        }
        while ASCII.isLetter(next) || ASCII.isDigit(next) || next == ASCII.plus || next == ASCII.minus {
            index += 1
        }
        return take(ASCII.greaterThan)
    }

    /// A number of at most three digits.
    private mutating func number(_ range: ClosedRange<Int>) -> Int? {
        guard let value = digits(1...3), range ~= value else { return nil }
        return value
    }

    /// `[+|-]hh[:mm[:ss]]` in seconds.
    fileprivate mutating func zoneTime(maxHours: Int) -> Int? {
        let isNegative = takeSign() ?? false
        guard let hours = number(0...maxHours) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where take(ASCII.colon) {
            guard let value = number(0...59) else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// A comma, a day and `/time`. Without a time, the change is at 02:00:00.
    fileprivate mutating func zoneChange() -> ZoneFooter.Change? {
        guard take(ASCII.comma) else { return nil }
        let day: ZoneFooter.Change.Day
        if take(DateLetter.julian) {
            guard let number = number(1...365) else { return nil }
            day = .julian(number)
        } else if take(DateLetter.month) {
            guard let month = number(1...12), take(ASCII.dot), let week = number(1...5), take(ASCII.dot),
                let weekday = number(0...6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else {
            guard let number = number(0...365) else { return nil }
            day = .zeroBased(number)
        }
        guard take(ASCII.slash) else { return ZoneFooter.Change(day: day, second: 7_200) }
        // RFC 9636 extends the range of POSIX to a week in both directions.
        guard let second = zoneTime(maxHours: 167) else { return nil }
        return ZoneFooter.Change(day: day, second: second)
    }
}
