package import Sockets

/// The pause before the next attempt to connect to a Unix socket whose queue is full.
package struct ConnectPause: Sendable, Hashable {
    private static let maxMilliseconds: Int64 = 16

    private var milliseconds: Int64 = 1

    /// The next pause is twice as long, up to a limit.
    package var next: ConnectPause {
        var next = self
        next.milliseconds = min(2 * milliseconds, Self.maxMilliseconds)
        return next
    }

    /// The end of a pause that begins at `now`.
    package func end(from now: MonotonicTime) -> MonotonicTime { now.advanced(milliseconds: milliseconds) }
}
