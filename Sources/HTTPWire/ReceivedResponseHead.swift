/// A response's head as it was received: status and fields, both of them parts of one copy of the bytes.
///
/// The reason phrase is not kept, because it has no meaning for a recipient (RFC 9112 §4).
public struct ReceivedResponseHead: Sendable {
    /// 100 to 599.
    public internal(set) var status = 200
    /// 0 or 1: 1.2 to 1.9 are treated as 1.1 (RFC 9110 §2.5).
    public internal(set) var minorVersion = 1
    public internal(set) var fields = Fields()
}
