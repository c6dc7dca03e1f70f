/// What a payload is written in.
///
/// JSON and NDJSON go through a `Converter` as they come. The other formats are read whole and become a JSON text first, at one go or
/// piece by piece (`PayloadTranslation`):
///
///     let text = try PayloadFormat.plist.json(of: payload)
///     try converter.convert(text.span, into: &output)
public enum PayloadFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON text.
    case json
    /// One JSON text a line.
    case ndjson
    /// `application/x-www-form-urlencoded`, with nested names: `a[b]=1`, `a[]=1`.
    case form
    /// A property list in XML or in the binary form that begins with `bplist00`.
    case plist

    /// How the values follow each other, in the payload or in the text that it becomes.
    public var framing: Converter.Framing { self == .ndjson ? .lines : .document }

    /// Whether the payload must become a JSON text before it can be converted.
    public var isTranslated: Bool { self == .form || self == .plist }

    /// The payload as one minified JSON text; JSON itself is given back unread.
    ///
    /// To do other work in between, use a `PayloadTranslation`.
    ///
    /// - Throws: `ConversionError` with the code `form`, `plist` or `limit`; its offset counts bytes of the payload.
    public func json(
        of payload: [UInt8], limits: TranslationLimits = TranslationLimits()
    ) throws(ConversionError) -> [UInt8] {
        guard isTranslated else { return payload }
        var translation = PayloadTranslation(of: payload, in: self, limits: limits)
        while try !translation.advance(by: Self.pieceBytes) {}
        return Array(translation.finish())
    }

    /// What is translated at a time if no other work waits: it stays in the processor's nearest caches.
    private static let pieceBytes = 64 * 1024
}

/// Bounds of payloads that become JSON before they are converted.
public struct TranslationLimits: Sendable, Hashable {
    /// Containers that may be open at one time.
    public var maxDepth: Int
    /// Bytes that a name may have.
    public var maxKeyBytes: Int
    /// Bytes that any JSON text may have; a payload can refer to one thing many times.
    public var maxTextBytes: Int
    /// How many times as long as the payload its text may be, once it has `freeTextBytes`.
    public var maxRatio = 100
    /// The length of a text, in bytes, up to which its ratio is not limited.
    public var freeTextBytes = 1024 * 1024
    /// Names and values that a form may have: each takes far more memory than the byte or two it may be sent in.
    public var maxFormNodes = 128 * 1024

    /// Takes depth and length of names from the limits of the JSON that follows; a text has at most 1 GiB.
    public init(_ limits: Limits = Limits(), maxTextBytes: Int = 1 << 30) {
        maxDepth = limits.maxDepth
        maxKeyBytes = limits.maxKeyBytes
        self.maxTextBytes = maxTextBytes
    }

    /// The most bytes that the text of a payload of `count` bytes may have.
    func maxTextBytes(ofPayload count: Int) -> Int {
        let (scaled, overflows) = count.multipliedReportingOverflow(by: maxRatio)
        return min(maxTextBytes, max(freeTextBytes, overflows ? .max : scaled))
    }
}
