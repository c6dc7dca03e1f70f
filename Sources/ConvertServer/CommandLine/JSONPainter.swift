import Text

/// Colours JSON for a terminal: keys, strings, null, and the other values.
///
/// Takes the output of a converter in any pieces, so that it need not check it.
struct JSONPainter {
    private enum Color: String {
        case key = "\u{1B}[34;1m"
        case string = "\u{1B}[32m"
        case null = "\u{1B}[90m"
        case other = "\u{1B}[33m"
        case none = "\u{1B}[0m"
    }

    /// The text that ends any colour.
    static var reset: String { Color.none.rawValue }

    /// The token around the next byte.
    private enum State { case between, string, escape, word }

    private var state = State.between
    /// For each open container, whether it is an object.
    private var containers: [Bool] = []
    private var expectsKey = false

    /// The bytes with the colours in between.
    mutating func paint(_ bytes: Span<UInt8>) -> [UInt8] {
        var painted: [UInt8] = []
        for index in bytes.indices { paint(bytes[index], into: &painted) }
        return painted
    }

    private mutating func paint(_ byte: UInt8, into painted: inout [UInt8]) {
        switch state {
        case .escape: state = .string
        case .string where byte == ASCII.backslash: state = .escape
        case .string where byte == ASCII.quote:
            painted.append(byte)
            state = .between
            painted += Color.none.rawValue.utf8
            return
        case .string: break
        case .word, .between: begin(byte, &painted)
        }
        painted.append(byte)
    }

    /// Ends a word before this byte, and begins the token that starts with it.
    private mutating func begin(_ byte: UInt8, _ painted: inout [UInt8]) {
        let isMark = [
            ASCII.openBrace, ASCII.closeBrace, ASCII.openBracket, ASCII.closeBracket, ASCII.comma, ASCII.colon,
        ].contains(byte)
        if state == .word, isMark || ASCII.isSpace(byte) {
            painted += Color.none.rawValue.utf8
            state = .between
        }
        switch byte {
        case ASCII.openBrace, ASCII.openBracket:
            containers.append(byte == ASCII.openBrace)
            expectsKey = byte == ASCII.openBrace
        case ASCII.closeBrace, ASCII.closeBracket: _ = containers.popLast()
        case ASCII.comma: expectsKey = containers.last ?? false
        case ASCII.colon: expectsKey = false
        case ASCII.quote:
            painted += (expectsKey ? Color.key : .string).rawValue.utf8
            state = .string
        default:
            guard state == .between, !ASCII.isSpace(byte) else { return }
            painted += (byte == UInt8(ascii: "n") ? Color.null : .other).rawValue.utf8
            state = .word
        }
    }
}
