import ConvertText

/// Finds the values of a text that is known to be valid JSON.
package struct ValidTextScanner {
    private let text: [UInt8]
    private(set) var offset: Int
    /// Whether no value of the container that was entered was passed yet.
    private var isFirst = false

    /// A scanner whose next value is at `offset`, or after white space there.
    package init(_ text: [UInt8], from offset: Int) {
        self.text = text
        self.offset = offset
    }

    /// Enters an array or an object. Returns false if the next value does not begin with this bracket.
    package mutating func enter(_ bracket: UInt8) -> Bool {
        skipSpace()
        guard text[offset] == bracket else { return false }
        offset += 1
        isFirst = true
        return true
    }

    /// Whether the container has another value. If it has none, the scanner leaves it.
    package mutating func hasNext(before bracket: UInt8) -> Bool {
        skipSpace()
        guard text[offset] != bracket else {
            offset += 1
            isFirst = false
            return false
        }
        if !isFirst { offset += 1 }
        isFirst = false
        return true
    }

    package mutating func skipColon() {
        skipSpace()
        offset += 1
    }

    /// The offset at which the next value begins.
    mutating func nextOffset() -> Int {
        skipSpace()
        return offset
    }

    /// Passes the next value or key, with everything in it, and returns its range.
    package mutating func takeValue() -> Range<Int> {
        skipSpace()
        let start = offset
        var depth = 0
        repeat {
            switch text[offset] {
            case ASCII.openBrace, ASCII.openBracket: depth += 1
            case ASCII.closeBrace, ASCII.closeBracket: depth -= 1
            case ASCII.quote: skipString()
            default: break
            }
            offset += 1
        } while offset < text.count && (depth > 0 || !endsScalar(from: start))
        return start..<offset
    }

    /// The content of a key or string.
    package func content(of value: Range<Int>) -> [UInt8] { JSONText.content(ofString: text[value]) ?? [] }

    /// Whether the value that began at `start` is whole: numbers and words end before another token.
    private func endsScalar(from start: Int) -> Bool {
        switch text[start] {
        case ASCII.openBrace, ASCII.openBracket, ASCII.quote: true
        default:
            switch text[offset] {
            case ASCII.comma, ASCII.closeBrace, ASCII.closeBracket: true
            default: ASCII.isSpace(text[offset])
            }
        }
    }

    private mutating func skipString() {
        offset += 1
        while text[offset] != ASCII.quote { offset += text[offset] == ASCII.backslash ? 2 : 1 }
    }

    private mutating func skipSpace() {
        while offset < text.count, ASCII.isSpace(text[offset]) { offset += 1 }
    }
}
