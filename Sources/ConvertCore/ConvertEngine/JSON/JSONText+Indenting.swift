import ConvertText

extension JSONText {
    /// Appends a JSON text with line feeds and indentation.
    ///
    /// - Parameters:
    ///   - text: a valid JSON text without white space between its tokens.
    ///   - indent: how many spaces a level is indented by.
    ///   - outerLevels: how many levels are around the text.
    ///   - maxBytes: when more than this is appended, the rest is not written.
    /// - Returns: whether the whole text was written.
    static func append(
        _ text: Span<UInt8>, indentedBy indent: Int, outerLevels: Int, maxBytes: Int = .max,
        to output: inout ByteBuffer
    ) -> Bool {
        let start = output.count
        var level = outerLevels
        var index = 0
        while index < text.count {
            guard output.count - start <= maxBytes else { return false }
            let byte = text[index]
            index += 1
            switch byte {
            case ASCII.openBrace, ASCII.openBracket:
                output.append(byte)
                if index < text.count, text[index] == ASCII.closeBrace || text[index] == ASCII.closeBracket {
                    output.append(text[index])
                    index += 1
                } else {
                    level += 1
                    appendNewLine(indent * level, to: &output)
                }
            case ASCII.closeBrace, ASCII.closeBracket:
                level -= 1
                appendNewLine(indent * level, to: &output)
                output.append(byte)
            case ASCII.comma:
                output.append(byte)
                appendNewLine(indent * level, to: &output)
            case ASCII.colon:
                output.append(byte)
                output.append(ASCII.space)
            case ASCII.quote:
                let end = endOfString(text, from: index)
                output.append(text.extracting((index - 1)..<end))
                index = end
            default: output.append(byte)
            }
        }
        return output.count - start <= maxBytes
    }

    private static func appendNewLine(_ spaces: Int, to output: inout ByteBuffer) {
        output.append(ASCII.lineFeed)
        output.append(repeating: ASCII.space, count: spaces)
    }

    /// The index after the closing quote of the string whose content begins at `start`.
    private static func endOfString(_ text: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while text[index] != ASCII.quote { index += text[index] == ASCII.backslash ? 2 : 1 }
        return index + 1
    }
}
