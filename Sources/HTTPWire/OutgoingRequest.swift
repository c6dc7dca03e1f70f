/// A request to send: its line and its fields. The connection itself writes the fields of framing and of the
/// connection.
public struct OutgoingRequest: Sendable {
    public var method: RequestMethod
    /// The origin form, a path and perhaps a query, or `*`: visible ASCII, sent byte for byte.
    public var target: [UInt8]
    /// The value of Host: a host and perhaps a port; may be empty.
    public var host: String
    /// Without Connection, Content-Length, Expect, Host, Keep-Alive, Proxy-Connection, TE, Trailer, Transfer-Encoding and
    /// Upgrade.
    public var fields: Fields
    /// The value of Upgrade, if the request asks for another protocol.
    public var upgrade: String?

    public init(
        method: RequestMethod, target: [UInt8], host: String, fields: Fields = Fields(), upgrade: String? = nil
    ) {
        self.method = method
        self.target = target
        self.host = host
        self.fields = fields
        self.upgrade = upgrade
    }

    /// The fields that the connection writes itself.
    static let connectionsOwn = FieldNames([
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-connection", "te", "trailer",
        "transfer-encoding", "upgrade",
    ])
}

/// How the end of a request's body is marked.
public enum RequestBody: Sendable, Equatable {
    /// No body; `Content-Length: 0` if the method defines a meaning for one (RFC 9110 §8.6).
    case none
    /// Exactly this number of bytes.
    case sized(Int)
    /// A body of unknown length.
    case chunked
}
