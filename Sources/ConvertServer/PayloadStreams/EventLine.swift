import ConvertEngine
import Text

/// One line of an event, as positions in the event's bytes.
struct EventLine {
    enum Field {
        /// The line that ends the event.
        case none
        case comment
        case data, event, id, retry
        /// Any other name. Clients ignore it.
        case unknown
    }

    let field: Field
    let start: Int
    /// The value of the field, without the space after the colon.
    let value: Range<Int>
    /// The beginning of the next line.
    let next: Int
    /// Whether there is a colon after the name.
    let hasColon: Bool

    /// Whether a line end follows the value. Only the last line of a stream may have none.
    var isEnded: Bool { value.upperBound < next }

    /// Reads the line that begins at `start`.
    init(_ bytes: Span<UInt8>, at start: Int) {
        self.start = start
        let end = bytes.firstIndex(of: ASCII.lineFeed, or: ASCII.carriageReturn, from: start, to: bytes.count)
        let colon = bytes.firstIndex(of: ASCII.colon, from: start, to: end)
        var next = end
        if next < bytes.count {
            let mayHaveTwo = bytes[next] == ASCII.carriageReturn && next + 1 < bytes.count
            next += mayHaveTwo && bytes[next + 1] == ASCII.lineFeed ? 2 : 1
        }
        self.next = next
        hasColon = colon < end
        guard hasColon else {
            value = end..<end
            field = start == end ? .none : Self.field(bytes.extracting(start..<end))
            return
        }
        let first = colon + 1
        value = (first < end && bytes[first] == ASCII.space ? first + 1 : first)..<end
        field = colon == start ? .comment : Self.field(bytes.extracting(start..<colon))
    }

    private static func field(_ name: Span<UInt8>) -> Field {
        known.first { name.equals($0.name.span) }?.field ?? .unknown
    }

    private static let known: [(name: [UInt8], field: Field)] = [
        (Array("data".utf8), .data), (Array("event".utf8), .event), (Array("id".utf8), .id),
        (Array("retry".utf8), .retry),
    ]
}
