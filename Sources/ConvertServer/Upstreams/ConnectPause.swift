import Sockets

/// How long to wait before a local server that has no room to connect is asked again.
struct ConnectPause: Sendable, Hashable {
    private static let maxMilliseconds: Int64 = 16

    private var milliseconds: Int64 = 1

    /// The next one is twice as long, up to a bound.
    var next: ConnectPause {
        var next = self
        next.milliseconds = min(2 * milliseconds, Self.maxMilliseconds)
        return next
    }

    /// The moment at which a pause ends that begins at `now`.
    func end(from now: MonotonicTime) -> MonotonicTime { now.advanced(milliseconds: milliseconds) }
}
