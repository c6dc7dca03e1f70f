import ConvertText

extension JSONText {
    /// The most bytes of white space in one text.
    private static let maxWhiteSpaceBytes = 1024 * 1024

    /// Appends a JSON text with line feeds and indentation, or on one line if that takes more than 1 MiB of white space.
    ///
    /// - Parameters:
    ///   - text: a valid JSON text without white space between its tokens.
    ///   - indent: how many spaces a level is indented by.
    ///   - outerLevels: how many levels are around the text.
    static func append(
        _ text: Span<UInt8>, indentedBy indent: Int, outerLevels: Int, to output: inout ByteBuffer
    ) {
        let start = output.count
        var level = outerLevels
        var index = 0
        while index < text.count {
            guard output.count - start <= index + maxWhiteSpaceBytes else {
                output.truncate(to: start)
                return output.append(text)
            }
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
