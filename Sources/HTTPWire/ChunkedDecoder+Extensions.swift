import Text

extension ChunkedDecoder {
    /// Takes one byte of a chunk's extensions. Returns its error, if any.
    ///
    /// White space is allowed only where the grammar has BWS, so never before the line's end. Some parsers read `5
    /// CRLF` as 5, others as garbage.
    mutating func stepExtension(_ byte: UInt8) -> WireError.Code? {
        switch state {
        case .beforeSemicolon:
            if ASCII.isBlank(byte) { return nil }
            guard byte == ASCII.semicolon else { return .badChunkExtension }
            state = .beforeName
        case .beforeName:
            if ASCII.isBlank(byte) { return nil }
            guard ASCII.isToken(byte) else { return .badChunkExtension }
            state = .name
        case .name:
            if ASCII.isToken(byte) { return nil }
            if byte == ASCII.equals { state = .beforeValue } else { return endExtension(byte, blank: .afterName) }
        case .afterName:
            if ASCII.isBlank(byte) { return nil }
            guard byte == ASCII.equals || byte == ASCII.semicolon else { return .badChunkExtension }
            state = byte == ASCII.equals ? .beforeValue : .beforeName
        case .beforeValue:
            if ASCII.isBlank(byte) { return nil }
            guard byte == ASCII.quote || ASCII.isToken(byte) else { return .badChunkExtension }
            state = byte == ASCII.quote ? .quoted : .token
        case .token:
            return ASCII.isToken(byte) ? nil : endExtension(byte, blank: .beforeSemicolon)
        case .quoted:
            if byte == ASCII.quote {
                state = .afterQuoted
            } else if byte == ASCII.backslash {
                state = .quotedPair
            } else if !ASCII.isFieldContent(byte) {
                return .badChunkExtension
            }
        case .quotedPair:
            guard ASCII.isFieldContent(byte) else { return .badChunkExtension }
            state = .quoted
        default:
            return endExtension(byte, blank: .beforeSemicolon)
        }
        return nil
    }

    /// Takes the byte after a name or a value.
    private mutating func endExtension(_ byte: UInt8, blank: State) -> WireError.Code? {
        switch byte {
        case ASCII.carriageReturn: state = .sizeLF
        case ASCII.semicolon: state = .beforeName
        case ASCII.space, ASCII.tab: state = blank
        default: return byte == ASCII.lineFeed ? .bareLineEnd : .badChunkExtension
        }
        return nil
    }
}
