// MARK: - Accepting

import HTTPSemantics
import Sockets

extension EventLoop {
    /// The most connections that are accepted in one event of a listener.
    private static let maxAccepts = 64
    /// The pause of accepting if no descriptors are left.
    private static let exhaustedMilliseconds: Int64 = 100

    func accept(from listener: Listener) throws(SystemCallError) {
        let start = SystemClock.monotonic()
        // No client is accepted without a spare descriptor for `admin`.
        if listener.isPublic, !hasSpare { return pauseAccepting(at: start) }
        for _ in 0..<Self.maxAccepts {
            switch listener.accept() {
            case .connection(let socket, let peer): try take(socket, from: listener, peer, since: start)
            case .none: return
            case .lost: continue
            case .exhausted:
                try useSpare(for: listener, since: start)
                return pauseAccepting(at: SystemClock.monotonic())
            }
        }
    }

    /// Adds a connection and handles its received bytes as an event of its own. It does not handle them if the
    /// connections since `start` have used up a turn.
    func take(
        _ socket: consuming StreamSocket, from listener: Listener, _ peer: SocketAddress, since start: MonotonicTime
    ) throws(SystemCallError) {
        let now = SystemClock.monotonic()
        let client = listener.isPublic ? services.trustedProxies.sharer(peer.ipAddress) : nil
        let place = listener.isPublic ? ConnectionBudget.Place.client : .admin
        var answer = budget.take(place, for: client)
        if answer == .full, place == .client, giveWay(at: now) { answer = budget.take(place, for: client) }
        switch answer {
        case .granted:
            let connection = Connection(
                socket, services, from: peer, isPublic: listener.isPublic, countedAs: client)
            try welcome(connection, readsOn: !services.isTurnOver(start), at: now)
        case .full: try refuse(socket, from: peer, .full, .limit, at: now)
        case .clientFull: try refuse(socket, from: peer, .clientFull, .client, at: now)
        }
        try finishEvent(at: now)
    }

    /// Adds a connection that was admitted.
    private func welcome(_ connection: Connection, readsOn: Bool, at now: MonotonicTime) throws(SystemCallError) {
        if services.router.readiness.isDraining { connection.session.shutDown() }
        guard try !add(connection, readsOn: readsOn, at: now) else { return }
        budget.giveBack(connection.place, for: connection.countedAs)
        services.metrics.connectionRefused(.exhausted)
    }

    /// Closes the public connection that has been idle longest, for a new one. False if there is none.
    private func giveWay(at now: MonotonicTime) -> Bool {
        repeat {
            while let (token, since) = idleClients.next() {
                guard case .client(let connection) = connections[token], connection.idleSince == since,
                    !connection.hasUnread
                else { continue }
                close(token)
                services.metrics.connectionGaveWay()
                return true
            }
        } while idleClients.search(among: connections.count, at: now) {
            connections.tokens.compactMap { token in
                guard case .client(let connection) = connections[token], connection.isPublic else { return nil }
                return connection.idleSince.map { (token, $0) }
            }
        }
        return false
    }

    /// Sends a client the reason why it is refused, without reading its request.
    private func refuse(
        _ socket: consuming StreamSocket, from peer: SocketAddress, _ problem: Problem, _ reason: LoopMetrics.Refusal,
        at now: MonotonicTime
    ) throws(SystemCallError) {
        services.metrics.connectionRefused(reason)
        let record = AccessRecord(requestID: services.identifiers.make(), started: now)
        if services.writesAccessLog { record.write(client: TrustedProxies.Peer(peer).description) }
        let body = problem.json(requestID: record.requestID)
        let fields = problem.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = """
            HTTP/1.1 503 Service Unavailable\r
            Date: \(String(decoding: services.date, as: UTF8.self))\r
            Content-Type: \(Problem.contentType)\r
            X-Content-Type-Options: nosniff\r
            Content-Length: \(body.count)\r
            Connection: close\r
            X-Request-Id: \(record.requestID)\r
            \(fields)\r

            """
        _ = socket.write(Array(head.utf8).span, body.span, [UInt8]().span)
        socket.endSending()
        (record.status, record.code, record.bytesOut) = (problem.status, problem.code, body.count)
        services.note(record)
        // The input is read, so that the close does not cause a reset that destroys the response.
        _ = socket.read(into: &buffer)
        if budget.take(.refused) == .granted { try addRefused(Connection(lingering: socket, services), at: now) }
    }

    /// Uses the spare descriptor to accept one connection. One at `admin` is served, a client's is closed.
    private func useSpare(for listener: Listener, since start: MonotonicTime) throws(SystemCallError) {
        spare = nil
        switch listener.accept() {
        case .connection(let socket, let peer):
            if listener.isPublic { break }
            return try take(socket, from: listener, peer, since: start)
        default: break
        }
        services.metrics.connectionRefused(.exhausted)
        _ = hasSpare
    }

    /// Whether a spare descriptor exists for the time when all others are in use. It tries to get one.
    private var hasSpare: Bool {
        if spare == nil { spare = FileDescriptor.spare() }
        return spare != nil
    }

    private func pauseAccepting(at now: MonotonicTime) {
        for listener in listeners { poller.remove(listener.number) }
        acceptsAgain = now.advanced(milliseconds: Self.exhaustedMilliseconds)
    }

    func watchListeners() throws(SystemCallError) {
        for (index, listener) in listeners.enumerated() {
            let token = PollToken(generation: Self.listenerGeneration, index: index)
            try poller.add(listener.number, token: token, interest: .read)
        }
    }
}

extension Connection {
    /// Whether it came from a public listener, and not from `admin`.
    var isPublic: Bool { session.isPublic }

    /// The kind of the connection.
    var place: ConnectionBudget.Place { !isAdmitted ? .refused : isPublic ? .client : .admin }
}
