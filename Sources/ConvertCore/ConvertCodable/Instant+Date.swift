import ConvertEngine
import FoundationEssentials

extension Date {
    /// The nearest that a double of seconds from 2001 comes to the instant: about 0.1 microseconds today.
    init(_ instant: Instant) {
        let whole = Double(instant.seconds - Instant.secondsTo2001)
        let fraction = Double(instant.nanoseconds) / Double(Instant.nanosecondsPerSecond)
        self.init(timeIntervalSinceReferenceDate: whole + fraction)
    }
}

extension Instant {
    /// The instant to the microsecond, which is what a `Date` of our time can tell; nil far outside the years 0001 to 9999.
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
