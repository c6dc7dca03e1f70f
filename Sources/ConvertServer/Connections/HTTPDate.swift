/// The moments that HTTP fields and log lines spell.
enum HTTPDate {
    /// IMF-fixdate (RFC 9110 §5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`; `seconds` since 1970.
    static func imfFixdate(_ seconds: Int64) -> [UInt8] {
        let moment = Moment(seconds)
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let date = "\(two(moment.day)) \(months[moment.month - 1]) \(four(moment.year))"
        return Array("\(weekdays[moment.weekday]), \(date) \(moment.time) GMT".utf8)
    }

    /// RFC 3339 in UTC with milliseconds; `nanoseconds` since 1970.
    static func rfc3339(nanoseconds: Int64) -> String {
        let moment = Moment(nanoseconds / 1_000_000_000)
        let milliseconds = Int(nanoseconds / 1_000_000 % 1000)
        let fraction = (milliseconds < 100 ? "0" : "") + two(milliseconds)
        return "\(four(moment.year))-\(two(moment.month))-\(two(moment.day))T\(moment.time).\(fraction)Z"
    }

    /// The calendar's numbers of a moment from 1970 on.
    private struct Moment {
        let year: Int
        let month: Int
        let day: Int
        /// Days since a Thursday, as the first of January 1970 was.
        let weekday: Int
        let time: String

        init(_ seconds: Int64) {
            let days = Int(seconds / 86400)
            let second = Int(seconds % 86400)
            weekday = days % 7
            time = "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60))"
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

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func four(_ number: Int) -> String { two(number / 100) + two(number % 100) }
}
