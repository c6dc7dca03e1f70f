import Text

/// The sent bytes of a request's body, as long as they are few enough for a retry.
package struct SentBody: Sendable {
    private let maxBytes: Int
    /// Nil if they are lost.
    private var held: [UInt8]? = []

    /// - Parameter maxBytes: the limit. Beyond it, nothing is kept.
    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Whether all sent bytes are still buffered.
    package var isHeld: Bool { held != nil }

    /// All sent bytes; empty if they are not buffered.
    package var bytes: [UInt8] { held ?? [] }

    /// The number of buffered bytes.
    package var count: Int { held?.count ?? 0 }

    package mutating func append(_ bytes: Span<UInt8>) {
        guard bytes.count <= maxBytes - count else { return forget() }
        held?.append(span: bytes)
    }

    /// Discards the buffered bytes, because there will be no retry.
    package mutating func forget() { held = nil }
}
