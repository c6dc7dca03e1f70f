/// A time of a clock that only goes forward.
@usableFromInline
package struct MonotonicTime: Sendable, Hashable, Comparable {
    @usableFromInline package let nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }

    @inlinable
    package static func + (moment: MonotonicTime, seconds: Int) -> MonotonicTime {
        moment.advanced(milliseconds: Int64(seconds) * 1000)
    }

    @inlinable
    package static func + (moment: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        return MonotonicTime(
            nanoseconds: moment.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    @inlinable
    package func advanced(milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds + milliseconds * 1_000_000)
    }

    /// Whole milliseconds from this time to `later`, rounded up so that the wait is long enough; 0 if it has passed.
    @inlinable
    package func milliseconds(until later: MonotonicTime) -> Int64 {
        max(0, (later.nanoseconds - nanoseconds + 999_999) / 1_000_000)
    }

    @inlinable
    package func microseconds(since earlier: MonotonicTime) -> Int64 { (nanoseconds - earlier.nanoseconds) / 1000 }
}
