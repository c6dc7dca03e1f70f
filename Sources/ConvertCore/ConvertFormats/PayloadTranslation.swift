public import ConvertEngine

/// Translates a payload of another format into one minified JSON text, in bounded steps.
///
///     var translation = PayloadTranslation(of: payload, in: .plist)
///     while try !translation.advance(by: 32 * 1024) { /* let others have their turn */ }
///     let text = translation.finish()
///
/// No payload makes a step longer, neither with one long string nor with many small ones. The size of the steps does not change
/// the result. The payload is released after its last byte was read.
public struct PayloadTranslation: ~Copyable {
    private var payload: [UInt8]
    /// Exactly one of these three translators exists.
    private var form: FormReader?
    private var xml: XMLPropertyList?
    private var binary: BinaryPropertyList?

    /// Starts with a payload of a format that `isTranslated`.
    public init(of payload: [UInt8], in format: PayloadFormat, limits: TranslationLimits = TranslationLimits()) {
        precondition(format.isTranslated, "JSON is no other format")
        self.payload = payload
        if format == .form {
            form = FormReader(limits, payloadBytes: payload.count)
        } else if payload.starts(with: BinaryPropertyList.signature) {
            binary = BinaryPropertyList(limits, payloadBytes: payload.count)
        } else {
            xml = XMLPropertyList(limits, payloadBytes: payload.count)
        }
    }

    /// The approximate bytes of memory for the payload and its translation so far.
    public var heldBytes: Int {
        payload.count + form.count { $0.heldBytes } + xml.count { $0.heldBytes } + binary.count { $0.heldBytes }
    }

    /// Reads or writes about `work` bytes, at least 1. Returns whether the text is complete.
    ///
    /// - Throws: `ConversionError` with the code `form`, `plist` or `limit`; its offset counts bytes of the payload.
    ///   After that the translation has ended.
    public mutating func advance(by work: Int) throws(ConversionError) -> Bool {
        precondition(work > 0)
        var work = work
        // A copy of the array's reference, since a translator is modified while its bytes are read.
        let bytes = payload
        do throws(FormatError) {
            if let isWhole = try form?.advance(bytes.span, &work) {
                if form?.needsPayload == false { payload = [] }
                return isWhole
            }
            if let isWhole = try xml?.advance(bytes.span, &work) { return isWhole }
            return try binary?.advance(bytes.span, &work) ?? true
        } catch {
            throw ConversionError(error, in: bytes.span)
        }
    }

    /// The JSON text, after `advance` has returned true.
    public consuming func finish() -> ByteBuffer {
        payload = []
        if let text = form.take()?.finish() { return text }
        if let text = xml.take()?.finish() { return text }
        guard let text = binary.take()?.finish() else { preconditionFailure("no translator is left") }
        return text
    }
}

/// An error in a payload that is not JSON, at a byte offset.
struct FormatError: Error {
    var code: ConversionError.Code
    var message: String
    /// Bytes from the start of the payload.
    var offset: Int
    /// The pointer to this position in the JSON text.
    var pointer = ""

    /// An error of a property list. The pointer is added where the error is caught.
    static func plist(_ message: String, at offset: Int) -> FormatError {
        FormatError(code: .plist, message: message, offset: offset)
    }

    /// An error of a payload beyond a limit.
    static func limit(_ message: String, at offset: Int, pointer: String = "") -> FormatError {
        FormatError(code: .limit, message: message, offset: offset, pointer: pointer)
    }
}

extension ConversionError {
    fileprivate init(_ error: FormatError, in payload: Span<UInt8>) {
        self.init(
            error.code, error.message, at: min(error.offset, payload.count), in: payload, pointer: error.pointer)
    }
}
