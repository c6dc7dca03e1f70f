import HTTPWire
import Sockets

// queueing → connecting → used ⇄ idle, and from each of them → closed; most begin with connecting. What must stay in
// step:
//
// - `forwarding` is set exactly while the connection is queueing, connecting or used. It is detached before the end or
//   a failure is reported to it, so that it may take another connection at once. Nothing is reported to it after that.
// - Calls from outside the connection's own events only queue something and have the loop settle it (`touch`). So no
//   caller is called back from its own call.
// - A server that answers early may stop reading. Then sending fails, and its response is read nevertheless.
// - Bytes that were read, and that the client's side has no room for or that are too many for one turn, wait in
//   `unread`. Nothing is read before they are gone.

/// One connection to a server, confined to its loop: socket, wire and what waits to be sent.
final class UpstreamConnection {
    enum Phase: Equatable {
        /// The server, a local one, has no room for another to connect, and is asked again.
        case queueing(ConnectPause, until: MonotonicTime)
        case connecting, used
        /// In the pool, or beyond what that keeps.
        case idle(isSurplus: Bool)
        case closed
    }

    let server: ServerAddress
    /// How the loop knows it; nil until the loop watches it.
    var token: PollToken?

    let services: LoopServices
    let socket: StreamSocket
    var phase = Phase.connecting
    var forwarding: Forwarding?
    /// By whose times it goes, also while it waits.
    var upstream: Upstream
    var wire: ClientConnection
    let outbox = Outbox()
    var unread: [UInt8] = []
    var deadline = UpstreamDeadline()
    var hasInputEnded = false
    var hasSendingFailed = false
    /// Whether the sending side is to be ended once the outbox is empty.
    var endsSending = false
    /// Whether the system has taken all that the client has sent through a tunnel, and its end.
    var hasEndedTunnel = false
    /// Whether the answer under way is an event stream.
    var isEventStream = false
    var sentBytes = 0
    /// Of these, what was sent for earlier exchanges.
    private var formerlySentBytes = 0
    var receivedBytes = 0
    /// Whether an earlier exchange has used the connection too: its server may close it just now.
    private(set) var isReused = false

    var number: Int32 { socket.number }

    /// Begins to connect for the request of `forwarding`, and reports to it when it may begin.
    ///
    /// - Throws: why there can be no such connection, such as a Unix socket without a listener.
    init(
        to server: ServerAddress, of upstream: Upstream, for forwarding: Forwarding, _ services: LoopServices,
        at now: MonotonicTime
    ) throws(SystemCallError) {
        socket = try StreamSocket.unconnected(for: server.address)
        self.server = server
        self.services = services
        self.forwarding = forwarding
        self.upstream = upstream
        wire = ClientConnection()
        _ = deadline.update(.connecting, at: now, upstream.configuration)
        try connect(ConnectPause(), at: now)
    }

    // MARK: For the forwarding

    /// Whether the system has accepted any byte of the request. If not, the server cannot have acted on it.
    var hasSent: Bool { sentBytes > formerlySentBytes }

    /// Whether so much waits to be sent that the client should not be read.
    var isBlocked: Bool { forwarding?.session.isTooMuchWaiting(outbox.count) ?? false }

    /// Takes a connection that waited for another request, which may begin at once.
    func take(for forwarding: Forwarding, of upstream: Upstream, at now: MonotonicTime) {
        self.forwarding = forwarding
        self.upstream = upstream
        phase = .used
        isReused = true
        formerlySentBytes = sentBytes
        isEventStream = false
        touch()
    }

    /// Queues the head of a request.
    func start(_ request: OutgoingRequest, body: RequestBody) {
        queue { wire.startRequest(request, body: body, into: &$0) }
    }

    /// Queues the next bytes of the request's body.
    func send(_ bytes: Span<UInt8>) {
        guard bytes.count > 0 else { return }
        let count = bytes.count
        queue { wire.startBodyPart(of: count, into: &$0) }
        if !hasSendingFailed { outbox.append(bytes) }
        queue { wire.endBodyPart(into: &$0) }
    }

    /// Ends the request; the time for the answer runs from its last byte on.
    func endRequest(at now: MonotonicTime) {
        queue { wire.endRequest(into: &$0) }
    }

    /// Queues bytes of the protocol that was switched to.
    func sendTunnelled(_ bytes: Span<UInt8>) {
        if !hasSendingFailed { outbox.append(bytes) }
        touch()
    }

    /// Tells the server that no more of the other protocol will come, once all that waits is sent.
    func endTunnelSending() {
        endsSending = true
        touch()
    }

    /// Lets go of a tunnel that both sides have ended; the system sends on what it has taken.
    func endTunnel() {
        forwarding = nil
        close()
    }

    /// Ends before the exchange has: the server must not take what it has of it for the whole.
    func abandon() { if phase == .used { socket.resetWhenClosed() } }

    /// Goes to the pool without having carried a request, but for one that has waited there before: its server may close it any time.
    func stayUnused(at now: MonotonicTime) {
        forwarding = nil
        guard !isReused else { return close() }
        phase = .idle(isSurplus: services.upstreams.keep(self, rests: false, at: now))
        touch()
    }

    /// Gives the exchange up: the request no longer waits for it.
    func letGo() {
        guard forwarding != nil else { return }
        forwarding = nil
        socket.resetWhenClosed()
        close()
    }

    /// Has the loop look at the connection: there may be something to send, or room for more of the answer.
    func touch() { if let token { services.touch(token) } }

    // MARK: For the pool

    /// Closes if anything has come since the last answer, its end or what belongs to none; returns whether nothing has.
    func staysQuiet() -> Bool {
        switch socket.peek() {
        case .wouldBlock: return true
        case .bytes(1...): upstream.spokeUnasked(server)
        case .bytes, .failed: break
        }
        close()
        return false
    }

    func close() {
        phase = .closed
        services.upstreams.forget(self)
        touch()
    }

    // MARK: Helpers

    /// Queues what the wire writes.
    private func queue(_ write: (inout [UInt8]) -> Void) {
        outbox.write(write)
        // The output is lost, but the wire continues as if it were sent.
        if hasSendingFailed { outbox.removeAll() }
        touch()
    }
}
