/// What a connection to a server is doing, as far as time is concerned.
enum UpstreamActivity: Sendable, Hashable {
    case connecting
    /// Waiting until the server takes more; `sent` and `received` count bytes, so that either is progress.
    case sending(sent: Int, received: Int)
    /// Waiting for the answer's head; the request is sent in full.
    case head
    /// Waiting for more of a body, of which so many bytes have come.
    case body(received: Int)
    /// The same for an event stream or another protocol; both directions count.
    case stream(transferred: Int)
    /// In the pool.
    case idle
    /// Waiting for the client.
    case none
}

/// Turns what a connection to a server does into deadlines. It reads no clock: each change is told with its moment.
struct UpstreamDeadline: Sendable {
    /// How long a connection may idle in the pool.
    static let idleSeconds = 4

    private var activity = UpstreamActivity.none
    private var deadline: MonotonicTime?

    /// Notes what the connection does now and returns the deadline that follows.
    mutating func update(
        _ new: UpstreamActivity, at now: MonotonicTime, _ times: UpstreamConfiguration
    ) -> MonotonicTime? {
        guard new != activity else { return deadline }
        activity = new
        deadline =
            switch new {
            case .connecting: now + times.connectTimeout
            case .sending, .head: now + times.responseTimeout
            case .body: now + times.bodyIdle
            case .stream: now + UpstreamConfiguration.streamIdle
            case .idle: now + Self.idleSeconds
            case .none: nil
            }
        return deadline
    }
}
