/// The scalars of a property list that become strings of JSON; numbers are `PropertyListNumber`'s.
enum PropertyListText {
    /// The seconds since 2001 that a binary property list counts, to the microsecond, in RFC 3339; nil outside of the years 1
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

    /// Appends the base64 (RFC 4648 §4) of bytes; padding, where they are not a multiple of three.
    static func appendBase64(of bytes: Span<UInt8>, to output: inout ByteBuffer) {
        let alphabet = alphabet
        output.reserve((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = min(bytes.count - index, 3)
            var word: UInt32 = 0
            for place in 0..<3 { word = word << 8 | (place < count ? UInt32(bytes[index + place]) : 0) }
            for place in 0..<4 {
                let digit = alphabet[Int(word >> UInt32(18 - 6 * place) & 63)]
                output.append(place <= count ? digit : ASCII.equals)
            }
            index += 3
        }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

/// A moment as property lists in XML write it, which is RFC 3339 in UTC without a fraction: `2026-03-01T12:00:00Z`.
struct PropertyListDate {
    private static let shape = Array("0000-00-00T00:00:00Z".utf8)

    /// The bytes between the white space, as far as they can be a date.
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

    /// The date as it is spelled, nil where it is none.
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

/// Base64 (RFC 4648 §4), with the white space that property lists put into it, in portions.
struct Base64Text {
    private enum Kind: UInt8 {
        case digit, padding, space, other
    }

    private var digits = 0
    private var padding = 0
    private var isBad = false

    /// Takes a portion and writes it, but for white space.
    mutating func take(_ text: Span<UInt8>, into output: inout ByteBuffer) {
        let kinds = Self.kinds
        var index = 0
        while index < text.count {
            let start = index
            while index < text.count, kinds[Int(text[index])] == .digit { index += 1 }
            if index > start {
                if padding > 0 { isBad = true }
                digits += index - start
                output.append(text.extracting(start..<index))
            }
            guard index < text.count else { return }
            switch kinds[Int(text[index])] {
            case .padding:
                padding += 1
                output.append(ASCII.equals)
            case .digit, .space: break
            case .other: isBad = true
            }
            index += 1
        }
    }

    /// Whether what came is base64 up to its end.
    var isWhole: Bool { !isBad && padding <= 2 && (digits + padding) % 4 == 0 }

    /// What each byte is.
    private static let kinds = (UInt8.min...UInt8.max).map { byte -> Kind in
        if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.plus || byte == ASCII.slash { return .digit }
        return byte == ASCII.equals ? .padding : ASCII.isSpace(byte) ? .space : .other
    }
}
