import HTTPSemantics
import PayloadStreams

extension StreamFraming {
    private static let eventStream = "text/event-stream"
    private static let sequence = "application/json-seq"

    /// The framing of a body of this type, in lower case; nil if it is not a stream.
    init?(of essence: String) {
        if essence == Self.eventStream {
            self = .events
        } else if essence == Self.sequence || essence.hasSuffix("+json-seq") {
            self = .sequence
        } else {
            return nil
        }
    }

    /// The framing of a body with this Content-Type; nil if it is not a stream, or has several types that differ.
    init?(of type: BodyType) {
        guard let essence = type.essence else { return nil }
        self.init(of: essence)
    }
}
