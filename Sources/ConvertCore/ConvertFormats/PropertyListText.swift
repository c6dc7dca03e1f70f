import ConvertEngine
import ConvertText

/// The text of a binary property list's dates and data in JSON strings.
enum PropertyListText {
    /// The RFC 3339 date, to the microsecond, for a binary property list's seconds since 2001; nil outside the years 1
    /// to 9999.
    static func date(secondsSince2001 seconds: Double) -> [UInt8]? {
        guard seconds.magnitude < 1e12 else { return nil }
        let whole = seconds.rounded(.down)
        let microseconds = Int64(((seconds - whole) * 1e6).rounded(.toNearestOrEven))
        let carried = Int64(whole) + microseconds / 1_000_000
        let instant = Instant(
            seconds: carried + Instant.secondsTo2001, nanoseconds: Int32(microseconds % 1_000_000) * 1_000)
        var output = ByteBuffer()
        guard DateForm.rfc3339.write(instant, zone: .utc, precision: nil, into: &output) else { return nil }
        return Array(output)
    }

    /// Appends the Base64 (RFC 4648 §4) of bytes, with padding if their count is not a multiple of three.
    static func appendBase64(of bytes: Span<UInt8>, to output: inout ByteBuffer) {
        let alphabet = alphabet
        output.reserve((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(bytes.count - index, 3)
            var word: UInt32 = 0
            for position in 0..<3 { word = word << 8 | (position < count ? UInt32(bytes[index + position]) : 0) }
            for position in 0..<4 {
                let digit = alphabet[Int(word >> UInt32(18 - 6 * position) & 63)]
                output.append(position <= count ? digit : ASCII.equals)
            }
            index += 3
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
