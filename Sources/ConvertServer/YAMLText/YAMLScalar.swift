import ConvertEngine
import Text

/// How JSON writes a scalar (YAML 1.2.2 §10.3, the core schema).
enum YAMLScalar {
    /// Nil if JSON has no such number.
    static func json(plain content: [UInt8]) -> [UInt8]? {
        switch String(decoding: content, as: UTF8.self) {
        case "", "~", "null", "Null", "NULL": return Array("null".utf8)
        case "true", "True", "TRUE": return Array("true".utf8)
        case "false", "False", "FALSE": return Array("false".utf8)
        case let text where isNotFinite(text): return nil
        case let text where text.hasPrefix("0x"):
            return integer(text.dropFirst(2), radix: 16) ?? JSONText.quoted(content)
        case let text where text.hasPrefix("0o"):
            return integer(text.dropFirst(2), radix: 8) ?? JSONText.quoted(content)
        default: return number(content) ?? JSONText.quoted(content)
        }
    }

    private static func isNotFinite(_ text: String) -> Bool {
        let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        return [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(String(unsigned))
    }

    /// Nil for anything else, and for integers of more than 64 bits.
    private static func integer(_ digits: Substring, radix: Int) -> [UInt8]? {
        guard digits.first != "-", digits.first != "+" else { return nil }
        return UInt64(digits, radix: radix).map { Array(String($0).utf8) }
    }

    /// A decimal number with its digits as they are. YAML also has `+1`, `007`, `1.` and `.5`.
    private static func number(_ content: [UInt8]) -> [UInt8]? {
        var rest = content[...]
        var text: [UInt8] = []
        if let sign = rest.first, sign == ASCII.minus || sign == ASCII.plus {
            if sign == ASCII.minus { text.append(sign) }
            rest.removeFirst()
        }
        let whole = digits(&rest)
        var fraction: ArraySlice<UInt8> = []
        if rest.first == ASCII.dot {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        let significant = whole.drop { $0 == ASCII.zero }
        text += significant.isEmpty ? [ASCII.zero] : significant
        if !fraction.isEmpty { text += [ASCII.dot] + fraction }
        guard let letter = rest.popFirst() else { return text }
        text.append(letter)
        if let sign = rest.first, sign == ASCII.minus || sign == ASCII.plus { text.append(rest.removeFirst()) }
        let exponent = digits(&rest)
        guard letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E"), !exponent.isEmpty, rest.isEmpty else {
            return nil
        }
        return text + exponent
    }

    private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (ASCII.zero...ASCII.nine).contains($0) }
        rest.removeFirst(digits.count)
        return digits
    }
}
