import Text

/// The target of a request in its raw bytes. Decoding is strict and happens only on demand.
public struct RequestTarget: Sendable {
    /// The four forms of RFC 9112 §3.2.
    public enum Form: Sendable, Equatable {
        case origin, absolute, authority, asterisk

        /// Whether the target has a path.
        public var hasPath: Bool { self == .origin || self == .absolute }
    }

    public let form: Form
    /// The whole target as it was sent.
    public let bytes: ArraySlice<UInt8>
    /// The path as it was sent, up to the question mark. It is `/` for an absolute target without a path, and empty for the
    /// authority and asterisk forms.
    public let path: ArraySlice<UInt8>
    /// The part after the first question mark; nil without one.
    public let query: ArraySlice<UInt8>?

    /// Whether a fragment follows the path or the query, which a target must not have (RFC 9112 §3.2).
    public var hasFragment: Bool { bytes.contains(ASCII.numberSign) }
}
