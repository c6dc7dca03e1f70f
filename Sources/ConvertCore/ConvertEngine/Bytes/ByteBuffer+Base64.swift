import ConvertText

extension ByteBuffer {
    /// Appends the Base64 of bytes (RFC 4648 section 4), with padding if their count is not a multiple of three.
    ///
    /// - Parameter isForURLs: whether it is base64url without padding (RFC 4648 section 5).
    package mutating func appendBase64(of bytes: Span<UInt8>, isForURLs: Bool = false) {
        reserve((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let length = min(bytes.count - index, 3)
            var word: UInt32 = 0
            for position in 0..<3 { word = word << 8 | (position < length ? UInt32(bytes[index + position]) : 0) }
            for position in 0..<(isForURLs ? length + 1 : 4) {
                let value = UInt8(word >> UInt32(18 - 6 * position) & 63)
                append(position <= length ? Self.base64Digit(value, isForURLs: isForURLs) : ASCII.equals)
            }
            index += 3
        }
    }

    private static func base64Digit(_ value: UInt8, isForURLs: Bool) -> UInt8 {
        switch value {
        case 0..<26: ASCII.upperA + value
        case 26..<52: ASCII.a + value - 26
        case 52..<62: ASCII.zero + value - 52
        case 62: isForURLs ? ASCII.minus : ASCII.plus
        default: isForURLs ? ASCII.underscore : ASCII.slash
        }
    }
}
