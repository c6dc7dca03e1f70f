/// A request that is to be sent: its line and its fields, without those of framing and of the connection, which the
/// connection writes itself.
public struct OutgoingRequest: Sendable {
    public var method: RequestMethod
    /// The request target in origin form, or `*`: visible ASCII only.
    public var target: [UInt8]
    /// The value of Host (RFC 9112 §3.2).
    public var host: String
    /// `Connection`, `Content-Length`, `Host`, `Transfer-Encoding` and `Upgrade` must not be among them.
    public var fields: Fields
    /// The value of Upgrade, where the request asks to switch protocols.
    public var upgrade: String?

    public init(method: RequestMethod, target: [UInt8], host: String, fields: Fields = Fields(), upgrade: String? = nil)
    {
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
        self.upgrade = upgrade
    }
}

/// How the end of a request's body is told.
public enum RequestBody: Sendable, Equatable {
    /// No body, and no field that says so.
    case none
    /// Exactly so many bytes, 0 among them.
    case sized(Int)
    /// As long as it turns out to be.
    case chunked
}

extension ClientConnection {
    /// Writes the head of a request; only while `isReusable`.
    ///
    /// The body follows by `startBodyPart` and `endBodyPart`, then `endRequest`, also where there is none.
    public mutating func startRequest(_ head: OutgoingRequest, body: RequestBody, into output: inout [UInt8]) {
        precondition(!head.target.isEmpty && head.target.allSatisfy(ASCII.isVisible), "a target is visible ASCII")
        precondition(head.hasNoFraming, "framing is the connection's own")
        beginExchange(head.method, asksUpgrade: head.upgrade != nil)
        isRequestComplete = false
        output.append(contentsOf: head.method.name.utf8)
        output.append(ASCII.space)
        output.append(contentsOf: head.target)
        output.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
        output.append(contentsOf: head.host.utf8.map { ASCII.isFieldContent($0) ? $0 : ASCII.space })
        ResponseWriter.appendLineEnd(to: &output)
        switch body {
        case .none: outgoing = .none
        case .sized(let count):
            precondition(count >= 0)
            outgoing = .sized(remaining: count)
            output.append(contentsOf: "Content-Length: ".utf8)
            ResponseWriter.appendDecimal(count, to: &output)
            ResponseWriter.appendLineEnd(to: &output)
        case .chunked:
            outgoing = .chunked(isOpen: false)
            output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        }
        if let upgrade = head.upgrade {
            output.append(contentsOf: "Connection: Upgrade\r\nUpgrade: ".utf8)
            output.append(contentsOf: upgrade.utf8.map { ASCII.isFieldContent($0) ? $0 : ASCII.space })
            ResponseWriter.appendLineEnd(to: &output)
        }
        output.append(contentsOf: head.fields.storage[head.fields.linesStart..<head.fields.linesEnd])
        ResponseWriter.appendLineEnd(to: &output)
    }

    /// Writes what must stand before the next `count` bytes of the body; the caller then sends those bytes itself. A `count` of 0
    /// writes nothing.
    public mutating func startBodyPart(of count: Int, into output: inout [UInt8]) {
        precondition(count >= 0 && !isRequestComplete)
        guard count > 0 else { return }
        outgoing.startPart(of: count, into: &output)
    }

    /// Writes what must stand after the bytes that `startBodyPart` announced.
    public mutating func endBodyPart(into output: inout [UInt8]) { outgoing.endPart(into: &output) }

    /// Ends the request: writes the last chunk where there is one. A sized body must have been given in full.
    public mutating func endRequest(into output: inout [UInt8]) {
        precondition(!isRequestComplete, "a request ends once")
        outgoing.end(into: &output)
        outgoing = .none
        isRequestComplete = true
    }
}

extension OutgoingRequest {
    private static let framing = FieldNames(["connection", "content-length", "host", "transfer-encoding", "upgrade"])

    /// Whether the connection's own fields are absent, as they must be.
    fileprivate var hasNoFraming: Bool {
        !fields.entries.indices.contains { Self.framing.contains(fields.nameBytes(at: $0)) }
    }
}
