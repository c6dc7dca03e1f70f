/// Whether a text is a JSON number (RFC 8259 §6), the whole of it.
enum NumberText {
    static func isNumber(_ text: Span<UInt8>) -> Bool {
        var scratch = ByteBuffer()
        var state = NumberCopier.State.start
        var reader = ChunkReader(text)
        guard let ended = try? NumberCopier.copy(&reader, into: &scratch, &state) else { return false }
        return !ended && state.isComplete
    }

    /// `-?(0|[1-9][0-9]*)`
    static func isInteger(_ text: Span<UInt8>) -> Bool {
        let start = text.count > 0 && text[0] == ASCII.minus ? 1 : 0
        guard text.count > start else { return false }
        for index in start..<text.count where !ASCII.isDigit(text[index]) { return false }
        return text[start] != ASCII.zero || text.count == start + 1
    }
}
