import ConvertCore
import HTTPSemantics
import HTTPWire
import Sockets
import Text

// MARK: - Connections and second attempts

extension Forwarding {
    /// At most one more after the first.
    private static let maxAttempts = 2

    /// Takes a connection to a server; the client gets an error if there is none.
    func attempt(at now: MonotonicTime) {
        attempts += 1
        switch upstream.choose(for: client, avoiding: server, at: now) {
        case .server(let server):
            self.server = server
            attemptStart = now
            session.note(upstream.configuration.name.text, server)
            if attempts > 1 { count(.retried) }
            connect(to: server, at: now)
        case .unresolved: session.fail(.unresolved, at: now)
        case .unhealthy: session.fail(.noServer, at: now)
        case .full: session.fail(.upstreamFull, at: now)
        }
    }

    private func connect(to server: ServerAddress, at now: MonotonicTime) {
        // What has just failed on a connection that had waited may succeed on a new one.
        if attempts == 1, let idle = services.upstreams.take(server, for: request.method, at: now) {
            idle.take(for: self, of: upstream, at: now)
            stage = .connecting(idle)
            return upstreamConnected(at: now)
        }
        do throws(SystemCallError) {
            let connection = try UpstreamConnection(to: server, of: upstream, for: self, services, at: now)
            stage = .connecting(connection)
            services.open(connection)
        } catch {
            // No stage holds the place that was taken for it.
            upstream.giveBack(client)
            guard !error.isExhaustion else {
                // No fault of the upstream's, and another server of it would meet the same.
                return session.fail(.unavailable("the server has no file descriptor left", code: "full"), at: now)
            }
            failed(.connect, error.reason, at: now)
        }
    }

    /// Notes that the connection can be used, which it is at once or not at all.
    func upstreamConnected(at now: MonotonicTime) {
        guard case .connecting(let connection) = stage else { return }
        let isAwaited = session.wire.expectsContinue && !body.isComplete
        if isAwaited { session.sendContinue() }
        if body.framing == nil || isAwaited && !body.isReady {
            putBack(connection, at: now)
        } else {
            startRequest(connection, at: now)
        }
        session.touch()
    }

    /// Lets others have the connection until the body's first byte can be sent, for which its client may take any time.
    private func putBack(_ connection: UpstreamConnection, at now: MonotonicTime) {
        leave()
        stage = .gathering
        attempts = 0
        attemptStart = nil
        connection.stayUnused(at: now)
    }

    /// Notes that the attempt has failed, or that the answer is cut off; the connection is gone.
    func upstreamFailed(_ failure: RetryRule.Failure, _ detail: String, at now: MonotonicTime) {
        defer { session.touch() }
        guard !isTunnel else {
            leave()
            return session.abort(at: now)
        }
        failed(failure, detail, at: now)
    }

    private func failed(_ failure: RetryRule.Failure, _ detail: String, at now: MonotonicTime) {
        // A server may close an idle connection just when the next request is sent. That is not its failure.
        let isStale = failure == .closedUnanswered && connection?.isReused == true
        let wasSent = connection?.hasSent ?? false
        // Neither is a failure that the request may have caused: a client whose requests make servers close or hang
        // could take all of them out.
        if let server, !wasSent, failure != .brokenAnswer, !isStale { upstream.connectionFailed(server, at: now) }
        count(.failed(failure))
        observe(at: now)
        leave()
        switch answer {
        case .awaited:
            if mayRetry(failure, wasSent: wasSent, at: now) {
                stage = .gathering
                attempt(at: now)
            } else {
                session.fail(Problem(failure, detail), at: now)
            }
        case .relaying, .converting: session.fail(Problem(failure, detail), at: now)
        case .over: break
        }
    }

    /// Notes that the upstream takes more of the request.
    func upstreamHasRoom() { session.touch() }

    private func mayRetry(_ failure: RetryRule.Failure, wasSent: Bool, at now: MonotonicTime) -> Bool {
        attempts < Self.maxAttempts
            && RetryRule.allows(failure, request.method, isBodyHeld: body.sent.isHeld, wasSent: wasSent)
            && services.directory.takeRetry(at: now)
    }
}
