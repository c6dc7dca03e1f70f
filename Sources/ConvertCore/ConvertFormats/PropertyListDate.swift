import ConvertEngine
import ConvertText

/// Reads a date of an XML property list byte by byte: RFC 3339 in UTC without a fraction, `2026-03-01T12:00:00Z`.
struct PropertyListDate {
    private static let shape = Array("0000-00-00T00:00:00Z".utf8)

    /// The bytes between leading and trailing white space, at most as many as a date has.
    private var bytes: [UInt8] = []
    private var hasEnded = false
    private var isBad = false

    mutating func take(_ byte: UInt8) {
        if ASCII.isSpace(byte) {
            hasEnded = !bytes.isEmpty
        } else if hasEnded || bytes.count == Self.shape.count {
            isBad = true
        } else {
            bytes.append(byte)
        }
    }

    /// The text of the date; nil if it is not valid.
    var text: [UInt8]? {
        guard !isBad, bytes.count == Self.shape.count else { return nil }
        for (byte, expected) in zip(bytes, Self.shape) {
            guard expected == ASCII.zero ? ASCII.isDigit(byte) : byte == expected else { return nil }
        }
        func number(_ start: Int, _ count: Int) -> Int {
            bytes[start..<(start + count)].reduce(0) { $0 * 10 + Int($1 - ASCII.zero) }
        }
        guard CivilDate(checkedYear: number(0, 4), month: number(5, 2), day: number(8, 2)) != nil,
            number(11, 2) < 24, number(14, 2) < 60, number(17, 2) < 60
        else { return nil }
        return bytes
    }
}
