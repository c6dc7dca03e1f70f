/// Whether a body comes fast enough to be worth an upstream's connection: something in each time of silence that is allowed,
/// and so much over each minute.
struct UploadPace: Sendable {
    static let windowSeconds = 60
    static let minBytesPerSecond = 256

    private var windowStart: MonotonicTime
    /// Of the body, when the window began and when something came last.
    private var windowBytes = 0
    private var lastBytes = 0
    private var lastProgress: MonotonicTime
    private var hasBegun = false

    init(at now: MonotonicTime = MonotonicTime(nanoseconds: 0)) {
        windowStart = now
        lastProgress = now
    }

    /// Notes how much has come in all, and returns the moment at which it is too slow unless more comes.
    ///
    /// - Parameter silence: seconds without a byte.
    mutating func received(_ bytes: Int, at now: MonotonicTime, silence: Int) -> MonotonicTime {
        if !hasBegun {
            hasBegun = true
            (windowBytes, lastBytes) = (bytes, bytes)
        }
        if bytes > lastBytes { (lastBytes, lastProgress) = (bytes, now) }
        let isFastEnough = bytes - windowBytes >= Self.windowSeconds * Self.minBytesPerSecond
        if now >= windowStart + Self.windowSeconds, isFastEnough { (windowStart, windowBytes) = (now, bytes) }
        let silent = lastProgress + silence
        return isFastEnough ? silent : min(silent, windowStart + Self.windowSeconds)
    }
}
