import ConvertEngine
import Text

extension HTTPDate {
    /// Seconds since 1970 of an HTTP-date in any of its three forms (RFC 9110 §5.6.7). Nil for earlier dates and for
    /// other text.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT    IMF-fixdate
    ///     Sunday, 06-Nov-94 08:49:37 GMT   RFC 850; the year is the one that is not more than 50 years ahead
    ///     Sun Nov  6 08:49:37 1994         asctime
    ///
    /// - Parameter now: seconds since 1970, for the century of a year with two digits.
    package static func seconds(_ text: ArraySlice<UInt8>, now: Int64) -> Int64? {
        if isFixdate(text) { return fixdate(text) }
        let words = text.split(maxSplits: 6) { $0 == ASCII.space || $0 == ASCII.hyphen }
        switch words.count {
        case 6 where words[0].last == ASCII.comma && words[5].elementsEqual(zone):
            guard let year = number(words[3]) else { return nil }
            let isShort = words[3].count == 2
            return seconds(isShort ? nearYear(year, now) : year, words[2], words[1], words[4])
        case 5:
            guard let year = number(words[4]) else { return nil }
            return seconds(year, words[1], words[2], words[3])
        default: return nil
        }
    }

    private static let zone = Array("GMT".utf8)
    private static let fixdatePattern = Array("???, ?? ??? ???? ??:??:?? GMT".utf8)

    /// Whether the text has the form of an IMF-fixdate, which is the common case.
    package static func isFixdate(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.count == fixdatePattern.count else { return false }
        var index = text.startIndex
        for expected in fixdatePattern {
            guard expected == ASCII.questionMark || text[index] == expected else { return false }
            index += 1
        }
        return true
    }

    private static func fixdate(_ text: ArraySlice<UInt8>) -> Int64? {
        func part(_ index: Int, _ count: Int) -> ArraySlice<UInt8> {
            text[text.startIndex + index..<text.startIndex + index + count]
        }
        guard let year = number(part(12, 4)), let hour = number(part(17, 2)), let minute = number(part(20, 2)),
            let second = number(part(23, 2))
        else { return nil }
        return seconds(year, part(8, 3), part(5, 2), hour, minute, second)
    }

    private static func seconds(
        _ year: Int, _ monthName: ArraySlice<UInt8>, _ dayText: ArraySlice<UInt8>, _ time: ArraySlice<UInt8>
    ) -> Int64? {
        let clock = time.split(separator: ASCII.colon, maxSplits: 3, omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]),
            let second = number(clock[2])
        else { return nil }
        return seconds(year, monthName, dayText, hour, minute, second)
    }

    private static func seconds(
        _ year: Int, _ monthName: ArraySlice<UInt8>, _ dayText: ArraySlice<UInt8>, _ hour: Int, _ minute: Int,
        _ second: Int
    ) -> Int64? {
        // Day 31 is accepted in every month. In a shorter one it is a day of the next month.
        guard let month = month(monthName), let first = CivilDate(checkedYear: year, month: month, day: 1),
            let day = number(dayText), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        let seconds = (((first.dayNumber + day - 1) * 24 + hour) * 60 + minute) * 60 + second
        return seconds >= 0 ? Int64(seconds) : nil
    }

    /// The number of a month by its three letters.
    private static func month(_ name: ArraySlice<UInt8>) -> Int? {
        DateNames.shortMonths.firstIndex { $0.elementsEqual(name) }.map { $0 + 1 }
    }

    private static func nearYear(_ year: Int, _ now: Int64) -> Int {
        let current = 1970 + Int(now / 31_556_952)
        let candidate = current / 100 * 100 + year
        return candidate > current + 50 ? candidate - 100 : candidate
    }

    /// The value of one to four digits.
    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard (1...4).contains(digits.count) else { return nil }
        var number = 0
        for digit in digits {
            guard ASCII.isDigit(digit) else { return nil }
            number = number * 10 + Int(digit - ASCII.zero)
        }
        return number
    }
}
