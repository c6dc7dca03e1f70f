import Glibc

/// Reads the system's clocks. Nothing else does this: the loops pass all times down.
package enum SystemClock {
    /// Nanoseconds since a fixed time; never set back.
    package static func monotonic() -> MonotonicTime { MonotonicTime(nanoseconds: read(CLOCK_MONOTONIC)) }

    /// Nanoseconds since the first of January 1970, UTC.
    package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    /// Processor time of this thread in nanoseconds. Unlike the others, this is a system call.
    package static func processor() -> Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// Processor time of all threads of the process, also by a system call.
    static func process() -> Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
