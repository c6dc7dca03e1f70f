import Text

/// Whole numbers as people write them: `512`, `10MB`, `10MiB`, `10Mi` as in Kubernetes, `30s`.
package enum Quantity {
    package enum Unit: Sendable {
        case bytes, seconds

        /// The suffixes of a number, in lower case, and their factors.
        fileprivate var suffixes: [(name: String, factor: Int)] {
            switch self {
            case .bytes:
                [
                    ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10),
                    ("gi", 1 << 30), ("mi", 1 << 20), ("ki", 1 << 10),
                    ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1000), ("b", 1),
                ]
            case .seconds: [("h", 3600), ("m", 60), ("s", 1)]
            }
        }

        /// The shortest exact text of a number of bytes or seconds.
        package func text(_ number: Int) -> String {
            switch self {
            case .seconds: return "\(number)s"
            case .bytes:
                guard number > 0 else { return String(number) }
                // No loop over pairs: the compiler unrolls it in an order that changes from build to build.
                let names = ["", "KiB", "MiB", "GiB"]
                let index = min(number.trailingZeroBitCount / 10, names.count - 1)
                return "\(number >> (10 * index))\(names[index])"
            }
        }
    }

    /// Reads digits and, with a unit, one of its suffixes in any case. Nil for anything else, and for a number that is
    /// too large.
    package static func value(of text: String, in unit: Unit?) -> Int? {
        let digits = text.utf8.prefix(while: ASCII.isDigit)
        guard let number = Int(String(Substring(digits))) else { return nil }
        let suffix = text.dropFirst(digits.count).lowercased()
        if suffix.isEmpty { return number }
        guard let factor = unit?.suffixes.first(where: { $0.name == suffix })?.factor else { return nil }
        let (product, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? nil : product
    }

    /// The same for a JSON string, which needs a unit: a number without one needs no quotes.
    static func value(ofUnited text: String, in unit: Unit?) -> Int? {
        guard let last = text.utf8.last, !ASCII.isDigit(last) else { return nil }
        return value(of: text, in: unit)
    }

    /// The text after `expected` in a message.
    package static func expected(in range: ClosedRange<Int>, _ unit: Unit?, isJSON: Bool = false) -> String {
        let bounds = "from \(range.lowerBound) to \(range.upperBound)"
        let quote = isJSON ? "\"" : ""
        return switch unit {
        case .bytes: "a size \(bounds) bytes, such as 10000000, \(quote)10MB\(quote) or \(quote)10MiB\(quote)"
        case .seconds: "a time \(bounds) whole seconds, such as 30, \(quote)30s\(quote) or \(quote)5m\(quote)"
        case nil: "a whole number \(bounds)"
        }
    }
}
