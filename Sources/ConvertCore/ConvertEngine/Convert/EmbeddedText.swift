/// Converts the JSON texts in the contents of strings, one after another. A content may come in pieces.
struct EmbeddedText: ~Copyable, Sendable {
    enum Outcome { case text, notJSON, tooLong }

    private var converter: Converter
    private let maxBytes: Int
    /// Whether the rest of the text is ignored, because the text is not JSON or too long.
    private var isOver = false

    init(_ options: OutputOptions, _ limits: Limits) {
        converter = Converter(.minify(output: options, limits: limits))
        maxBytes = limits.maxHeldBytes
    }

    /// Bytes of memory, approximately.
    var heldBytes: Int { converter.heldBytes }

    /// Begins a text.
    mutating func begin() {
        converter.reset()
        isOver = false
    }

    /// Takes the next piece of the content. `output` contains the output of the pieces before, and gets more.
    mutating func read(_ piece: Span<UInt8>, into output: inout ByteBuffer) {
        guard !isOver else { return }
        do throws(ConversionError) {
            try converter.convert(piece, into: &output)
            isOver = output.count > maxBytes
        } catch {
            isOver = true
        }
    }

    /// Takes the last piece of the content. If the result is `.text`, `output` is then the whole converted text.
    mutating func finish(_ lastPiece: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        var isText = !isOver
        if isText {
            do throws(ConversionError) {
                try converter.finish(lastPiece, into: &output)
            } catch {
                isText = false
            }
        }
        return output.count > maxBytes ? .tooLong : isText ? .text : .notJSON
    }

    /// Takes the content that a buffer has, or the rest of it, as the last piece.
    mutating func finish(_ content: borrowing ByteBuffer, into output: inout ByteBuffer) -> Outcome {
        finish(content.bytes, into: &output)
    }
}

extension EmbeddedText? {
    /// Bytes of memory, approximately.
    var heldBytes: Int {
        switch self {
        case .some(let text): text.heldBytes
        case .none: 0
        }
    }
}
