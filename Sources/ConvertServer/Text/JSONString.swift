/// Reads the content of one JSON string.
package enum JSONString {
    /// The text of a whole JSON string, with quotes; nil for anything else, and for invalid UTF-8.
    package static func decode(_ text: ArraySlice<UInt8>) -> String? {
        guard text.count >= 2, text.first == ASCII.quote, text.last == ASCII.quote else { return nil }
        let inner = text.dropFirst().dropLast()
        var content: [UInt8] = []
        var index = inner.startIndex
        while index < inner.endIndex {
            let byte = inner[index]
            index += 1
            switch byte {
            case ..<ASCII.space, ASCII.quote: return nil
            case ASCII.backslash:
                guard let scalar = unescape(inner, &index) else { return nil }
                content.append(contentsOf: Array(String(Character(scalar)).utf8))
            default: content.append(byte)
            }
        }
        return String(validating: content, as: UTF8.self)
    }

    /// Reads the part after a backslash. Lone surrogates are refused.
    private static func unescape(_ text: ArraySlice<UInt8>, _ index: inout Int) -> Unicode.Scalar? {
        guard index < text.endIndex else { return nil }
        let byte = text[index]
        index += 1
        switch byte {
        case ASCII.quote, ASCII.backslash, ASCII.slash: return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let first = codeUnit(text, &index) else { return nil }
            guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
            guard text[index...].starts(with: "\\u".utf8) else { return nil }
            index += 2
            guard let second = codeUnit(text, &index), UTF16.isTrailSurrogate(second) else { return nil }
            return UTF16.decode(UTF16.EncodedScalar([first, second]))
        default: return nil
        }
    }

    private static func codeUnit(_ text: ArraySlice<UInt8>, _ index: inout Int) -> UInt16? {
        guard text.endIndex - index >= 4 else { return nil }
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = ASCII.hexValue(text[index]) else { return nil }
            value = value << 4 | UInt16(digit)
            index += 1
        }
        return value
    }
}
