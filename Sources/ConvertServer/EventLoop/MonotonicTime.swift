/// A moment of a clock that only goes forward.
struct MonotonicTime: Sendable, Hashable, Comparable {
    let nanoseconds: Int64

    static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    static func + (moment: MonotonicTime, seconds: Int) -> MonotonicTime {
        moment.advanced(milliseconds: Int64(seconds) * 1000)
    }

    static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        return MonotonicTime(
            nanoseconds: moment.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func advanced(milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + milliseconds * 1_000_000)
    }

    /// Whole milliseconds from this moment to `later`, rounded up so that waiting them is enough; 0 if it has passed.
    func milliseconds(until later: MonotonicTime) -> Int64 {
        max(0, (later.nanoseconds - nanoseconds + 999_999) / 1_000_000)
    }

    func microseconds(since earlier: MonotonicTime) -> Int64 { (nanoseconds - earlier.nanoseconds) / 1000 }
}
