/// Converts the JSON texts in the contents of strings, one after another. A content may come in pieces.
struct EmbeddedText: ~Copyable, Sendable {
    enum Outcome { case text, notJSON, tooLong }

    /// How many input bytes are indented before the length of the output is checked: with indentation a byte can become a line.
    private static let indentedStepBytes = 1024

    private var converter: Converter
    private let isIndented: Bool
    private let maxBytes: Int
    /// Whether the rest of the text is ignored, because the text is not JSON or too long.
    private var isOver = false

    init(_ options: OutputOptions, _ limits: Limits) {
        converter = Converter(.minify(output: options, limits: limits))
        isIndented = options.indent > 0
        maxBytes = limits.maxHeldBytes
    }

    /// Bytes of memory, approximately.
    var heldBytes: Int { converter.heldBytes }

    /// Begins a text. If it is indented, `outerLevels` is the number of levels around it.
    mutating func begin(outerLevels: Int = 0) {
        converter.reset()
        converter.engine.outerLevels = outerLevels
        isOver = false
    }

    /// Takes the next piece of the content. `output` contains the output of the pieces before, and gets more.
    mutating func read(_ piece: Span<UInt8>, into output: inout ByteBuffer) {
        let step = isIndented ? Self.indentedStepBytes : max(piece.count, 1)
        var start = 0
        while start < piece.count, !isOver {
            let end = min(start + step, piece.count)
            do throws(ConversionError) {
                try converter.convert(piece.extracting(start..<end), into: &output)
                isOver = output.count > maxBytes
            } catch {
                isOver = true
            }
            start = end
        }
    }

    /// Takes the last piece of the content. If the result is `.text`, `output` is then the whole converted text.
    mutating func finish(_ lastPiece: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        if isIndented { read(lastPiece, into: &output) }
        var isText = !isOver
        if isText {
            do throws(ConversionError) {
                if isIndented {
                    try converter.finish(into: &output)
                } else {
                    try converter.finish(lastPiece, into: &output)
                }
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
