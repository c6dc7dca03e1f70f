import ConvertCore
import HTTPWire

/// A request's body on its way to the upstream: as it came, or through a converter.
///
/// Nothing is to be sent before `framing` is known, which of a converted body is so when it is complete or large.
final class RequestBodyPath {
    /// Output beyond which a converted body is sent in chunks, its length not known.
    static let maxSizedBytes = 1024 * 1024

    /// How the body is framed; nil while that is not known.
    private(set) var framing: RequestBody?
    let converter: BodyConverter?
    private let isBuffered: Bool
    /// The bytes as they came, while `onError` may still ask for them; nil where it does not.
    private(set) var original: [UInt8]?
    /// What was sent so far, while it is little enough to be sent again.
    private var held: [UInt8]? = []
    /// What is to be sent next.
    private var waiting: [UInt8] = []
    private(set) var isEnded = false

    /// A body that goes on as it came, after the bytes that have come already.
    init(passing framing: RequestBody, beginning: [UInt8] = []) {
        self.framing = framing
        converter = nil
        isBuffered = false
        waiting = beginning
    }

    /// A body that is converted after `coding` is undone.
    init(
        _ conversion: RequestConversion, _ framing: Converter.Framing, coding: ContentCoding, _ services: LoopServices
    ) {
        converter = BodyConverter(
            conversion.recipe, framing, coding: coding, maxDecodedBytes: services.maxDecodedBytes, services.converters)
        isBuffered = conversion.rule.isBuffered
        original = conversion.rule.onError == .pass ? [] : nil
    }

    /// Whether all that was sent can be sent again.
    var isHeld: Bool { held != nil }

    /// Takes the next bytes of the body as they came.
    func take(_ bytes: Span<UInt8>, _ portion: inout ByteBuffer) throws(Problem) {
        guard let converter else {
            waiting.append(span: bytes)
            return
        }
        original?.append(span: bytes)
        try converter.convert(bytes, &portion)
        collect(from: converter)
        if framing == nil, !isBuffered, waiting.count > Self.maxSizedBytes { framing = .chunked }
        if framing != nil { original = nil }
    }

    /// Ends the body.
    func end() throws(Problem) {
        isEnded = true
        guard let converter else { return }
        try converter.finish()
        collect(from: converter)
        if framing == nil { framing = .sized(waiting.count) }
        original = nil
    }

    /// What is to be sent now; it is kept for a second attempt if it is not too much.
    func takeWaiting() -> [UInt8] {
        let bytes = waiting
        waiting.removeAll(keepingCapacity: true)
        if let sent = held {
            held = sent.count + bytes.count <= RetryRule.maxHeldBytes ? sent + bytes : nil
        }
        return bytes
    }

    /// Makes all that was sent wait to be sent again; only while `isHeld`.
    func rewind() {
        waiting = (held ?? []) + waiting
        held = []
    }

    private func collect(from converter: BodyConverter) {
        let unit = converter.unit
        waiting.append(span: unit.output.bytes)
        unit.output.removeAll()
    }
}
