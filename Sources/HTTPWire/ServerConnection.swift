/// One HTTP/1.1 connection seen from the server, without socket and clock: received bytes in, events out; responses in,
/// bytes to send out.
///
/// The loop that owns the socket reads into a buffer of its own and calls `next` until it says `needMore`, `paused` or
/// `finished`. Bytes that `next` did not consume (from `position` on) are the caller's to keep and to present again,
/// before any others.
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
        /// Close at once, unflushed: the response was cut and must not look complete.
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
        /// Nothing: the connection is finished.
        case nothing
    }

    public init(limits: WireLimits = WireLimits()) { preconditionFailure() }

    /// The request whose head was seen last; valid from `head` to `endResponse`.
    public var request: RequestHead { preconditionFailure() }
    /// Whether `request` is that of the current exchange: not so for a fault inside the head.
    public var hasRequest: Bool { preconditionFailure() }
    /// How many heads were received.
    public var requestCount: Int { preconditionFailure() }
    public var waitingFor: Wait { preconditionFailure() }
    /// Whether the client waits for `sendContinue` or a final response before it sends the body.
    public var expectsContinue: Bool { preconditionFailure() }
    /// Whether a response may be started now: after a fault, false means that one was under way and has to be aborted.
    public var canRespond: Bool { preconditionFailure() }
    /// Whether the response that was started carries its body: false for HEAD, 204 and 304, and then body parts are
    /// counted but must not be sent.
    public var sendsBody: Bool { preconditionFailure() }

    /// Consumes `input` from `position` on until there is something to tell; `position` is moved past what was consumed.
    ///
    /// After a fault was thrown, answer it if `canRespond`, with `startResponse` and so on, else `abort`.
    public mutating func next(_ input: Span<UInt8>, at position: inout Int) throws(WireError) -> Event {
        preconditionFailure()
    }

    /// Notes that the peer will send no more (a read returned 0), then call `next` as ever: requests already received
    /// are still answered, and `needMore` becomes `finished` or the fault of a torn message.
    public mutating func inputEnded() { preconditionFailure() }

    /// Notes that a deadline has passed; returns the fault to answer, or nil when the connection is only to be closed
    /// (`abort` if a response is under way).
    public mutating func expire() -> WireError? { preconditionFailure() }

    /// Makes the response to come the last: it will say `Connection: close`. Used while draining.
    public mutating func closeAfterResponse() { preconditionFailure() }

    /// Writes `100 Continue`; only while `expectsContinue`.
    public mutating func sendContinue(into output: inout [UInt8]) { preconditionFailure() }

    /// Writes the head of the one final response: status line, Date, framing and Connection by the connection itself,
    /// then the fields given. `date` is an IMF-fixdate (RFC 9110 §5.6.7).
    public mutating func startResponse(
        _ head: ResponseHead, body: ResponseBody, date: [UInt8], into output: inout [UInt8]
    ) { preconditionFailure() }

    /// Writes what must stand before the next `count` bytes of the body; the caller then sends those bytes itself,
    /// unless `sendsBody` is false. `count` may be 0, which writes nothing.
    public mutating func startBodyPart(of count: Int, into output: inout [UInt8]) { preconditionFailure() }

    /// Writes what must stand after the bytes that `startBodyPart` announced.
    public mutating func endBodyPart(into output: inout [UInt8]) { preconditionFailure() }

    /// Ends the response: writes the last chunk where there is one. A sized body must have been given in full.
    public mutating func endResponse(into output: inout [UInt8]) -> Next { preconditionFailure() }

    /// Gives the response up: the connection must be closed at once, and `next` says `finished(.abort)` from now on.
    public mutating func abort() { preconditionFailure() }
}
