import EventLoop
import HTTPSemantics
import HTTPWire
import Sockets

// A connection is `serving` until its session decides how it closes. Then it is one of these:
//
// - `lingering`: everything is sent, and our side has ended. Later bytes of the peer are read and discarded. Otherwise
//   the system would send a reset, which destroys the response on its way.
// - `resetting`: a response was cut off, and only a reset can report that. A reset destroys what the peer has not
//   received yet, such as earlier responses. So it waits until the peer has all of these. Bytes that arrive meanwhile
//   are discarded too, because many peers read nothing before they have sent everything.
//
// Nothing reports what the peer has received: the system accepts megabytes for it at once. So both check from time to
// time how much is unsent.

/// A client's connection: a session and its socket.
final class Connection: Channel {
    private enum Phase {
        case serving, lingering, resetting
    }

    /// The most bytes that are read and discarded at the end. It is more than most bodies that are refused for their
    /// length, because many clients read no response before they have sent everything.
    private static let maxDiscardedBytes = 256 * 1024 * 1024
    /// How many times per timeout the connection checks how much the peer has accepted.
    private static let looksPerDeadline: Int64 = 4
    /// The interval at which a reset checks whether the peer has everything.
    private static let resetMilliseconds: Int64 = 20

    let session: Session
    private let socket: StreamSocket
    private var deadlines = DeadlineKeeper()
    private var phase = Phase.serving
    private var discardedBytes = 0
    /// Whether the peer has ended, or failed, while resetting.
    private var hasDiscardedAll = false
    /// Whether the session has work left for the next turn, as `update` found it.
    private(set) var isUnfinished = false

    /// Called when the loop has removed it.
    private let whenClosed: () -> Void

    /// - Parameters:
    ///   - peer: the address of the other end; nil for a Unix socket.
    ///   - isPublic: whether only routes are served, if there are any, and not the service's own paths.
    init(
        _ socket: consuming StreamSocket, _ context: HTTPContext, from peer: SocketAddress? = nil,
        isPublic: Bool = false, whenClosed: @escaping () -> Void = {}
    ) {
        self.socket = socket
        self.whenClosed = whenClosed
        session = Session(context, from: TrustedProxies.Peer(peer), isPublic: isPublic)
    }

    var number: Int32 { socket.number }

    var token: PollToken? {
        get { session.token }
        set { session.token = newValue }
    }

    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> NextStep {
        guard phase == .serving else { return discard(event, &buffer, at: now) }
        if event.isReadable && session.wantsInput {
            switch socket.read(into: &buffer, maxBytes: session.maxReadBytes) {
            case .bytes(0): session.inputEnded(at: now)
            case .bytes: session.receive(buffer.bytes, at: now)
            case .wouldBlock: break
            case .failed:
                session.connectionLost()
                return .close
            }
        } else if event.isBroken && session.writeBuffer.isEmpty && session.isTunnel {
            // Both sides have ended, and unread input remains.
            return .unwatch
        } else if event.isBroken && session.writeBuffer.isEmpty {
            session.connectionLost()
            return .close
        } else if event.isReadable {
            return update(at: now).leavingInput
        }
        return update(at: now)
    }

    func expire(at now: MonotonicTime) -> NextStep {
        if phase == .lingering { return .close }
        let activity = activity
        if phase == .serving, let moment = session.wakeUpMoment, moment <= now {
            session.wakeUp(at: now)
        } else if let deadline = deadlines.update(activity, at: now, session.context.times), deadline <= now {
            session.expire(at: now)
            if activity.waitsForTaking {
                socket.resetWhenClosed()
                return .close
            }
        }
        return update(at: now)
    }

    /// Closes an idle connection. Otherwise the current response becomes the last one. A new connection without a
    /// request may still send one.
    func shutDown(_ buffer: inout ReadBuffer, at now: MonotonicTime) -> NextStep {
        session.closeAfterResponse()
        guard session.isIdle else { return update(at: now) }
        // A request that has already arrived still gets its response.
        let event = PollEvent(token: PollToken(rawValue: 0), isReadable: true, isWritable: false, isBroken: false)
        let next = handle(event, &buffer, at: now)
        guard session.isIdle else { return next }
        guard session.activity == .idle(number: 0) else { return .close }
        // Its timeout starts again, limited by the time that the server has left.
        deadlines = DeadlineKeeper()
        return next
    }

    /// Closes before the session has ended. A request without a response gets one, if the system accepts it at once. A
    /// reset ensures that the client does not take a part of a response for the whole.
    func abandon() {
        if phase == .serving, session.refuseUnanswered() { _ = session.send(on: socket) }
        if phase != .lingering, session.isResponding { socket.resetWhenClosed() }
    }

    func closed() {
        session.ended()
        whenClosed()
    }

    func spend(nanoseconds: Int64) { session.spend(nanoseconds: nanoseconds) }

    func deadline(at now: MonotonicTime) -> MonotonicTime? {
        let activity = activity
        let times = session.context.times
        var moment = deadlines.update(activity, at: now, times)
        if phase == .serving, let wakeUp = session.wakeUpMoment { moment = moment.map { min($0, wakeUp) } ?? wakeUp }
        guard activity.waitsForTaking, let deadline = moment else { return moment }
        let interval = Int64(times.writeSeconds) * 1000 / Self.looksPerDeadline
        return min(deadline, now.advanced(milliseconds: phase == .resetting ? Self.resetMilliseconds : interval))
    }

    /// Sends and processes in turn, until one of them has to wait.
    func update(at now: MonotonicTime) -> NextStep {
        isUnfinished = false
        switch phase {
        case .serving: break
        case .lingering: return .watch(.read)
        case .resetting: return reset()
        }
        var hasResumed = false
        while session.closing != .abort {
            if !session.writeBuffer.isEmpty {
                switch session.send(on: socket) {
                case .failed:
                    session.connectionLost()
                    return .close
                case .bytes: session.clientTook(at: now)
                case .wouldBlock: break
                }
            }
            isUnfinished = session.wantsToResume
            // The rest of the work continues after others had their turn.
            guard isUnfinished, !hasResumed || !session.isTurnOver(now) else { break }
            session.resume(at: now)
            hasResumed = true
        }
        if session.closing == .abort {
            isUnfinished = false
            phase = .resetting
            return reset()
        }
        if !session.writeBuffer.isEmpty || isUnfinished {
            let interest: PollInterest = session.writeBuffer.isEmpty ? [] : .write
            return .watch(session.wantsInput ? interest.union(.read) : interest)
        }
        if session.endsSending {
            session.endsSending = false
            socket.endSending()
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

    /// The time since which it waits for a request and nothing else; nil while it is active.
    var idleSince: MonotonicTime? { phase == .serving && session.isIdle ? deadlines.since : nil }

    var hasUnread: Bool { if case .bytes(1...) = socket.peek() { true } else { false } }

    // MARK: Helpers

    private var activity: Activity {
        switch phase {
        case .lingering: return .lingering(received: discardedBytes)
        case .resetting: return .sending(taken: takenBytes)
        case .serving:
            let activity = session.activity
            // While there is work to do, no timeout runs for the peer.
            guard activity.waitsForTaking else { return isUnfinished ? .none : activity }
            return session.isDownloading ? .download(taken: takenBytes) : .sending(taken: takenBytes)
        }
    }

    /// The number of sent bytes that the peer has received.
    private var takenBytes: Int { session.sentBytes - socket.unsentBytes }

    /// Reads and discards until the peer ends too, or until the connection may be reset.
    private func discard(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> NextStep {
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
        return update(at: now)
    }

    /// Waits until the peer has everything that was sent before the error, then closes with a reset.
    private func reset() -> NextStep {
        let writeBuffer = session.writeBuffer
        if !writeBuffer.isEmpty, session.send(on: socket) == .failed { return .close }
        if writeBuffer.isEmpty, socket.unsentBytes == 0 {
            socket.resetWhenClosed()
            return .close
        }
        var interest: PollInterest = writeBuffer.isEmpty ? [] : .write
        if !hasDiscardedAll { interest.insert(.read) }
        return .watchOnly(interest)
    }
}
