/// The bytes that multipart bodies, envelopes, paths, fields and codings are made of, each under its own name.
///
/// No other file of this target spells a byte as a number.
enum ASCII {
    static let null: UInt8 = 0x00
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let numberSign = UInt8(ascii: "#")
    static let percent = UInt8(ascii: "%")
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")
    static let asterisk = UInt8(ascii: "*")
    static let comma = UInt8(ascii: ",")
    static let hyphen = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let lessThan = UInt8(ascii: "<")
    static let equals = UInt8(ascii: "=")
    static let questionMark = UInt8(ascii: "?")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let underscore = UInt8(ascii: "_")
    static let a = UInt8(ascii: "a")
    static let upperA = UInt8(ascii: "A")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let tilde = UInt8(ascii: "~")
    static let delete: UInt8 = 0x7F
    /// The three bytes of U+FEFF at the start of a text.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first byte of every member of a gzip content: ID1 of RFC 1952 §2.3.1.
    static let gzipMember: UInt8 = 0x1F

    /// The magic number of a Zstandard frame in its order of bytes: RFC 8878 §3.1.1.
    static let zstandardFrame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    private static let caseBit: UInt8 = 0x20

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | caseBit) &- a < 26 }

    /// Space, tab, line feed or carriage return: what JSON calls white space.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
    }

    /// The bytes between the elements of a list that mean nothing: OWS and commas (RFC 9110 §5.6.1).
    @inline(__always)
    static func isListFiller(_ byte: UInt8) -> Bool { byte == comma || byte == space || byte == tab }

    /// The byte of a letter in lower case, any other byte as it is.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- upperA < 26 ? byte | caseBit : byte }

    /// The byte of a letter in upper case, any other byte as it is.
    @inline(__always)
    static func uppercased(_ byte: UInt8) -> UInt8 { byte &- a < 26 ? byte & ~caseBit : byte }

    /// unreserved (RFC 3986 §2.3): what means the same in a URI whether it is escaped or not.
    @inline(__always)
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == hyphen || byte == dot || byte == underscore || byte == tilde
    }

    /// tchar (RFC 9110 §5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// The upper-case hexadecimal digit of a value below 16.
    @inline(__always)
    static func upperHexDigit(_ value: UInt8) -> UInt8 { uppercased(hexDigit(value)) }

    /// The lower-case hexadecimal digit of a value below 16.
    @inline(__always)
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? zero &+ value : a &+ value &- 10 }

    /// The value of a hexadecimal digit of either case, or nil.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | caseBit) &- a
        return letter < 6 ? letter &+ 10 : nil
    }
}
