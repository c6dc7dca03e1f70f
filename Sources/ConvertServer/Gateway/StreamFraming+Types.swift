import HTTPSemantics
import PayloadStreams

extension StreamFraming {
    /// The framing of a body of this type, in lower case; nil if it is not a stream.
    init?(of essence: String) {
        switch essence {
        case "text/event-stream": self = .events
        case "application/json-seq": self = .sequence
        case _ where essence.hasSuffix("+json-seq"): self = .sequence
        default: return nil
        }
    }

    /// The framing of a body with this Content-Type; nil if it is not a stream, or has several types that differ.
    init?(of type: BodyType) {
        guard let essence = type.essence else { return nil }
        self.init(of: essence)
    }
}
