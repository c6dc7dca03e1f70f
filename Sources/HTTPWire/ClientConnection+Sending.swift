extension ClientConnection {
    /// Writes the head of a request: request line, Host, framing and Connection by the connection itself, then the fields
    /// given. Only while `isReusable`.
    ///
    /// The body follows with `startBodyPart` and `endBodyPart`, then `endRequest`, also without a body. A request for
    /// another protocol has no body, and CONNECT is not supported.
    public mutating func startRequest(_ head: OutgoingRequest, body: RequestBody, into output: inout [UInt8]) {
        precondition(isReusable, "the connection cannot take a request")
        precondition(head.method != .connect, "CONNECT is not sent here")
        precondition(head.upgrade == nil || body == .none, "a request that asks for another protocol has no body")
        exchange.apply(.startRequest)
        parser.reset()
        method = head.method
        offer = head.upgrade
        informationalCount = 0
        hasResponseBegun = false
        switch body {
        case .none: outgoing = .none
        case .sized(let count):
            precondition(count >= 0)
            outgoing = .sized(remaining: count)
        case .chunked: outgoing = .chunked(isOpen: false)
        }
        RequestWriter.append(head, body: body, to: &output)
    }

    /// Writes the framing before the next `count` bytes of the body. The caller then sends those bytes itself. A
    /// `count` of 0 writes nothing.
    public mutating func startBodyPart(of count: Int, into output: inout [UInt8]) {
        exchange.apply(.sendBody)
        precondition(count >= 0)
        if count > 0 { outgoing.startPart(of: count, into: &output) }
    }

    /// Writes the framing after the bytes that `startBodyPart` announced.
    public mutating func endBodyPart(into output: inout [UInt8]) {
        exchange.apply(.sendBody)
        outgoing.endPart(into: &output)
    }

    /// Ends the request and writes the last chunk of a chunked body. A sized body must be complete. To abandon an
    /// incomplete one, close the connection.
    public mutating func endRequest(into output: inout [UInt8]) {
        outgoing.end(into: &output)
        outgoing = .none
        exchange.apply(.endRequest)
    }
}
