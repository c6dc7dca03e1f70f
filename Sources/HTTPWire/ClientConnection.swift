// The client's side of one HTTP/1.1 connection: requests go out one after the other, each when the response to the one before
// is complete. What must stay in step:
//
// - `awaited` is the request whose response is being received, from `startRequest` to the response's end; bytes that come
//   without one are a fault of the server.
// - A request may still be on its way out when its response ends: then the connection cannot be used again.
// - `persists` only ever turns false. Whoever reuses the connection asks `isReusable`, which also looks at both sides' ends.

/// One HTTP/1.1 connection seen from the client, without socket and clock: requests in, bytes to send out; received bytes in,
/// events out.
///
/// The loop that owns the socket reads into a buffer of its own and calls `next` until it says `needMore`.
///
///     connection.startRequest(head, body: .none, into: &output)
///     connection.endRequest(into: &output)
///     var position = 0
///     switch try connection.next(received.span, at: &position) {
///     case .informational: …    // connection.response; more follows
///     case .head: …             // connection.response, the final one
///     case .body(let range): …  // received[range], not copied
///     case .end: …              // the response is complete; see isReusable
///     case .tunnel(let range): … // bytes of the protocol that was switched to
///     case .needMore: …         // read from the socket
///     }
public struct ClientConnection: ~Copyable, Sendable {
    /// What `next` found.
    public enum Event: Sendable, Equatable {
        /// All of the input was consumed; read more.
        case needMore
        /// The head of an interim response is in `response`: 100, 103 or another of 1xx but 101.
        case informational
        /// The head of the final response is in `response`, or that of a 101 that was asked for.
        case head
        /// These bytes of the given input are the next of the response's body, without framing.
        case body(Range<Int>)
        /// The response is complete. Trailers were read and forgotten.
        case end
        /// These bytes of the given input belong to the protocol that was switched to.
        case tunnel(Range<Int>)
    }

    /// What the connection waits for, so that the caller can set the deadline that belongs to it.
    public enum Wait: Sendable, Equatable {
        /// Nothing: no request is under way.
        case nothing
        /// The head of the final response.
        case head
        /// The rest of a body.
        case body
        /// The other protocol, or its end.
        case tunnel
    }

    private enum Incoming: Sendable, Equatable {
        case nothing
        case head
        case body(IncomingBody)
        case untilClose
        case tunnel
    }

    /// Interim responses to one request; beyond it the server is at fault.
    public static let maxInformational = 10

    private let limits: WireLimits
    private var parser: ResponseHeadParser
    private var incoming = Incoming.nothing
    private var framing = ResponseFraming()
    private var informationalCount = 0
    /// Whether `response` is an interim one that was told, after which another head comes.
    private var isHeadTold = false
    private var isInputEnded = false
    private var persists = true
    var outgoing = OutgoingBody.none
    /// Whether all of the request under way was given.
    public internal(set) var isRequestComplete = true
    private var method = RequestMethod.get
    private var asksUpgrade = false

    /// Whether a byte of an answer to the request under way was received: if not, the request may not have been seen.
    public private(set) var hasAnswerBegun = false

    public init(limits: WireLimits) {
        self.limits = limits
        parser = ResponseHeadParser(limits: limits)
    }

    /// The response whose head was seen last; valid from `informational` or `head` to the next call of `next` that reads a head.
    public var response: ReceivedResponseHead { parser.head }

    /// Whether another request may be started: the last exchange is complete on both sides, nobody wants to close, and
    /// nothing came that was not asked for.
    public var isReusable: Bool { incoming == .nothing && isRequestComplete && persists && !isInputEnded }

    public var waitingFor: Wait {
        switch incoming {
        case .nothing: .nothing
        case .head: .head
        case .body, .untilClose: .body
        case .tunnel: .tunnel
        }
    }

    /// Notes that a request is started, whose response is read from now on.
    mutating func beginExchange(_ method: RequestMethod, asksUpgrade: Bool) {
        precondition(isReusable, "a request begins on a connection that can take one")
        self.method = method
        self.asksUpgrade = asksUpgrade
        incoming = .head
        hasAnswerBegun = false
        informationalCount = 0
        isHeadTold = false
        parser.reset()
    }

    /// Consumes `input` from `position` on until there is something to tell; `position` is moved past what was consumed.
    ///
    /// After a fault the connection must be closed.
    public mutating func next(_ input: Span<UInt8>, at position: inout Int) throws(WireError) -> Event {
        do throws(WireError) {
            return try receive(input, &position)
        } catch {
            persists = false
            throw error
        }
    }

    /// Notes that the server will send no more (a read returned 0), then call `next` once more: what that ends is told by `end`,
    /// what it tears by a fault; a `tunnel` just stops.
    public mutating func inputEnded() { isInputEnded = true }

    /// The fault of a deadline that has passed, or of a connection that was lost, at the place that was reached.
    public func fault(_ code: WireError.Code) -> WireError {
        if case .body(.chunked(let decoder)) = incoming { return decoder.fault(code) }
        return parser.fault(code)
    }

    // MARK: Receiving

    private mutating func receive(_ input: Span<UInt8>, _ position: inout Int) throws(WireError) -> Event {
        switch incoming {
        case .nothing:
            guard position == input.count else { throw WireError(.unaskedResponse, at: 0) }
            return .needMore
        case .head: return try receiveHead(input, &position)
        case .body(var body):
            // Whatever the outcome, the place in the body is kept.
            defer { if case .body = incoming { incoming = .body(body) } }
            switch try body.next(input, at: &position) {
            case .data(let range): return .body(range)
            case .end: return endResponse()
            case .needMore:
                guard isInputEnded else { return .needMore }
                throw fault(.tornBody)
            }
        case .untilClose, .tunnel:
            guard position < input.count else {
                return isInputEnded && incoming == .untilClose ? endResponse() : .needMore
            }
            let range = position..<input.count
            position = input.count
            return incoming == .tunnel ? .tunnel(range) : .body(range)
        }
    }

    private mutating func receiveHead(_ input: Span<UInt8>, _ position: inout Int) throws(WireError) -> Event {
        if isHeadTold {
            isHeadTold = false
            parser.reset()
        }
        if position < input.count { hasAnswerBegun = true }
        guard try parser.parse(input, at: &position) else {
            guard isInputEnded else { return .needMore }
            throw parser.fault(.tornHead)
        }
        framing = try ResponseFraming(parser.head, to: method, asksUpgrade: asksUpgrade)
        if parser.head.isInformational {
            informationalCount += 1
            guard informationalCount <= Self.maxInformational else { throw WireError(.tooManyInformational, at: 0) }
            isHeadTold = true
            return .informational
        }
        persists = persists && framing.persists
        switch framing.body {
        case .none: incoming = .body(.none)
        case .sized(let count): incoming = .body(.sized(remaining: count))
        case .chunked: incoming = .body(.chunked(ChunkedDecoder(limits: limits)))
        case .untilClose: incoming = .untilClose
        case .tunnel: incoming = .tunnel
        }
        return .head
    }

    private mutating func endResponse() -> Event {
        incoming = .nothing
        // What is left of the request would be taken for the next one.
        if !isRequestComplete { persists = false }
        return .end
    }
}
