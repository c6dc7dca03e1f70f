/// The notation of bytes in fixtures: ASCII with `\r \n \t \0 \\ \xHH` and `\(a*80)`.
package enum EscapedBytes {
    package static func decode(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let letter = rest.popFirst() else { preconditionFailure("a backslash ends \(text)") }
            switch letter {
            case UInt8(ascii: "r"): bytes.append(13)
            case UInt8(ascii: "n"): bytes.append(10)
            case UInt8(ascii: "t"): bytes.append(9)
            case UInt8(ascii: "0"): bytes.append(0)
            case UInt8(ascii: "\\"): bytes.append(letter)
            case UInt8(ascii: "x"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard let value = UInt8(digits, radix: 16) else { preconditionFailure("bad \\x in \(text)") }
                bytes.append(value)
                rest = rest.dropFirst(2)
            case UInt8(ascii: "("):
                let inside = String(decoding: rest.prefix { $0 != UInt8(ascii: ")") }, as: UTF8.self)
                let parts = inside.split(separator: "*")
                guard parts.count == 2, let count = Int(parts[1]) else { preconditionFailure("bad \\( in \(text)") }
                bytes += Array(String(repeating: String(parts[0]), count: count).utf8)
                rest = rest.dropFirst(inside.utf8.count + 1)
            default: preconditionFailure("unknown escape in \(text)")
            }
        }
        return bytes
    }

    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 13: text += "\\r"
            case 10: text += "\\n"
            case 9: text += "\\t"
            case 0: text += "\\0"
            case UInt8(ascii: "\\"): text += "\\\\"
            case 32..<127: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return text
    }
}
