import HTTPWire

// waiting → sending → done. The client's body is read only while `sending` and while the server's connection has room; the
// server's answer only while the client's connection has room. What must stay in step: a connection is held, and with it a
// place among the upstream's, from `attempt` until `leave` or `letGo`, and the session starts a response exactly when
// `isAnswered` turns true.

/// One request's way to a backend and its answer's way back, both as they came.
final class Forwarding {
    /// Of an answer between two looks at what waits for the client.
    let answerSliceBytes = ReadBuffer.capacity

    private let gateway: Gateway
    private let upstream: Upstream
    private let request: ForwardedRequest
    private let framing: RequestBody
    private unowned let session: Session
    private var connection: UpstreamConnection?
    private var server: ServerAddress?
    private var isSending = false
    private var isRequestComplete: Bool
    private var isAnswered = false
    private var hasRetried = false
    /// What was sent of the body, as long as all of it is here.
    private var held: [UInt8]? = []

    private var services: LoopServices { session.services }

    init(_ request: ForwardedRequest, _ framing: RequestBody, _ gateway: Gateway, _ session: Session) {
        self.request = request
        self.framing = framing
        self.gateway = gateway
        self.session = session
        upstream = gateway.upstreams[request.route.configuration.upstream]
        isRequestComplete = framing == .none
    }

    // MARK: The session's side

    func begin(at now: MonotonicTime) {
        services.directory.requestBegan(at: now)
        attempt(at: now)
    }

    /// Whether the client may be read.
    var takesInput: Bool { isSending && !isRequestComplete && connection?.isBlocked == false }

    /// Whether the server has to wait, since the client takes no more.
    var holdsUpstream: Bool { session.isFull }

    func take(_ bytes: Span<UInt8>, at now: MonotonicTime) {
        if let sent = held?.count, sent + bytes.count <= RetryRule.maxHeldBytes, !isAnswered {
            held?.append(span: bytes)
        } else {
            held = nil
        }
        connection?.send(bytes)
    }

    func requestEnded(at now: MonotonicTime) {
        guard !isRequestComplete else { return }
        isRequestComplete = true
        connection?.endRequest(at: now)
    }

    /// Lets the server send on.
    func clientHasRoom() { if !holdsUpstream { connection?.touch() } }

    /// Lets go of the server, since the session has ended the exchange or lost its client.
    func close() {
        guard let connection else { return }
        leave()
        connection.letGo()
    }

    // MARK: The server's side

    func upstreamConnected(at now: MonotonicTime) {
        guard let connection else { return }
        isSending = true
        if session.wire.expectsContinue { session.sendContinue() }
        connection.start(
            OutgoingRequest(
                method: request.method, target: request.target,
                host: request.host(upstream.configuration.host, server: connection.server.server),
                fields: request.fields),
            body: framing)
        if let held { connection.send(held.span) }
        if isRequestComplete { connection.endRequest(at: now) }
        session.touch()
    }

    /// An interim answer is for whoever waits for it, and nobody is told of any.
    func upstreamInformed(_ head: ReceivedResponseHead, at now: MonotonicTime) {}

    func upstreamAnswered(_ response: ReceivedResponseHead, at now: MonotonicTime) {
        guard let connection, !isAnswered else { return }
        upstream.answered(connection.server)
        held = nil
        do throws(Problem) {
            let answer = try ForwardedResponse(
                status: response.status, response.fields, to: request, from: connection.server.server,
                host: upstream.configuration.host, now: services.wallNanoseconds / 1_000_000_000)
            isAnswered = true
            // Whoever answers before the end may not read the rest, and the rest is no next request.
            if !isRequestComplete { session.wire.closeAfterResponse() }
            let length = response.fields["content-length"].flatMap(Int.init)
            let body: ResponseBody = response.status == 204 ? .none : length.map { .sized($0) } ?? .streamed
            session.startForwarded(answer, body: body)
        } catch {
            close()
            session.fail(error, at: now)
        }
    }

    func upstreamSent(_ bytes: Span<UInt8>, at now: MonotonicTime) { session.relay(bytes) }

    /// Nothing is held back that could be let go.
    func upstreamPaused(at now: MonotonicTime) {}

    func upstreamEnded(at now: MonotonicTime) {
        leave()
        session.endForwarded(at: now)
    }

    /// No protocol is switched to, since none is asked for.
    func upstreamTunnelled(_ bytes: Span<UInt8>, at now: MonotonicTime) {}
    func upstreamEndedTunnel(at now: MonotonicTime) {}

    func upstreamHasRoom() { session.touch() }

    func upstreamFailed(_ failure: RetryRule.Failure, _ detail: String, at now: MonotonicTime) {
        let isStale = connection?.isReused == true && failure == .closedUnanswered
        if let server, failure != .brokenAnswer, !isStale { upstream.connectionFailed(server, at: now) }
        failed(failure, detail, at: now)
    }

    // MARK: Attempts

    private func attempt(at now: MonotonicTime) {
        switch upstream.choose(avoiding: server, at: now) {
        case .unresolved: session.fail(.unresolvedUpstream, at: now)
        case .unhealthy: session.fail(.noHealthyServer, at: now)
        case .full: session.fail(.fullUpstream, at: now)
        case .server(let server):
            self.server = server
            connect(server, at: now)
        }
    }

    private func connect(_ server: ServerAddress, at now: MonotonicTime) {
        if !hasRetried, let idle = services.upstreams.take(server, for: request.method, at: now) {
            connection = idle
            idle.take(for: self, upstream.configuration, at: now)
            return upstreamConnected(at: now)
        }
        do throws(SystemCallError) {
            let new = try UpstreamConnection(to: server, upstream.configuration, for: self, services, at: now)
            connection = new
            services.open(new)
        } catch {
            upstream.giveBack()
            upstream.connectionFailed(server, at: now)
            failed(.connect, error.reason, at: now)
        }
    }

    private func failed(_ failure: RetryRule.Failure, _ detail: String, at now: MonotonicTime) {
        leave()
        guard !isAnswered else { return session.fail(Problem(failure, detail), at: now) }
        let mayRetry = !hasRetried && RetryRule.allows(failure, request.method, isBodyHeld: held != nil)
        if mayRetry, services.directory.takeRetry(at: now) {
            hasRetried = true
            attempt(at: now)
        } else {
            session.fail(Problem(failure, detail), at: now)
        }
        session.touch()
    }

    /// Leaves the connection, which knows by itself what becomes of it.
    private func leave() {
        guard connection != nil else { return }
        connection = nil
        isSending = false
        upstream.giveBack()
    }
}
