import HTTPWire

/// What was sent of a request's body, as long as it is little enough to be sent a second time.
struct SentBody: Sendable {
    private enum State: Sendable {
        case held([UInt8])
        case lost
    }

    private let maxBytes: Int
    private var state = State.held([])

    /// - Parameter maxBytes: of more nothing is kept.
    init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Whether all that was sent is still at hand.
    var isHeld: Bool { if case .held = state { true } else { false } }

    /// All that was sent, empty when it is not at hand.
    var bytes: [UInt8] { if case .held(let bytes) = state { bytes } else { [] } }

    /// How many bytes are at hand.
    var count: Int { if case .held(let bytes) = state { bytes.count } else { 0 } }

    /// Notes bytes that are sent.
    mutating func append(_ bytes: Span<UInt8>) {
        guard case .held(var held) = state else { return }
        // So that the array is not copied for each piece.
        state = .lost
        guard bytes.count <= maxBytes - held.count else { return }
        held.append(span: bytes)
        state = .held(held)
    }

    /// Gives up what is held, since there will be no second attempt.
    mutating func forget() { state = .lost }
}
