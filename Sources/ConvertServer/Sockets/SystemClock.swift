import Glibc

/// Reads the system's clocks. Nothing else does: all times are handed down from the loops.
package enum SystemClock {
    /// Nanoseconds since some fixed moment; never set back.
    package static func monotonic() -> MonotonicTime { MonotonicTime(nanoseconds: read(CLOCK_MONOTONIC)) }

    /// Nanoseconds since the first of January 1970, UTC.
    package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    /// Nanoseconds that this thread has had of a processor; a system call, unlike the others.
    package static func processor() -> Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
