import HTTPSemantics
import HTTPWire
import Sockets
import Text

// A connection is `serving` until its session says how it is to close. Then it is one of these:
//
// - `lingering`: everything is sent, and our side has ended. What the peer still sends is read and discarded. Otherwise
//   the system would send a reset, which destroys the response on its way.
// - `resetting`: a response was cut off, and only a reset can report that. A reset destroys what the peer has not
//   received yet, such as earlier responses. So it waits until the peer has all of these. What arrives meanwhile is
//   discarded too, because many peers read nothing before they have sent everything.
//
// Nothing reports what the peer has received: the system accepts megabytes for it at once. So both check from time to
// time how much is unsent.

/// A session and the socket it speaks through.
final class Connection {
    /// What the loop has to do next.
    enum Next: Equatable {
        /// Watch the socket for these events; others may be reported too.
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

    private enum Phase {
        case serving, lingering, resetting
    }

    /// Bytes that are read and thrown away at the end: more than most bodies that are refused for their length, since many
    /// a client reads no answer before it has sent all.
    private static let maxDiscardedBytes = 256 * 1024 * 1024
    /// Looks at what the peer takes in the time that it may take nothing.
    private static let looksPerDeadline: Int64 = 4
    /// How often a reset looks whether the peer has everything.
    private static let resetMilliseconds: Int64 = 20

    let session: Session
    /// Whether the connection was let in, and counts as one.
    let isAdmitted: Bool
    /// Under what it is counted among those of its client; nil where it is not.
    let countedAs: IPAddress?
    private let socket: StreamSocket
    private var deadlines = DeadlineKeeper()
    private var phase = Phase.serving
    private var discardedBytes = 0
    /// Whether our side has ended while the peer may still send.
    private var hasEndedSending = false
    /// Whether the peer has ended, or failed, while resetting.
    private var hasDiscardedAll = false

    var number: Int32 { socket.number }

    /// - Parameters:
    ///   - peer: who is at the other end; nil for a local socket.
    ///   - isPublic: whether routes are served, if there are any, rather than all of the service's own paths.
    init(
        _ socket: consuming StreamSocket, _ services: LoopServices, from peer: SocketAddress? = nil,
        isPublic: Bool = false, countedAs: IPAddress? = nil
    ) {
        self.socket = socket
        self.countedAs = countedAs
        isAdmitted = true
        session = Session(services, from: TrustedProxies.Peer(peer), isPublic: isPublic)
    }

    /// A connection that was refused: its answer is sent and our side has ended.
    init(lingering socket: consuming StreamSocket, _ services: LoopServices) {
        self.socket = socket
        countedAs = nil
        isAdmitted = false
        session = Session(services)
        phase = .lingering
    }

    /// Reads once, processes what has arrived, and sends the output.
    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> Next {
        guard phase == .serving else { return discard(event, &buffer, at: now) }
        if event.isReadable && session.wantsInput {
            switch socket.read(into: &buffer, maxBytes: session.maxReadBytes) {
            case .bytes(0): session.inputEnded(at: now)
            case .bytes: session.receive(buffer.bytes, at: now)
            case .wouldBlock: break
            case .failed:
                session.connectionLost(at: now)
                return .close
            }
        } else if event.isBroken && session.outbox.isEmpty && (hasEndedSending || session.isTunnel) {
            // Both sides have ended, and what came before the end is still there to be read.
            return .unwatch
        } else if event.isBroken && session.outbox.isEmpty {
            session.connectionLost(at: now)
            return .close
        } else if event.isReadable {
            return settle(at: now).leavingInput
        }
        return settle(at: now)
    }

    /// Looks at what has waited until the moment that `deadline` told.
    func expire(at now: MonotonicTime) -> Next {
        if phase == .lingering { return .close }
        let activity = activity
        if phase == .serving, let moment = session.wakeUpMoment, moment <= now {
            session.wakeUp(at: now)
        } else if let deadline = deadlines.update(activity, at: now, session.services.times), deadline <= now {
            session.expire(at: now)
            if activity.waitsForTaking {
                socket.resetWhenClosed()
                return .close
            }
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
        // Its time starts again, limited by what is left until the server ends.
        deadlines = DeadlineKeeper()
        return next
    }

    /// Ends before the session has: who gets an answer must not take what it has of it for the whole.
    func abandon() {
        if phase != .lingering, session.isAnswering { socket.resetWhenClosed() }
    }

    /// The moment at which `expire` must be called.
    func deadline(at now: MonotonicTime, _ times: DeadlineKeeper.Times) -> MonotonicTime? {
        let activity = activity
        var moment = deadlines.update(activity, at: now, times)
        if phase == .serving, let wakeUp = session.wakeUpMoment { moment = moment.map { min($0, wakeUp) } ?? wakeUp }
        guard activity.waitsForTaking, let deadline = moment else { return moment }
        let interval = Int64(times.writeSeconds) * 1000 / Self.looksPerDeadline
        return min(deadline, now.advanced(milliseconds: phase == .resetting ? Self.resetMilliseconds : interval))
    }

    /// Sends and processes in turn, until one of them has to wait.
    func settle(at now: MonotonicTime) -> Next {
        switch phase {
        case .serving: break
        case .lingering: return .watch(.read)
        case .resetting: return reset(at: now)
        }
        var hasResumed = false
        while session.closing != .abort {
            if !session.outbox.isEmpty {
                switch session.send(on: socket) {
                case .failed:
                    session.connectionLost(at: now)
                    return .close
                case .bytes: session.clientTook(at: now)
                case .wouldBlock: break
                }
            }
            // What is left to do is done after others had their turn (`isUnfinished`).
            guard session.wantsToResume, !hasResumed || !session.isTurnOver(now) else { break }
            session.resume(at: now)
            hasResumed = true
        }
        if session.closing == .abort {
            phase = .resetting
            return reset(at: now)
        }
        if !session.outbox.isEmpty || session.wantsToResume {
            let interest: PollInterest = session.outbox.isEmpty ? [] : .write
            return .watch(session.wantsInput ? interest.union(.read) : interest)
        }
        if session.endsSending {
            session.endsSending = false
            socket.endSending()
            hasEndedSending = true
        }
        switch session.closing {
        case nil: return .watch(session.wantsInput ? .read : [])
        case .clean, .abort: return .close
        case .lingering:
            socket.endSending()
            phase = .lingering
            return .watch(.read)
        }
    }

    /// Since when it waits for a request and for nothing else; nil while it does anything.
    var idleSince: MonotonicTime? { phase == .serving && session.isIdle ? deadlines.since : nil }

    /// Whether the peer has sent what nobody has read yet.
    var hasUnread: Bool { if case .bytes(1...) = socket.peek() { true } else { false } }

    // MARK: Helpers

    /// Whether there is work left that waits for nothing but its turn.
    var isUnfinished: Bool { phase == .serving && session.wantsToResume }

    private var activity: Activity {
        switch phase {
        case .lingering: return .lingering(received: discardedBytes)
        case .resetting: return .sending(taken: takenBytes)
        case .serving:
            let activity = session.activity
            // While there is work to do nobody is waited for.
            guard activity.waitsForTaking else { return session.wantsToResume ? .none : activity }
            return session.isDownloading ? .download(taken: takenBytes) : .sending(taken: takenBytes)
        }
    }

    /// What the peer has of all that was sent.
    private var takenBytes: Int { session.sentBytes - socket.unsentBytes }

    /// Reads on until the peer ends too, or until the connection may be reset.
    private func discard(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> Next {
        if event.isReadable {
            switch socket.read(into: &buffer) {
            case .failed: return .close
            case .bytes(0):
                if phase == .lingering || event.isBroken { return .close }
                hasDiscardedAll = true
            case .wouldBlock: break
            case .bytes(let count):
                discardedBytes += count
                if discardedBytes > Self.maxDiscardedBytes { return .close }
            }
        }
        return settle(at: now)
    }

    /// Lets the peer have what was said before the fault, then closes by a reset.
    private func reset(at now: MonotonicTime) -> Next {
        let outbox = session.outbox
        if !outbox.isEmpty, session.send(on: socket) == .failed { return .close }
        if outbox.isEmpty, socket.unsentBytes == 0 {
            socket.resetWhenClosed()
            return .close
        }
        var interest: PollInterest = outbox.isEmpty ? [] : .write
        if !hasDiscardedAll { interest.insert(.read) }
        return .watchOnly(interest)
    }
}
