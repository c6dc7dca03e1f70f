// As much of XML 1.0 as property lists are written in:
//
//     document = [ "<?xml" … "?>" ] *misc [ "<!DOCTYPE" … ">" ] *misc element *misc
//     misc     = space / "<!--" … "-->" / "<?" … "?>"
//     text     = *( character / "&" ( "lt" / "gt" / "amp" / "quot" / "apos" ) ";" / "&#" 1*DIGIT ";" / "&#x" 1*HEXDIG ";"
//                 / "<![CDATA[" … "]]>" / comment )
//
// A DOCTYPE may name a document type, which is never fetched. One that declares something is a fault, and so is every entity
// but the five: nothing can be made to unfold.

/// Reads the pieces of an XML document of UTF-8 from left to right.
struct XMLScanner {
    enum Tag: Hashable {
        case start(String, isEmpty: Bool)
        case end(String)
    }

    /// The longest tag, comment, name of an entity; longer names are none of a property list.
    private static let maxNameBytes = 64

    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) throws(FormatFault) {
        self.bytes = bytes
        if bytes.starts(with: [
            UTF8Sequence.byteOrderMark.0, UTF8Sequence.byteOrderMark.1, UTF8Sequence.byteOrderMark.2,
        ]) {
            offset = 3
        }
        if let name = UTF8Sequence.foreignEncoding(Array(bytes.prefix(4))) {
            throw FormatFault(code: .plist, message: "expected UTF-8, found \(name)", offset: 0)
        }
        if let place = UTF8Sequence.firstFault(in: bytes) {
            throw FormatFault(code: .plist, message: "invalid UTF-8", offset: place)
        }
    }

    var isAtEnd: Bool { offset == bytes.count }

    // MARK: Between elements

    /// Passes over white space, comments and instructions, and before the first element over the document type.
    mutating func skipMisc(isProlog: Bool = false) throws(FormatFault) {
        while !isAtEnd {
            if PropertyListText.isSpace(bytes[offset]) {
                offset += 1
            } else if starts("<!--") {
                try skip(past: "-->", of: "a comment")
            } else if starts("<?") {
                try skip(past: "?>", of: "an instruction")
            } else if isProlog, starts("<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    private mutating func skipDocumentType() throws(FormatFault) {
        let start = offset
        while !isAtEnd, bytes[offset] != ASCII.greater {
            switch bytes[offset] {
            case ASCII.openBracket:
                throw fault("a document type that declares something is not read", at: offset)
            case ASCII.quote, ASCII.apostrophe:
                let quote = bytes[offset]
                guard let end = bytes[(offset + 1)...].firstIndex(of: quote) else {
                    throw fault("expected the end of the document type", at: start)
                }
                offset = end + 1
            default: offset += 1
            }
        }
        guard !isAtEnd else { throw fault("expected the end of the document type", at: start) }
        offset += 1
    }

    private mutating func skip(past end: StaticString, of noun: String) throws(FormatFault) {
        let start = offset
        offset += 2
        while !isAtEnd {
            if starts(end) {
                offset += end.utf8CodeUnitCount
                return
            }
            offset += 1
        }
        throw fault("expected the end of \(noun)", at: start)
    }

    // MARK: Tags

    /// The tag that comes next; its attributes are passed over.
    mutating func tag() throws(FormatFault) -> Tag {
        let start = offset
        guard !isAtEnd else { throw fault("expected an element, found the end of the payload", at: offset) }
        guard bytes[offset] == ASCII.less else { throw fault("expected an element", at: offset) }
        offset += 1
        let isEnd = !isAtEnd && bytes[offset] == ASCII.slash
        if isEnd { offset += 1 }
        let name = bytes[offset...].prefix(Self.maxNameBytes).prefix { ASCII.isLetter($0) }
        guard !name.isEmpty else { throw fault("expected the name of an element", at: offset) }
        offset += name.count
        var isEmpty = false
        while !isAtEnd, bytes[offset] != ASCII.greater {
            let byte = bytes[offset]
            guard !isEmpty, byte != ASCII.less else { throw fault("expected the end of a tag", at: offset) }
            if byte == ASCII.slash, !isEnd {
                isEmpty = true
            } else if byte == ASCII.quote || byte == ASCII.apostrophe {
                guard let end = bytes[(offset + 1)...].firstIndex(of: byte) else {
                    throw fault("expected the end of a tag", at: start)
                }
                offset = end
            }
            offset += 1
        }
        guard !isAtEnd else { throw fault("expected the end of a tag", at: start) }
        offset += 1
        let text = String(decoding: name, as: UTF8.self)
        return isEnd ? .end(text) : .start(text, isEmpty: isEmpty)
    }

    // MARK: Text

    /// The text up to the end tag of `element`, which is consumed. Line ends become line feeds (XML 1.0 §2.11).
    mutating func text(of element: String) throws(FormatFault) -> [UInt8] {
        var text: [UInt8] = []
        while !isAtEnd {
            switch bytes[offset] {
            case ASCII.less:
                if starts("<!--") {
                    try skip(past: "-->", of: "a comment")
                } else if starts("<![CDATA[") {
                    try appendSection(to: &text)
                } else {
                    let place = offset
                    guard try tag() == .end(element) else { throw fault("expected the end of \(element)", at: place) }
                    return text
                }
            case ASCII.ampersand: try appendReference(to: &text)
            default: try appendCharacter(to: &text)
            }
        }
        throw fault("expected the end of \(element), found the end of the payload", at: offset)
    }

    private mutating func appendCharacter(to text: inout [UInt8]) throws(FormatFault) {
        let byte = bytes[offset]
        if byte == ASCII.carriageReturn {
            text.append(ASCII.lineFeed)
            if offset + 1 < bytes.count, bytes[offset + 1] == ASCII.lineFeed { offset += 1 }
        } else {
            guard byte >= ASCII.space || PropertyListText.isSpace(byte) else {
                throw fault("a control character that XML does not allow", at: offset)
            }
            text.append(byte)
        }
        offset += 1
    }

    private mutating func appendSection(to text: inout [UInt8]) throws(FormatFault) {
        let start = offset
        offset += 9
        while !starts("]]>") {
            guard !isAtEnd else { throw fault("expected the end of a CDATA section", at: start) }
            try appendCharacter(to: &text)
        }
        offset += 3
    }

    private mutating func appendReference(to text: inout [UInt8]) throws(FormatFault) {
        let start = offset
        let name = bytes[(offset + 1)...].prefix(Self.maxNameBytes).prefix { $0 != ASCII.semicolon }
        guard name.endIndex < bytes.count, bytes[name.endIndex] == ASCII.semicolon else {
            throw fault("expected a reference such as &amp;", at: start)
        }
        offset = name.endIndex + 1
        switch String(decoding: name, as: UTF8.self) {
        case "lt": text.append(ASCII.less)
        case "gt": text.append(ASCII.greater)
        case "amp": text.append(ASCII.ampersand)
        case "quot": text.append(ASCII.quote)
        case "apos": text.append(ASCII.apostrophe)
        case let number where number.hasPrefix("#"):
            let isHexadecimal = number.hasPrefix("#x")
            let digits = number.dropFirst(isHexadecimal ? 2 : 1)
            guard digits.first != "+", digits.first != "-",
                let value = UInt32(digits, radix: isHexadecimal ? 16 : 10), let scalar = Unicode.Scalar(value),
                value >= UInt32(ASCII.space) || PropertyListText.isSpace(UInt8(value))
            else { throw fault("a reference to a character that XML does not allow", at: start) }
            text += Array(String(Character(scalar)).utf8)
        default: throw fault("an entity that is not one of XML's own", at: start)
        }
    }

    // MARK: Bytes

    private func starts(_ text: StaticString) -> Bool {
        bytes[offset...].starts(with: text.description.utf8)
    }

    func fault(_ message: String, at offset: Int) -> FormatFault {
        FormatFault(code: .plist, message: message, offset: offset)
    }
}
