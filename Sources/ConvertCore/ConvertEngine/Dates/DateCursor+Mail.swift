import ConvertText

extension DateCursor {
    /// RFC 5322, section 3.3, with the obsolete zones and two-digit years of section 4.3:
    /// ```
    /// [day-name "," [FWS]] day FWS month FWS year FWS HH:MM[:SS] FWS zone [CFWS]
    /// ```
    /// Names match in either case. Comments are accepted only after the zone, as in the current grammar; white space
    /// around the date is not accepted. The only military letter that is a zone is `Z` (RFC 5322 itself says that the others
    /// mean nothing). `UTC`, which many writers use for `GMT`, is accepted as a zone.
    mutating func readMail() -> DateReading? {
        var weekday: Int?
        if ASCII.isLetter(next) {
            weekday = name(of: DateNames.shortDays)
            guard weekday != nil, take(ASCII.comma) else { return nil }
            _ = foldingWhiteSpace()
        }
        guard let day = digits(1...2), foldingWhiteSpace(), let month = name(of: DateNames.shortMonths),
            foldingWhiteSpace(), let year = mailYear(), foldingWhiteSpace(), let hour = digits(2), take(ASCII.colon),
            let minute = digits(2)
        else { return nil }
        var time = DayTime(hour: hour, minute: minute)
        if take(ASCII.colon) {
            guard let second = digits(2) else { return nil }
            time.second = second
        }
        guard foldingWhiteSpace(), let offset = mailZone(), trailingComments() else { return nil }
        return reading(weekday, CivilDate(checkedYear: year, month: month + 1, day: day), time, offset: offset)
    }

    /// The three forms of RFC 9110, section 5.6.7. Names must have the exact case; asctime is in GMT.
    mutating func readHTTP() -> DateReading? {
        guard peek(3) != ASCII.space else {
            var reading = readASCTime(exactCase: true)
            reading?.offset = 0
            return reading
        }
        return peek(3) == ASCII.comma ? readFixdate() : readRFC850(exactCase: true)
    }

    /// IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`
    private mutating func readFixdate() -> DateReading? {
        guard let weekday = name(of: DateNames.shortDays, exactCase: true), take(ASCII.comma), take(ASCII.space),
            let day = digits(2), take(ASCII.space), let month = name(of: DateNames.shortMonths, exactCase: true),
            take(ASCII.space), let year = digits(4), take(ASCII.space), let time = clockTime(), take(ASCII.space),
            take(text: DateNames.gmt), isAtEnd
        else { return nil }
        return reading(weekday, CivilDate(checkedYear: year, month: month + 1, day: day), time, offset: 0)
    }

    /// RFC 850 as in RFC 9110: `Sunday, 06-Nov-94 08:49:37 GMT`
    mutating func readRFC850(exactCase: Bool = false) -> DateReading? {
        guard let weekday = name(of: DateNames.days, exactCase: exactCase), take(ASCII.comma), take(ASCII.space),
            let day = digits(2), take(ASCII.minus),
            let month = name(of: DateNames.shortMonths, exactCase: exactCase), take(ASCII.minus),
            let year = digits(2), take(ASCII.space), let time = clockTime(), take(ASCII.space),
            take(text: DateNames.gmt), isAtEnd
        else { return nil }
        let date = CivilDate(checkedYear: CivilDate.year(ofTwoDigits: year), month: month + 1, day: day)
        return reading(weekday, date, time, offset: 0)
    }

    /// C's asctime, without its line feed: `Sun Nov  6 08:49:37 1994`
    mutating func readASCTime(exactCase: Bool = false) -> DateReading? {
        guard let weekday = name(of: DateNames.shortDays, exactCase: exactCase), take(ASCII.space),
            let month = name(of: DateNames.shortMonths, exactCase: exactCase), take(ASCII.space),
            let day = take(ASCII.space) ? digits(1) : digits(2), take(ASCII.space), let time = clockTime(),
            take(ASCII.space), let year = digits(4), isAtEnd
        else { return nil }
        return reading(weekday, CivilDate(checkedYear: year, month: month + 1, day: day), time, offset: nil)
    }

    /// Combines the parts; nil unless they are a valid date, a valid time of day and the weekday of that date.
    private func reading(_ weekday: Int?, _ date: CivilDate?, _ time: DayTime, offset: Int?) -> DateReading? {
        guard let date, time.isValid, weekday == nil || weekday == date.weekday else {
            return nil
        }
        return DateReading(date, time, offset: offset)
    }

    private mutating func mailYear() -> Int? {
        let start = index
        guard let year = digits(2...4) else { return nil }
        switch index - start {
        case 2: return CivilDate.year(ofTwoDigits: year)
        case 4: return year
        default: return nil
        }
    }

    /// One or more of `FWS = ([*WSP CRLF] 1*WSP)`.
    private mutating func foldingWhiteSpace() -> Bool {
        let start = index
        while true {
            if take(ASCII.space, or: ASCII.tab) { continue }
            let isFold =
                next == ASCII.carriageReturn && peek(1) == ASCII.lineFeed
                && (peek(2) == ASCII.space || peek(2) == ASCII.tab)
            guard isFold else { return index > start }
            index += 3
        }
    }

    /// `zone = ("+" / "-") 4DIGIT / obs-zone`, in seconds east of UTC.
    private mutating func mailZone() -> Int? {
        if let isWest = takeSign() {
            guard let hours = digits(2), let minutes = digits(2) else { return nil }
            return Self.offset(isWest: isWest, hours: hours, minutes: minutes)
        }
        guard let hours = ObsoleteZone.hours(takenFrom: &self), !ASCII.isLetter(next) else { return nil }
        return hours * 3_600
    }

    /// Reads comments and the white space before them, up to the end.
    private mutating func trailingComments() -> Bool {
        while !isAtEnd {
            _ = foldingWhiteSpace()
            guard take(ASCII.openParenthesis) else { return false }
            var depth = 1
            while depth > 0 {
                guard !isAtEnd else { return false }
                switch next {
                case ASCII.openParenthesis: depth += 1
                case ASCII.closeParenthesis: depth -= 1
                case ASCII.backslash: index += 1
                default: break
                }
                index += 1
            }
            // A backslash at the end escapes nothing, so it is an error.
            guard index <= bytes.count else { return false }
        }
        return true
    }
}

/// The zone names of RFC 5322, section 4.3.
enum ObsoleteZone {
    private static let names = ["GMT", "UTC", "UT", "Z", "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT"]
        .map { Array($0.utf8) }
    private static let hours = [0, 0, 0, 0, -5, -4, -6, -5, -7, -6, -8, -7]

    /// Reads a name, in either case, and returns its hours east of UTC.
    static func hours(takenFrom cursor: inout DateCursor) -> Int? {
        guard let found = cursor.name(of: names) else { return nil }
        return hours[found]
    }
}
