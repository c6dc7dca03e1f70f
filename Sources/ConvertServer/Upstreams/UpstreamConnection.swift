package import EventLoop
package import HTTPWire
package import Sockets
import Text

// queueing → connecting → used ⇄ idle, and from each of them → closed; most begin with connecting. These must stay in
// step:
//
// - `exchange` is set exactly while the connection is queueing, connecting or used. It is detached before the end or
//   a failure is reported to it, so that it may take another connection at once. Nothing is reported to it after that.
// - Calls from outside the connection's own events only queue something and have the loop update it (`touch`). So no
//   caller is called back from its own call.
// - A server that responds early may stop reading. Then sending fails, and its response is read nevertheless.
// - Bytes that were read, and that the client's side has no room for or that are too many for one turn, wait in
//   `unread`. Nothing is read before they are gone.

/// One connection to a server, confined to its loop: the socket, the wire and the waiting bytes.
package final class UpstreamConnection: Channel {
    package enum Phase: Equatable {
        /// The queue of the Unix socket is full, so it connects again after a pause.
        case queueing(pauseMilliseconds: Int64, until: MonotonicTime)
        case connecting, used
        /// In the pool, or beyond its limit.
        case idle(isSurplus: Bool)
        case closed
    }

    package let server: ServerAddress
    /// The loop's token of the connection; nil until the loop watches it.
    package var token: PollToken? {
        get { knownToken }
        set { knownToken = newValue }
    }
    private var knownToken: PollToken?

    package let pool: UpstreamPool
    package let socket: StreamSocket
    var phase = Phase.connecting
    var exchange: (any UpstreamExchange)?
    /// The upstream whose timeouts apply, also while it is idle.
    var upstream: Upstream
    var wire: ClientConnection
    package let writeBuffer = WriteBuffer()
    var unread: [UInt8] = []
    var deadline = UpstreamDeadline()
    var hasInputEnded = false
    var hasSendingFailed = false
    /// Whether the sending side must end after the write buffer is empty.
    var endsSending = false
    /// Whether the system has accepted all bytes of the client's tunnel, and its end.
    package internal(set) var hasEndedTunnel = false
    /// Whether the current response is an event stream.
    var isEventStream = false
    /// Whether a request may have authenticated the connection. Then the server could take the next request for one of
    /// the same user.
    var mayBeAuthenticated = false
    var sentBytes = 0
    /// The part of `sentBytes` that belongs to earlier exchanges.
    private var formerlySentBytes = 0
    var receivedBytes = 0
    /// Whether an earlier exchange has used the connection. Then the server may be closing it now.
    package private(set) var isReused = false

    /// Bytes of the response that were read and wait for room.
    package var unreadBytes: Int { unread.count }

    package var number: Int32 { socket.number }

    package var payer: PollToken? { exchange?.clientToken }

    /// Begins to connect for the request of `exchange`, and reports when the request may begin.
    ///
    /// - Throws: the reason if the connection is impossible, for example a Unix socket without a listener.
    package init(
        to server: ServerAddress, of upstream: Upstream, for exchange: any UpstreamExchange, _ pool: UpstreamPool,
        at now: MonotonicTime
    ) throws(SystemCallError) {
        socket = try StreamSocket.unconnected(for: server.address)
        self.server = server
        self.pool = pool
        self.exchange = exchange
        self.upstream = upstream
        wire = ClientConnection()
        _ = deadline.update(.connecting, at: now, upstream.configuration.timeouts)
        try connect(at: now)
    }

    /// Releases the exchange, which has its result already unless the loop ends.
    package func closed() { exchange = nil }

    // MARK: For the exchange

    /// Whether the system has accepted any byte of the request. If not, the server cannot have acted on it.
    package var hasSent: Bool { sentBytes > formerlySentBytes }

    /// Whether too many bytes wait to be sent, so that the client is not read.
    package var isBlocked: Bool { !writeBuffer.isEmpty && exchange?.isTooMuchWaiting(writeBuffer.count) ?? false }

    /// Takes an idle connection for the next request, which may begin at once.
    package func take(for exchange: any UpstreamExchange, of upstream: Upstream) {
        self.exchange = exchange
        self.upstream = upstream
        phase = .used
        isReused = true
        formerlySentBytes = sentBytes
        isEventStream = false
        touch()
    }

    /// Queues the head of a request.
    package func start(_ request: borrowing OutgoingRequest, body: RequestBody) {
        if Self.mayAuthenticateConnection(request) { mayBeAuthenticated = true }
        queue { wire.startRequest(request, body: body, into: &$0) }
    }

    /// Queues the next bytes of the request's body.
    package func send(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        let count = bytes.count
        queue { wire.startBodyPart(of: count, into: &$0) }
        if !hasSendingFailed { writeBuffer.append(bytes) }
        queue { wire.endBodyPart(into: &$0) }
    }

    /// Ends the request. The timeout for the response starts with its last byte.
    package func endRequest() {
        queue { wire.endRequest(into: &$0) }
    }

    /// Queues bytes of the protocol that was switched to.
    package func sendTunnelled(_ bytes: Span<UInt8>) {
        if !hasSendingFailed { writeBuffer.append(bytes) }
        touch()
    }

    /// Ends the sending side of the tunnel after all waiting bytes were sent.
    package func endTunnelSending() {
        endsSending = !hasEndedTunnel
        touch()
    }

    /// Closes a tunnel that both sides have ended. The system still sends the bytes that it has accepted.
    package func endTunnel() {
        exchange = nil
        close()
    }

    /// Closes before the exchange has ended. A reset ensures that the server does not take a part of the request for
    /// the whole.
    package func abandon() { if phase == .used { socket.resetWhenClosed() } }

    /// Returns to the pool without having carried a request. A connection that idled there before closes, because its
    /// server may close it at any time.
    package func stayUnused(at now: MonotonicTime) {
        exchange = nil
        guard !isReused else { return close() }
        phase = .idle(isSurplus: pool.keep(self, rests: false, at: now))
        touch()
    }

    /// Abandons the exchange, because the request no longer waits for it.
    package func letGo() {
        guard exchange != nil else { return }
        exchange = nil
        socket.resetWhenClosed()
        close()
    }

    /// Makes the loop update the connection, because there may be bytes to send, or room for more of the response.
    package func touch() { if let token = knownToken { pool.context.touch(token) } }

    // MARK: For the pool

    /// Closes if its end or any bytes have arrived since the last response. Returns whether nothing has arrived.
    func staysQuiet() -> Bool {
        switch socket.peek() {
        case .wouldBlock: return true
        case .bytes(1...): upstream.spokeUnasked(server)
        case .bytes, .failed: break
        }
        close()
        return false
    }

    package func close() {
        phase = .closed
        pool.forget(self)
        touch()
    }

    // MARK: Helpers

    /// Whether the request's Authorization can count for the whole connection, as NTLM does, also inside of Negotiate
    /// (RFC 4559 §6).
    private static func mayAuthenticateConnection(_ request: OutgoingRequest) -> Bool {
        let fields = request.fields
        for index in 0..<fields.count where fields.isName(at: index, "authorization") {
            let value = fields.valueBytes(at: index)
            if value.dropping("ntlm") != nil || value.dropping("negotiate") != nil { return true }
        }
        return false
    }

    /// Queues what the wire writes.
    private func queue(_ write: (inout [UInt8]) -> Void) {
        writeBuffer.write(write)
        // The output is lost, but the wire continues as if it were sent.
        if hasSendingFailed { writeBuffer.removeAll() }
        touch()
    }
}
