import ConvertText

/// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
    static let byteOrderMark: (UInt8, UInt8, UInt8) = (0xEF, 0xBB, 0xBF)

    /// The length of a sequence by its lead byte; 0 for a byte that leads no multi-byte sequence.
    @inline(__always)
    static func length(lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// The valid values of the second byte after `lead`. They are fewer than 80–BF if that would allow overlong forms, surrogates or
    /// values above U+10FFFF.
    @inline(__always)
    static func secondBytes(lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    /// The lowest lead byte, including those of overlong forms.
    static let firstLead: UInt8 = 0xC0
    /// The lowest leads of three and of four bytes.
    static let firstOfThree: UInt8 = 0xE0
    static let firstOfFour: UInt8 = 0xF0
    /// The lead of three bytes whose higher second bytes would make surrogates.
    static let surrogateLead: UInt8 = 0xED

    @inline(__always)
    static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The scalar value of one valid sequence.
    static func scalar(_ sequence: Span<UInt8>) -> UInt32 {
        let lead = UInt32(sequence[0])
        if sequence.count == 1 { return lead }
        var value = lead & (0x7F >> UInt32(sequence.count))
        for index in 1..<sequence.count { value = value << 6 | UInt32(sequence[index] & 0x3F) }
        return value
    }

    /// The length of the valid sequence at `index`; 0 if there is none.
    static func length(in text: Span<UInt8>, at index: Int) -> Int {
        let lead = text[index]
        guard lead >= ASCII.firstNonASCII else { return 1 }
        let length = length(lead: lead)
        guard length > 0, index + length <= text.count, secondBytes(lead: lead).contains(text[index + 1]) else {
            return 0
        }
        for distance in 2..<max(length, 2) {
            guard isContinuation(text[index + distance]) else { return 0 }
        }
        return length
    }

    /// The scalar at `index` and the length of its sequence; nil if the bytes there are not valid.
    static func scalar(in text: Span<UInt8>, at index: Int) -> (scalar: Unicode.Scalar, count: Int)? {
        let count = length(in: text, at: index)
        guard count > 0 else { return nil }
        return Unicode.Scalar(scalar(text.extracting(index..<index + count))).map { ($0, count) }
    }
}

extension UTF8Sequence {
    /// Whether a byte of a text shows that it is UTF-16 or UTF-32: the first one, of a byte order mark or zero, or the second one, if zero.
    ///
    /// JSON and XML begin with an ASCII character, so a zero byte is before or behind it.
    package static func isForeign(_ byte: UInt8, at offset: Int) -> Bool {
        offset == 0 ? byte == 0 || byte >= 0xFE : offset == 1 && byte == 0
    }
}
