/// Converts the JSON texts in the contents of strings, one after another. A content may come in pieces.
struct EmbeddedText: ~Copyable, Sendable {
    enum Outcome {
        case text, tooLong
        /// With the position in the text, and the error there.
        case notJSON(String)
    }

    private var converter: Converter
    /// What the converter takes before its first text. Like that of every converter, it does not count.
    private let knownBytes: Int
    private let maxBytes: Int
    /// Where and why the text is not JSON. The rest of it is then ignored.
    private var reason: String?

    init(sortsKeys: Bool, _ limits: Limits) {
        converter = Converter(.minify(output: OutputOptions(sortKeys: sortsKeys), limits: limits))
        knownBytes = converter.heldBytes
        maxBytes = limits.maxHeldBytes
    }

    /// Bytes of memory for the texts, approximately.
    var heldBytes: Int { max(0, converter.heldBytes - knownBytes) }

    /// Begins a text.
    mutating func begin() {
        converter.reset()
        reason = nil
    }

    /// Takes the next piece of the content. `output` contains the output of the pieces before, and gets more.
    mutating func read(_ piece: borrowing ByteBuffer, into output: inout ByteBuffer) {
        guard reason == nil, output.count <= maxBytes else { return }
        do throws(ConversionError) {
            try converter.convert(piece.bytes, into: &output)
        } catch {
            note(error)
        }
    }

    /// Takes the last piece of the content. If the result is `.text`, `output` is then the whole converted text.
    mutating func finish(_ lastPiece: borrowing ByteBuffer, into output: inout ByteBuffer) -> Outcome {
        if reason == nil, output.count <= maxBytes {
            do throws(ConversionError) {
                try converter.finish(lastPiece.bytes, into: &output)
            } catch {
                note(error)
            }
        }
        if output.count > maxBytes { return .tooLong }
        return reason.map { .notJSON($0) } ?? .text
    }

    private mutating func note(_ error: ConversionError) {
        reason = "at line \(error.line), column \(error.column) of it: \(error.message)"
    }
}
