// MARK: - Ending

import Sockets

extension EventLoop {
    /// How long a connection that was accepted while draining may take to begin its only request.
    private static let drainingIdleSeconds = 1
    /// How long the listeners stay after new handshakes stop, so that handshakes in progress can complete.
    private static let closingMilliseconds: Int64 = 50

    /// From now on, each response is the last one of its connection. A load balancer that keeps connections then has
    /// none left that could close under a request when the listeners do.
    func becomeUnready() {
        services.router.readiness.isDraining = true
        for (_, connection) in clients { connection.session.shutDown() }
    }

    func drain(at now: MonotonicTime) throws(SystemCallError) {
        guard !isDraining else { return }
        isDraining = true
        services.router.readiness.isDraining = true
        services.times.keepAliveSeconds = min(services.times.keepAliveSeconds, Self.drainingIdleSeconds)
        for listener in listeners { listener.closeDoor() }
        listensUntil = now.advanced(milliseconds: Self.closingMilliseconds)
        for (token, connection) in clients {
            try settle(connection, token, connection.shutDown(&buffer, at: now), at: now)
        }
    }

    /// Closes the listeners. Clients in the accept queue already have a connection from the system, so they are
    /// accepted first.
    func closeListeners() throws(SystemCallError) {
        listensUntil = nil
        let isWatching = acceptsAgain == nil
        acceptsAgain = nil
        while let listener = listeners.popLast() {
            if isWatching { poller.remove(listener.number) }
            try takeWaiting(from: listener)
        }
    }

    private func takeWaiting(from listener: Listener) throws(SystemCallError) {
        for _ in 0..<Listener.maxWaiting {
            switch listener.accept() {
            case .connection(let socket, let peer):
                try take(socket, from: listener, peer, since: SystemClock.monotonic())
            case .lost: continue
            case .none: return
            case .exhausted: return
            }
        }
    }

    private var clients: [(PollToken, Connection)] {
        connections.tokens.compactMap { token in
            if case .client(let connection) = connections[token] { (token, connection) } else { nil }
        }
    }
}
