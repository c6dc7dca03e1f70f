/// A point in time: seconds since 1970-01-01T00:00:00Z without leap seconds, and nanoseconds after that second.
package struct Instant: Sendable, Hashable {
    package var seconds: Int64
    /// 0 to 999,999,999, also before 1970.
    package var nanoseconds: Int32

    package static let nanosecondsPerSecond: Int32 = 1_000_000_000
    static let secondsPerDay: Int64 = 86_400
    /// Seconds from 1970 back to 0001-01-01T00:00:00Z, where .NET's ticks start.
    static let secondsFromYearOne: Int64 = 62_135_596_800
    /// Seconds from 1970 back to 1601-01-01T00:00:00Z, where Windows' file times start.
    static let secondsFrom1601: Int64 = 11_644_473_600
    /// Seconds from 1970 to 2001-01-01T00:00:00Z, Apple's reference date.
    package static let secondsTo2001: Int64 = 978_307_200

    package init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// The seconds that a text of the years 0001–9999 can represent in some zone: those years and two days before and after.
    static let representableSeconds: ClosedRange<Int64> = -62_135_769_600...253_402_473_599

    /// Whether the UTC year is in 1 to 9999.
    var isInYearsOneTo9999: Bool { -Self.secondsFromYearOne...253_402_300_799 ~= seconds }

    /// Whether a positive leap second of UTC can come before this second: midnight after a 30 June or a
    /// 31 December, from 1972 on.
    ///
    /// Instants do not count leap seconds: like POSIX time, 23:59:60 is the first second of the following day.
    var canFollowLeapSecond: Bool {
        guard seconds % Self.secondsPerDay == 0 else { return false }
        let date = CivilDate(dayNumber: Int(seconds / Self.secondsPerDay))
        return date.day == 1 && (date.month == 7 && date.year >= 1972 || date.month == 1 && date.year > 1972)
    }
}

/// A date and a time of day in the local time of some zone.
struct CivilDateTime: Sendable, Hashable {
    var date: CivilDate
    /// 0 to 86,399.
    var secondOfDay: Int
    var nanoseconds: Int32
    /// Seconds east of UTC.
    var offset: Int

    var hour: Int { secondOfDay / 3_600 }
    var minute: Int { secondOfDay / 60 % 60 }
    var second: Int { secondOfDay % 60 }
}

extension CivilDateTime {
    /// The local time at an instant of `representableSeconds`, with an offset in seconds east of UTC; nil outside the years 0001–9999.
    init?(_ instant: Instant, offset: Int) {
        // An `Int` of 32 bits can store days, but not seconds.
        let local = instant.seconds + Int64(offset)
        let perDay = Instant.secondsPerDay
        let dayNumber = (local >= 0 ? local : local - (perDay - 1)) / perDay
        self.init(
            date: CivilDate(dayNumber: Int(dayNumber)), secondOfDay: Int(local - dayNumber * perDay),
            nanoseconds: instant.nanoseconds, offset: offset)
        guard 1...9999 ~= date.year else { return nil }
    }
}
