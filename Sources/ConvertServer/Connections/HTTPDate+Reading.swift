extension HTTPDate {
    /// Seconds since 1970 of an HTTP-date in any of its three forms, nil for anything else (RFC 9110 §5.6.7).
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850; the year is the one that is not more than 50 years ahead
    ///     Sun Nov  6 08:49:37 1994         asctime
    ///
    /// - Parameter now: seconds since 1970, to tell the century of a year with two digits.
    static func seconds(_ text: String, now: Int64) -> Int64? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "-" })
        switch words.count {
        case 6 where words[0].hasSuffix(",") && words[5] == "GMT":
            guard let year = number(words[3]) else { return nil }
            let isShort = words[3].utf8.count == 2
            return seconds(isShort ? nearYear(year, now) : year, words[2], words[1], words[4])
        case 5:
            guard let year = number(words[4]) else { return nil }
            return seconds(year, words[1], words[2], words[3])
        default: return nil
        }
    }

    private static func seconds(
        _ year: Int, _ monthName: Substring, _ dayText: Substring, _ time: Substring
    ) -> Int64? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { number($0) ?? -1 }
        guard let month = monthNames.firstIndex(of: String(monthName)).map({ $0 + 1 }), let day = number(dayText),
            (1...31).contains(day), (1...9999).contains(year), clock.count == 3, (0..<24).contains(clock[0]),
            (0..<60).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        let days = days(year, month, day)
        return Int64(days * 86400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    }

    /// Days since 1970: years that begin in March, so that the leap day is the last of its year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shiftedYear = month > 2 ? year : year - 1
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let leapDays = shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400
        return shiftedYear * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
    }

    private static func nearYear(_ year: Int, _ now: Int64) -> Int {
        let current = 1970 + Int(now / 31_556_952)
        let candidate = current / 100 * 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(ASCII.isDigit) ? Int(text) : nil
    }
}
