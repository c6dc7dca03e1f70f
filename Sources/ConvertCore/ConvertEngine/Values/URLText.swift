import ConvertText

/// The part of RFC 3986 that a profile's URLs need.
package enum URLText {
    /// Whether a text has a scheme, a colon and at least one URL character. A percent sign must precede two hex digits.
    ///
    ///     URI = scheme ":" hier-part [ "?" query ] [ "#" fragment ]    scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
    package static func isURL(_ text: Span<UInt8>) -> Bool {
        var reader = Reader()
        reader.read(text)
        return reader.isURL
    }

    /// Whether a text begins with a scheme and has more: if it is no URL, one of its characters needs an escape.
    static func hasScheme(_ text: Span<UInt8>) -> Bool {
        var index = 0
        while index < text.count, isSchemeByte(text[index]) { index += 1 }
        return index > 0 && index + 1 < text.count && ASCII.isLetter(text[0]) && text[index] == ASCII.colon
    }

    /// Reads a text that may come in pieces.
    struct Reader: Sendable {
        /// The kind of the last byte.
        private enum State { case start, scheme, colon, character, percent, hexDigit, broken }

        private var state = State.start

        /// Whether the text so far is a URL.
        var isURL: Bool { state == .character }

        mutating func read(_ piece: Span<UInt8>) {
            let isURLByte = URLText.isURLByte
            var index = 0
            while index < piece.count, state != .broken {
                let byte = piece[index]
                index += 1
                switch state {
                case .start: state = ASCII.isLetter(byte) ? .scheme : .broken
                case .scheme:
                    if byte == ASCII.colon { state = .colon } else if !isSchemeByte(byte) { state = .broken }
                case .colon, .character:
                    state = isURLByte[Int(byte)] ? .character : byte == ASCII.percent ? .percent : .broken
                case .percent: state = ASCII.hexValue(byte) != nil ? .hexDigit : .broken
                case .hexDigit: state = ASCII.hexValue(byte) != nil ? .character : .broken
                case .broken: return
                }
            }
        }
    }

    /// The start of the path in a URL that is `base` followed by a single slash; nil for any other URL.
    package static func path(of text: Span<UInt8>, behind base: [UInt8]) -> Int? {
        guard text.count > base.count else { return nil }
        for index in base.indices where text[index] != base[index] { return nil }
        return isPath(text.extracting(base.count...)) ? base.count : nil
    }

    /// Whether a text begins with a slash and not with two.
    package static func isPath(_ text: Span<UInt8>) -> Bool {
        text.count > 0 && text[0] == ASCII.slash && (text.count == 1 || text[1] != ASCII.slash)
    }

    /// Whether a text has a scheme and an authority and nothing after them, as `relativeTo` requires without its final slash.
    package static func isBase(_ text: Span<UInt8>) -> Bool {
        guard isURL(text) else { return false }
        var index = 0
        while text[index] != ASCII.colon { index += 1 }
        guard text.count > index + 3, text[index + 1] == ASCII.slash, text[index + 2] == ASCII.slash else {
            return false
        }
        for index in (index + 3)..<text.count {
            switch text[index] {
            case ASCII.slash, ASCII.questionMark, ASCII.numberSign: return false
            default: continue
            }
        }
        return true
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == ASCII.minus || byte == ASCII.dot
    }

    /// The bytes that are unreserved, gen-delims or sub-delims.
    private static let isURLByte = {
        let delimiters = Array("._~:/?#@!$&'()*+,;=[]-".utf8)
        return (0...UInt8.max).map { ASCII.isLetter($0) || ASCII.isDigit($0) || delimiters.contains($0) }
    }()
}
