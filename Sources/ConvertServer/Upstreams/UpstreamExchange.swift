package import HTTPWire
package import Observability
package import Sockets

/// The user of a connection to an upstream, for one request and its response.
///
/// It is called from inside the connection's own events. It calls the connection only to queue something.
package protocol UpstreamExchange: AnyObject {
    /// The client's connection, which is charged for the work; nil if there is no client.
    var clientToken: PollToken? { get }
    /// How many bytes are read at once.
    var maxReadBytes: Int { get }
    /// Whether there is no room for more of the response.
    var holdsUpstream: Bool { get }
    /// Whether this number of bytes is too much to wait for the upstream.
    func isTooMuchWaiting(_ count: Int) -> Bool
    /// Counts the bytes that wait until the upstream accepts them.
    func setWaitingForUpstream(_ count: Int)

    /// Handles a usable connection. It is used at once or not at all.
    func upstreamConnected(at now: MonotonicTime)
    /// Handles that the upstream accepts more of the request.
    func upstreamHasRoom()
    /// Takes an interim response.
    func upstreamInformed(_ head: ReceivedResponseHead)
    /// Takes the head of the final response, or of a 101.
    func upstreamResponded(_ response: ReceivedResponseHead, at now: MonotonicTime)
    /// Takes bytes of the response body. `isLast` means that the body is known to end with them.
    func upstreamSent(_ bytes: Span<UInt8>, isLast: Bool, at now: MonotonicTime)
    /// Handles that the next bytes of the response may take long.
    func upstreamPaused()
    /// Handles the end of the response. A connection that can be used again is already back in the pool.
    func upstreamEnded(at now: MonotonicTime)
    /// Handles a failed attempt or a truncated response. The connection is already closed.
    func upstreamFailed(_ failure: AttemptFailure, _ detail: String, at now: MonotonicTime)

    /// Takes bytes of the protocol that was switched to.
    func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime)
    /// Handles the end of the upstream's side of that protocol.
    func upstreamEndedTunnel()
    /// Handles that all bytes for the upstream, and their end, were sent.
    func upstreamTookTunnel()
}

/// The exchange without a client: its request has no body, its response never waits, and its protocol is always HTTP.
extension UpstreamExchange {
    package var clientToken: PollToken? { nil }
    package var maxReadBytes: Int { ReadBuffer.capacity }
    package var holdsUpstream: Bool { false }
    package func isTooMuchWaiting(_ count: Int) -> Bool { false }
    package func setWaitingForUpstream(_ count: Int) {}

    package func upstreamHasRoom() {}
    package func upstreamInformed(_ head: ReceivedResponseHead) {}
    package func upstreamPaused() {}

    package func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime) {}
    package func upstreamEndedTunnel() {}
    package func upstreamTookTunnel() {}
}
