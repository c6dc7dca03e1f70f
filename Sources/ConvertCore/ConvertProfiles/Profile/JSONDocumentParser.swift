package import ConvertEngine
import ConvertText

/// Reads a JSON text by RFC 8259, strictly, into a `JSONDocument`.
///
/// The parser has the text, the offset of the next byte, and the containers that are open, innermost last. Each turn of the
/// loop in `parse()` takes one step inside the innermost container: it closes the container, or reads one child. A child
/// that is a container becomes the innermost one for the next turn, so nesting never becomes recursion. Invariant: a
/// container is in `open` until its end is written into the document.
///
/// The first error stops the parser, because the text after a syntax error cannot be trusted.
package struct JSONDocumentParser {
    private var document: JSONDocument
    private var offset = 0
    private var open: [JSONDocument.NodeID] = []

    private let maxDepth: Int

    private init(_ text: [UInt8], maxDepth: Int) {
        document = JSONDocument(text: text)
        self.maxDepth = maxDepth
    }

    /// Parses a whole text. A byte order mark at its start is skipped.
    package static func parse(
        _ bytes: [UInt8], maxDepth: Int = JSONDocument.maxDepth
    ) throws(ProfileFault) -> JSONDocument {
        let markBytes = bytes.span.markBytes
        var parser = JSONDocumentParser(markBytes > 0 ? Array(bytes[markBytes...]) : bytes, maxDepth: maxDepth)
        try parser.checkEncoding()
        try parser.parse()
        return parser.document
    }

    private var text: [UInt8] { document.text }

    private var next: UInt8? { offset < document.text.count ? document.text[offset] : nil }

    private mutating func parse() throws(ProfileFault) {
        skipWhiteSpace()
        guard next != nil else { throw fault("the document is empty", hint: "the smallest one is `{}`") }
        try readValue(step: .root, parent: nil)
        while let innermost = open.last {
            skipWhiteSpace()
            if document[innermost].kind == .array {
                try advanceArray(innermost)
            } else {
                try advanceObject(innermost)
            }
        }
        skipWhiteSpace()
        guard next == nil else { throw fault("expected the end of the document, found \(found)") }
    }
}

// MARK: - Structure

extension JSONDocumentParser {
    private mutating func advanceArray(_ array: JSONDocument.NodeID) throws(ProfileFault) {
        let count = document[array].children.count
        if next == ASCII.closeBracket { return close() }
        if count > 0 { try takeComma(before: "a value", or: ASCII.closeBracket) }
        try readValue(step: .index(count), parent: array)
    }

    private mutating func advanceObject(_ object: JSONDocument.NodeID) throws(ProfileFault) {
        if next == ASCII.closeBrace { return close() }
        if !document[object].children.isEmpty { try takeComma(before: "a key", or: ASCII.closeBrace) }
        guard next == ASCII.quote else { throw fault("expected a key in double quotes, found \(found)") }
        let nameOffset = offset
        let name = try readString()
        skipWhiteSpace()
        guard next == ASCII.colon else { throw fault("expected `:` after a key, found \(found)") }
        offset += 1
        skipWhiteSpace()
        try readValue(step: .member(name, nameOffset: nameOffset), parent: object)
    }

    /// Skips the comma before the next child. `end` is the byte that would close the container instead.
    private mutating func takeComma(before child: String, or end: UInt8) throws(ProfileFault) {
        let shownEnd = Character(Unicode.Scalar(end))
        guard next == ASCII.comma else { throw fault("expected `,` or `\(shownEnd)`, found \(found)") }
        offset += 1
        skipWhiteSpace()
        guard next == end else { return }
        throw fault("expected \(child), found `\(shownEnd)`", hint: "JSON has no comma after the last one")
    }

    private mutating func close() {
        offset += 1
        document.close(open.removeLast(), end: offset)
    }

    private mutating func readValue(
        step: JSONDocument.Step, parent: JSONDocument.NodeID?
    ) throws(ProfileFault) {
        let start = offset
        let kind = try readKind()
        let id = document.append(.init(kind: kind, step: step, parent: parent, start: start, end: offset))
        guard kind == .array || kind == .object else { return }
        guard open.count < maxDepth else {
            throw fault(
                "more than \(maxDepth) nested arrays and objects", at: start, hint: "nest less deeply")
        }
        open.append(id)
    }

    private mutating func readKind() throws(ProfileFault) -> JSONDocument.Kind {
        switch next {
        case ASCII.openBracket:
            offset += 1
            return .array
        case ASCII.openBrace:
            offset += 1
            return .object
        case ASCII.quote: return .string(try readString())
        case ASCII.t: return try readWord("true", .boolean(true))
        case ASCII.f: return try readWord("false", .boolean(false))
        case ASCII.n: return try readWord("null", .null)
        case .some(let byte) where byte == ASCII.minus || ASCII.isDigit(byte): return .number(try readNumber())
        default: throw fault("expected a value, found \(found)", hint: hintForNoValue)
        }
    }

    private mutating func skipWhiteSpace() {
        while let byte = next, ASCII.isSpace(byte) { offset += 1 }
    }
}

// MARK: - Scalars

extension JSONDocumentParser {
    private mutating func readWord(
        _ word: String, _ kind: JSONDocument.Kind
    ) throws(ProfileFault) -> JSONDocument.Kind {
        guard text[offset...].starts(with: word.utf8) else {
            let written = text[offset...].prefix { ASCII.isLetter($0) }
            let isNear = NearestName.nearest(to: Array(written), among: [word]) != nil
            throw fault("expected a value, found \(found)", hint: isNear ? "did you mean `\(word)`?" : nil)
        }
        offset += word.utf8.count
        return kind
    }

    /// The text of the number that begins at `offset`, in the grammar of payloads.
    private mutating func readNumber() throws(ProfileFault) -> [UInt8] {
        let start = offset
        var state = NumberCopier.State.start
        do throws(EngineError) {
            while let byte = next {
                if !state.takesDigits || !ASCII.isDigit(byte) {
                    guard let following = try NumberCopier.step(state, byte, at: offset) else { break }
                    state = following
                }
                offset += 1
            }
        } catch {
            guard state == .zero else { throw fault("expected a digit, found \(found)") }
            throw fault("a number has a leading zero", at: start, hint: "write the number without it")
        }
        guard state.isComplete else { throw fault("expected a digit, found \(found)") }
        return Array(text[start..<offset])
    }

    /// The unescaped content of the string that begins at `offset`.
    private mutating func readString() throws(ProfileFault) -> [UInt8] {
        let start = offset
        offset += 1
        while let byte = next {
            switch byte {
            case ASCII.quote:
                let content = JSONText.content(of: text.span.extracting((start + 1)..<offset))
                offset += 1
                return content
            case ASCII.backslash: try skipEscape()
            case ..<ASCII.space:
                throw fault(
                    "a string contains the control character \(found)", hint: "write it as an escape such as `\\n`")
            default: offset += 1
            }
        }
        throw fault("a string is not closed", at: start)
    }

    private mutating func skipEscape() throws(ProfileFault) {
        let start = offset
        offset += 1
        guard let byte = next else { return }
        offset += 1
        switch byte {
        case ASCII.quote, ASCII.backslash, ASCII.slash, ASCII.b, ASCII.f, ASCII.n, ASCII.r, ASCII.t: return
        case ASCII.u:
            guard text[offset...].prefix(4).filter({ ASCII.hexValue($0) != nil }).count == 4 else {
                throw fault("a `\\u` escape needs four hexadecimal digits", at: start)
            }
            offset += 4
        default: throw fault("a string contains an unknown escape", at: start, hint: "a backslash is written `\\\\`")
        }
    }
}

// MARK: - Errors

extension JSONDocumentParser {
    private func checkEncoding() throws(ProfileFault) {
        if let offset = text.firstIndex(of: ASCII.null) {
            let hint = "UTF-16 and UTF-32 are not accepted; save the file as UTF-8"
            throw fault("the document contains a zero byte", at: offset, hint: hint)
        }
        do {
            _ = try UTF8Span(validating: text.span)
        } catch {
            throw fault(
                "the document is not UTF-8", at: error.byteOffsets.lowerBound, hint: "save the file as UTF-8")
        }
    }

    private func fault(_ message: String, at position: Int? = nil, hint: String? = nil) -> ProfileFault {
        let position = document.position(of: position ?? offset)
        let pointer = open.last.map { document.pointer(to: $0) } ?? ""
        return ProfileFault(
            pointer: pointer, line: position.line, column: position.column, message: message,
            hint: hint ?? "write one JSON object, without comments and without commas before `}` and `]`")
    }

    /// The character at `offset`, for a message.
    private var found: String {
        guard let byte = next else { return "the end of the document" }
        guard byte < ASCII.firstNonASCII else { return "a character outside strings that is not ASCII" }
        switch byte {
        case ASCII.lineFeed, ASCII.carriageReturn: return "a line end"
        case ..<ASCII.space, ASCII.delete:
            return "U+00" + String(byte >> 4, radix: 16) + String(byte & 0b1111, radix: 16)
        default: return "`\(Character(Unicode.Scalar(byte)))`"
        }
    }

    private var hintForNoValue: String? {
        switch next {
        case ASCII.apostrophe: "JSON strings use double quotes"
        case ASCII.slash: "JSON has no comments"
        case ASCII.plus: "JSON numbers have no plus sign"
        case nil: "the document is cut off"
        default: nil
        }
    }
}
