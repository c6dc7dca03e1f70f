/// Writes the server's own small JSON texts: problems, lists and log lines. Payloads never pass here.
@usableFromInline
package struct JSONWriter {
    @usableFromInline package var bytes: [UInt8] = []
    /// Whether a comma is needed before the next member or element.
    @usableFromInline var isFollowing = false

    package init(reserving byteCount: Int = 256) {
        bytes.reserveCapacity(byteCount)
    }

    /// Continues after `bytes`, as if nothing were there.
    package init(continuing bytes: [UInt8]) { self.bytes = bytes }

    package mutating func openObject() { open(ASCII.openBrace) }
    package mutating func closeObject() { close(ASCII.closeBrace) }
    package mutating func openArray() { open(ASCII.openBracket) }
    package mutating func closeArray() { close(ASCII.closeBracket) }

    @usableFromInline
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(ASCII.quote)
        bytes.append(contentsOf: name.description.utf8)
        bytes.append(ASCII.quote)
        bytes.append(ASCII.colon)
        isFollowing = false
    }

    @inlinable
    package mutating func string(_ text: some StringProtocol) { string(bytes: text.utf8) }

    /// A string of UTF-8 bytes; control characters, quotes and backslashes are escaped.
    @inlinable
    package mutating func string(bytes text: some Collection<UInt8>) {
        separate()
        bytes.append(ASCII.quote)
        if text.contains(where: Self.isEscaped) { appendEscaped(text) } else { bytes.append(contentsOf: text) }
        bytes.append(ASCII.quote)
    }

    @inlinable
    static func isEscaped(_ byte: UInt8) -> Bool {
        byte < ASCII.space || byte == ASCII.quote || byte == ASCII.backslash || byte == ASCII.delete
    }

    @inlinable
    mutating func appendEscaped(_ text: some Collection<UInt8>) {
        for byte in text {
            switch byte {
            case ASCII.quote, ASCII.backslash:
                bytes.append(ASCII.backslash)
                bytes.append(byte)
            case ..<ASCII.space, ASCII.delete:
                bytes.append(contentsOf: "\\u00".utf8)
                bytes.append(ASCII.hexDigit(byte >> 4))
                bytes.append(ASCII.hexDigit(byte & 15))
            default: bytes.append(byte)
            }
        }
    }

    @inlinable
    package mutating func number(_ value: some FixedWidthInteger) {
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    /// Members as another writer wrote them, outside of any object.
    package mutating func members(_ written: [UInt8]) {
        guard !written.isEmpty else { return }
        separate()
        bytes.append(contentsOf: written)
    }

    package mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    /// A text from outside: at most `maxBytes` bytes of it, with U+FFFD for control characters that are not ASCII and
    /// for invalid UTF-8.
    @inlinable
    package mutating func member(_ name: StaticString, untrusted value: some Collection<UInt8>, maxBytes: Int) {
        self.name(name)
        guard value.count > maxBytes || value.contains(where: { $0 > ASCII.delete }) else {
            return string(bytes: value)
        }
        string(Self.shortened(Array(value.prefix(maxBytes + 1)), maxBytes: maxBytes))
    }

    @usableFromInline
    static func shortened(_ value: [UInt8], maxBytes: Int) -> String {
        let text = String(decoding: value, as: UTF8.self).unicodeScalars.map { scalar in
            scalar.isASCII || scalar.properties.generalCategory != .control ? scalar : "\u{FFFD}"
        }
        return ShortText(String(String.UnicodeScalarView(text)), maxBytes: maxBytes).text
    }

    /// Ends a text of one line; what follows is another.
    package mutating func endLine() {
        bytes.append(ASCII.lineFeed)
        isFollowing = false
    }

    private mutating func open(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        isFollowing = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        isFollowing = true
    }

    @inlinable
    mutating func separate() {
        if isFollowing { bytes.append(ASCII.comma) }
        isFollowing = true
    }
}
