/// A request's head: method, target, version and fields, all of them ranges of one copy of the received bytes.
public struct RequestHead: Sendable {
    public internal(set) var method = RequestMethod.get
    /// 0 or 1: 1.2 to 1.9 are treated as 1.1 (RFC 9110 §2.5).
    public internal(set) var minorVersion = 1
    public internal(set) var fields = Fields()

    var form = RequestTarget.Form.origin
    var targetRange = 0..<0
    var authorityRange = 0..<0
    var pathRange = 0..<0
    var queryRange: Range<Int>?

    /// The request target.
    public var target: RequestTarget {
        RequestTarget(
            form: form, storage: fields.storage, range: targetRange, pathRange: pathRange, queryRange: queryRange)
    }

    /// The requested host and port: from an absolute target, else from the Host field (RFC 9112 §3.2.2). Empty if an
    /// HTTP/1.0 request has none.
    public var authority: ArraySlice<UInt8> { fields.storage[authorityRange] }
}
