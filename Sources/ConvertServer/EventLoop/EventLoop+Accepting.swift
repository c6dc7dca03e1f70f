// MARK: - Listeners

package import Sockets

extension EventLoop {
    /// The most connections that are accepted in one event of a listener.
    private static let maxAccepts = 64
    /// The pause of accepting if no descriptors are left.
    private static let exhaustedMilliseconds: Int64 = 100
    /// How long the listeners stay after new handshakes stop, so that handshakes in progress can complete.
    private static let closingMilliseconds: Int64 = 50

    /// From now on these listeners belong to the loop.
    package func listen(_ listeners: [Listener]) throws(SystemCallError) {
        self.listeners = listeners
        try watchListeners()
    }

    func accept(from listener: Listener) throws(SystemCallError) {
        let start = SystemClock.monotonic()
        // No client is accepted without a spare descriptor for `admin`.
        if listener.isPublic, !hasSpare { return pauseAccepting(at: start) }
        for _ in 0..<Self.maxAccepts {
            switch listener.accept() {
            case .connection(let socket, let peer): try pass(socket, from: listener, peer, since: start)
            case .none: return
            case .lost: continue
            case .exhausted:
                try useSpare(for: listener, since: start)
                return pauseAccepting(at: SystemClock.monotonic())
            }
        }
    }

    /// Passes a connection to the delegate, as an event of its own. Its received bytes are handled at once, unless the
    /// connections since `start` have used up a turn.
    private func pass(
        _ socket: consuming StreamSocket, from listener: Listener, _ peer: SocketAddress, since start: MonotonicTime
    ) throws(SystemCallError) {
        let now = SystemClock.monotonic()
        try delegate?.accepted(socket, from: listener, peer, readsOn: !context.isTurnOver(start), at: now)
        try finishEvent(at: now)
    }

    /// Uses the spare descriptor to accept one connection. One at `admin` is served, a client's is closed.
    private func useSpare(for listener: Listener, since start: MonotonicTime) throws(SystemCallError) {
        spare = nil
        switch listener.accept() {
        case .connection(let socket, let peer):
            if listener.isPublic { break }
            return try pass(socket, from: listener, peer, since: start)
        default: break
        }
        delegate?.refusedForDescriptors()
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

    // MARK: The end of listening

    /// Ends the listening soon. The loop ends once nothing is left.
    package func drain(at now: MonotonicTime) {
        isDraining = true
        for listener in listeners { listener.closeDoor() }
        listensUntil = now.advanced(milliseconds: Self.closingMilliseconds)
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
                try pass(socket, from: listener, peer, since: SystemClock.monotonic())
            case .lost: continue
            case .none: return
            case .exhausted: return
            }
        }
    }
}
