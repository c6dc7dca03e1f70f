import Sockets

/// Whether a client sends its body, or takes its answer, fast enough to be worth what waits with it: something in each time of
/// silence that is allowed, and so much over each minute.
struct TransferPace: Sendable {
    static let windowSeconds = 60

    private var windowStart: MonotonicTime
    /// Of what is transferred, when the window began and when there was progress last.
    private var windowBytes = 0
    private var lastBytes = 0
    private var lastProgress: MonotonicTime
    private var hasBegun = false

    init(at now: MonotonicTime = MonotonicTime(nanoseconds: 0)) {
        windowStart = now
        lastProgress = now
    }

    /// Notes how much was transferred in all, and returns the moment at which it is too slow unless there is more.
    ///
    /// - Parameters:
    ///   - silence: seconds without a byte.
    ///   - minBytesPerSecond: over the minute.
    mutating func reached(
        _ bytes: Int, at now: MonotonicTime, silence: Int, minBytesPerSecond: Int
    ) -> MonotonicTime {
        if !hasBegun {
            hasBegun = true
            (windowBytes, lastBytes) = (bytes, bytes)
        }
        if bytes > lastBytes { (lastBytes, lastProgress) = (bytes, now) }
        let isFastEnough = bytes - windowBytes >= Self.windowSeconds * minBytesPerSecond
        if now >= windowStart + Self.windowSeconds, isFastEnough { (windowStart, windowBytes) = (now, bytes) }
        let silent = lastProgress + silence
        return isFastEnough ? silent : min(silent, windowStart + Self.windowSeconds)
    }
}
