/// The named bytes of JSON, dates, HTTP and paths, and the character sets of their grammars.
///
/// No other file writes a byte as a number. Everything is inlined, so that other modules read constants.
@usableFromInline
package enum ASCII {
    @inlinable package static var null: UInt8 { 0x00 }
    @inlinable package static var backspace: UInt8 { 0x08 }
    @inlinable package static var tab: UInt8 { 0x09 }
    @inlinable package static var lineFeed: UInt8 { 0x0A }
    @inlinable package static var formFeed: UInt8 { 0x0C }
    @inlinable package static var carriageReturn: UInt8 { 0x0D }
    /// The first byte of a TLS record that carries a handshake.
    @inlinable package static var tlsHandshake: UInt8 { 0x16 }
    /// Begins a text of a JSON sequence (RFC 7464).
    @inlinable package static var recordSeparator: UInt8 { 0x1E }
    @inlinable package static var space: UInt8 { 0x20 }
    @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
    @inlinable package static var numberSign: UInt8 { UInt8(ascii: "#") }
    @inlinable package static var dollar: UInt8 { UInt8(ascii: "$") }
    @inlinable package static var percent: UInt8 { UInt8(ascii: "%") }
    @inlinable package static var ampersand: UInt8 { UInt8(ascii: "&") }
    @inlinable package static var apostrophe: UInt8 { UInt8(ascii: "'") }
    @inlinable package static var openParenthesis: UInt8 { UInt8(ascii: "(") }
    @inlinable package static var closeParenthesis: UInt8 { UInt8(ascii: ")") }
    @inlinable package static var asterisk: UInt8 { UInt8(ascii: "*") }
    @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
    @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
    @inlinable package static var hyphen: UInt8 { UInt8(ascii: "-") }
    /// The hyphen as the sign of a number.
    @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
    @inlinable package static var dot: UInt8 { UInt8(ascii: ".") }
    @inlinable package static var slash: UInt8 { UInt8(ascii: "/") }
    @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
    @inlinable package static var one: UInt8 { UInt8(ascii: "1") }
    @inlinable package static var nine: UInt8 { UInt8(ascii: "9") }
    @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
    @inlinable package static var semicolon: UInt8 { UInt8(ascii: ";") }
    @inlinable package static var lessThan: UInt8 { UInt8(ascii: "<") }
    @inlinable package static var equals: UInt8 { UInt8(ascii: "=") }
    @inlinable package static var greaterThan: UInt8 { UInt8(ascii: ">") }
    @inlinable package static var questionMark: UInt8 { UInt8(ascii: "?") }
    @inlinable package static var upperA: UInt8 { UInt8(ascii: "A") }
    @inlinable package static var upperE: UInt8 { UInt8(ascii: "E") }
    @inlinable package static var upperT: UInt8 { UInt8(ascii: "T") }
    @inlinable package static var upperZ: UInt8 { UInt8(ascii: "Z") }
    @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
    @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
    @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
    @inlinable package static var underscore: UInt8 { UInt8(ascii: "_") }
    @inlinable package static var a: UInt8 { UInt8(ascii: "a") }
    @inlinable package static var b: UInt8 { UInt8(ascii: "b") }
    @inlinable package static var e: UInt8 { UInt8(ascii: "e") }
    @inlinable package static var f: UInt8 { UInt8(ascii: "f") }
    @inlinable package static var l: UInt8 { UInt8(ascii: "l") }
    @inlinable package static var n: UInt8 { UInt8(ascii: "n") }
    @inlinable package static var r: UInt8 { UInt8(ascii: "r") }
    @inlinable package static var s: UInt8 { UInt8(ascii: "s") }
    @inlinable package static var t: UInt8 { UInt8(ascii: "t") }
    @inlinable package static var u: UInt8 { UInt8(ascii: "u") }
    @inlinable package static var x: UInt8 { UInt8(ascii: "x") }
    @inlinable package static var z: UInt8 { UInt8(ascii: "z") }
    @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
    @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }
    @inlinable package static var tilde: UInt8 { UInt8(ascii: "~") }
    @inlinable package static var delete: UInt8 { 0x7F }
    /// The three bytes of U+FEFF at the start of a text.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// The first byte of every gzip member: ID1 of RFC 1952 §2.3.1.
    @inlinable package static var gzipMember: UInt8 { 0x1F }

    /// The magic number of a Zstandard frame in byte order: RFC 8878 §3.1.1.
    package static let zstandardFrame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    /// The bit that distinguishes a lower-case letter from its upper-case form.
    @inlinable package static var caseBit: UInt8 { 0x20 }

    /// The first byte value that belongs to a multi-byte UTF-8 sequence.
    @inlinable package static var firstNonASCII: UInt8 { 0x80 }

    @inlinable @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }

    @inlinable @inline(__always)
    package static func isLetter(_ byte: UInt8) -> Bool { (byte | caseBit) &- a < 26 }

    /// Space, tab, line feed or carriage return: the white space of JSON.
    @inlinable @inline(__always)
    package static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
    }

    /// OWS: a space or a tab and nothing else (RFC 9110 §5.6.3).
    @inlinable @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == tab }

    /// The separators between the elements of a list: OWS and commas (RFC 9110 §5.6.1).
    @inlinable @inline(__always)
    package static func isListFiller(_ byte: UInt8) -> Bool { byte == comma || isBlank(byte) }

    /// VCHAR: the visible characters, 0x21 to 0x7E.
    @inlinable @inline(__always)
    package static func isVisible(_ byte: UInt8) -> Bool { byte &- (space + 1) < delete - space - 1 }

    /// The bytes of a field value: HTAB, SP, VCHAR and obs-text (RFC 9110 §5.5).
    @inlinable @inline(__always)
    package static func isFieldContent(_ byte: UInt8) -> Bool { (byte >= space && byte != delete) || byte == tab }

    /// tchar (RFC 9110 §5.6.2).
    @inlinable @inline(__always)
    package static func isToken(_ byte: UInt8) -> Bool { tokenSet.contains(byte) }

    /// unreserved (RFC 3986 §2.3): characters that mean the same in a URI with and without an escape.
    @inlinable @inline(__always)
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == hyphen || byte == dot || byte == underscore || byte == tilde
    }

    /// unreserved or sub-delims (RFC 3986 §2.2 and §2.3): the characters of a registered name besides escapes.
    @inlinable @inline(__always)
    package static func isRegisteredName(_ byte: UInt8) -> Bool { registeredNameSet.contains(byte) }

    /// The letter in lower case; any other byte unchanged.
    @inlinable @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- upperA < 26 ? byte | caseBit : byte }

    /// The letter in upper case; any other byte unchanged.
    @inlinable @inline(__always)
    package static func uppercased(_ byte: UInt8) -> UInt8 { byte &- a < 26 ? byte & ~caseBit : byte }

    /// The upper-case hexadecimal digit of a value below 16.
    @inlinable @inline(__always)
    package static func upperHexDigit(_ value: UInt8) -> UInt8 { uppercased(hexDigit(value)) }

    /// The lower-case hexadecimal digit of a value below 16.
    @inlinable @inline(__always)
    package static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? zero &+ value : a &+ value &- 10 }

    /// The value of a hexadecimal digit of either case, or nil.
    @inlinable @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- zero }
        return isHexLetter(byte) ? (byte | caseBit) &- a &+ 10 : nil
    }

    /// Whether a byte is one of the letters `a` to `f`, in either case.
    @inlinable @inline(__always)
    package static func isHexLetter(_ byte: UInt8) -> Bool { (byte | caseBit) &- a < 6 }

    /// The byte that a percent escape (RFC 3986 §2.1) represents, by its digits at `index`; nil if one of them is missing.
    package static func escapedByte(_ text: ArraySlice<UInt8>, at index: Int) -> UInt8? {
        guard text.endIndex - index >= 2, let high = hexValue(text[index]), let low = hexValue(text[index + 1]) else {
            return nil
        }
        return high << 4 | low
    }

    /// The percent escape of a byte.
    package static func escape(of byte: UInt8) -> [UInt8] {
        [percent, upperHexDigit(byte >> 4), upperHexDigit(byte & 0xF)]
    }

    // Letters, digits and, in this order, !#$%&'*+-.^_`|~ and -._~!$&'()*+,;= as bits. They are written out because a
    // constant needs no check. A computed one is checked for initialization at every byte.
    @inlinable static var tokenSet: ASCIISet { ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }
    @inlinable static var registeredNameSet: ASCIISet {
        ASCIISet(low: 0x2BFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
}

/// A set of ASCII bytes as 128 bits.
@usableFromInline
struct ASCIISet: Sendable {
    @usableFromInline package let low: UInt64
    @usableFromInline package let high: UInt64

    @inlinable
    package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    @inlinable @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : high
        return byte <= ASCII.delete && (word >> UInt64(byte & 63)) & 1 == 1
    }
}
