// A connection is a request side and a response side that move by the table in `Exchange`. This file joins them to the
// head parser, the body's framing and the end of the connection. What must stay in step:
//
// - The bytes of the next request are not read before the exchange is over (`paused`). So responses come in order, and a
//   bad request cannot cut off an earlier response.
// - Every response says at its start whether the connection persists (`persists`). `endResponse` does that, unless too
//   much of the request's body is left to read.
// - A request that was answered before its end is drained: a bounded part of its body is read and discarded, without
//   events.
// - `closing` is final: once set, input is discarded and `next` only repeats it.

/// One HTTP/1.1 connection seen from the server, without socket and clock: received bytes in, events out; responses in,
/// bytes to send out.
///
/// The loop that owns the socket reads into a buffer of its own and calls `next` until it says `needMore`, `paused` or
/// `finished`. The caller keeps the bytes that `next` did not consume (from `position` on), and presents them again before
/// any others. There are such bytes only while a response is awaited (`paused`), or if the caller stops calling.
///
///     var position = 0
///     switch try connection.next(received.span, at: &position) {
///     case .head: …            // connection.request; perhaps sendContinue, or answer at once
///     case .body(let range): … // received[range], not copied
///     case .end, .paused: …    // startResponse, then for each part of the body startBodyPart, the bytes, endBodyPart;
///                              // endResponse says whether to proceed with what is unread or to close
///     case .needMore: …        // read from the socket
///     case .finished(let closing): …
///     }
public struct ServerConnection: ~Copyable, Sendable {
    /// What `next` found.
    public enum Event: Sendable, Equatable {
        /// All of the input was consumed; read more.
        case needMore
        /// A head is complete: see `request`. Its body, if any, follows.
        case head
        /// These bytes of the given input are the next of the request's body, without framing.
        case body(Range<Int>)
        /// The request is complete.
        case end
        /// The request is complete but its response is not: call again after `endResponse`; do not read before that.
        case paused
        /// These bytes of the given input belong to the protocol that was switched to.
        case tunnel(Range<Int>)
        /// Nothing more will be received: flush what is left to send, then close so.
        case finished(Closing)
    }

    /// How the connection is to be closed once everything written was sent.
    public enum Closing: Sendable, Equatable {
        /// The peer has ended too: just close.
        case clean
        /// Shut down sending, then read and discard for a bounded time until the peer ends, so that a reset cannot
        /// destroy the answer (RFC 9112 §9.6).
        case lingering
        /// Flush, then close by a reset once the peer has it all: the response was cut and must not look complete.
        case abort
    }

    /// What follows a response.
    public enum Next: Sendable, Equatable {
        /// Call `next` with what is unread, then go on reading.
        case proceed
        /// Flush, then close so.
        case finish(Closing)
    }

    /// What the connection waits for, so that the caller can set the deadline that belongs to it.
    public enum Wait: Sendable, Equatable {
        /// The first byte of a request: the keep-alive deadline.
        case request
        /// The rest of a head: an absolute deadline from its first byte.
        case head
        /// The rest of a body, wanted or being discarded.
        case body
        /// The caller's response.
        case response
        /// The other protocol that was switched to.
        case tunnel
        /// Nothing: the connection is finished.
        case nothing
    }

    let limits: WireLimits
    var parser: RequestHeadParser
    var exchange = Exchange()
    var framing = RequestFraming()
    var body = IncomingBody.none
    var outgoing = OutgoingBody.none
    var closing: Closing?
    /// Whether the response that was started announced that another request may follow.
    var persists = true
    var isLast = false
    var isInputEnded = false
    var drainedBytes = 0
    /// Whether this is HTTP no more.
    var isTunnel = false

    /// How many heads were received.
    public private(set) var requestCount = 0
    /// Whether the client waits for `sendContinue` or a final response before it sends the body.
    public internal(set) var expectsContinue = false
    /// Whether the response that was started carries its body: false for HEAD, 204 and 304, and then body parts must
    /// not be sent.
    public internal(set) var sendsBody = false

    public init(limits: WireLimits = WireLimits()) {
        self.limits = limits
        parser = RequestHeadParser(limits: limits)
    }

    /// The request whose head was seen last; valid from `head` to `endResponse`.
    public var request: RequestHead { parser.head }

    /// Whether `request` is that of the current exchange: not so for a fault inside the head.
    var hasRequest: Bool { parser.isComplete }

    /// Whether `request` is the current exchange's as far as a fault inside the head, which has come after the request line.
    public var hasRequestLine: Bool { parser.hasRequestLine }

    /// How the request whose head was seen last frames its body.
    public var requestBody: RequestBody {
        switch framing.body {
        case .none: .none
        case .sized(let count): .sized(count)
        case .chunked: .chunked
        }
    }

    /// Whether the last body part that was returned ends the body, as far as that is known before `end`.
    public var isBodyAtEnd: Bool { body == .sized(remaining: 0) }

    /// Whether all of the current request has come.
    public var isRequestComplete: Bool { exchange.request == .complete || exchange.request == .idle }

    /// Whether trailers reach the client when the response is streamed: it has asked for them and reads chunks.
    public var acceptsTrailers: Bool { hasRequest && framing.acceptsTrailers && request.minorVersion > 0 }

    /// How many bytes are kept of the current request's head, as far as it has come.
    public var headBytes: Int { parser.head.fields.storage.count }

    /// Whether a response may be started now: after a fault, false means that one was under way and has to be aborted.
    public var canRespond: Bool { closing == nil && exchange.after(.startResponse) != nil }

    public var waitingFor: Wait {
        if closing != nil { return .nothing }
        if isTunnel { return .tunnel }
        switch exchange.request {
        case .idle: return .request
        case .head: return .head
        case .body: return body == .none ? .response : .body
        case .complete, .failed: return .response
        }
    }

    /// Consumes `input` from `position` on until there is something to tell; `position` is moved past what was consumed.
    ///
    /// A request that was answered in full before its end has no `end`. After a fault was thrown, answer it if
    /// `canRespond`, by `startResponse` and so on, else `abort`.
    public mutating func next(_ input: Span<UInt8>, at position: inout Int) throws(WireError) -> Event {
        while true {
            if let closing {
                position = input.count
                return .finished(closing)
            }
            if isTunnel {
                guard position < input.count else { return .needMore }
                let range = position..<input.count
                position = input.count
                return .tunnel(range)
            }
            switch exchange.request {
            case .idle, .head:
                return try receiveHead(input, &position) ? .head : starved()
            case .body where exchange.response == .done:
                guard drain(input, &position) else { return .needMore }
            case .body:
                if let event = try receiveBody(input, &position) { return event }
                return try starved()
            case .complete, .failed:
                return .paused
            }
        }
    }

    /// Notes that the peer will send no more (a read returned 0), then call `next` as ever: requests already received
    /// are still answered, and `needMore` becomes `finished` or the fault of a torn message.
    public mutating func inputEnded() { isInputEnded = true }

    /// Notes that the deadline of `waitingFor` has passed. Returns the error to send; nil if there is none to send, and `next`
    /// now says how to close.
    public mutating func expire() -> WireError? {
        let wait = waitingFor
        if wait == .nothing || wait == .tunnel { return nil }
        if wait == .response || exchange.response == .started {
            abort()
            return nil
        }
        if wait == .request || exchange.response == .done {
            closing = isInputEnded ? .clean : .lingering
            return nil
        }
        return fail(wait == .head ? parser.fault(.timeout) : bodyFault(.timeout))
    }

    /// Gives up the head that is being received: the caller answers it, if `canRespond`, and nothing follows.
    public mutating func giveUpHead() {
        if waitingFor == .head { _ = fail(parser.fault(.tornHead)) }
    }

    /// Makes the response to come the last: it will say `Connection: close`. Used while draining a server.
    public mutating func closeAfterResponse() { isLast = true }

    /// Gives the response up: the connection must be reset, and `next` says so from now on.
    public mutating func abort() { closing = .abort }

    // MARK: Receiving

    private mutating func receiveHead(_ input: Span<UInt8>, _ position: inout Int) throws(WireError) -> Bool {
        do throws(WireError) {
            guard try parser.parse(input, at: &position) else {
                if parser.hasStarted, exchange.request == .idle { exchange.apply(.startHead) }
                return false
            }
            framing = try RequestFraming(&parser.head, limits: limits)
        } catch {
            throw fail(error)
        }
        if exchange.request == .idle { exchange.apply(.startHead) }
        exchange.apply(.endHead)
        switch framing.body {
        case .none: body = .none
        case .sized(let count): body = .sized(remaining: count)
        case .chunked: body = .chunked(ChunkedDecoder(limits: limits))
        }
        // A client that sent some of the body already does not wait (RFC 9110 §10.1.1).
        expectsContinue = framing.expectsContinue && position == input.count
        requestCount += 1
        drainedBytes = 0
        return true
    }

    /// Reads on in the body; returns nil where the input is used up first.
    private mutating func receiveBody(_ input: Span<UInt8>, _ position: inout Int) throws(WireError) -> Event? {
        if body != .none, position < input.count { expectsContinue = false }
        do throws(WireError) {
            switch try body.next(input, at: &position) {
            case .needMore: return nil
            case .data(let range): return .body(range)
            case .end:
                body = .none
                exchange.apply(.endBody)
                return .end
            }
        } catch {
            throw fail(error)
        }
    }

    /// Reads and throws away the rest of a body whose request was answered; returns whether anything has changed.
    private mutating func drain(_ input: Span<UInt8>, _ position: inout Int) -> Bool {
        let start = position
        do throws(WireError) {
            guard let event = try receiveBody(input, &position) else {
                drainedBytes += position - start
                if isInputEnded { closing = .clean }
                if drainedBytes > limits.maxDrainBytes { closing = .lingering }
                return closing != nil
            }
            drainedBytes += position - start
            if drainedBytes > limits.maxDrainBytes { closing = .lingering }
            if event == .end { turnOver() }
        } catch {
            closing = isInputEnded ? .clean : .lingering
        }
        return true
    }

    /// What there is to tell when the input is used up inside a message or between two.
    private mutating func starved() throws(WireError) -> Event {
        guard isInputEnded else { return .needMore }
        switch exchange.request {
        case .head: throw fail(parser.fault(.tornHead))
        case .body: throw fail(bodyFault(.tornBody))
        default:
            closing = .clean
            return .finished(.clean)
        }
    }

    // MARK: Helpers

    /// Makes the connection ready for the next request.
    mutating func turnOver() {
        exchange.apply(.turnOver)
        parser.reset()
    }

    private mutating func fail(_ error: WireError) -> WireError {
        if exchange.request == .idle { exchange.apply(.startHead) }
        exchange.apply(.fail)
        parser.giveUp()
        return error
    }

    private func bodyFault(_ code: WireError.Code) -> WireError {
        switch (body, framing.body) {
        case (.chunked(let decoder), _): decoder.fault(code)
        case (.sized(let remaining), .sized(let count)): WireError(code, at: count - remaining)
        default: WireError(code, at: 0)
        }
    }
}
