import Text

/// What a request asks for, in its raw bytes; decoding is strict and done only on demand.
public struct RequestTarget: Sendable {
    /// The four forms of RFC 9112 §3.2.
    public enum Form: Sendable, Equatable {
        case origin, absolute, authority, asterisk

        /// Whether a resource is named by its path.
        public var hasPath: Bool { self == .origin || self == .absolute }
    }

    public let form: Form
    /// The whole target as it was sent.
    public let bytes: ArraySlice<UInt8>
    /// The path as it was sent, up to the question mark. It is `/` for an absolute target without a path, and empty for the
    /// authority and asterisk forms.
    public let path: ArraySlice<UInt8>
    /// What follows the first question mark, nil without one.
    public let query: ArraySlice<UInt8>?

    /// Whether a fragment follows path or query, which has no place in a target (RFC 9112 §3.2).
    public var hasFragment: Bool { bytes.contains(ASCII.numberSign) }
}
