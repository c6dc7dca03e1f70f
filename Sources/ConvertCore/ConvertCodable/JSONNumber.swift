import ConvertEngine
import ConvertText
public import FoundationEssentials

/// A JSON number as it is written: every digit is kept, at any size.
///
/// Two numbers are equal when they have one value, however they are written: `1`, `1.0` and `10e-1` are equal, and so are
/// `0` and `-0`. Values are compared digit by digit, never through `Double`. Only if an exponent has more than nine
/// characters, with its sign, the texts must be the same.
public struct JSONNumber: Sendable {
    /// The number in the grammar of RFC 8259, section 6.
    public let text: String

    /// Creates a number from the whole of `text`; nil if it is not a JSON number (`+1`, `01`, `.5`, `NaN`).
    public init?(_ text: String) {
        guard NumberText.isNumber(Array(text.utf8).span) else { return nil }
        self.text = text
    }

    /// Creates a number from an integer, with all its digits.
    public init(_ integer: some BinaryInteger) { text = String(integer) }

    /// The shortest decimal number that reads back as `number`; nil for infinities and NaN.
    public init?(_ number: Double) {
        guard number.isFinite else { return nil }
        text = Self.shortest(number.description)
    }

    /// Creates a number from a decimal, with all its digits; nil for NaN.
    public init?(_ number: Decimal) {
        guard !number.isNaN else { return nil }
        text = number.description
    }

    init(checkedText: String) { text = checkedText }

    /// The value as an `Int`, as for `12`, `12.0` and `1.2e1`; nil if it has a fraction or does not fit.
    public var int: Int? { integer() }

    /// The value as a `UInt64`; nil if it has a fraction, is negative or does not fit.
    public var uint64: UInt64? { integer() }

    /// The nearest `Double`; infinite for numbers beyond its range.
    public var double: Double { Double(text) ?? .nan }

    /// The value as a `Decimal`, with every digit; nil if it does not fit (38 digits, exponents to 127).
    public var decimal: Decimal? {
        guard let decimal = Decimal(string: text), JSONNumber(decimal) == self else { return nil }
        return decimal
    }

    /// Whether all digits before the exponent are 0. Distinguishes zero from a number that is too small for a `Double`.
    var isZero: Bool {
        for byte in text.utf8 {
            if byte | ASCII.caseBit == ASCII.e { return true }
            if ASCII.isDigit(byte), byte != ASCII.zero { return false }
        }
        return true
    }

    /// The value in an integer type; nil if it has a fraction or does not fit.
    func integer<Integer: FixedWidthInteger>() -> Integer? {
        if let plain = Integer(text) { return plain }
        guard let value = DecimalValue(text), value.exponent >= 0, value.exponent <= 40 else { return nil }
        let zeros = String(repeating: "0", count: value.exponent)
        return Integer((value.isNegative ? "-" : "") + value.digits + zeros)
    }

    /// The number without Swift's trailing `.0`: `1` for `1.0`. `1e+20` is valid JSON and stays.
    static func shortest(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }
}

extension JSONNumber: Hashable {
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        if left.text == right.text { return true }
        guard let leftValue = DecimalValue(left.text), let rightValue = DecimalValue(right.text) else { return false }
        return leftValue == rightValue
    }

    public func hash(into hasher: inout Hasher) {
        if let value = DecimalValue(text) { hasher.combine(value) } else { hasher.combine(text) }
    }
}

extension JSONNumber: CustomStringConvertible {
    public var description: String { text }
}

/// The value of a number's text in a unique form: digits without zeros at either end, times a power of ten.
struct DecimalValue: Hashable {
    /// The limit for the length of an exponent, with its sign.
    private static let maxExponentDigits = 9

    private(set) var isNegative = false
    private(set) var digits = ""
    private(set) var exponent = 0

    /// The value of a JSON number; nil if the exponent is too long, unless the number is zero.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        let mark = bytes.firstIndex { $0 | ASCII.caseBit == ASCII.e } ?? bytes.endIndex
        var all: [UInt8] = []
        all.reserveCapacity(mark)
        var isFraction = false
        for byte in bytes[..<mark] {
            if byte == ASCII.dot { isFraction = true }
            guard ASCII.isDigit(byte) else { continue }
            if isFraction { exponent -= 1 }
            if byte != ASCII.zero || !all.isEmpty { all.append(byte) }
        }
        guard !all.isEmpty else {
            digits = "0"
            exponent = 0
            return
        }
        if mark < bytes.endIndex {
            let written = bytes[(mark + 1)...]
            guard written.count <= Self.maxExponentDigits,
                let power = Int(String(decoding: written, as: UTF8.self))
            else { return nil }
            exponent += power
        }
        while all.last == ASCII.zero {
            all.removeLast()
            exponent += 1
        }
        digits = String(decoding: all, as: UTF8.self)
        isNegative = bytes.first == ASCII.minus
    }
}
