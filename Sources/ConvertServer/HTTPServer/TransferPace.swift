import Sockets

/// Checks the rate at which a client sends its body or accepts its response: some bytes in each timeout, and a minimum
/// over each minute.
struct TransferPace: Sendable {
    static let windowSeconds = 60

    private var windowStart: MonotonicTime
    /// The transferred bytes when the window began, and at the last progress.
    private var windowBytes = 0
    private var lastBytes = 0
    private var lastProgress: MonotonicTime
    private var hasBegun = false

    init(at now: MonotonicTime = MonotonicTime(nanoseconds: 0)) {
        windowStart = now
        lastProgress = now
    }

    /// Records the total of transferred bytes. Returns the time at which the transfer is too slow unless more bytes
    /// follow.
    ///
    /// - Parameters:
    ///   - silence: the longest time without a byte, in seconds.
    ///   - minBytesPerSecond: the minimum rate over a minute.
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
