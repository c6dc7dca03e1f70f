/// What is still to come of a message's body, by its framing (RFC 9112 §6.3).
enum IncomingBody: Sendable, Equatable {
    case none
    case sized(remaining: Int)
    case chunked(ChunkedDecoder)

    /// Reads from `index` on, up to the next data, the end of the body or that of the input.
    mutating func next(_ input: Span<UInt8>, at index: inout Int) throws(WireError) -> ChunkedDecoder.Result {
        switch self {
        case .none, .sized(remaining: 0): return .end
        case .sized(let remaining):
            let range = index..<index + min(remaining, input.count - index)
            if range.isEmpty { return .needMore }
            index = range.upperBound
            self = .sized(remaining: remaining - range.count)
            return .data(range)
        case .chunked(var decoder):
            // Whatever the outcome, the place in the body is kept.
            defer { self = .chunked(decoder) }
            return try decoder.next(input, at: &index)
        }
    }
}
