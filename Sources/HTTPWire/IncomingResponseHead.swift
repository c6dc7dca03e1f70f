/// A received response's head: version, status, reason and fields, those of framing included, all of them ranges of one
/// copy of the received bytes.
public struct IncomingResponseHead: Sendable {
    /// 100 to 599.
    public internal(set) var status = 0
    /// 0 or 1: 1.2 to 1.9 are treated as 1.1 (RFC 9110 §2.5).
    public internal(set) var minorVersion = 1
    public internal(set) var fields = Fields()

    var reasonRange = 0..<0

    /// The reason phrase, which means nothing to a program (RFC 9112 §4); often empty.
    public var reason: ArraySlice<UInt8> { fields.storage[reasonRange] }

    /// Forgets everything; storage of up to `maxKeptBytes` is kept for the next head.
    mutating func removeAll(keeping maxKeptBytes: Int) {
        if fields.storage.capacity > maxKeptBytes { fields = Fields() }
        fields.removeAll()
        status = 0
        minorVersion = 1
        reasonRange = 0..<0
    }
}
