import Synchronization

/// Converts the JSON texts that strings hold, one after another; a string's content may come in pieces.
///
/// A converter cannot hold another one but behind a reference. One thread at a time uses either.
final class EmbeddedText: Sendable {
    enum Outcome { case text, notJSON, tooLong }

    private struct State: ~Copyable {
        var converter: Converter
        /// Whether nothing more of the text is needed: it is no JSON, or too long.
        var isOver = false
    }

    /// How much of a text is indented before its length is looked at: with indentation a byte can become a line.
    private static let indentedStepBytes = 1024

    private let state: Mutex<State>
    private let isIndented: Bool
    private let maxBytes: Int

    init(_ options: OutputOptions, _ limits: Limits) {
        state = Mutex(State(converter: Converter(.minify(output: options, limits: limits))))
        isIndented = options.indent > 0
        maxBytes = limits.maxHeldBytes
    }

    /// Bytes of memory, approximately.
    var heldBytes: Int { state.withLock { $0.converter.heldBytes } }

    /// Stands before a text; its place is so deep, where it is indented.
    func begin(outerLevels: Int = 0) {
        state.withLock { state in
            state.converter.reset()
            state.converter.engine.outerLevels = outerLevels
            state.isOver = false
        }
    }

    /// Takes the next piece of the content. `output` is that of the pieces before.
    func read(_ piece: Span<UInt8>, into output: inout ByteBuffer) {
        state.withLock { state in
            let step = isIndented ? Self.indentedStepBytes : max(piece.count, 1)
            var start = 0
            while start < piece.count, !state.isOver {
                let end = min(start + step, piece.count)
                do throws(ConversionError) {
                    try state.converter.convert(piece.extracting(start..<end), into: &output)
                    state.isOver = output.count > maxBytes
                } catch {
                    state.isOver = true
                }
                start = end
            }
        }
    }

    /// Takes the last piece of the content; `output` then is the converted text, if it is one.
    func finish(_ lastPiece: Span<UInt8>, into output: inout ByteBuffer) -> Outcome {
        if isIndented { read(lastPiece, into: &output) }
        let isText = state.withLock { state in
            guard !state.isOver else { return false }
            do throws(ConversionError) {
                if isIndented {
                    try state.converter.finish(into: &output)
                } else {
                    try state.converter.finish(lastPiece, into: &output)
                }
                return true
            } catch {
                return false
            }
        }
        return output.count > maxBytes ? .tooLong : isText ? .text : .notJSON
    }

    /// Takes content that is held in a buffer, or the rest of it, as the last piece.
    func finish(_ content: borrowing ByteBuffer, into output: inout ByteBuffer) -> Outcome {
        finish(content.bytes, into: &output)
    }
}
