/// A day of the proleptic Gregorian calendar (ISO 8601: year 0 exists, and leap years follow the same rule in all earlier years).
package struct CivilDate: Sendable, Hashable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int

    /// Days of one 400-year cycle of the calendar.
    private static let daysInCycle = 146_097
    /// Days from 0000-03-01, where the arithmetic starts its years, to 1970-01-01.
    private static let daysFromMarchOfYearZero = 719_468

    /// Creates a day whose numbers were already checked.
    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a day; nil if the calendar has no such day or the year is not one of 1 to 9999.
    @inline(__always)
    package init?(checkedYear year: Int, month: Int, day: Int) {
        guard 1...9999 ~= year, 1...12 ~= month, day >= 1 else { return nil }
        guard day <= 28 || day <= Self.days(inMonth: month, of: year) else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// Creates the day `dayOfYear` (from 1) of a year; nil if the year has fewer days.
    init?(checkedYear year: Int, dayOfYear: Int) {
        guard 1...9999 ~= year, dayOfYear >= 1, dayOfYear <= (Self.isLeap(year) ? 366 : 365) else { return nil }
        self.init(dayNumber: Self(year: year, month: 1, day: 1).dayNumber + dayOfYear - 1)
    }

    /// The day of an ISO 8601 week date, with Monday as weekday 1; nil if the year has no such week.
    init?(checkedWeekYear year: Int, week: Int, weekday: Int) {
        guard 1...9999 ~= year, 1...53 ~= week, 1...7 ~= weekday else { return nil }
        // 4 January is always in week 1.
        let fourth = Self(year: year, month: 1, day: 4)
        let mondayOfWeekOne = fourth.dayNumber - (fourth.weekday + 6) % 7
        let nextFourth = Self(year: year + 1, month: 1, day: 4)
        let mondayOfNextYear = nextFourth.dayNumber - (nextFourth.weekday + 6) % 7
        let monday = mondayOfWeekOne + (week - 1) * 7
        guard monday < mondayOfNextYear else { return nil }
        self.init(dayNumber: monday + weekday - 1)
    }

    /// Creates the day that is `dayNumber` days after 1970-01-01.
    init(dayNumber: Int) {
        // Years begin in March, so that the leap day is the last day, and a linear formula gives the start of each month.
        let shifted = dayNumber + Self.daysFromMarchOfYearZero
        let cycle = (shifted >= 0 ? shifted : shifted - (Self.daysInCycle - 1)) / Self.daysInCycle
        let dayOfCycle = shifted - cycle * Self.daysInCycle
        let yearOfCycle =
            (dayOfCycle - dayOfCycle / 1_460 + dayOfCycle / 36_524 - dayOfCycle / (Self.daysInCycle - 1)) / 365
        let dayOfMarchYear = dayOfCycle - (365 * yearOfCycle + yearOfCycle / 4 - yearOfCycle / 100)
        let monthFromMarch = (5 * dayOfMarchYear + 2) / 153
        day = dayOfMarchYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfCycle + cycle * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01.
    package var dayNumber: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let cycle = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfCycle = marchYear - cycle * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfMarchYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfCycle = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100 + dayOfMarchYear
        return cycle * Self.daysInCycle + dayOfCycle - Self.daysFromMarchOfYearZero
    }

    /// The day of the week, from Sunday as 0 to Saturday as 6.
    var weekday: Int {
        // 1970-01-01 was a Thursday.
        let remainder = (dayNumber + 4) % 7
        return remainder >= 0 ? remainder : remainder + 7
    }

    /// The day of the year, from 1.
    var dayOfYear: Int { dayNumber - Self(year: year, month: 1, day: 1).dayNumber + 1 }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The year for two digits: 70 to 99 are in the 1900s and 00 to 69 in the 2000s, whatever the current date.
    static func year(ofTwoDigits digits: Int) -> Int { digits >= 70 ? 1900 + digits : 2000 + digits }
}
