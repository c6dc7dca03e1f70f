package import Sockets

/// The activity of a connection to a server, which decides its deadline.
package enum UpstreamActivity: Sendable, Hashable {
    case connecting
    /// Waiting until the server accepts more. `sent` and `received` count bytes, and both are progress.
    case sending(sent: Int, received: Int)
    /// Waiting for the head of the response, after the whole request was sent.
    case head
    /// Waiting for more of a body, of which `received` bytes have arrived.
    case body(received: Int)
    /// The same for an event stream or another protocol; both directions count.
    case stream(transferred: Int)
    /// In the pool.
    case idle
    /// In the pool, beyond its limit.
    case surplus
    /// Waiting for the client.
    case none
}

/// Turns the activities of a connection to a server into deadlines. It reads no clock: each change has its time as a
/// parameter.
package struct UpstreamDeadline: Sendable {
    /// How long a connection may idle in the pool.
    static let idleSeconds = 4
    /// How long it may idle if enough others are idle. It is not zero, because the clients of a loop may all get their
    /// responses in one turn and send again in the next. Connections that close in between would have to be opened
    /// again.
    static let surplusMilliseconds: Int64 = 100

    private var activity = UpstreamActivity.none
    private var deadline: MonotonicTime?

    /// Records the activity of the connection and returns its deadline.
    @inline(__always)
    package mutating func update(
        _ new: UpstreamActivity, at now: MonotonicTime, _ times: UpstreamTimeouts
    ) -> MonotonicTime? {
        guard new != activity else { return deadline }
        activity = new
        deadline =
            switch new {
            case .connecting: now + times.connect
            case .sending, .head: now + times.response
            case .body: now + times.bodyIdle
            case .stream: now + UpstreamTimeouts.streamIdle
            case .idle: now + Self.idleSeconds
            case .surplus: now.advanced(milliseconds: Self.surplusMilliseconds)
            case .none: nil
            }
        return deadline
    }
}
