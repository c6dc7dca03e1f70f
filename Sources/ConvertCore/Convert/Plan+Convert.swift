extension Plan {
    /// Converts a whole payload.
    ///
    ///     let output = try plan.convert(input)
    ///
    /// For payloads that come in pieces, and for many small ones, keep a ``Converter``: it remembers the keys it has seen.
    ///
    /// - Parameters:
    ///   - payload: UTF-8.
    ///   - framing: one JSON text, or one a line.
    /// - Returns: UTF-8; of NDJSON every line ends in a line feed, of a document nothing follows the value.
    /// - Throws: the first fault.
    public func convert(
        _ payload: [UInt8], framing: Converter.Framing = .document
    ) throws(ConversionError) -> [UInt8] {
        try convert(payload.span, framing: framing)
    }

    /// Converts a whole payload that lies in memory anywhere: see `convert(_:framing:)` for arrays.
    ///
    /// - Throws: the first fault.
    public func convert(
        _ payload: Span<UInt8>, framing: Converter.Framing = .document
    ) throws(ConversionError) -> [UInt8] {
        var converter = Converter(self, framing: framing)
        var output = ByteBuffer(capacity: payload.count + 64)
        try converter.finish(payload, into: &output)
        return Array(output)
    }

    /// Converts a whole payload given as text, and gives text.
    ///
    /// - Throws: the first fault; its offset, line and column count the bytes of the text's UTF-8.
    public func convert(_ payload: String, framing: Converter.Framing = .document) throws(ConversionError) -> String {
        String(decoding: try convert(Array(payload.utf8), framing: framing), as: UTF8.self)
    }
}
