extension Plan {
    /// Converts a whole payload.
    ///
    ///     let output = try plan.convert(input)
    ///
    /// The plan remembers keys for its next payload, up to 1 MiB. For payloads that arrive in pieces, use a ``Converter``.
    ///
    /// - Parameters:
    ///   - payload: UTF-8.
    ///   - framing: one JSON text, or one on each line.
    /// - Returns: UTF-8. In NDJSON every line ends in a line feed. In a document nothing follows the value.
    /// - Throws: the first error.
    public func convert(
        _ payload: [UInt8], framing: Converter.Framing = .document
    ) throws(ConversionError) -> [UInt8] {
        try convert(payload.span, framing: framing)
    }

    /// Converts a whole payload in a span. For arrays, see `convert(_:framing:)`.
    ///
    /// - Throws: the first error.
    public func convert(
        _ payload: Span<UInt8>, framing: Converter.Framing = .document
    ) throws(ConversionError) -> [UInt8] {
        var converter = Converter(self, framing: framing, usesSpares: true)
        var output = ByteBuffer(capacity: payload.count + 64)
        try converter.finish(payload, into: &output)
        converter.keepSpares()
        return Array(output)
    }

    /// Converts a whole payload from text to text.
    ///
    /// - Throws: the first error. Its offset, line and column count the bytes of the text's UTF-8.
    public func convert(_ payload: String, framing: Converter.Framing = .document) throws(ConversionError) -> String {
        String(decoding: try convert(Array(payload.utf8), framing: framing), as: UTF8.self)
    }
}
