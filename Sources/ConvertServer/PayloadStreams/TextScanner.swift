import Text

// RFC 7464 §2.1:
//
//     input-json-sequence = *(RS possible-JSON)
//     RS = %x1E
//     possible-JSON = 1*(not-RS)
//
// §2.2: an encoder writes a line feed after each text. A text may contain line feeds, so one ends it only where its value
// is complete.

/// Finds where the texts of a JSON sequence end: at the line feed after the value, or before the next record separator.
///
/// Bytes outside of a text are units of their own: white space, and other bytes as if a record separator were before them.
struct TextScanner: Sendable {
    private enum State {
        /// Between two units.
        case between
        /// After a record separator.
        case begun
        /// In a number, a literal name, or anything that is not JSON.
        case word
        case container, string, escape
        /// After the value.
        case done
    }

    private var state = State.between
    /// Open arrays and objects.
    private var depth = 0

    /// Moves `position` to the end of the unit, or to the end of the bytes. True if the unit is complete.
    mutating func scan(_ bytes: Span<UInt8>, at position: inout Int) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte != ASCII.recordSeparator else {
                if state != .between { return endUnit() }
                position += 1
                (state, depth) = (.begun, 0)
                continue
            }
            switch state {
            case .between where ASCII.isSpace(byte):
                position += 1
                return true
            case .between:
                depth = 0
                begin(byte)
            case .begun: if !ASCII.isSpace(byte) { begin(byte) }
            case .word where byte == ASCII.lineFeed, .done where byte == ASCII.lineFeed:
                position += 1
                return endUnit()
            case .word: if ASCII.isSpace(byte) { state = .done }
            // More than one value is not a text, so none of it is converted.
            case .done: if !ASCII.isSpace(byte) { state = .word }
            case .container: advance(byte)
            case .string:
                if byte == ASCII.backslash { state = .escape }
                if byte == ASCII.quote { state = depth == 0 ? .done : .container }
            case .escape: state = .string
            }
            position += 1
        }
        return false
    }

    private mutating func begin(_ byte: UInt8) {
        switch byte {
        case ASCII.openBrace, ASCII.openBracket: (state, depth) = (.container, 1)
        case ASCII.quote: state = .string
        default: state = .word
        }
    }

    private mutating func advance(_ byte: UInt8) {
        switch byte {
        case ASCII.openBrace, ASCII.openBracket: depth += 1
        case ASCII.closeBrace, ASCII.closeBracket:
            depth -= 1
            if depth == 0 { state = .done }
        case ASCII.quote: state = .string
        default: break
        }
    }

    private mutating func endUnit() -> Bool {
        state = .between
        return true
    }
}
