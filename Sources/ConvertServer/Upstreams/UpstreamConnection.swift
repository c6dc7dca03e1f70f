import ConvertCore
import HTTPWire

/// One connection to a server; it belongs to one loop, and to one request at a time or to the pool.
///
///     connecting → used ⇄ idle
///          ↓         ↓      ↓
///                 closed
///
/// What happens is told to the `forwarding` that uses it, which may let go of the connection in any of those calls.
final class UpstreamConnection {
    private enum Phase {
        case connecting(since: MonotonicTime)
        case used
        case idle(since: MonotonicTime)
        case closed
    }

    /// How long an idle connection is kept: less than any server that is known keeps one.
    static let idleSeconds = 4
    /// What of a coded body is decoded between two looks at what waits for the client: it may become a thousand times as much.
    private static let codedSliceBytes = 4 * 1024

    let server: ServerAddress
    private let services: LoopServices
    private let socket: StreamSocket
    private var phase: Phase
    private var wire: ClientConnection
    private var outbox = Outbox()
    private var forwarding: Forwarding?
    /// Bytes that were read and not consumed, since the client's side has no room.
    private var unread: [UInt8] = []
    private var hasInputEnded = false
    /// When the last byte was sent or received.
    private var lastProgress: MonotonicTime
    /// Whether only the sending side is to be ended, once the outbox is empty.
    private var endsSending = false
    /// Of the upstream whose request uses the connection.
    private var timeouts: UpstreamConfiguration
    /// Known once the loop has taken the connection up.
    var token: PollToken?

    var number: Int32 { socket.number }

    /// Begins to connect for the request of `forwarding`.
    init(
        to server: ServerAddress, _ configuration: UpstreamConfiguration, for forwarding: Forwarding,
        _ services: LoopServices, at now: MonotonicTime
    ) throws(SystemCallError) {
        socket = try StreamSocket.connecting(to: server.address)
        self.server = server
        self.services = services
        self.forwarding = forwarding
        timeouts = configuration
        phase = .connecting(since: now)
        lastProgress = now
        wire = ClientConnection(limits: services.upstreamLimits)
    }

    // MARK: Use

    var isConnected: Bool {
        switch phase {
        case .used, .idle: true
        case .connecting, .closed: false
        }
    }

    /// Whether so much waits to be sent that the client should not be read.
    var isBlocked: Bool { outbox.count > services.highWaterBytes }

    /// How long it has been idle; nil when it is not.
    func idleMilliseconds(at now: MonotonicTime) -> Int64? {
        guard case .idle(let since) = phase else { return nil }
        return (now.nanoseconds - since.nanoseconds) / 1_000_000
    }

    /// Takes an idle connection for another request.
    func take(for forwarding: Forwarding, _ configuration: UpstreamConfiguration, at now: MonotonicTime) {
        self.forwarding = forwarding
        timeouts = configuration
        phase = .used
        lastProgress = now
    }

    func start(_ request: OutgoingRequest, body: RequestBody) {
        services.scratch.removeAll(keepingCapacity: true)
        wire.startRequest(request, body: body, into: &services.scratch)
        flushScratch()
    }

    /// Sends the next bytes of the body.
    func send(_ bytes: Span<UInt8>) {
        services.scratch.removeAll(keepingCapacity: true)
        wire.startBodyPart(of: bytes.count, into: &services.scratch)
        services.scratch.append(span: bytes)
        if bytes.count > 0 { wire.endBodyPart(into: &services.scratch) }
        flushScratch()
    }

    func endRequest(at now: MonotonicTime) {
        services.scratch.removeAll(keepingCapacity: true)
        wire.endRequest(into: &services.scratch)
        flushScratch()
        lastProgress = now
    }

    /// Sends bytes of the protocol that was switched to.
    func sendTunnelled(_ bytes: Span<UInt8>) {
        outbox.append(bytes)
        touch()
    }

    /// Tells the server that no more will be sent, once all is.
    func endTunnelSending() {
        endsSending = true
        touch()
    }

    /// Lets the connection go in whatever state it is: the server gets a reset if it was in the midst of something.
    func letGo() {
        guard forwarding != nil else { return }
        forwarding = nil
        if wire.waitingFor != .nothing || !wire.isReusable { socket.resetWhenClosed() }
        phase = .closed
        touch()
    }

    /// Closes a connection that waits.
    func close() {
        phase = .closed
        touch()
    }

    /// Has the loop look at the connection: there may be something to send, or room for more.
    func touch() { if let token { services.touch(token) } }

    private func flushScratch() {
        outbox.append(services.scratch)
        services.scratch.removeAll(keepingCapacity: true)
        touch()
    }

    /// Notes that the loop cannot watch the connection.
    func openingFailed(at now: MonotonicTime) { _ = fail(.connect, "the system has no room for a connection", at: now) }

    // MARK: Events

    /// What the loop has to do about an event.
    func handle(_ event: PollEvent, _ buffer: inout ReadBuffer, at now: MonotonicTime) -> Connection.Next {
        switch phase {
        case .closed: return .close
        case .connecting:
            guard event.isWritable || event.isBroken else { return .watch(.write) }
            if let fault = socket.connectFault { return fail(.connect, "\(fault)", at: now) }
            phase = .used
            lastProgress = now
            forwarding?.upstreamConnected(at: now)
            return settle(at: now)
        case .idle:
            // A server has nothing to say between two requests: it closes, or does not speak HTTP.
            services.upstreams.forget(self)
            return .close
        case .used:
            if (event.isReadable || event.isBroken) && wantsInput { receive(&buffer, at: now) }
            return settle(at: now)
        }
    }

    /// Sends what waits, goes on with what was read, and says what to watch.
    func settle(at now: MonotonicTime) -> Connection.Next {
        if case .connecting = phase { return .watch(.write) }
        if !unread.isEmpty, !isPaused {
            let waiting = unread
            unread = []
            advance(waiting.span, at: now)
        }
        if !outbox.isEmpty {
            switch outbox.send(on: socket) {
            case .failed: return lost(at: now)
            case .bytes(let count):
                if count > 0 { lastProgress = now }
                if !isBlocked { forwarding?.upstreamHasRoom() }
            case .wouldBlock: break
            }
        }
        if endsSending, outbox.isEmpty {
            endsSending = false
            socket.endSending()
        }
        switch phase {
        case .closed: return .close
        case .idle: return .watch(.read)
        case .connecting, .used:
            var interest: PollInterest = outbox.isEmpty ? [] : .write
            if wantsInput { interest.insert(.read) }
            return .watch(interest)
        }
    }

    /// Notes that the deadline has passed.
    func expire(at now: MonotonicTime) -> Connection.Next {
        switch phase {
        case .closed: return .close
        case .idle:
            services.upstreams.forget(self)
            return .close
        case .connecting: return fail(.timeout, "no connection in time", at: now)
        case .used:
            guard let deadline = deadline(at: now), deadline <= now else { return settle(at: now) }
            let isHead = wire.waitingFor == .head
            return fail(isHead ? .timeout : .brokenAnswer, isHead ? "no answer in time" : "the answer stopped", at: now)
        }
    }

    /// The moment at which `expire` is due.
    func deadline(at now: MonotonicTime) -> MonotonicTime? {
        switch phase {
        case .closed: return nil
        case .connecting(let since): return since + timeouts.connectTimeout
        case .idle(let since): return since + Self.idleSeconds
        case .used:
            switch wire.waitingFor {
            case .nothing: return nil
            case .head:
                if !outbox.isEmpty { return lastProgress + timeouts.bodyIdle }
                return wire.isRequestComplete ? lastProgress + timeouts.responseTimeout : nil
            case .body:
                if isPaused { return nil }
                let isStream = forwarding?.isEventStream ?? false
                return lastProgress + (isStream ? UpstreamConfiguration.streamIdle : timeouts.bodyIdle)
            case .tunnel: return isPaused ? nil : lastProgress + UpstreamConfiguration.streamIdle
            }
        }
    }

    // MARK: Receiving

    /// Whether the client's side has no room for more of the answer.
    private var isPaused: Bool { forwarding?.holdsUpstream ?? false }

    private var wantsInput: Bool { !hasInputEnded && unread.isEmpty && !isPaused }

    private func receive(_ buffer: inout ReadBuffer, at now: MonotonicTime) {
        switch socket.read(into: &buffer) {
        case .wouldBlock: break
        case .failed: _ = lost(at: now)
        case .bytes(0):
            hasInputEnded = true
            wire.inputEnded()
            advance([UInt8]().span, at: now)
        case .bytes(let count):
            lastProgress = now
            advance(buffer.bytes, at: now)
            // A full buffer has more behind it.
            if count < ReadBuffer.capacity { forwarding?.upstreamPaused(at: now) }
        }
    }

    /// Tells what came, slice by slice, until it is used up or there is no room for more.
    private func advance(_ input: Span<UInt8>, at now: MonotonicTime) {
        var position = 0
        while let forwarding {
            if isPaused, position < input.count {
                unread.append(span: input.extracting(position..<input.count))
                return
            }
            let sliceBytes = forwarding.answerSliceBytes ?? Self.codedSliceBytes
            let window = input.extracting(position..<min(input.count, position + sliceBytes))
            var consumed = 0
            do throws(WireError) {
                let event = try wire.next(window, at: &consumed)
                switch event {
                case .needMore:
                    position += consumed
                    guard position < input.count else {
                        if hasInputEnded, wire.waitingFor == .tunnel { forwarding.upstreamEndedTunnel(at: now) }
                        // It had been taken out of the pool for a request that was not ready yet.
                        if hasInputEnded, wire.waitingFor == .nothing {
                            _ = fail(.closedUnanswered, "the connection was closed before the request", at: now)
                        }
                        return
                    }
                case .informational: forwarding.upstreamInformed(wire.response, at: now)
                case .head: forwarding.upstreamAnswered(wire.response, at: now)
                case .body(let range): forwarding.upstreamSent(window.extracting(range), at: now)
                case .tunnel(let range): forwarding.upstreamTunnelled(window.extracting(range), at: now)
                case .end:
                    position += consumed
                    end(hasRest: position < input.count, at: now)
                    return
                }
                if event != .needMore { position += consumed }
            } catch {
                let isUnanswered = error.code == .unanswered
                let detail = isUnanswered ? "the connection was closed before an answer" : error.message
                _ = fail(isUnanswered ? .closedUnanswered : .brokenAnswer, detail, at: now)
                return
            }
        }
    }

    /// The answer is complete: the connection goes to the pool if it can be used again.
    private func end(hasRest: Bool, at now: MonotonicTime) {
        let forwarding = forwarding
        if wire.isReusable, !hasRest, outbox.isEmpty {
            self.forwarding = nil
            phase = .idle(since: now)
            services.upstreams.keep(self)
            touch()
            forwarding?.upstreamEnded(at: now)
        } else {
            forwarding?.upstreamEnded(at: now)
            letGo()
        }
    }

    private func lost(at now: MonotonicTime) -> Connection.Next {
        fail(wire.hasAnswerBegun ? .brokenAnswer : .closedUnanswered, "the connection was reset", at: now)
    }

    private func fail(_ failure: RetryRule.Failure, _ detail: String, at now: MonotonicTime) -> Connection.Next {
        let forwarding = forwarding
        self.forwarding = nil
        if case .connecting = phase {} else { socket.resetWhenClosed() }
        phase = .closed
        forwarding?.upstreamFailed(failure, detail, at: now)
        return .close
    }
}
