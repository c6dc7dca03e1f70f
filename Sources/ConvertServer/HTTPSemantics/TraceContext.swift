package import HTTPWire
package import Text

/// A request's position in a trace (W3C Trace Context, level 1), as in `traceparent`.
///
/// A client's trace is continued: the upstream's parent is a span of the gateway, which the access log names. The
/// gateway never begins a trace, because it records no spans. The flag of a new trace would decide for the backends
/// whether they record theirs.
package struct TraceContext: Sendable, Hashable {
    package static let fieldName = "traceparent"

    let traceID: UInt128
    let parentID: UInt64
    let isSampled: Bool

    /// Reads the only `traceparent`; nil if there is none, or several, or an invalid one.
    package init?(_ fields: borrowing Fields) {
        guard let value = fields.bytes(for: Self.fieldName), fields.count(of: Self.fieldName) == 1 else { return nil }
        self.init(value)
    }

    /// `traceparent = 2HEXDIGLC "-" 32HEXDIGLC "-" 16HEXDIGLC "-" 2HEXDIGLC`
    ///
    /// Versions above `00` may continue after another hyphen. `ff` is invalid, and no id may be zero.
    package init?(_ value: ArraySlice<UInt8>) {
        guard value.count >= Self.byteCount,
            value.count == Self.byteCount || value[value.startIndex + Self.byteCount] == ASCII.hyphen
        else { return nil }
        var rest = value
        guard let version: UInt8 = Self.number(&rest), version != .max, version > 0 || value.count == Self.byteCount,
            let traceID: UInt128 = Self.number(&rest), traceID != 0, let parentID: UInt64 = Self.number(&rest),
            parentID != 0, let flags: UInt8 = Self.number(&rest)
        else { return nil }
        self.traceID = traceID
        self.parentID = parentID
        isSampled = flags & Self.sampledFlag != 0
    }

    private static let byteCount = 55
    private static let sampledFlag: UInt8 = 1

    /// Takes a number in lower-case hexadecimal digits and the hyphen after it, if there is one.
    private static func number<Number: FixedWidthInteger & UnsignedInteger>(_ rest: inout ArraySlice<UInt8>) -> Number?
    {
        let digits = rest.prefix(Number.bitWidth / 4)
        rest = rest.dropFirst(digits.count)
        var number: Number = 0
        for digit in digits {
            guard digit == ASCII.lowercased(digit), let value = ASCII.hexValue(digit) else { return nil }
            number = number << 4 | Number(value)
        }
        guard let hyphen = rest.popFirst() else { return number }
        return hyphen == ASCII.hyphen ? number : nil
    }

    package func continued() -> Continued { Continued(from: self, spanID: .random(in: 1 ... .max)) }

    /// The trace with the gateway's span of the request.
    package struct Continued: Sendable, Hashable {
        package let from: TraceContext
        let spanID: UInt64

        /// The value for the upstream. Only the flag of version `00` is kept.
        package var field: String {
            let flags = from.isSampled ? "01" : "00"
            return "00-\(hex(from.traceID))-\(hex(spanID))-\(flags)"
        }

        /// Writes the keys of the access log.
        package func write(to writer: inout JSONWriter) {
            writer.member("traceId", hex(from.traceID))
            writer.member("spanId", hex(spanID))
            writer.member("parentSpanId", hex(from.parentID))
        }

        private func hex(_ number: some FixedWidthInteger) -> String {
            String(number, width: number.bitWidth / 4, radix: 16)
        }
    }
}
