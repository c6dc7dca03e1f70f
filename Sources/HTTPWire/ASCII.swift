/// The bytes that HTTP/1.1 is made of, each under its own name, and the sets its grammar draws from them.
///
/// No other file of this target spells a byte as a number.
enum ASCII {
    static let null: UInt8 = 0x00
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    /// The first byte of a TLS record that carries a handshake.
    static let tlsHandshake: UInt8 = 0x16
    static let space: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let numberSign = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let asterisk = UInt8(ascii: "*")
    static let comma = UInt8(ascii: ",")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let one = UInt8(ascii: "1")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let questionMark = UInt8(ascii: "?")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let a = UInt8(ascii: "a")
    static let delete: UInt8 = 0x7F

    /// The bit that tells a lower-case letter from its upper-case form.
    private static let caseBit: UInt8 = 0x20

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | caseBit) &- a < 26 }

    /// VCHAR: the visible characters, 0x21 to 0x7E.
    @inline(__always)
    static func isVisible(_ byte: UInt8) -> Bool { byte &- (space + 1) < delete - space - 1 }

    /// OWS: a space or a tab and nothing else (RFC 9110 §5.6.3).
    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// What a field value may hold: HTAB, SP, VCHAR and obs-text (RFC 9110 §5.5).
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool { (byte >= space && byte != delete) || byte == tab }

    /// tchar (RFC 9110 §5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { tokens.contains(byte) }

    /// unreserved or sub-delims (RFC 3986 §2.2 and §2.3): what a registered name holds besides escapes.
    @inline(__always)
    static func isRegisteredName(_ byte: UInt8) -> Bool { registeredNames.contains(byte) }

    /// `byte` with an upper-case letter made lower.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (byte | caseBit) &- a < 26 ? byte | caseBit : byte
    }

    /// The value of a hexadecimal digit of either case, or nil.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | caseBit) &- a
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The upper-case hexadecimal digit of a value below 16.
    @inline(__always)
    static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? zero &+ value : UInt8(ascii: "A") &+ value &- 10
    }

    // Letters, digits and, in this order, !#$%&'*+-.^_`|~ and -._~!$&'()*+,;= as bits. They are written out because a
    // constant costs nothing to reach, while one that is computed is checked for being computed at every byte.
    private static let tokens = ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    private static let registeredNames = ASCIISet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
}

/// A set of ASCII bytes as 128 bits.
struct ASCIISet: Sendable {
    let low: UInt64
    let high: UInt64

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : high
        return byte <= ASCII.delete && (word >> UInt64(byte & 63)) & 1 == 1
    }
}
