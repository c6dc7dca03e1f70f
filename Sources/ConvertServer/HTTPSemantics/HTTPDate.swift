import ConvertEngine
import Text

/// Writes times for HTTP fields and log lines. Times outside of the years 1970 to 9999 become the nearest one inside.
package enum HTTPDate {
    /// From the first second of 1970 to the last of 9999.
    private static let range: ClosedRange<Int64> = 0...253_402_300_799

    /// IMF-fixdate (RFC 9110 §5.6.7), as in `Sun, 06 Nov 1994 08:49:37 GMT`; `seconds` since 1970.
    package static func imfFixdate(_ seconds: Int64) -> [UInt8] {
        let bounded = min(max(seconds, range.lowerBound), range.upperBound)
        return text(of: Instant(seconds: bounded, nanoseconds: 0), as: .httpDate)
    }

    /// RFC 3339 in UTC with milliseconds; `nanoseconds` since 1970.
    package static func rfc3339(nanoseconds: Int64) -> String {
        let (seconds, rest) = max(0, nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
        return String(
            decoding: text(of: Instant(seconds: seconds, nanoseconds: Int32(rest)), as: .rfc3339), as: UTF8.self)
    }

    private static func text(of instant: Instant, as form: DateForm) -> [UInt8] {
        var output = ByteBuffer()
        let isWritten = form.write(instant, zone: .utc, precision: 3, into: &output)
        precondition(isWritten, "every form can write these years")
        return Array(span: output.bytes)
    }
}
