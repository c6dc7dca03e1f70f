import HTTPWire

/// Names requests: by the client's own `X-Request-Id` where it is fit for logs, else by one that no other request has.
struct RequestIdentifiers {
    private static let maxBytes = 128

    private let prefix: String
    private var count: UInt64 = 0

    /// `seed` tells this loop's names from those of any other.
    init(seed: UInt64 = .random(in: .min ... .max)) {
        prefix = Self.hex(seed, digits: 16)
    }

    /// The name of a request with these fields.
    mutating func identify(_ fields: Fields) -> String {
        if let given = fields["x-request-id"], fields.count(of: "x-request-id") == 1, Self.isUsable(given) {
            return given
        }
        return make()
    }

    mutating func make() -> String {
        count += 1
        return prefix + Self.hex(count, digits: 8)
    }

    /// `1*128( ALPHA / DIGIT / "." / "_" / "-" )`
    private static func isUsable(_ text: String) -> Bool {
        (1...maxBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.dot || $0 == ASCII.underscore
                    || $0 == ASCII.hyphen
            }
    }

    private static func hex(_ value: UInt64, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
