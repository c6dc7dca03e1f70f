/// A push transducer: bytes of a payload in, converted bytes out.
///
/// Any split of the input into chunks gives the same output. After an error the converter takes no more input until `reset()`.
public struct Converter: ~Copyable {
    /// How values follow each other in the payload.
    public enum Framing: Sendable, Hashable {
        /// One JSON text.
        case document
        /// NDJSON: one JSON text a line.
        case lines
    }

    public init(_ plan: Plan, framing: Framing = .document) {}

    /// Converts the next piece of the payload and appends what is ready to `output`.
    public mutating func convert(_ chunk: Span<UInt8>, into output: inout ByteBuffer) throws(ConversionError) {
        output.append(chunk)
    }

    /// Ends the payload; throws when it was cut off.
    public mutating func finish(into output: inout ByteBuffer) throws(ConversionError) {}

    /// Makes the converter ready for another payload and keeps what it learned about keys.
    public mutating func reset() {}
}
