import HTTPWire
import Text

/// Makes request identifiers: the peer's `X-Request-Id` if the peer is trusted and the value is valid, else a unique
/// one.
struct RequestIdentifiers {
    private static let maxBytes = 128
    private static let seedDigits = 12
    /// Enough for 89 years at 100,000 requests a second.
    private static let countDigits = 12

    /// The common first digits of this loop's identifiers, and room for the digits of the count.
    private var name: [UInt8]
    private var count: UInt64 = 0

    /// `seed` makes the identifiers of this loop different from those of other loops.
    init(seed: UInt64 = .random(in: .min ... .max)) {
        name = Array(repeating: ASCII.zero, count: Self.seedDigits + Self.countDigits)
        writeHex(seed, at: 0..<Self.seedDigits)
    }

    /// The identifier of a request with these fields.
    mutating func identify(_ fields: Fields) -> String {
        if let given = fields["x-request-id"], fields.count(of: "x-request-id") == 1, Self.isUsable(given) {
            return given
        }
        return make()
    }

    mutating func make() -> String {
        count += 1
        writeHex(count, at: Self.seedDigits..<name.count)
        return String(decoding: name, as: UTF8.self)
    }

    /// `1*128( ALPHA / DIGIT / "." / "_" / "-" )`
    private static func isUsable(_ text: String) -> Bool {
        (1...maxBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.underscore
                    || $0 == ASCII.hyphen
            }
    }

    /// Writes the lowest digits of `value`, as many as fit into the range.
    private mutating func writeHex(_ value: UInt64, at range: Range<Int>) {
        var rest = value
        for index in range.reversed() {
            name[index] = ASCII.hexDigit(UInt8(rest & 15))
            rest >>= 4
        }
    }
}
