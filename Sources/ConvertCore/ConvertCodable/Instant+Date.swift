import ConvertEngine
import FoundationEssentials

extension Date {
    /// The `Date` nearest to the instant. It is a double of seconds since 2001, which today is exact to about 0.1 microseconds.
    init(_ instant: Instant) {
        self.init(timeIntervalSinceReferenceDate: Double(instant.seconds - Instant.secondsTo2001) + instant.fraction)
    }

    /// The date of a number since 1970: the nearest double of seconds from then, as Foundation's strategies make it.
    init(since1970 instant: Instant) {
        self.init(timeIntervalSince1970: Double(instant.seconds) + instant.fraction)
    }
}

extension Instant {
    fileprivate var fraction: Double { Double(nanoseconds) / Double(Self.nanosecondsPerSecond) }

    /// The instant, rounded to the microsecond, the precision of a `Date` today; nil far outside the years 0001 to 9999.
    init?(_ date: Date) {
        let interval = date.timeIntervalSinceReferenceDate
        guard abs(interval) < 1e12 else { return nil }
        let whole = interval.rounded(.down)
        let microseconds = ((interval - whole) * 1e6).rounded()
        let carry = microseconds >= 1e6
        self.init(
            seconds: Int64(whole) + Instant.secondsTo2001 + (carry ? 1 : 0),
            nanoseconds: carry ? 0 : Int32(microseconds) * 1_000)
    }
}
