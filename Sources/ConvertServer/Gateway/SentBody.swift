import HTTPWire
import Text

/// The sent bytes of a request's body, as long as they are few enough for a retry.
package struct SentBody: Sendable {
    private enum State: Sendable {
        case held([UInt8])
        case lost
    }

    private let maxBytes: Int
    private var state = State.held([])

    /// - Parameter maxBytes: the limit. Beyond it, nothing is kept.
    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Whether all sent bytes are still buffered.
    package var isHeld: Bool { if case .held = state { true } else { false } }

    /// All sent bytes; empty if they are not buffered.
    package var bytes: [UInt8] { if case .held(let bytes) = state { bytes } else { [] } }

    /// The number of buffered bytes.
    package var count: Int { if case .held(let bytes) = state { bytes.count } else { 0 } }

    /// Records bytes that are sent.
    package mutating func append(_ bytes: Span<UInt8>) {
        guard case .held(var held) = state else { return }
        // This avoids a copy of the array for each piece.
        state = .lost
        guard bytes.count <= maxBytes - held.count else { return }
        held.append(span: bytes)
        state = .held(held)
    }

    /// Discards the buffered bytes, because there will be no retry.
    package mutating func forget() { state = .lost }
}
