/// Converts the JSON texts that strings hold, one after another; a string's content may come in pieces.
package struct EmbeddedText: ~Copyable, Sendable {
    package enum Outcome { case text, notJSON, tooLong }

    /// How much of a text is indented before its length is looked at: with indentation a byte can become a line.
    private static let indentedStepBytes = 1024

    private var converter: Converter
    private let isIndented: Bool
    private let maxBytes: Int
    /// Whether nothing more of the text is needed: it is no JSON, or too long.
    private var isOver = false

    package init(_ options: OutputOptions, _ limits: Limits) {
        converter = Converter(.minify(output: options, limits: limits))
        isIndented = options.indent > 0
        maxBytes = limits.maxHeldBytes
    }

    /// Bytes of memory, approximately.
    var heldBytes: Int { converter.heldBytes }

    /// Begins a text; its place is so deep, where it is indented.
    mutating func begin(outerLevels: Int = 0) {
        converter.reset()
        converter.engine.outerLevels = outerLevels
        isOver = false
    }

    /// Takes the next piece of the content. `output` is that of the pieces before.
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

    /// Takes the last piece of the content; `output` then is the converted text, if it is one.
    package mutating func finish(_ lastPiece: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
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

    /// Takes content that is held in a buffer, or the rest of it, as the last piece.
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
