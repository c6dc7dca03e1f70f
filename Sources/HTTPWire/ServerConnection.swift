// A connection has a request side and a response side, whose states follow the table in `Exchange`. This file joins them to the
// head parser, the body's framing and the end of the connection. These must stay in step:
//
// - The bytes of the next request are not read before the exchange is over (`paused`). So responses come in order, and a
//   bad request cannot cut off an earlier response.
// - Every response says at its start whether the connection persists (`persists`). `endResponse` does that, unless too
//   much of the request's body is left to read.
// - A request whose response ends before the request is drained: a limited part of its body is read and discarded,
//   without events.
// - `closing` is final: once set, input is discarded and `next` only repeats it.

/// One HTTP/1.1 connection seen from the server, without socket and clock: received bytes in, events out; responses in,
/// bytes to send out.
///
/// The loop that owns the socket reads into a buffer of its own and calls `next` until it returns `needMore`, `paused`
/// or `finished`. The caller keeps the bytes that `next` did not consume (from `position` on), and presents them again
/// before any others. There are such bytes only while a response is awaited (`paused`), or if the caller stops calling.
///
///     var position = 0
///     switch try connection.next(received.span, at: &position) {
///     case .head: …            // connection.request; perhaps sendContinue, or respond at once
///     case .body(let range): … // received[range], not copied
///     case .end, .paused: …    // startResponse, then for each part of the body startBodyPart, the bytes, endBodyPart;
///                              // endResponse returns how to close, or nil to go on with the unread bytes
///     case .needMore: …        // read from the socket
///     case .finished(let closing): …
///     }
public struct ServerConnection: ~Copyable, Sendable {
    /// The result of `next`.
    public enum Event: Sendable, Equatable {
        /// All of the input was consumed; read more.
        case needMore
        /// A head is complete: see `request`. Its body, if any, follows.
        case head
        /// These bytes of the given input are the next of the request's body, without framing.
        case body(Range<Int>)
        /// The request is complete.
        case end
        /// The request is complete but its response is not. Call again after `endResponse`, and do not read before
        /// that.
        case paused
        /// These bytes of the given input belong to the protocol that was switched to.
        case tunnel(Range<Int>)
        /// Nothing more will be received. Flush the output, then close like this.
        case finished(Closing)
    }

    /// How to close the connection after all written bytes were sent.
    public enum Closing: Sendable, Equatable {
        /// The peer has ended too: just close.
        case clean
        /// Shut down sending, then read and discard for a limited time until the peer ends. So a reset cannot destroy
        /// the response (RFC 9112 §9.6).
        case lingering
        /// Flush, then close with a reset after the peer has everything. The response was cut off and must not look
        /// complete.
        case abort
    }

    /// The event that the connection waits for, so that the caller can set the deadline.
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
    /// Whether the started response announced that another request may follow.
    var persists = true
    var isLast = false
    var isInputEnded = false
    var drainedBytes = 0
    /// Whether the protocol is no longer HTTP.
    var isTunnel = false

    /// The number of received heads.
    public private(set) var requestCount = 0
    /// Whether the client waits for `sendContinue` or a final response before it sends the body.
    public internal(set) var expectsContinue = false
    /// Whether the started response has a body. It is false for HEAD, 204 and 304; then body parts must not be sent.
    public internal(set) var sendsBody = false

    public init(limits: WireLimits = WireLimits()) {
        self.limits = limits
        parser = RequestHeadParser(limits: limits)
    }

    /// The last request head. It is valid from `head` to `endResponse`.
    public var request: RequestHead { parser.head }

    /// Whether `request` belongs to the current exchange. It does not after an error inside the head.
    var hasRequest: Bool { parser.isComplete }

    /// Whether `request` has the method of the current exchange and, after an error, what was read of its target.
    public var hasMethod: Bool { parser.hasMethod }

    /// Whether `request` belongs to the current exchange, at least up to an error after the request line.
    public var hasRequestLine: Bool { parser.hasRequestLine }

    /// The framing of the body of the last request head.
    public var requestBody: RequestBody { framing.body }

    /// Whether the last returned body part is known to end the body, before `end`.
    public var isBodyAtEnd: Bool { body.isAtEnd }

    /// Whether the client gets trailers of a streamed response: it has asked for them and supports chunks.
    public var acceptsTrailers: Bool { hasRequest && framing.acceptsTrailers && request.minorVersion > 0 }

    /// The number of buffered bytes of the current request's head so far.
    public var headBytes: Int { parser.head.fields.storage.count }

    /// Whether a response may be started now. After an error, false means that a response has begun and must be
    /// aborted.
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

    /// Consumes `input` from `position` on until there is an event. Moves `position` past the consumed bytes.
    ///
    /// A request whose response was complete before its end has no `end`. After an error was thrown, send a response if
    /// `canRespond` (`startResponse` and so on), else `abort`.
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

    /// Call this after a read that returned 0, then `next` as before. Requests that were already received still get
    /// responses. `needMore` becomes `finished`, or the error of a torn message.
    public mutating func inputEnded() { isInputEnded = true }

    /// Call this if the deadline of `waitingFor` has passed. Returns the error to send. Nil if there is none to send;
    /// then `next` returns how to close.
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
        return fail(wait == .head ? parser.error(.timeout) : body.error(.timeout))
    }

    /// Abandons the head that is awaited or being received. The caller sends a response if `canRespond`, and nothing
    /// follows.
    public mutating func giveUpHead() {
        if waitingFor == .request || waitingFor == .head { _ = fail(parser.error(.tornHead)) }
    }

    /// Makes the next response the last one, with `Connection: close`. It is used while a server is draining.
    public mutating func closeAfterResponse() { isLast = true }

    /// Abandons the response. The connection must be reset, and `next` returns that from now on.
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
        case .sized(let count): body = .sized(count: 0, remaining: count)
        case .chunked: body = .chunked(ChunkedDecoder(limits: limits))
        }
        // A client that sent some of the body already does not wait (RFC 9110 §10.1.1).
        expectsContinue = framing.expectsContinue && position == input.count
        requestCount += 1
        drainedBytes = 0
        return true
    }

    /// Continues to read the body. Returns nil if the input ends first.
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

    /// Reads and discards the rest of a body after the response. Returns whether anything has changed.
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

    /// The event if the input ends inside a message or between two.
    private mutating func starved() throws(WireError) -> Event {
        guard isInputEnded else { return .needMore }
        switch exchange.request {
        case .head: throw fail(parser.error(.tornHead))
        case .body: throw fail(body.error(.tornBody))
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
}
