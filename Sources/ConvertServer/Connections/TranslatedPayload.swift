import ConvertCore
import HTTPWire

/// A payload of another format than JSON: its bytes as they come and then, piece by piece, the JSON text that they become.
final class TranslatedPayload {
    /// What is translated between two looks at the clock: well below a turn, even where every byte takes long.
    private static let pieceBytes = 16 * 1024

    /// What has come, until the translation begins.
    private(set) var bytes: [UInt8] = []
    private var translation: PayloadTranslation?
    /// The text, once it is whole.
    private var text = ByteBuffer(capacity: 0)
    /// How much of it was taken.
    private var takenBytes = 0

    /// Bytes that are kept, approximately.
    var keptBytes: Int { bytes.count + (translation?.heldBytes ?? 0) + text.count }

    func append(_ bytes: Span<UInt8>) { self.bytes.append(span: bytes) }

    /// Begins the translation of what has come.
    func begin(_ format: PayloadFormat, _ limits: TranslationLimits) {
        translation = PayloadTranslation(of: bytes, in: format, limits: limits)
        bytes = []
    }

    /// Translates the next piece; answers whether there was one.
    func translate() throws(ConversionError) -> Bool {
        guard let isWhole = try translation?.advance(by: Self.pieceBytes) else { return false }
        if isWhole, let text = translation.take()?.finish() { self.text = text }
        return true
    }

    /// Gives the next bytes of the text, `count` at the most, to `body`; answers whether there were any.
    func takeText<Failure: Error>(
        _ count: Int, _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        let slice = takenBytes..<min(text.count, takenBytes + count)
        guard !slice.isEmpty else { return false }
        takenBytes = slice.upperBound
        try Self.lend(text, slice, to: body)
        return true
    }

    private static func lend<Failure: Error>(
        _ text: borrowing ByteBuffer, _ slice: Range<Int>, to body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) { try body(text.bytes.extracting(slice)) }
}
