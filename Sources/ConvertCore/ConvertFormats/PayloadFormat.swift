public import ConvertEngine

/// The format of a payload.
///
/// A `Converter` reads JSON and NDJSON directly. A payload in another format first becomes a JSON text as a whole, at once
/// or in steps (`PayloadTranslation`):
///
///     let text = try PayloadFormat.plist.json(of: payload)
///     try converter.convert(text.span, into: &output)
public enum PayloadFormat: String, Sendable, Hashable, CaseIterable {
    /// One JSON text.
    case json
    /// One JSON text on each line.
    case ndjson
    /// `application/x-www-form-urlencoded`, with nested keys: `a[b]=1`, `a[]=1`.
    case form
    /// A property list in XML or in the binary form that begins with `bplist00`.
    case plist

    /// The separation of values, in the payload or in the text that it becomes.
    public var framing: Converter.Framing { self == .ndjson ? .lines : .document }

    /// Whether the payload must become a JSON text before it can be converted.
    public var isTranslated: Bool { self == .form || self == .plist }

    /// The payload as one minified JSON text. JSON is returned unchanged and unchecked.
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

    /// The size of a step if no other work waits, in bytes: it fits into the processor's nearest caches.
    private static let pieceBytes = 64 * 1024
}

/// Limits for payloads that become JSON before they are converted.
public struct TranslationLimits: Sendable, Hashable {
    /// The maximum number of open containers.
    public var maxDepth: Int
    /// The maximum length of a key, in bytes.
    public var maxKeyBytes: Int
    /// The maximum length of the JSON text, in bytes. A payload can refer to one object many times.
    public var maxTextBytes: Int
    /// The maximum ratio of the text to the payload, if the text is longer than `freeTextBytes`.
    public var maxRatio = 100
    /// The length of a text, in bytes, up to which its ratio is not limited.
    public var freeTextBytes = 1024 * 1024
    /// The maximum number of keys and values in a form. Each needs far more memory than the one or two bytes that it
    /// may have in the form.
    public var maxFormNodes = 128 * 1024

    /// Takes the depth and the key length from `limits`. By default, a text has at most 1 GiB.
    public init(_ limits: Limits = Limits(), maxTextBytes: Int = 1 << 30) {
        maxDepth = limits.maxDepth
        maxKeyBytes = limits.maxKeyBytes
        self.maxTextBytes = maxTextBytes
    }

    /// The limit for the text of a payload of `count` bytes, in bytes.
    func maxTextBytes(ofPayload count: Int) -> Int {
        let (scaled, overflows) = count.multipliedReportingOverflow(by: maxRatio)
        return min(maxTextBytes, max(freeTextBytes, overflows ? .max : scaled))
    }
}
