import ConvertEngine
import ConvertText

/// Reads a date of an XML property list byte by byte: RFC 3339 in UTC without a fraction, `2026-03-01T12:00:00Z`.
struct PropertyListDate {
    private static let textBytes = "0000-00-00T00:00:00Z".utf8.count

    /// The bytes between leading and trailing white space, at most as many as a date has.
    private var bytes: [UInt8] = []
    private var hasEnded = false
    private var isBad = false

    mutating func take(_ byte: UInt8) {
        if ASCII.isSpace(byte) {
            hasEnded = !bytes.isEmpty
        } else if hasEnded || bytes.count == Self.textBytes {
            isBad = true
        } else {
            bytes.append(byte)
        }
    }

    /// The text of the date; nil if it is not valid.
    var text: [UInt8]? { !isBad && DateRule.isPlainUTC(bytes.span) ? bytes : nil }
}
