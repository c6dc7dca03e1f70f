import HTTPWire

/// A session and the socket it speaks through.
final class Connection {
    /// What the loop has to do next.
    enum Next: Equatable {
        /// Watch the socket for this; what comes and is not wanted yet may be told too.
        case watch(PollInterest)
        /// Watch the socket for this and nothing else: something is there that is not wanted yet.
        case watchOnly(PollInterest)
        /// Watch nothing, not even for the end, until it is settled again.
        case unwatch
        /// Stop watching and let go of the connection.
        case close

        /// The same, where what came was left lying.
        var leavingInput: Next { if case .watch(let interest) = self { .watchOnly(interest) } else { self } }
    }

    /// Bytes that are read and thrown away while lingering: more than most bodies that are refused for their length, since many
    /// a client reads no answer before it has sent all.
    private static let maxLingeringBytes = 256 * 1024 * 1024
    /// Turns of sending and going on in one event, so that one connection cannot keep the loop for itself.
    private static let maxTurns = 16

    let session: Session
    private let socket: StreamSocket
    private var deadlines = DeadlineKeeper()
    private var isLingering = false
    private var lingeringBytes = 0

    var number: Int32 { socket.number }

    /// - Parameters:
    ///   - peer: who is at the other end; nil for a local socket.
    ///   - isPublic: whether routes are served, if there are any.
    init(
        _ socket: consuming StreamSocket, _ services: LoopServices, from peer: SocketAddress? = nil,
        isPublic: Bool = false
    ) {
        self.socket = socket
        session = Session(services, client: isPublic && services.gateway != nil ? TrustedProxies.Peer(peer) : nil)
    }

    /// Reads once, goes on with what came, sends what came of it.
    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> Next {
        if isLingering { return linger(&buffer) }
        if event.isReadable && session.wantsInput {
            switch socket.read(into: &buffer) {
            case .bytes(0): session.inputEnded(at: now)
            case .bytes: session.receive(buffer.bytes, at: now)
            case .wouldBlock: break
            case .failed:
                session.connectionLost(at: now)
                return .close
            }
        } else if event.isBroken && session.outbox.isEmpty {
            session.connectionLost(at: now)
            return .close
        } else if event.isReadable {
            return settle(at: now).leavingInput
        }
        return settle(at: now)
    }

    /// Notes that the deadline has passed.
    func expire(at now: MonotonicTime) -> Next {
        if isLingering { return .close }
        if let moment = session.wakeUpMoment, moment <= now {
            session.wakeUp(at: now)
        } else {
            session.expire(at: now)
        }
        return settle(at: now)
    }

    /// Closes if idle; makes what is in flight the last otherwise. Who was let in and has not asked yet may still do so.
    func shutDown(_ buffer: inout ReadBuffer, at now: MonotonicTime) -> Next {
        session.shutDown()
        guard session.isIdle else { return settle(at: now) }
        // A request that has already arrived is still answered.
        let event = PollEvent(token: PollToken(rawValue: 0), isReadable: true, isWritable: false, isBroken: false)
        let next = handle(event, &buffer, at: now)
        guard session.isIdle else { return next }
        guard session.activity == .idle(number: 0) else { return .close }
        // Its time begins anew, by what is left of it while the server ends.
        deadlines = DeadlineKeeper()
        return next
    }

    /// The moment at which `expire` is due.
    func deadline(at now: MonotonicTime, _ times: DeadlineKeeper.Times) -> MonotonicTime? {
        let deadline = deadlines.update(
            isLingering ? .lingering(received: lingeringBytes) : session.activity, at: now, times)
        guard let moment = session.wakeUpMoment else { return deadline }
        return deadline.map { min($0, moment) } ?? moment
    }

    /// Sends and goes on until one of them has to wait.
    func settle(at now: MonotonicTime) -> Next {
        if isLingering { return .watch(.read) }
        for _ in 0..<Self.maxTurns {
            if session.closing == .abort {
                // What was said before the fault is still true: the client may have the head, and see that the rest is cut.
                if !session.outbox.isEmpty { _ = session.send(on: socket) }
                socket.resetWhenClosed()
                return .close
            }
            if !session.outbox.isEmpty {
                switch session.send(on: socket) {
                case .failed:
                    session.connectionLost(at: now)
                    return .close
                case .bytes: session.clientTook(at: now)
                case .wouldBlock: break
                }
            }
            guard session.wantsToResume else { break }
            session.resume(at: now)
        }
        if !session.outbox.isEmpty || session.wantsToResume {
            return .watch(session.wantsInput ? [.read, .write] : .write)
        }
        if session.endsSending {
            session.endsSending = false
            socket.endSending()
        }
        switch session.closing {
        case nil: return .watch(session.wantsInput ? .read : [])
        case .clean: return .close
        case .abort:
            socket.resetWhenClosed()
            return .close
        case .lingering:
            socket.endSending()
            isLingering = true
            return .watch(.read)
        }
    }

    // MARK: Helpers

    /// Reads on until the peer ends too, so that no reset destroys the answer on its way.
    private func linger(_ buffer: inout ReadBuffer) -> Next {
        switch socket.read(into: &buffer) {
        case .bytes(0), .failed: return .close
        case .wouldBlock: return .watch(.read)
        case .bytes(let count):
            lingeringBytes += count
            return lingeringBytes > Self.maxLingeringBytes ? .close : .watch(.read)
        }
    }
}
