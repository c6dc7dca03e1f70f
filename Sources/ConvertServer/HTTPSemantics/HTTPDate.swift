import Text

/// Writes times for HTTP fields and log lines. Times outside of the years 1970 to 9999 become the nearest one inside.
package enum HTTPDate {
    static let monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// IMF-fixdate (RFC 9110 §5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`; `seconds` since 1970.
    package static func imfFixdate(_ seconds: Int64) -> [UInt8] {
        let moment = Moment(seconds)
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var text = Array("\(weekdays[moment.weekday]), ".utf8)
        append(moment.day, digits: 2, to: &text)
        text += " \(monthNames[moment.month - 1]) ".utf8
        append(moment.year, digits: 4, to: &text)
        text.append(ASCII.space)
        append(timeOf: moment, to: &text)
        text += " GMT".utf8
        return text
    }

    /// RFC 3339 in UTC with milliseconds; `nanoseconds` since 1970.
    package static func rfc3339(nanoseconds: Int64) -> String {
        let moment = Moment(nanoseconds / 1_000_000_000)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        append(moment.year, digits: 4, to: &text)
        text.append(ASCII.hyphen)
        append(moment.month, digits: 2, to: &text)
        text.append(ASCII.hyphen)
        append(moment.day, digits: 2, to: &text)
        text.append(UInt8(ascii: "T"))
        append(timeOf: moment, to: &text)
        text.append(ASCII.dot)
        append(Int(nanoseconds / 1_000_000 % 1000), digits: 3, to: &text)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// The calendar's numbers of a time.
    private struct Moment {
        let year: Int
        let month: Int
        let day: Int
        /// Days since a Thursday, as the first of January 1970 was.
        let weekday: Int
        let secondOfDay: Int

        /// From the first second of 1970 to the last of 9999.
        private static let range: ClosedRange<Int64> = 0...253_402_300_799

        package init(_ unbounded: Int64) {
            let seconds = min(max(unbounded, Self.range.lowerBound), Self.range.upperBound)
            let days = Int(seconds / 86400)
            secondOfDay = Int(seconds % 86400)
            weekday = days % 7
            // Days from the first of March of year 0, in cycles of 400 years: the leap day is the last of its year.
            let shifted = days + 719_468
            let cycle = shifted / 146_097
            let dayOfCycle = shifted % 146_097
            let yearOfCycle = (dayOfCycle - dayOfCycle / 1460 + dayOfCycle / 36524 - dayOfCycle / 146_096) / 365
            let dayOfYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
            let monthFromMarch = (5 * dayOfYear + 2) / 153
            day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
            month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
            year = cycle * 400 + yearOfCycle + (month <= 2 ? 1 : 0)
        }
    }

    private static func append(timeOf moment: Moment, to text: inout [UInt8]) {
        append(moment.secondOfDay / 3600, digits: 2, to: &text)
        text.append(ASCII.colon)
        append(moment.secondOfDay / 60 % 60, digits: 2, to: &text)
        text.append(ASCII.colon)
        append(moment.secondOfDay % 60, digits: 2, to: &text)
    }

    /// Appends the number with leading zeros. A log writes several for each request, so no String is created.
    private static func append(_ number: Int, digits: Int, to text: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            text.append(ASCII.zero + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}
