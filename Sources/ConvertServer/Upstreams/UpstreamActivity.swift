import Sockets

/// What a connection to a server is doing, as far as time is concerned.
enum UpstreamActivity: Sendable, Hashable {
    case connecting
    /// Waiting until the server takes more; `sent` and `received` count bytes, so that either is progress.
    case sending(sent: Int, received: Int)
    /// Waiting for the answer's head; the request is sent in full.
    case head
    /// Waiting for more of a body, of which `received` bytes have arrived.
    case body(received: Int)
    /// The same for an event stream or another protocol; both directions count.
    case stream(transferred: Int)
    /// In the pool.
    case idle
    /// In the pool beyond what it keeps.
    case surplus
    /// Waiting for the client.
    case none
}

/// Turns the activities of a connection to a server into deadlines. It reads no clock: each change comes with its
/// moment.
struct UpstreamDeadline: Sendable {
    /// How long a connection may idle in the pool.
    static let idleSeconds = 4
    /// How long it may if enough others are idle. Not zero: the clients of a loop may all be answered in one turn and send
    /// again in the next. Connections closed in between would have to be opened again.
    static let surplusMilliseconds: Int64 = 100

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
            case .surplus: now.advanced(milliseconds: Self.surplusMilliseconds)
            case .none: nil
            }
        return deadline
    }
}
