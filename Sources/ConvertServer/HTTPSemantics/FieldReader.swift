import Text

/// Reads a field's value from left to right.
struct FieldReader {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
        skipBlanks()
    }

    init(_ text: some StringProtocol) { self.init(Array(text.utf8)[...]) }

    var isAtEnd: Bool { index == bytes.endIndex }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.endIndex, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func skipBlanks() {
        while index < bytes.endIndex, bytes[index] == ASCII.space || bytes[index] == ASCII.tab { index += 1 }
    }

    /// The next token, in its bytes; nil if there is none.
    mutating func token() -> ArraySlice<UInt8>? {
        let start = index
        while index < bytes.endIndex, ASCII.isToken(bytes[index]) { index += 1 }
        return index == start ? nil : bytes[start..<index]
    }

    /// `*( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )` up to the end; false if there is something else.
    ///
    /// - Parameter take: gets each name as written, and each value without quotes and escapes.
    mutating func parameters(_ take: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void) -> Bool {
        while true {
            skipBlanks()
            if isAtEnd { return true }
            guard skip(ASCII.semicolon) else { return false }
            skipBlanks()
            if isAtEnd || bytes[index] == ASCII.semicolon { continue }
            guard let (name, value) = parameter() else { return false }
            take(name, value)
        }
    }

    /// `name "=" ( token / quoted-string )`; nil for anything else.
    mutating func parameter() -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
        guard let name = token(), skip(ASCII.equals), let value = token() ?? quotedString() else { return nil }
        return (name, value)
    }

    private mutating func quotedString() -> ArraySlice<UInt8>? {
        guard skip(ASCII.quote) else { return nil }
        var content: [UInt8] = []
        while index < bytes.endIndex, bytes[index] != ASCII.quote {
            if bytes[index] == ASCII.backslash { index += 1 }
            guard index < bytes.endIndex else { return nil }
            content.append(bytes[index])
            index += 1
        }
        return skip(ASCII.quote) ? content[...] : nil
    }
}
