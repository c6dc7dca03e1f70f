import Text

/// The target of a request in its raw bytes. Decoding is strict and happens only on demand.
public struct RequestTarget: Sendable {
    /// The four forms of RFC 9112 §3.2.
    public enum Form: Sendable, Equatable {
        case origin, absolute, authority, asterisk
    }

    public let form: Form
    /// The bytes of the head. A target of three slices would cost three references each time that it is copied.
    let storage: [UInt8]
    let range: Range<Int>
    let pathRange: Range<Int>
    let queryRange: Range<Int>?

    /// The whole target as it was sent.
    public var bytes: ArraySlice<UInt8> { storage[range] }

    /// The path as it was sent, up to the question mark. It is `/` for an absolute target without a path, and empty for the
    /// authority and asterisk forms.
    public var path: ArraySlice<UInt8> { storage[pathRange] }

    /// The part after the first question mark; nil without one.
    public var query: ArraySlice<UInt8>? { queryRange.map { storage[$0] } }

    /// Whether a fragment follows the path or the query, which a target must not have (RFC 9112 §3.2).
    public var hasFragment: Bool { bytes.contains(ASCII.numberSign) }
}
