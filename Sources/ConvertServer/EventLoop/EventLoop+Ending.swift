// MARK: - Ending

extension EventLoop {
    /// How long a connection that was accepted while draining may take to begin its only request.
    private static let drainingIdleSeconds = 1

    /// Every answer is its connection's last from now on: whoever keeps connections, as load balancers do, has none left
    /// that could close under a request when the listeners do.
    func becomeUnready() {
        services.router.readiness.isDraining = true
        for (_, connection) in clients { connection.session.shutDown() }
    }

    func drain(at now: MonotonicTime) throws(SystemCallError) {
        guard !isDraining else { return }
        isDraining = true
        services.router.readiness.isDraining = true
        services.times.keepAliveSeconds = min(services.times.keepAliveSeconds, Self.drainingIdleSeconds)
        let isWatching = acceptsAgain == nil
        acceptsAgain = nil
        var waiting: [Connection] = []
        while let listener = listeners.popLast() {
            if isWatching { poller.remove(listener.number) }
            takeWaiting(from: listener, into: &waiting)
        }
        for (token, connection) in clients {
            try settle(connection, token, connection.shutDown(&buffer, at: now), at: now)
        }
        for connection in waiting { try welcome(connection, at: now) }
    }

    /// Who waits to be accepted has been promised a connection by the system. All are taken before one is served: a client
    /// that is answered may come back, and nobody must stand in the queue when the listener closes.
    private func takeWaiting(from listener: Listener, into connections: inout [Connection]) {
        for _ in 0..<Listener.maxWaiting {
            switch listener.accept() {
            case .connection(let socket):
                if let connection = admit(socket, from: listener) { connections.append(connection) }
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
