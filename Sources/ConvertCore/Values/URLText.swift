/// The little of RFC 3986 that a profile's URLs need.
enum URLText {
    /// A scheme, a colon and at least one character that a URL may hold; percent signs only before two hex digits.
    ///
    ///     URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]    scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    static func isURL(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0, ASCII.isLetter(text[0]) else { return false }
        var index = 1
        while index < text.count, isSchemeByte(text[index]) { index += 1 }
        guard index + 1 < text.count, text[index] == ASCII.colon else { return false }
        index += 1
        while index < text.count {
            if text[index] == ASCII.percent {
                guard index + 2 < text.count, ASCII.hexValue(text[index + 1]) != nil,
                    ASCII.hexValue(text[index + 2]) != nil
                else { return false }
                index += 3
            } else {
                guard isURLByte(text[index]) else { return false }
                index += 1
            }
        }
        return true
    }

    /// Where the path begins in a URL that is `base` followed by a single slash; nil for any other.
    static func path(of text: Span<UInt8>, behind base: [UInt8]) -> Int? {
        guard text.count > base.count else { return nil }
        for index in base.indices where text[index] != base[index] { return nil }
        return isPath(text.extracting(base.count...)) ? base.count : nil
    }

    /// Whether a text begins with a slash and not with two.
    static func isPath(_ text: Span<UInt8>) -> Bool {
        text.count > 0 && text[0] == ASCII.slash && (text.count == 1 || text[1] != ASCII.slash)
    }

    /// Whether a text is a scheme and an authority and nothing behind them, as `relativeTo` wants it without a final slash.
    static func isBase(_ text: Span<UInt8>) -> Bool {
        guard isURL(text) else { return false }
        var index = 0
        while text[index] != ASCII.colon { index += 1 }
        guard text.count > index + 3, text[index + 1] == ASCII.slash, text[index + 2] == ASCII.slash else {
            return false
        }
        for index in (index + 3)..<text.count {
            switch text[index] {
            case ASCII.slash, ASCII.question, ASCII.number: return false
            default: continue
            }
        }
        return true
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == ASCII.minus || byte == ASCII.dot
    }

    /// unreserved, gen-delims and sub-delims.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) { return true }
        return delimiters.contains(byte)
    }

    private static let delimiters = Set("._~:/?#@!$&'()*+,;=[]-".utf8)
}
