import ConvertEngine
import ConvertText

// The part of XML 1.0 that property lists use:
//
//     document = [ "<?xml" … "?>" ] *misc [ "<!DOCTYPE" … ">" ] *misc element *misc
//     misc     = space / "<!--" … "-->" / "<?" … "?>"
//     text     = *( character / "&" ( "lt" / "gt" / "amp" / "quot" / "apos" ) ";" / "&#" 1*DIGIT ";" / "&#x" 1*HEXDIG ";"
//                 / "<![CDATA[" … "]]>" / comment )
//
// A DOCTYPE may name a document type, which is never fetched. A DOCTYPE with declarations is an error, and so is every entity
// except the five above. So nothing can expand.
//
// Every construct that may be long is read in pieces: `open` is the construct that is not complete, and `offset` the next byte. An
// operation that stops because its share of work is done is called again with the same bytes, and continues there.

/// Reads the pieces of an XML document of UTF-8 from left to right.
struct XMLScanner {
    enum Tag: Equatable {
        case start(XMLElement, isEmpty: Bool)
        case end(XMLElement)
    }

    /// An incomplete construct, with the offset of its first byte.
    enum Open {
        case nothing
        case comment(Int)
        case instruction(Int)
        case documentType(Int)
        case section(Int)
        case tag(Int, XMLElement, isEnd: Bool, isEmpty: Bool)
    }

    /// The limit for names of elements and for references, in bytes; property lists have no longer ones.
    static let maxNameBytes = 64
    /// The first bytes in which an encoding may be declared.
    private static let maxDeclarationBytes = 256

    var open = Open.nothing
    var offset = 0

    /// The offset after `work` bytes, or the end of the payload.
    func limit(_ bytes: Span<UInt8>, _ work: Int) -> Int {
        bytes.count - offset > work ? offset + work : bytes.count
    }

    // MARK: Encoding

    /// Checks the first bytes, which may be a byte order mark, and the encoding that the document declares.
    mutating func begin(_ bytes: Span<UInt8>) throws(FormatError) {
        if (0..<min(bytes.count, 2)).contains(where: { UTF8Sequence.isForeign(bytes[$0], at: $0) }) {
            throw .plist("expected UTF-8, found UTF-16 or UTF-32", at: 0)
        }
        let head = (0..<min(bytes.count, Self.maxDeclarationBytes)).map { bytes[$0] }
        if let name = Self.declaredEncoding(head[bytes.markBytes...]), !Self.encodings.contains(name) {
            throw .plist("encoding \(name) is not supported; save the file as UTF-8", at: 0)
        }
    }

    /// The encodings whose bytes are UTF-8.
    private static let encodings: Set<String> = ["UTF-8", "UTF8", "US-ASCII", "ASCII"]

    /// The name of the encoding in the declaration, in upper case:
    ///
    ///     XMLDecl = "<?xml" VersionInfo [ S "encoding" Eq ( '"' EncName '"' / "'" EncName "'" ) ] [ SDDecl ] [ S ] "?>"
    private static func declaredEncoding(_ head: ArraySlice<UInt8>) -> String? {
        guard head.starts(with: Array("<?xml".utf8)), let next = head.dropFirst(5).first, ASCII.isSpace(next),
            head.contains(ASCII.greaterThan)
        else { return nil }
        let parts = head.prefix { $0 != ASCII.greaterThan }.split(omittingEmptySubsequences: false) {
            $0 == ASCII.quote || $0 == ASCII.apostrophe
        }
        let label = parts.firstIndex { part in part.filter { !ASCII.isSpace($0) }.elementsEqual("encoding=".utf8) }
        guard let label, label + 1 < parts.count else { return nil }
        return String(decoding: parts[label + 1].map(ASCII.uppercased), as: UTF8.self)
    }

    /// Checks more of the encoding, and at the end returns to the first byte after a byte order mark. Returns whether all is checked.
    mutating func checkEncoding(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) -> Bool {
        let (end, isValid) = bytes.checkUTF8(from: offset, to: limit(bytes, work))
        guard isValid else { throw .plist("invalid UTF-8", at: end) }
        work -= end - offset + 1
        offset = end
        guard end >= bytes.count else { return false }
        offset = bytes.markBytes
        return true
    }

    // MARK: Between elements

    /// Skips white space, comments and instructions, and before the first element also the document type. Returns whether
    /// something else comes next, or the payload ends.
    mutating func skipMisc(
        _ bytes: Span<UInt8>, isProlog: Bool, _ work: inout Int
    ) throws(FormatError) -> Bool {
        while work > 0 {
            guard case .nothing = open else {
                try skipOpen(bytes, &work)
                continue
            }
            let start = offset
            offset = bytes.endOfWhiteSpace(from: start, to: limit(bytes, work))
            work -= offset - start
            guard offset < bytes.count else { return true }
            guard bytes[offset] == ASCII.lessThan else { return !ASCII.isSpace(bytes[offset]) }
            guard beginMisc(bytes, isProlog: isProlog) else { return true }
            work -= 1
        }
        return false
    }

    private mutating func beginMisc(_ bytes: Span<UInt8>, isProlog: Bool) -> Bool {
        let start = offset
        if starts("<!--", bytes) {
            open = .comment(start)
            offset += 2
        } else if starts("<?", bytes) {
            open = .instruction(start)
            offset += 2
        } else if isProlog, starts("<!DOCTYPE", bytes) {
            open = .documentType(start)
        } else {
            return false
        }
        return true
    }

    /// Skips to the end of a comment, an instruction or a document type.
    mutating func skipOpen(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) {
        let start = offset
        defer { work -= offset - start + 1 }
        switch open {
        case .comment(let first): try skip(bytes, work, from: first, to: "-->", of: "a comment")
        case .instruction(let first): try skip(bytes, work, from: first, to: "?>", of: "an instruction")
        case .documentType(let first): try skipDocumentType(bytes, work, from: first)
        case .nothing, .section, .tag: preconditionFailure("nothing that is passed over is open")
        }
    }

    /// Skips to after `end`, by a search for its last byte. `end` cannot overlap the first two bytes of the construct at `start`.
    private mutating func skip(
        _ bytes: Span<UInt8>, _ work: Int, from start: Int, to end: String, of noun: String
    ) throws(FormatError) {
        let limit = limit(bytes, work)
        let endBytes = end.utf8.count
        while offset < limit {
            offset = bytes.firstIndex(of: ASCII.greaterThan, from: offset, to: limit)
            guard offset < limit else { break }
            offset += 1
            if offset - endBytes >= start + 2, bytes.begins(with: end, at: offset - endBytes) {
                open = .nothing
                return
            }
        }
        guard offset < bytes.count else { throw .plist("expected the end of \(noun)", at: start) }
    }

    private mutating func skipDocumentType(_ bytes: Span<UInt8>, _ work: Int, from start: Int) throws(FormatError) {
        let limit = limit(bytes, work)
        while offset < limit {
            switch bytes[offset] {
            case ASCII.greaterThan:
                offset += 1
                open = .nothing
                return
            case ASCII.openBracket:
                throw .plist("a document type with declarations is not accepted", at: offset)
            case ASCII.quote, ASCII.apostrophe:
                let end = bytes.firstIndex(of: bytes[offset], from: offset + 1, to: bytes.count)
                guard end < bytes.count else { throw .plist("expected the end of the document type", at: start) }
                offset = end + 1
            default: offset += 1
            }
        }
        guard offset < bytes.count else { throw .plist("expected the end of the document type", at: start) }
    }

    // MARK: Tags

    /// Reads the next tag and skips its attributes; nil if the work ends before the tag does.
    mutating func tag(_ bytes: Span<UInt8>, _ work: inout Int) throws(FormatError) -> Tag? {
        let before = offset
        defer { work -= offset - before + 1 }
        if case .nothing = open { try beginTag(bytes) }
        guard case .tag(let start, let element, let isEnd, var isEmpty) = open else {
            preconditionFailure("something else is open")
        }
        let limit = limit(bytes, work)
        while offset < limit {
            let byte = bytes[offset]
            if byte == ASCII.greaterThan {
                offset += 1
                open = .nothing
                return isEnd ? .end(element) : .start(element, isEmpty: isEmpty)
            }
            guard !isEmpty, byte != ASCII.lessThan else { throw .plist("expected the end of a tag", at: offset) }
            if byte == ASCII.slash, !isEnd {
                isEmpty = true
            } else if byte == ASCII.quote || byte == ASCII.apostrophe {
                offset = bytes.firstIndex(of: byte, from: offset + 1, to: bytes.count)
                guard offset < bytes.count else { throw .plist("expected the end of a tag", at: start) }
            }
            offset += 1
        }
        guard offset < bytes.count else { throw .plist("expected the end of a tag", at: start) }
        open = .tag(start, element, isEnd: isEnd, isEmpty: isEmpty)
        return nil
    }

    mutating func beginTag(_ bytes: Span<UInt8>) throws(FormatError) {
        let start = offset
        guard offset < bytes.count else {
            throw .plist("expected an element, found the end of the payload", at: offset)
        }
        guard bytes[offset] == ASCII.lessThan else { throw .plist("expected an element", at: offset) }
        offset += 1
        let isEnd = offset < bytes.count && bytes[offset] == ASCII.slash
        if isEnd { offset += 1 }
        let nameStart = offset
        let nameLimit = min(bytes.count, nameStart + Self.maxNameBytes)
        while offset < nameLimit, ASCII.isLetter(bytes[offset]) { offset += 1 }
        guard offset > nameStart else { throw .plist("expected the name of an element", at: nameStart) }
        open = .tag(start, XMLElement(bytes, from: nameStart, to: offset), isEnd: isEnd, isEmpty: false)
    }

    // MARK: Bytes

    func starts(_ text: String, _ bytes: Span<UInt8>) -> Bool { bytes.begins(with: text, at: offset) }
}

extension Span<UInt8> {
    /// Whether the bytes from `start` on begin with `text`.
    func begins(with text: String, at start: Int) -> Bool {
        guard text.utf8.count <= count - start else { return false }
        var index = start
        for byte in text.utf8 {
            guard self[index] == byte else { return false }
            index += 1
        }
        return true
    }
}
