// The counterpart of `ServerConnection`: an outgoing request and an incoming response, whose states follow the table in
// `ClientExchange`. These must stay in step:
//
// - Requests are not pipelined: the next one is started after the response's `end`, and only while `isReusable`.
// - `isSpent` is final. It is set when the next bytes can no longer be trusted: after unexpected bytes, after an error, and at the
//   end of the input. A response that closes, or that came before its request's end, also sets it.
// - Bytes that belong to no response are an error. After any error, input is discarded.

import Text

/// One HTTP/1.1 connection seen from the client, without socket and clock: requests in, bytes to send out; received
/// bytes in, events out.
///
///     connection.startRequest(head, body: .sized(3), into: &output)
///     connection.startBodyPart(of: 3, into: &output)   // then the three bytes themselves
///     connection.endBodyPart(into: &output)
///     connection.endRequest(into: &output)
///
/// The loop that owns the socket reads into a buffer of its own and calls `next` until it returns `needMore` or `end`:
///
///     var position = 0
///     switch try connection.next(received.span, at: &position) {
///     case .informational: …    // connection.response; swallow a 100, forward a 103
///     case .head: …             // connection.response, connection.framing; the body follows, or a tunnel after a 101
///     case .body(let range): …  // received[range], not copied
///     case .end: …              // keep the connection if isReusable, else close it
///     case .tunnel(let range): …
///     case .needMore: …         // read from the socket
///     }
///
/// Bytes that `next` did not consume (from `position` on) must be presented again, before any others. After `end` they
/// are unexpected bytes, and `isReusable` is already false. When a read returns 0, call `inputEnded` and then `next` as
/// before. Pass bytes that are readable before a request to `next` first. So no stray response is taken for that of the
/// next request.
public struct ClientConnection: ~Copyable, Sendable {
    /// The result of `next`.
    public enum Event: Sendable, Equatable {
        /// All of the input was consumed; read more.
        case needMore
        /// The head of an informational response (1xx but 101) is complete: see `response`. More heads follow.
        case informational
        /// The head of the final response is complete, or that of a requested 101: see `response` and `framing`. Its
        /// body follows, if there is one. After a 101, `tunnel` follows.
        case head
        /// These bytes of the given input are the next of the response's body, without framing.
        case body(Range<Int>)
        /// The response is complete. Its trailers were checked and discarded.
        case end
        /// These bytes of the given input belong to the protocol that was switched to.
        case tunnel(Range<Int>)
    }

    /// The input that the connection waits for, so that the caller can set the deadline.
    public enum Wait: Sendable, Equatable {
        /// Nothing, because there is no request: see `isReusable`.
        case nothing
        /// A response's head, or the rest of it.
        case head
        /// The rest of a body.
        case body
        /// Bytes of the protocol that was switched to.
        case tunnel
    }

    let limits: WireLimits
    var parser: ResponseHeadParser
    var exchange = ClientExchange()
    var outgoing = OutgoingBody.none
    var method = RequestMethod.get
    /// The protocols that the request asked for.
    var offer: String?
    var informationalCount = 0
    var isSpent = false
    private var body = IncomingBody.none
    private var isInputEnded = false

    /// The framing in the last head, for its body and the connection. It is valid from `head` to the next request.
    public private(set) var framing = ResponseFraming()
    /// Whether any byte of the response to the current request has arrived. Until then it may be retried elsewhere.
    public internal(set) var hasResponseBegun = false

    public init(limits: WireLimits = .upstream) {
        self.limits = limits
        parser = ResponseHeadParser(limits: limits)
    }

    /// The last response head. It is valid from `informational` or `head` until `next` or `startRequest` reads or
    /// awaits another one.
    public var response: ReceivedResponseHead { parser.head }

    /// Whether the last returned body part is known to end the body, before `end`.
    public var isBodyAtEnd: Bool { body.isAtEnd }

    /// Whether the whole request was written. An earlier response makes the connection unusable for another request.
    public var isRequestComplete: Bool { exchange.request != .sending }

    /// Whether a request may be started. The connection is new, or all messages were complete and correct, both sides
    /// allow it to persist, and no unexpected bytes arrived.
    public var isReusable: Bool { !isSpent && exchange.after(.startRequest) != nil }

    public var waitingFor: Wait {
        switch exchange.response {
        case .awaited, .head: .head
        case .body: .body
        case .tunnel: .tunnel
        case .none, .done, .failed: .nothing
        }
    }

    /// Consumes `input` from `position` on until there is an event. Moves `position` past the consumed bytes.
    ///
    /// Throws the upstream's error, after which the connection must be closed. `unanswered` means that the connection
    /// ended before a byte of the response. `tornHead` and `tornBody` mean that it ended inside. After
    /// `unaskedResponse`, a response whose `end` was returned before is still valid.
    public mutating func next(_ input: Span<UInt8>, at position: inout Int) throws(WireError) -> Event {
        switch exchange.response {
        case .none, .done:
            guard position < input.count else { return .needMore }
            isSpent = true
            position = input.count
            throw WireError(.unaskedResponse, at: 0)
        case .awaited, .head: return try receiveHead(input, &position)
        case .body: return try receiveBody(input, &position)
        case .tunnel:
            let range = position..<input.count
            position = input.count
            return range.isEmpty ? .needMore : .tunnel(range)
        case .failed:
            position = input.count
            return .needMore
        }
    }

    /// Call this after a read that returned 0, then `next` as before. A body that lasts until the close is complete
    /// now. Any other incomplete message is torn, and a tunnel just stops.
    public mutating func inputEnded() {
        isInputEnded = true
        isSpent = true
    }

    // MARK: Receiving

    private mutating func receiveHead(_ input: Span<UInt8>, _ position: inout Int) throws(WireError) -> Event {
        guard position < input.count else {
            guard isInputEnded else { return .needMore }
            throw fail(exchange.response == .awaited ? WireError(.unanswered, at: 0) : parser.error(.tornHead))
        }
        if exchange.response == .awaited { exchange.apply(.startHead) }
        hasResponseBegun = true
        // Until now, the head of an informational response was kept for the caller.
        if parser.isComplete { parser.reset() }
        do throws(WireError) {
            guard try parser.parse(input, at: &position) else {
                if isInputEnded { throw parser.error(.tornHead) }
                return .needMore
            }
            framing = try ResponseFraming(&parser.head, to: method, limits: limits)
            if parser.head.status < 200 { return try receiveInformational() }
        } catch {
            throw fail(error)
        }
        if !framing.persists || exchange.request == .sending { isSpent = true }
        exchange.apply(.endHead)
        switch framing.body {
        case .none: body = .none
        case .sized(let count): body = .sized(count: 0, remaining: count)
        case .chunked: body = .chunked(ChunkedDecoder(limits: limits))
        case .untilClose: body = .untilClose(count: 0, limit: limits.maxBodyBytes)
        }
        return .head
    }

    private mutating func receiveInformational() throws(WireError) -> Event {
        if !framing.persists { isSpent = true }
        if parser.head.status == 101 {
            guard let offer, exchange.request == .complete, isAmong(offer) else {
                throw WireError(.unaskedSwitch, at: 0)
            }
            isSpent = true
            exchange.apply(.switchProtocol)
            return .head
        }
        informationalCount += 1
        guard informationalCount <= limits.maxInformationalResponses else {
            throw WireError(.tooManyInformational, at: 0)
        }
        return .informational
    }

    /// Whether the response names a protocol, and only offered ones (RFC 9110 §7.8).
    private func isAmong(_ offer: String) -> Bool {
        let offered = Array(offer.utf8)[...]
        var isNamed = false
        let fields = parser.head.fields
        for index in fields.entries.indices where fields.isName(at: index, "upgrade") {
            for name in ListElements(fields.valueBytes(at: index)) {
                isNamed = true
                let isOffered = ListElements(offered).contains {
                    $0.elementsEqual(name) { ASCII.lowercased($0) == ASCII.lowercased($1) }
                }
                guard isOffered else { return false }
            }
        }
        return isNamed
    }

    private mutating func receiveBody(_ input: Span<UInt8>, _ position: inout Int) throws(WireError) -> Event {
        do throws(WireError) {
            switch try body.next(input, at: &position) {
            case .needMore:
                guard isInputEnded else { return .needMore }
                guard case .untilClose = body else { throw body.error(.tornBody) }
            case .data(let range): return .body(range)
            case .end: break
            }
        } catch {
            throw fail(error)
        }
        exchange.apply(.endBody)
        if position < input.count { isSpent = true }
        return .end
    }

    // MARK: Helpers

    private mutating func fail(_ error: WireError) -> WireError {
        isSpent = true
        exchange.apply(.fail)
        return error
    }
}
