import ConvertEngine
import ConvertFormats
import Text

/// A payload in another format than JSON: first its bytes, then the JSON text, which is translated piece by piece.
final class TranslatedPayload {
    /// The bytes that are translated before the clock is read again. They take much less than a turn, even if every
    /// byte is slow.
    private static let pieceBytes = 16 * 1024

    /// The received bytes, until the translation begins.
    private(set) var bytes: [UInt8] = []
    private var translation: PayloadTranslation?
    /// The complete text.
    private var text = ByteBuffer()
    /// The number of bytes that were taken from the text.
    private var takenBytes = 0

    /// The approximate number of buffered bytes.
    var keptBytes: Int { bytes.count + (translation?.heldBytes ?? 0) + text.count }

    func append(_ bytes: Span<UInt8>) { self.bytes.append(span: bytes) }

    /// Begins the translation of the received bytes.
    func begin(_ format: PayloadFormat, _ limits: TranslationLimits) {
        translation = PayloadTranslation(of: bytes, in: format, limits: limits)
        bytes = []
    }

    /// Translates the next piece. Returns whether there was one.
    func translate() throws(ConversionError) -> Bool {
        guard let isWhole = try translation?.advance(by: Self.pieceBytes) else { return false }
        if isWhole, let text = translation.take()?.finish() { self.text = text }
        return true
    }

    /// Passes at most `count` bytes of the text to `body`. Returns whether there were any.
    func takeText<E: Error>(
        _ count: Int, _ body: (Span<UInt8>) throws(E) -> Void
    ) throws(E) -> Bool {
        let slice = takenBytes..<min(text.count, takenBytes + count)
        guard !slice.isEmpty else { return false }
        takenBytes = slice.upperBound
        try Self.lend(text, slice, to: body)
        return true
    }

    private static func lend<E: Error>(
        _ text: borrowing ByteBuffer, _ slice: Range<Int>, to body: (Span<UInt8>) throws(E) -> Void
    ) throws(E) { try body(text.bytes.extracting(slice)) }
}
