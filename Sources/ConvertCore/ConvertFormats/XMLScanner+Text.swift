import ConvertEngine
import ConvertText

// MARK: - The text of an element

extension XMLScanner {
    /// Appends more of the text before the end tag of `element`. Returns whether that tag was reached and consumed.
    ///
    /// Line ends become line feeds (XML 1.0 §2.11).
    mutating func text(
        _ bytes: Span<UInt8>, of element: XMLElement, into text: inout ByteBuffer, _ work: inout Int
    ) throws(FormatError) -> Bool {
        while work > 0 {
            switch open {
            case .tag(let start, _, _, _):
                guard let tag = try tag(bytes, &work) else { continue }
                guard tag == .end(element) else { throw .plist("expected the end of \(element.rawValue)", at: start) }
                return true
            case .section(let start): try appendSection(bytes, from: start, to: &text, &work)
            case .nothing: try appendPlain(bytes, of: element, to: &text, &work)
            case .comment, .instruction, .documentType: try skipOpen(bytes, &work)
            }
        }
        return false
    }

    /// Appends characters and references. Stops at a tag, a section or a comment, and begins to read it.
    private mutating func appendPlain(
        _ bytes: Span<UInt8>, of element: XMLElement, to text: inout ByteBuffer, _ work: inout Int
    ) throws(FormatError) {
        let before = offset
        defer { work -= offset - before + 1 }
        let limit = limit(bytes, work)
        while offset < limit {
            offset = text.appendRun(
                of: bytes, from: offset, to: limit, until: ASCII.lessThan, or: ASCII.ampersand, stopsAtControls: true)
            guard offset < limit else { return }
            switch bytes[offset] {
            case ASCII.lessThan: return try beginMarkup(bytes)
            case ASCII.ampersand: try appendReference(bytes, to: &text)
            default: try appendControl(bytes, to: &text)
            }
        }
        guard offset < bytes.count else {
            throw .plist("expected the end of \(element.rawValue), found the end of the payload", at: offset)
        }
    }

    private mutating func beginMarkup(_ bytes: Span<UInt8>) throws(FormatError) {
        if starts("<!--", bytes) {
            open = .comment(offset)
            offset += 2
        } else if starts("<![CDATA[", bytes) {
            open = .section(offset)
            offset += 9
        } else {
            try beginTag(bytes)
        }
    }

    /// Appends a control character. XML allows only the white space among them.
    private mutating func appendControl(_ bytes: Span<UInt8>, to text: inout ByteBuffer) throws(FormatError) {
        let byte = bytes[offset]
        guard ASCII.isSpace(byte) else { throw .plist("a control character that XML does not allow", at: offset) }
        offset += 1
        guard byte == ASCII.carriageReturn else { return text.append(byte) }
        text.append(ASCII.lineFeed)
        if offset < bytes.count, bytes[offset] == ASCII.lineFeed { offset += 1 }
    }

    private mutating func appendSection(
        _ bytes: Span<UInt8>, from start: Int, to text: inout ByteBuffer, _ work: inout Int
    ) throws(FormatError) {
        let before = offset
        defer { work -= offset - before + 1 }
        let limit = limit(bytes, work)
        while offset < limit {
            offset = text.appendRun(
                of: bytes, from: offset, to: limit, until: ASCII.closeBracket, or: ASCII.closeBracket,
                stopsAtControls: true)
            guard offset < limit else { break }
            if bytes[offset] != ASCII.closeBracket {
                try appendControl(bytes, to: &text)
            } else if starts("]]>", bytes) {
                offset += 3
                open = .nothing
                return
            } else {
                text.append(ASCII.closeBracket)
                offset += 1
            }
        }
        guard offset < bytes.count else { throw .plist("expected the end of a CDATA section", at: start) }
    }

    private mutating func appendReference(_ bytes: Span<UInt8>, to text: inout ByteBuffer) throws(FormatError) {
        let start = offset
        let nameLimit = min(bytes.count, start + 1 + Self.maxNameBytes)
        let end = bytes.firstIndex(of: ASCII.semicolon, from: start + 1, to: nameLimit)
        guard end < bytes.count, bytes[end] == ASCII.semicolon else {
            throw .plist("expected a reference such as &amp;", at: start)
        }
        offset = end + 1
        if bytes[start + 1] == ASCII.numberSign {
            guard let value = Self.character(bytes, from: start + 2, to: end) else {
                throw .plist("a reference to a character that XML does not allow", at: start)
            }
            UTF8Sequence.append(value, to: &text)
        } else {
            text.append(try entity(bytes, at: start))
        }
    }

    /// The byte that one of XML's predefined entities represents.
    private func entity(_ bytes: Span<UInt8>, at start: Int) throws(FormatError) -> UInt8 {
        for (reference, byte) in Self.entities where bytes.begins(with: reference, at: start) { return byte }
        throw .plist("an entity that is not one of XML's own", at: start)
    }

    private static let entities = [
        ("&amp;", ASCII.ampersand), ("&lt;", ASCII.lessThan), ("&gt;", ASCII.greaterThan), ("&quot;", ASCII.quote),
        ("&apos;", ASCII.apostrophe),
    ]

    private static let maxScalar = ("\u{10FFFF}" as Unicode.Scalar).value

    /// The scalar value of a reference `1*DIGIT` or `"x" 1*HEXDIG`; nil if XML does not allow that character.
    private static func character(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> UInt32? {
        let isHexadecimal = start < end && bytes[start] == ASCII.x
        let first = isHexadecimal ? start + 1 : start
        guard first < end else { return nil }
        var value: UInt32 = 0
        for index in first..<end {
            guard let digit = ASCII.hexValue(bytes[index]), isHexadecimal || digit < 10 else { return nil }
            value = value * (isHexadecimal ? 16 : 10) + UInt32(digit)
            guard value <= maxScalar else { return nil }
        }
        guard let scalar = Unicode.Scalar(value), value >= UInt32(ASCII.space) || ASCII.isSpace(UInt8(value)) else {
            return nil
        }
        return scalar.value
    }
}
