import ConvertEngine
import ConvertText

/// Reads Base64 (RFC 4648 §4) in portions, with the white space that property lists allow in it.
struct Base64Text {
    private enum Kind: UInt8 {
        case digit, padding, space, other
    }

    private var digits = 0
    private var padding = 0
    private var isBad = false

    /// Reads a portion and writes it without white space.
    mutating func take(_ text: Span<UInt8>, into output: inout ByteBuffer) {
        let kinds = Self.kinds
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, kinds[Int(text[index])] == .digit { index += 1 }
            if index > start {
                if padding > 0 { isBad = true }
                digits += index - start
                output.append(text.extracting(start..<index))
            }
            guard index < text.count else { return }
            switch kinds[Int(text[index])] {
            case .padding:
                padding += 1
                output.append(ASCII.equals)
            case .digit, .space: break
            case .other: isBad = true
            }
            index += 1
        }
    }

    /// Whether the portions so far are complete Base64.
    var isWhole: Bool { !isBad && padding <= 2 && (digits + padding) % 4 == 0 }

    private static let kinds = (UInt8.min...UInt8.max).map { byte -> Kind in
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == ASCII.slash { return .digit }
        return byte == ASCII.equals ? .padding : ASCII.isSpace(byte) ? .space : .other
    }
}
