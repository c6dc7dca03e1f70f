/// A request's head to send, without the fields of framing and of the connection, which the connection writes itself.
public struct OutgoingRequestHead: Sendable {
    public var method: RequestMethod
    /// The origin form, a path and perhaps a query, or `*`: visible ASCII, sent byte for byte.
    public var target: [UInt8]
    /// The value of Host: a host and perhaps a port, or nothing.
    public var host: String
    /// Without Connection, Content-Length, Expect, Host, Keep-Alive, Proxy-Connection, TE, Trailer, Transfer-Encoding and
    /// Upgrade.
    public var fields: Fields

    public init(method: RequestMethod, target: [UInt8], host: String, fields: Fields = Fields()) {
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
    }

    private static let connectionsOwn = FieldNames([
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ])

    /// Whether the connection's own fields are absent, as they must be.
    var hasNoFraming: Bool {
        for index in fields.entries.indices where Self.connectionsOwn.contains(fields.nameBytes(at: index)) {
            return false
        }
        return true
    }
}

/// How the end of a request's body is told.
public enum RequestBody: Sendable, Equatable {
    /// No body; `Content-Length: 0` where the method has a meaning for one (RFC 9110 §8.6).
    case none
    /// Exactly so many bytes.
    case sized(Int)
    /// As long as it turns out to be: chunked.
    case streamed
}
