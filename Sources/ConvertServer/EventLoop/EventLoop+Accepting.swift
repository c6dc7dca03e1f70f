// MARK: - Accepting

extension EventLoop {
    /// Connections that one event of a listener brings in.
    private static let maxAccepts = 64
    /// Refused connections of a loop that are closed with care; more than these are closed at once.
    private static let maxRefused = 128
    /// How long accepting rests when descriptors are used up.
    private static let exhaustedMilliseconds: Int64 = 100

    func accept(from listener: Listener) throws(SystemCallError) {
        let start = SystemClock.monotonic()
        for _ in 0..<Self.maxAccepts {
            switch listener.accept() {
            case .connection(let socket, let peer): try take(socket, from: listener, peer, since: start)
            case .none: return
            case .lost: continue
            case .exhausted:
                services.metrics.connectionRefused(.exhausted)
                refuseOne(from: listener)
                return pauseAccepting(at: SystemClock.monotonic())
            }
        }
    }

    /// Takes up a connection and answers what it has asked already, as an event of its own, unless those that were taken up since
    /// `start` have had the time of a turn.
    func take(
        _ socket: consuming StreamSocket, from listener: Listener, _ peer: SocketAddress, since start: MonotonicTime
    ) throws(SystemCallError) {
        let now = SystemClock.monotonic()
        if budget.take(isPublic: listener.isPublic) {
            let connection = Connection(socket, services, from: peer, isPublic: listener.isPublic)
            try welcome(connection, readsOn: !services.isTurnOver(start), at: now)
        } else {
            try refuse(socket, at: now)
        }
        try finishEvent(at: now)
    }

    /// Takes up a connection that was admitted.
    private func welcome(_ connection: Connection, readsOn: Bool, at now: MonotonicTime) throws(SystemCallError) {
        if services.router.readiness.isDraining { connection.session.shutDown() }
        guard try !add(connection, readsOn: readsOn, at: now) else { return }
        budget.giveBack(isPublic: connection.isPublic)
        services.metrics.connectionRefused(.exhausted)
    }

    /// Tells a client that the server is full, whatever it is going to ask.
    private func refuse(_ socket: consuming StreamSocket, at now: MonotonicTime) throws(SystemCallError) {
        services.metrics.connectionRefused(.limit)
        let problem = Problem.unavailable("the server has too many connections", code: "full")
        let record = AccessRecord(requestID: services.identifiers.make(), started: now)
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
        // What has arrived is taken, so that the close does not reset the answer.
        _ = socket.read(into: &buffer)
        if refusedCount < Self.maxRefused { try addRefused(Connection(lingering: socket, services), at: now) }
    }

    /// Gives up the spare descriptor to take one connection off the queue and close it.
    private func refuseOne(from listener: Listener) {
        spare = nil
        _ = listener.accept()
        spare = FileDescriptor.spare()
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
    /// Whether it came in where clients are served, rather than at `admin`.
    var isPublic: Bool { session.client != nil }
}
