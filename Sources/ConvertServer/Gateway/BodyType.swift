import ConvertCore
import HTTPWire

/// What a message's Content-Type says about whether its body can be converted.
struct BodyType: Sendable, Hashable {
    /// One JSON text or one a line; nil for what is no JSON, and where the type is missing or cannot be read.
    let framing: Converter.Framing?
    /// Whether the type names no charset but UTF-8, of which US-ASCII is a part.
    let isUTF8: Bool
    let isEventStream: Bool

    private static let usual = Array("application/json".utf8)[...]

    /// Reads the Content-Type of a message; several fields say nothing that could be relied on.
    init(of fields: Fields) {
        guard let value = fields.bytes(for: "content-type"), fields.count(of: "content-type") == 1 else {
            self.init(framing: nil)
            return
        }
        // What nearly everybody sends needs no reading.
        guard value != Self.usual else {
            self.init(framing: .document)
            return
        }
        guard let type = MediaType(String(decoding: value, as: UTF8.self)) else {
            self.init(framing: nil)
            return
        }
        let charset = type["charset"]?.lowercased()
        let isUTF8 = charset.map { ["utf-8", "utf8", "us-ascii"].contains($0) } ?? true
        switch type.essence {
        case "application/json": self.init(framing: .document, isUTF8: isUTF8)
        case "application/x-ndjson", "application/jsonl": self.init(framing: .lines, isUTF8: isUTF8)
        case "text/event-stream": self.init(framing: nil, isEventStream: true)
        case let essence: self.init(framing: essence.hasSuffix("+json") ? .document : nil, isUTF8: isUTF8)
        }
    }

    private init(framing: Converter.Framing?, isUTF8: Bool = true, isEventStream: Bool = false) {
        self.framing = framing
        self.isUTF8 = isUTF8
        self.isEventStream = isEventStream
    }
}
