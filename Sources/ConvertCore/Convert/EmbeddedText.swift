import Synchronization

/// Converts the JSON text that a string holds; the string's content may come in pieces.
///
/// A converter cannot hold another one but behind a reference. One thread at a time uses either.
final class EmbeddedText: Sendable {
    enum Outcome { case text, notJSON, tooLong }

    /// How much of a text is indented before its length is looked at: with indentation a byte can become a line.
    private static let indentedStepBytes = 1024

    /// Nil while it is in use, and once nothing more of the text is needed.
    private let converter: Mutex<Converter?>
    private let isIndented: Bool
    private let maxBytes: Int

    /// - Parameter outerLevels: How deep the text's place is, where it is indented.
    init(_ options: OutputOptions, _ limits: Limits, outerLevels: Int) {
        var converter = Converter(.minify(output: options, limits: limits))
        converter.outerLevels = outerLevels
        self.converter = Mutex(consume converter)
        isIndented = options.indent > 0
        maxBytes = limits.maxHeldBytes
    }

    /// Bytes of memory, approximately.
    var heldBytes: Int {
        converter.withLock { converter in
            switch converter {
            case .some(let converter): converter.heldBytes
            case .none: 0
            }
        }
    }

    /// Takes the next piece of the content. `output` is that of the pieces before.
    func read(_ piece: Span<UInt8>, into output: inout ByteBuffer) {
        guard var converter = converter.withLock({ $0.take() }) else { return }
        do throws(ConversionError) {
            let step = isIndented ? Self.indentedStepBytes : max(piece.count, 1)
            for start in stride(from: 0, to: piece.count, by: step) {
                try converter.convert(piece.extracting(start..<min(start + step, piece.count)), into: &output)
                guard output.count <= maxBytes else { return }
            }
        } catch {
            return
        }
        keep(converter)
    }

    /// Takes content that is held in a buffer.
    func read(_ content: borrowing ByteBuffer, into output: inout ByteBuffer) { read(content.bytes, into: &output) }

    /// Ends the content; `output` then is the converted text, if it is one.
    func finish(into output: inout ByteBuffer) -> Outcome {
        guard output.count <= maxBytes else { return .tooLong }
        guard var converter = converter.withLock({ $0.take() }) else { return .notJSON }
        do throws(ConversionError) {
            try converter.finish(into: &output)
        } catch {
            return .notJSON
        }
        return output.count <= maxBytes ? .text : .tooLong
    }

    private func keep(_ used: consuming Converter) {
        var used: Converter? = consume used
        converter.withLock { $0 = used.take() }
    }
}
