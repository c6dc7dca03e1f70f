/// The content of a date text, before any zone is assumed.
package struct DateReading: Sendable {
    /// Seconds since 1970-01-01T00:00:00 in the local time of the text.
    var localSeconds: Int64
    var nanoseconds: Int32
    /// The offset of that local time in seconds east of UTC; nil if the text has no zone.
    var offset: Int?
    /// Whether the text has a day and no time, so that it never moves to another day.
    var isDateOnly = false
    /// Whether the text has second 60; then `localSeconds` is the second after it.
    var isLeapSecond = false

    /// The reason why a reading is not an instant.
    package enum InstantError: Error {
        case noZone, noLeapSecond
    }

    init(_ instant: Instant) {
        localSeconds = instant.seconds
        nanoseconds = instant.nanoseconds
        offset = 0
    }

    init(dateOnly date: CivilDate) {
        localSeconds = Int64(date.dayNumber) * Instant.secondsPerDay
        nanoseconds = 0
        isDateOnly = true
    }

    init(_ date: CivilDate, _ time: DayTime, offset: Int?) {
        let secondOfDay = time.hour * 3_600 + time.minute * 60 + time.second
        localSeconds = Int64(date.dayNumber) * Instant.secondsPerDay + Int64(secondOfDay)
        nanoseconds = time.nanoseconds
        isLeapSecond = time.second == 60
        self.offset = offset
    }

    /// The day of the reading in its local time.
    var date: CivilDate {
        let perDay = Instant.secondsPerDay
        let floor = localSeconds >= 0 ? localSeconds : localSeconds - (perDay - 1)
        return CivilDate(dayNumber: Int(floor / perDay))
    }

    /// The point in time, in the zone of the text or, without one, in the assumed zone.
    package func instant(assuming zone: Zone?) throws(InstantError) -> Instant {
        let seconds: Int64
        if let offset {
            seconds = localSeconds - Int64(offset)
        } else if let zone {
            seconds = zone.seconds(ofLocal: localSeconds)
        } else {
            throw .noZone
        }
        let instant = Instant(seconds: seconds, nanoseconds: nanoseconds)
        guard !isLeapSecond || instant.canFollowLeapSecond else { throw .noLeapSecond }
        return instant
    }
}

/// A time of day from a text. Hour 24 is allowed only as the end of the day, and second 60 only as a leap second.
struct DayTime: Sendable {
    var hour = 0
    var minute = 0
    var second = 0
    var nanoseconds: Int32 = 0

    /// Whether the numbers are a time. Second 60 is checked later, with the date and the zone.
    var isValid: Bool {
        guard minute <= 59, second <= 60 else { return false }
        if hour <= 23 { return true }
        return hour == 24 && minute == 0 && second == 0 && nanoseconds == 0
    }
}
