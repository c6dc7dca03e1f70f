import ConvertText

/// A member or an element of a text that is known to be valid JSON.
package struct ValidMember: Equatable {
    /// The key with its quotes; empty for an element.
    package let name: Range<Int>
    package let value: Range<Int>

    /// The members of the object or the elements of the array that begins at `start`.
    package static func all(in text: [UInt8], from start: Int) -> [ValidMember] {
        var members: [ValidMember] = []
        var name = 0..<0
        var offset = start + 1
        while text[offset] != ASCII.closeBrace, text[offset] != ASCII.closeBracket {
            guard !ASCII.isSpace(text[offset]), text[offset] != ASCII.comma, text[offset] != ASCII.colon else {
                offset += 1
                continue
            }
            let part = offset..<end(ofValueFrom: offset, in: text)
            offset = part.upperBound
            if name.isEmpty, text[start] == ASCII.openBrace {
                name = part
            } else {
                members.append(ValidMember(name: name, value: part))
                name = 0..<0
            }
        }
        return members
    }

    /// The offset after the key or value that begins at `start`, with everything in it.
    private static func end(ofValueFrom start: Int, in text: [UInt8]) -> Int {
        var (offset, depth) = (start, 0)
        repeat {
            switch text[offset] {
            case ASCII.openBrace, ASCII.openBracket: depth += 1
            case ASCII.closeBrace, ASCII.closeBracket: depth -= 1
            case ASCII.quote:
                offset += 1
                while text[offset] != ASCII.quote { offset += text[offset] == ASCII.backslash ? 2 : 1 }
            default: while depth == 0, !endsScalar(text[offset + 1]) { offset += 1 }
            }
            offset += 1
        } while depth > 0
        return offset
    }

    /// Whether a number or a word ends before this byte.
    private static func endsScalar(_ byte: UInt8) -> Bool {
        byte == ASCII.comma || byte == ASCII.closeBrace || byte == ASCII.closeBracket || ASCII.isSpace(byte)
    }
}
