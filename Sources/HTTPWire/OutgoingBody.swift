/// The framing of the body that is being sent.
enum OutgoingBody: Sendable, Equatable {
    case none
    case sized(remaining: Int)
    /// `isOpen` while a chunk has begun and not ended.
    case chunked(isOpen: Bool)
    case untilClose

    /// Writes the framing before the next `count` bytes, which must be at least one.
    mutating func startPart(of count: Int, into output: inout [UInt8]) {
        switch self {
        case .none: preconditionFailure("this message was started without a body")
        case .sized(let remaining):
            precondition(count <= remaining, "more of the body than was announced")
            self = .sized(remaining: remaining - count)
        case .chunked(let isOpen):
            precondition(!isOpen, "a body part was not ended")
            self = .chunked(isOpen: true)
            ResponseWriter.appendHex(count, to: &output)
            ResponseWriter.appendLineEnd(to: &output)
        case .untilClose: break
        }
    }

    /// Writes the framing after the announced bytes.
    mutating func endPart(into output: inout [UInt8]) {
        guard self == .chunked(isOpen: true) else { return }
        self = .chunked(isOpen: false)
        ResponseWriter.appendLineEnd(to: &output)
    }

    /// Writes the last chunk of a chunked body, with `trailers` after it. A sized body must be complete.
    func end(with trailers: Fields = Fields(), into output: inout [UInt8]) {
        switch self {
        case .sized(let remaining): precondition(remaining == 0, "less of the body than was announced")
        case .chunked(let isOpen):
            precondition(!isOpen, "a body part was not ended")
            output.append(contentsOf: "0\r\n".utf8)
            ResponseWriter.append(trailers, to: &output)
            ResponseWriter.appendLineEnd(to: &output)
        case .none, .untilClose: break
        }
    }
}
