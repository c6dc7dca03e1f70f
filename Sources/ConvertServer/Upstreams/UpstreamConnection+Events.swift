package import EventLoop
import HTTPSemantics
import HTTPWire
import Observability
package import Sockets
import Text

// MARK: - For the loop

extension UpstreamConnection {
    /// The most rounds of sending and continuing in one event, so that one connection cannot block the loop.
    private static let maxTurns = 16
    /// The longest pause before it connects again. Each pause is twice as long as the one before.
    private static let maxPauseMilliseconds: Int64 = 16

    /// Connects, reads once, reports the events, and sends the waiting bytes.
    package func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> NextStep {
        switch phase {
        case .closed, .queueing: break
        case .connecting:
            guard event.isWritable || event.isBroken else { break }
            if let error = socket.connectError {
                fail(.connect, error.reason, at: now)
            } else {
                phase = .used
                exchange?.upstreamConnected(at: now)
            }
        // Input between two requests means that the server closes, or does not speak HTTP.
        case .idle: if event.isReadable { _ = staysQuiet() }
        case .used where event.isReadable && wantsInput: receive(&buffer, at: now)
        // The connection is broken and is not watched. The rest is read when the client has room.
        case .used where event.isBroken && writeBuffer.isEmpty && !canReadOn: return .unwatch
        case .used where event.isReadable: return update(at: now).leavingInput
        case .used: break
        }
        return update(at: now)
    }

    /// Continues as far as possible, and returns the events to watch.
    package func update(at now: MonotonicTime) -> NextStep {
        if phase == .used { readOn(at: now) }
        for _ in 0..<Self.maxTurns where phase == .used && !writeBuffer.isEmpty {
            // The limit of waiting bytes depends on other connections, so the connection may still be blocked after
            // this sending.
            guard sendOut(), !isBlocked else { break }
            exchange?.upstreamHasRoom()
        }
        exchange?.setWaitingForUpstream(writeBuffer.isEmpty ? 0 : writeBuffer.storedBytes)
        if endsSending, writeBuffer.isEmpty, phase == .used {
            endsSending = false
            socket.endSending()
            hasEndedTunnel = true
            exchange?.upstreamTookTunnel()
        }
        switch phase {
        case .closed: return .close
        case .queueing: return .unwatch
        case .connecting: return .watch(.write)
        case .idle: return .watch(.read)
        case .used:
            let interest: PollInterest = wantsInput ? .read : []
            // The rest of the work waits for the socket to be writable, which it nearly always is.
            return .watch(writeBuffer.isEmpty && !canReadOn ? interest : interest.union(.write))
        }
    }

    /// Handles an expired deadline.
    package func expire(at now: MonotonicTime) -> NextStep {
        switch phase {
        case .closed: break
        case .queueing(let pause, _) where activityDeadline(at: now).map { $0 > now } ?? true:
            do throws(SystemCallError) {
                try connect(pauseMilliseconds: min(2 * pause, Self.maxPauseMilliseconds), at: now)
            } catch {
                fail(.connect, error.reason, at: now)
            }
        case .queueing, .connecting: fail(.timeout, "no connection in time", at: now)
        case .idle: close()
        case .used where activityDeadline(at: now).map { $0 > now } ?? true: break
        case .used:
            let hasResponse = wire.waitingFor == .body || wire.waitingFor == .tunnel
            fail(
                hasResponse ? .brokenResponse : .timeout, hasResponse ? "the response stopped" : "no response in time",
                at: now)
        }
        return update(at: now)
    }

    package func deadline(at now: MonotonicTime) -> MonotonicTime? {
        let moment = activityDeadline(at: now)
        guard case .queueing(_, let next) = phase else { return moment }
        return moment.map { min($0, next) } ?? next
    }

    private func activityDeadline(at now: MonotonicTime) -> MonotonicTime? {
        deadline.update(activity, at: now, upstream.configuration.timeouts)
    }

    package func cannotBeWatched(_ error: SystemCallError, at now: MonotonicTime) {
        fail(.connect, error.reason, at: now)
    }

    private var activity: UpstreamActivity {
        switch phase {
        case .closed: return .none
        case .queueing, .connecting: return .connecting
        case .idle(let isSurplus): return isSurplus ? .surplus : .idle
        case .used: break
        }
        switch wire.waitingFor {
        case .nothing: return .none
        case .tunnel where isHeld: return .none
        // A server that accepts nothing, or has ended, gets the timeout of a body, because others need its connection.
        case .tunnel where hasInputEnded || !writeBuffer.isEmpty: return .body(received: sentBytes + receivedBytes)
        case .tunnel: return .stream(transferred: sentBytes + receivedBytes)
        case _ where !writeBuffer.isEmpty: return .sending(sent: sentBytes, received: receivedBytes)
        case .head: return wire.isRequestComplete || hasSendingFailed ? .head : .none
        case .body where isHeld: return .none
        case .body: return isEventStream ? .stream(transferred: receivedBytes) : .body(received: receivedBytes)
        }
    }

    /// Begins to connect. If there is no room, it tries again after the pause.
    func connect(pauseMilliseconds: Int64 = 1, at now: MonotonicTime) throws(SystemCallError) {
        let hasRoom = try socket.connect(to: server.address)
        let end = now.advanced(milliseconds: pauseMilliseconds)
        phase = hasRoom ? .connecting : .queueing(pauseMilliseconds: pauseMilliseconds, until: end)
    }

    /// Sends as much as the system accepts. False if it accepts nothing.
    private func sendOut() -> Bool {
        switch writeBuffer.send(on: socket) {
        case .bytes(let count):
            sentBytes += count
            return count > 0
        case .wouldBlock: return false
        case .failed:
            hasSendingFailed = true
            writeBuffer.removeAll()
            return true
        }
    }

    // MARK: Receiving

    /// Whether the client's side has no room for more of the response.
    private var isHeld: Bool { exchange?.holdsUpstream ?? false }

    private var wantsInput: Bool { !hasInputEnded && unread.isEmpty && !isHeld }

    private func receive(_ buffer: inout ReadBuffer, at now: MonotonicTime) {
        let maxBytes = exchange?.maxReadBytes ?? ReadBuffer.capacity
        switch socket.read(into: &buffer, maxBytes: maxBytes) {
        case .wouldBlock: break
        case .bytes where !hasSent:
            fail(.closedWithoutResponse, "the connection ended before the request", at: now)
        case .bytes(0):
            hasInputEnded = true
            wire.inputEnded()
            advance([UInt8]().span, at: now)
        case .bytes(let count):
            receivedBytes += count
            advance(buffer.bytes, at: now)
            // A full buffer means that more has arrived.
            if count < maxBytes { exchange?.upstreamPaused() }
        case .failed:
            fail(wire.hasResponseBegun ? .brokenResponse : .closedWithoutResponse, "the connection was reset", at: now)
        }
    }

    private var canReadOn: Bool { !unread.isEmpty && !isHeld }

    /// Continues with bytes that were read before, unless the turn is over.
    private func readOn(at now: MonotonicTime) {
        guard canReadOn, !pool.context.isTurnOver(now) else { return }
        let waiting = unread
        unread = []
        advance(waiting.span, at: now)
        if unread.isEmpty { exchange?.upstreamPaused() }
    }

    /// Passes `input` to the wire, and the wire's events to the exchange, as long as that has room.
    private func advance(_ input: Span<UInt8>, at now: MonotonicTime) {
        var position = 0
        var hasPart = false
        do throws(WireError) {
            while let exchange {
                if position < input.count, isHeld || hasPart && pool.context.isTurnOver(now) {
                    unread = Array(span: input.extracting(position..<input.count))
                    return
                }
                let window = input.extracting(position..<input.count)
                var consumed = 0
                let event = try wire.next(window, at: &consumed)
                position += consumed
                switch event {
                case .needMore:
                    guard position == input.count else { continue }
                    if hasInputEnded, wire.waitingFor == .tunnel { exchange.upstreamEndedTunnel() }
                    return
                case .informational:
                    // The client got its 100 when there was a connection.
                    if wire.response.status != 100 { exchange.upstreamInformed(wire.response) }
                case .head:
                    isEventStream = BodyType(of: wire.response.fields).isEventStream
                    exchange.upstreamResponded(wire.response, at: now)
                case .body(let range):
                    hasPart = true
                    exchange.upstreamSent(window.extracting(range), isLast: wire.isBodyAtEnd, at: now)
                case .tunnel(let range): exchange.upstreamTunnelled(window.extracting(range), at: now)
                case .end: return end(hasRest: position < input.count, at: now)
                }
            }
        } catch {
            fail(wire.hasResponseBegun ? .brokenResponse : .closedWithoutResponse, error.message, at: now)
        }
    }

    // MARK: The end of an exchange

    /// Returns to the pool, or closes if it cannot be used again.
    private func end(hasRest: Bool, at now: MonotonicTime) {
        let ended = exchange
        exchange = nil
        if hasRest { upstream.spokeUnasked(server) }
        // The announced body may arrive nevertheless, and would look like the response to the next request.
        let rests = wire.framing.announcesAbsentBody
        let isSuspect = mayBeAuthenticated || rests && upstream.hasSpokenUnasked(server)
        if wire.isReusable, !hasRest, !isSuspect, writeBuffer.isEmpty, !hasSendingFailed {
            phase = .idle(isSurplus: pool.keep(self, rests: rests, at: now))
            touch()
        } else {
            close()
        }
        ended?.upstreamEnded(at: now)
    }

    private func fail(_ failure: AttemptFailure, _ detail: String, at now: MonotonicTime) {
        let ended = exchange
        exchange = nil
        socket.resetWhenClosed()
        close()
        ended?.upstreamFailed(failure, detail, at: now)
    }
}
