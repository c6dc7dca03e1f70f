package import ConvertEngine

/// One plan for all payloads, so that a check does not begin with making one.
private let minifying = Plan.minify()

/// Splits bytes into payloads and the bytes around them, and writes converted payloads in the same framing.
///
/// After the steps `payload` and `notJSON`, one of `write`, `pass` and `discard` must be called.
package protocol PayloadFraming: ~Copyable {
    /// The error of bytes that break the framing, or of a unit that is too long or must not pass.
    associatedtype FramingError: Error

    /// The current payload, with carriage returns instead of line feeds.
    var payload: ByteBuffer { get }
    /// Whether the framing allows the current payload although it is not JSON.
    var mayPass: Bool { get }
    /// The bytes of memory for the current unit.
    var heldBytes: Int { get }

    /// Takes bytes from `position` on, up to the end of the next payload, and moves `position`.
    mutating func take(
        _ bytes: Span<UInt8>, at position: inout Int, into output: inout ByteBuffer
    ) throws(FramingError) -> PayloadStream.Step
    /// Writes the unit with another payload, the output of a converter.
    mutating func write(_ converted: Span<UInt8>, into output: inout ByteBuffer)
    /// Writes the unit with its own payload.
    mutating func pass(into output: inout ByteBuffer)
    /// Writes what is left of the unit without its payload.
    mutating func discard(into output: inout ByteBuffer)
    /// The position in the stream of a byte of the current payload.
    func position(of offset: Int) -> PayloadStream.Position
}

extension PayloadFraming where Self: ~Copyable {
    /// Whether the current payload is JSON. A rule may refuse text before a converter comes to the byte that is not JSON.
    ///
    /// A payload of more than `PayloadStream.maxKeptBytes` is not read again, and counts as JSON.
    package var isJSON: Bool {
        guard payload.count <= PayloadStream.maxKeptBytes else { return true }
        do throws(ConversionError) {
            _ = try minifying.convert(payload.bytes)
            return true
        } catch {
            return error.code != .json
        }
    }

    /// Whether the payload, of which `skipped` are bad records, is text that is not JSON.
    package func isText(_ skipped: SkippedRecords) -> Bool {
        skipped[.json] > 0 || skipped.total > 0 && !isJSON
    }

    /// Writes the unit with the output of a converter of lines. If that has left out the line, nothing is left of the payload.
    package mutating func write(line: Span<UInt8>, into output: inout ByteBuffer) {
        guard !line.isEmpty else { return discard(into: &output) }
        write(line.extracting(0..<line.count - 1), into: &output)
    }

    /// Writes the unit of a bad record, which the profile replaces by null or leaves out.
    package mutating func writeBadRecord(_ policy: RecordPolicy, into output: inout ByteBuffer) {
        guard policy == .null else { return discard(into: &output) }
        let null = Array("null".utf8)
        write(null.span, into: &output)
    }
}

extension PayloadStream: PayloadFraming {
    /// Any bytes may be the data of an event.
    package var mayPass: Bool { true }
}
