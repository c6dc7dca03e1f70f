extension ServerConnection {
    /// Writes `100 Continue`. Call it only while `expectsContinue`.
    public mutating func sendContinue(into output: inout [UInt8]) {
        precondition(expectsContinue, "100 Continue is for a client that waits for it")
        exchange.apply(.sendContinue)
        expectsContinue = false
        output.append(contentsOf: "HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }

    /// Writes an interim response other than 100 and 101, only before the final one and only to HTTP/1.1 (RFC 9110
    /// §15.2).
    public mutating func sendInterim(_ head: ResponseHead, into output: inout [UInt8]) {
        precondition(102...199 ~= head.status, "100 and 101 have calls of their own")
        precondition(request.minorVersion > 0, "HTTP/1.0 knows no interim responses")
        exchange.apply(.sendInterim)
        ResponseWriter.append(interim: head.status, head.fields, to: &output)
    }

    /// Writes `101 Switching Protocols` for a request that asked for it. Until `endTunnel`, all bytes in both
    /// directions belong to that protocol. `tunnel` events report the received ones.
    public mutating func switchProtocols(_ fields: Fields, to upgrade: String, into output: inout [UInt8]) {
        exchange.apply(.startResponse)
        isTunnel = true
        var head = Fields()
        head.append("Connection", "Upgrade")
        head.append("Upgrade", upgrade)
        ResponseWriter.append(interim: 101, head, fields, to: &output)
    }

    /// Ends the other protocol after all written bytes were sent.
    public mutating func endTunnel() { closing = .clean }

    /// Writes the head of the one final response: status line, Date, framing and Connection by the connection itself,
    /// then the fields given.
    ///
    /// `date` is an IMF-fixdate (RFC 9110 §5.6.7). CONNECT cannot succeed. If the request's body is still arriving,
    /// a `none` or `sized` response closes the connection when more than `maxDrainBytes` are left. A `streamed` one reads it all.
    public mutating func startResponse(
        _ head: ResponseHead, body: ResponseBody, date: [UInt8], into output: inout [UInt8]
    ) {
        precondition(200...599 ~= head.status, "a final status is 200 to 599")
        precondition(request.method != .connect || head.status > 299, "a CONNECT never succeeds here")
        precondition(head.fields.hasNone(of: ResponseHead.connectionsOwn), "framing is the connection's own")
        precondition(closing == nil, "the connection is finished")
        exchange.apply(.startResponse)
        let isBodiless = head.status == 204 || head.status == 304
        sendsBody = !isBodiless && request.method != .head
        frame(body, isBodiless: isBodiless)
        persists = decidePersistence(body)
        // A client without a `100` or a final response may or may not send the body now: only closing is unambiguous.
        expectsContinue = false
        ResponseWriter.append(head, framing: fieldsOfFraming(body, status: head.status), date: date, to: &output)
    }

    /// Writes the framing before the next `count` bytes of the body. The caller then sends those bytes itself, unless
    /// `sendsBody` is false. A `count` of 0 writes nothing.
    public mutating func startBodyPart(of count: Int, into output: inout [UInt8]) {
        exchange.apply(.sendBody)
        precondition(count >= 0)
        guard sendsBody, count > 0 else { return }
        outgoing.startPart(of: count, into: &output)
    }

    /// Writes the framing after the bytes that `startBodyPart` announced.
    public mutating func endBodyPart(into output: inout [UInt8]) {
        exchange.apply(.sendBody)
        outgoing.endPart(into: &output)
    }

    /// Ends the response and writes the last chunk of a chunked body, with `trailers` after it. A sized body must be
    /// complete.
    ///
    /// Trailers are sent only to a client that accepts them (`acceptsTrailers`), and never with a body of another framing than chunks.
    ///
    /// - Returns: how to close after all was sent. Nil if the connection stays: then call `next` with the unread bytes.
    public mutating func endResponse(trailers: Fields = Fields(), into output: inout [UInt8]) -> Closing? {
        if sendsBody { outgoing.end(with: acceptsTrailers ? trailers : Fields(), into: &output) }
        exchange.apply(.endResponse)
        outgoing = .none
        if exchange.request == .body, body == .none { exchange.apply(.endBody) }
        guard persists, exchange.request != .failed, isWorthDraining else {
            closing = isInputEnded ? .clean : .lingering
            return closing
        }
        if exchange.request == .complete { turnOver() }
        return nil
    }

    // MARK: Decisions

    private mutating func frame(_ body: ResponseBody, isBodiless: Bool) {
        switch body {
        case .none: outgoing = .none
        case .sized(let count):
            precondition(count >= 0)
            outgoing = .sized(remaining: count)
        case .streamed:
            // Only a client with a valid HTTP/1.1 head is known to support chunks.
            let understandsChunks = hasRequest && request.minorVersion > 0
            outgoing = isBodiless ? .none : understandsChunks ? .chunked(isOpen: false) : .untilClose
        }
    }

    private func decidePersistence(_ body: ResponseBody) -> Bool {
        if exchange.request == .failed || isLast || expectsContinue || outgoing == .untilClose { return false }
        return framing.persists && (body == .streamed || isWorthDraining)
    }

    /// Whether the known rest of the request's body is short enough to be read, and not cut off.
    private var isWorthDraining: Bool {
        guard exchange.request == .body, case .sized(_, let remaining) = body else { return true }
        return remaining <= limits.maxDrainBytes
    }

    // RFC 9110 §8.6, RFC 9112 §6.1: a 204 has no framing, and a 304 has none that would need a body.
    private func fieldsOfFraming(_ body: ResponseBody, status: Int) -> ResponseWriter.Framing {
        let length: Int? =
            switch body {
            case .none: status == 204 || status == 304 ? nil : 0
            case .sized(let count): status == 204 ? nil : count
            case .streamed: nil
            }
        let connection: ResponseWriter.Connection =
            if !persists { .close } else if request.minorVersion == 0 { .keepAlive } else { .unsaid }
        return ResponseWriter.Framing(
            length: length, isChunked: outgoing == .chunked(isOpen: false), connection: connection)
    }
}

extension ResponseHead {
    /// The fields that the connection writes itself.
    fileprivate static let connectionsOwn = FieldNames(["connection", "content-length", "date", "transfer-encoding"])
}
