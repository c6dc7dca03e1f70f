/// The rest of a message's body, by its framing (RFC 9112 §6.3).
enum IncomingBody: Sendable, Equatable {
    case none
    /// `count` bytes were read.
    case sized(count: Int, remaining: Int)
    case chunked(ChunkedDecoder)
    /// All bytes until the close. `count` were read, and at most `limit` are taken.
    case untilClose(count: Int, limit: Int)

    /// Whether it is known to end here.
    var isAtEnd: Bool { if case .sized(_, remaining: 0) = self { true } else { false } }

    /// The error of a connection that ends, or of a deadline that passes, inside this body.
    func error(_ code: WireError.Code) -> WireError {
        switch self {
        case .chunked(let decoder): decoder.error(code)
        case .sized(let count, _): WireError(code, at: count)
        case .none, .untilClose: WireError(code, at: 0)
        }
    }

    /// Reads from `index` on, up to the next data, the end of the body or that of the input.
    mutating func next(_ input: Span<UInt8>, at index: inout Int) throws(WireError) -> ChunkedDecoder.Result {
        switch self {
        case .none, .sized(_, remaining: 0): return .end
        case .sized(let count, let remaining):
            let range = index..<index + min(remaining, input.count - index)
            if range.isEmpty { return .needMore }
            index = range.upperBound
            self = .sized(count: count + range.count, remaining: remaining - range.count)
            return .data(range)
        case .untilClose(let count, let limit):
            let range = index..<index + min(limit - count, input.count - index)
            if index == input.count { return .needMore }
            if range.isEmpty { throw WireError(.bodyTooLong, at: count) }
            index = range.upperBound
            self = .untilClose(count: count + range.count, limit: limit)
            return .data(range)
        case .chunked(var decoder):
            // The position in the body is kept in every case.
            defer { self = .chunked(decoder) }
            return try decoder.next(input, at: &index)
        }
    }
}
