import EventLoop
import HTTPSemantics
package import Observability
package import Sockets
import Text
import Upstreams

// MARK: - Connections and second attempts

extension Forwarding {
    /// The first attempt and at most one retry.
    private static let maxAttempts = 2

    /// Takes a connection to a server; the client gets an error if there is none.
    func attempt(at now: MonotonicTime) {
        switch upstream.choose(for: share, avoiding: server, at: now) {
        case .server(let server):
            attempts += 1
            self.server = server
            serverLabel = gateway.label(of: server.server, upstream: request.route.configuration.upstream)
            attemptStart = now
            client.note(upstream.configuration.name.text, server)
            if attempts > 1 { count(.retried) }
            connect(to: server, at: now)
        case .unresolved: client.fail(.unresolved)
        case .unhealthy: client.fail(.noServer)
        case .full: client.fail(.upstreamFull)
        }
    }

    private func connect(to server: ServerAddress, at now: MonotonicTime) {
        // A retry uses a new connection, because the idle one may have caused the failure.
        if attempts == 1, let idle = context.pool.take(server, for: request.method, at: now) {
            idle.take(for: self, of: upstream)
            stage = .connecting(idle)
            return upstreamConnected(at: now)
        }
        do throws(SystemCallError) {
            let connection = try UpstreamConnection(to: server, of: upstream, for: self, context.pool, at: now)
            stage = .connecting(connection)
            context.loop.open(connection)
        } catch {
            // No stage owns the reserved connection yet, so it is returned here.
            upstream.giveBack(share)
            guard !error.isExhaustion else {
                // The upstream did not cause this, and another server of it would have the same problem.
                return client.fail(.unavailable("the server has no file descriptor left", code: "full"))
            }
            failed(.connect, error.reason, at: now)
        }
    }

    package func upstreamConnected(at now: MonotonicTime) {
        guard case .connecting(let connection) = stage else { return }
        let isAwaited = client.expectsContinue && !body.isComplete
        if isAwaited { client.sendContinue() }
        if body.framing == nil || isAwaited && !body.isReady {
            putBack(connection, at: now)
        } else {
            startRequest(connection)
        }
        client.touch()
    }

    /// Returns the connection until the body's first byte can be sent. The client may take any time for that.
    private func putBack(_ connection: UpstreamConnection, at now: MonotonicTime) {
        leave()
        stage = .gathering
        attempts = 0
        attemptStart = nil
        connection.stayUnused(at: now)
    }

    package func upstreamFailed(_ failure: AttemptFailure, _ detail: String, at now: MonotonicTime) {
        defer { client.touch() }
        guard !isTunnel else {
            leave()
            return messages?.deadline == nil ? client.abort() : client.endTunnel()
        }
        failed(failure, detail, at: now)
    }

    private func failed(_ failure: AttemptFailure, _ detail: String, at now: MonotonicTime) {
        // A server may close an idle connection just when the next request is sent. That is not its failure.
        let isStale = failure == .closedWithoutResponse && connection?.isReused == true
        let wasSent = connection?.hasSent ?? false
        // A failure that the request may have caused does not count either. Otherwise one client could make all servers
        // unhealthy.
        if let server, !wasSent, failure != .brokenResponse, !isStale { upstream.connectionFailed(server, at: now) }
        count(.failed(failure))
        observe(at: now)
        leave()
        switch responseState {
        case .awaited:
            if mayRetry(failure, wasSent: wasSent, at: now) {
                stage = .gathering
                attempt(at: now)
            } else {
                client.fail(Problem(failure, detail))
            }
        case .relaying, .converting: client.fail(Problem(failure, detail))
        case .over: break
        }
    }

    package func upstreamHasRoom() { client.touch() }

    private func mayRetry(_ failure: AttemptFailure, wasSent: Bool, at now: MonotonicTime) -> Bool {
        attempts < Self.maxAttempts
            && RetryRule.allows(failure, request.method, isBodyHeld: body.sent.isHeld, wasSent: wasSent)
            && context.directory.takeRetry(at: now)
    }
}
