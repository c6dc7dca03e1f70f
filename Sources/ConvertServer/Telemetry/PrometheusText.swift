import Text

/// Writes the Prometheus text exposition format, version 0.0.4.
///
/// A document is a list of families. Each begins with `family`, and its samples follow. Names are the program's own
/// literals. Label values may be any text and are escaped.
package struct PrometheusText {
    /// The type of a family.
    package enum Kind: String {
        case counter, gauge, histogram
    }

    /// A value, printed exactly.
    package enum Value {
        case count(UInt64)
        /// Nanoseconds, printed as seconds.
        case seconds(nanoseconds: UInt64)
    }

    /// Names and values. An empty value means no label and is omitted.
    package typealias Labels = KeyValuePairs<StaticString, String>

    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var bytes: [UInt8] = []
    private var name: StaticString = ""

    package init() { bytes.reserveCapacity(16 * 1024) }

    /// Begins a family: its `HELP` and `TYPE` lines.
    package mutating func family(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
        self.name = name
        append("# HELP \(name) ")
        // A help's quotes would stay as they are, but none has one.
        appendEscaped(help.description)
        append("\n# TYPE \(name) \(kind.rawValue)\n")
    }

    /// A family whose only sample has no labels; nothing if the value is not known.
    package mutating func family(_ name: StaticString, _ kind: Kind, _ help: StaticString, _ value: Value?) {
        guard let value else { return }
        family(name, kind, help)
        sample(value)
    }

    package mutating func sample(_ value: Value, _ labels: Labels = [:]) { line("", labels, value) }

    package mutating func sample(_ count: UInt64, _ labels: Labels = [:]) { sample(.count(count), labels) }

    /// A histogram of the family: cumulative buckets up to `+Inf`, then sum and count.
    package mutating func histogram(_ labels: Labels, _ total: DurationHistogram.Total) {
        var cumulative: UInt64 = 0
        for (bound, count) in zip(DurationHistogram.bounds, total.buckets) {
            cumulative &+= count
            line("_bucket", labels, limit: Self.text(.seconds(nanoseconds: bound)), .count(cumulative))
        }
        line("_bucket", labels, limit: "+Inf", .count(total.count))
        line("_sum", labels, .seconds(nanoseconds: total.nanoseconds))
        line("_count", labels, .count(total.count))
    }

    // MARK: Lines

    /// - Parameter limit: the inclusive bound of a bucket.
    private mutating func line(_ suffix: String, _ labels: Labels, limit: String = "", _ value: Value) {
        append("\(name)\(suffix)")
        var opening = "{"
        for (name, value) in [labels, ["le": limit]].joined() where !value.isEmpty {
            append("\(opening)\(name)=\"")
            appendEscaped(value)
            append("\"")
            opening = ","
        }
        if opening == "," { append("}") }
        append(" \(Self.text(value))\n")
    }

    /// `label-value = *( "\\" / "\"" / "\n" / any other character )`
    private mutating func appendEscaped(_ value: String) {
        for byte in value.utf8 {
            switch byte {
            case ASCII.backslash, ASCII.quote:
                bytes.append(ASCII.backslash)
                bytes.append(byte)
            case ASCII.lineFeed: append("\\n")
            default: bytes.append(byte)
            }
        }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static func text(_ value: Value) -> String {
        switch value {
        case .count(let count): return String(count)
        case .seconds(let nanoseconds):
            let (seconds, fraction) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
            guard fraction > 0 else { return String(seconds) }
            var digits = String(fraction, width: 9)
            while digits.last == "0" { digits.removeLast() }
            return "\(seconds).\(digits)"
        }
    }
}
