/// Writes the server's own small JSON texts: problems, lists and log lines. It never writes payloads.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether a comma is needed before the next key or element.
    private var isFollowing = false

    package init(reserving byteCount: Int = 256) {
        bytes.reserveCapacity(byteCount)
    }

    /// Continues after `bytes`, as at the beginning of a text.
    package init(continuing bytes: [UInt8]) { self.bytes = bytes }

    /// The text of an object with what `write` writes.
    package static func object(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(nil, write)
        return writer.bytes
    }

    package mutating func openObject() { open(ASCII.openBrace) }
    package mutating func closeObject() { close(ASCII.closeBrace) }

    /// An object with what `write` writes: a member's value, or without a name an element or the whole text.
    package mutating func object(_ name: String? = nil, _ write: (inout JSONWriter) -> Void) {
        if let name { self.name(name) }
        openObject()
        write(&self)
        closeObject()
    }

    /// A member whose value is an array with one object for each element.
    package mutating func objects<Element>(
        _ name: String, of elements: [Element], _ write: (inout JSONWriter, Element) -> Void
    ) {
        self.name(name)
        open(ASCII.openBracket)
        for element in elements { object { write(&$0, element) } }
        close(ASCII.closeBracket)
    }

    package mutating func name(_ name: String) {
        separate()
        bytes.append(ASCII.quote)
        bytes.append(contentsOf: name.utf8)
        bytes.append(ASCII.quote)
        bytes.append(ASCII.colon)
        isFollowing = false
    }

    package mutating func string(_ text: String) {
        let start = beginString()
        bytes.append(contentsOf: text.utf8)
        endString(from: start)
    }

    /// Begins a string. Returns the start of its content.
    private mutating func beginString() -> Int {
        separate()
        bytes.append(ASCII.quote)
        return bytes.count
    }

    /// Ends a string whose content was appended unescaped. Its control characters, quotes and backslashes are escaped
    /// now.
    private mutating func endString(from start: Int) {
        if contains(from: start, Self.escapeMark) {
            let text = bytes[start...]
            bytes.removeSubrange(start...)
            appendEscaped(text)
        }
        bytes.append(ASCII.quote)
    }

    /// Whether one of the bytes from `start` on has a mark that is not 0. Almost none has, so nothing branches on a byte.
    @inline(__always)
    private func contains(from start: Int, _ mark: (UInt8) -> UInt8) -> Bool {
        let text = bytes.span.extracting(start...)
        var found: UInt8 = 0
        for index in text.indices { found |= mark(text[index]) }
        return found != 0
    }

    @inline(__always)
    private static func escapeMark(_ byte: UInt8) -> UInt8 {
        (byte < ASCII.space ? 1 : 0) | (byte == ASCII.quote ? 1 : 0) | (byte == ASCII.backslash ? 1 : 0)
            | (byte == ASCII.delete ? 1 : 0)
    }

    private mutating func appendEscaped(_ text: ArraySlice<UInt8>) {
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

    package mutating func number(_ value: Int) {
        separate()
        if value < 0 { bytes.append(contentsOf: value.description.utf8) } else { bytes.appendDecimal(value) }
    }

    /// Keys and values that another writer wrote outside of an object.
    package mutating func members(_ written: [UInt8]) {
        guard !written.isEmpty else { return }
        separate()
        bytes.append(contentsOf: written)
    }

    package mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        self.name(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        self.name(name)
        number(value)
    }

    /// A text from outside: at most `maxBytes` bytes of it, with U+FFFD for invalid UTF-8, and for characters that are not
    /// ASCII and control a terminal, the direction of text, or lines.
    package mutating func member(_ name: String, untrusted value: ArraySlice<UInt8>, maxBytes: Int) {
        self.name(name)
        let start = beginString()
        bytes.append(contentsOf: value.prefix(maxBytes + 1))
        endUntrusted(from: start, maxBytes: maxBytes)
    }

    package mutating func member(_ name: String, untrusted value: String, maxBytes: Int) {
        member(name, untrusted: Array(value.utf8.prefix(maxBytes + 1))[...], maxBytes: maxBytes)
    }

    private static func controls(_ properties: Unicode.Scalar.Properties) -> Bool {
        properties.isBidiControl
            || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }

    private mutating func endUntrusted(from start: Int, maxBytes: Int) {
        if bytes.count - start > maxBytes || contains(from: start, { $0 & 0x80 }) {
            let text = String(decoding: bytes[start...], as: UTF8.self).unicodeScalars.map { scalar in
                scalar.isASCII || !Self.controls(scalar.properties) ? scalar : "\u{FFFD}"
            }
            let short = ShortText(String(String.UnicodeScalarView(text)), maxBytes: maxBytes).text
            bytes.replaceSubrange(start..., with: short.utf8)
        }
        endString(from: start)
    }

    /// Ends a text of one line. The next output is another text.
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

    private mutating func separate() {
        if isFollowing { bytes.append(ASCII.comma) }
        isFollowing = true
    }
}
