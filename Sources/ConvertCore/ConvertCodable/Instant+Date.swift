import ConvertEngine
import FoundationEssentials

extension Date {
    /// The `Date` nearest to the instant. It is a double of seconds since 2001, which today is exact to about 0.1 microseconds.
    init(_ instant: Instant) {
        let whole = Double(instant.seconds - Instant.secondsTo2001)
        let fraction = Double(instant.nanoseconds) / Double(Instant.nanosecondsPerSecond)
        self.init(timeIntervalSinceReferenceDate: whole + fraction)
    }
}

extension Instant {
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
