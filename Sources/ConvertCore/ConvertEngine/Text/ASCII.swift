/// The bytes that JSON, dates and names are made of, each under its own name.
///
/// No other file spells a byte as a number.
enum ASCII {
    static let null: UInt8 = 0x00
    static let backspace: UInt8 = 0x08
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let formFeed: UInt8 = 0x0C
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote = UInt8(ascii: "\"")
    static let number = UInt8(ascii: "#")
    static let dollar = UInt8(ascii: "$")
    static let percent = UInt8(ascii: "%")
    static let ampersand = UInt8(ascii: "&")
    static let apostrophe = UInt8(ascii: "'")
    static let openParenthesis = UInt8(ascii: "(")
    static let closeParenthesis = UInt8(ascii: ")")
    static let asterisk = UInt8(ascii: "*")
    static let plus = UInt8(ascii: "+")
    static let comma = UInt8(ascii: ",")
    static let minus = UInt8(ascii: "-")
    static let dot = UInt8(ascii: ".")
    static let slash = UInt8(ascii: "/")
    static let zero = UInt8(ascii: "0")
    static let one = UInt8(ascii: "1")
    static let nine = UInt8(ascii: "9")
    static let colon = UInt8(ascii: ":")
    static let semicolon = UInt8(ascii: ";")
    static let less = UInt8(ascii: "<")
    static let equals = UInt8(ascii: "=")
    static let greater = UInt8(ascii: ">")
    static let exclamation = UInt8(ascii: "!")
    static let question = UInt8(ascii: "?")
    static let upperA = UInt8(ascii: "A")
    static let upperE = UInt8(ascii: "E")
    static let upperF = UInt8(ascii: "F")
    static let upperT = UInt8(ascii: "T")
    static let upperZ = UInt8(ascii: "Z")
    static let openBracket = UInt8(ascii: "[")
    static let backslash = UInt8(ascii: "\\")
    static let closeBracket = UInt8(ascii: "]")
    static let underscore = UInt8(ascii: "_")
    static let a = UInt8(ascii: "a")
    static let b = UInt8(ascii: "b")
    static let e = UInt8(ascii: "e")
    static let f = UInt8(ascii: "f")
    static let l = UInt8(ascii: "l")
    static let n = UInt8(ascii: "n")
    static let r = UInt8(ascii: "r")
    static let s = UInt8(ascii: "s")
    static let t = UInt8(ascii: "t")
    static let x = UInt8(ascii: "x")
    static let u = UInt8(ascii: "u")
    static let z = UInt8(ascii: "z")
    static let openBrace = UInt8(ascii: "{")
    static let closeBrace = UInt8(ascii: "}")
    static let tilde = UInt8(ascii: "~")
    static let delete: UInt8 = 0x7F

    /// The bit that tells a small letter from its capital.
    static let caseBit: UInt8 = 0x20

    /// The first byte value that belongs to a multi-byte UTF-8 sequence.
    static let firstNonASCII: UInt8 = 0x80

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- a < 26 }

    /// Space, tab, line feed or carriage return: the white space of JSON and of XML.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == tab || byte == lineFeed || byte == carriageReturn
    }

    /// The value of a hexadecimal digit of either case, or nil.
    @inline(__always)
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | 0x20) &- a
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The lower-case hexadecimal digit of a value below 16.
    @inline(__always)
    static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? zero &+ value : a &+ value &- 10 }
}
