import FoundationEssentials

/// Reads XML property lists: the elements of Apple's document type, and of XML what they need.
///
/// The reader holds the containers that are open, innermost last, and a key that waits for its value. Each turn of the loop
/// takes one tag. What must stay in step: a container is in `open` from its start tag to its end tag, and a dictionary's key
/// waits only there. No entity can be declared: a document type with an internal subset is refused.
struct XMLPropertyListReader {
    private struct Container {
        var isDictionary: Bool
        var members: [SerializedValue.Member] = []
        var elements: [SerializedValue] = []
        /// A dictionary's key whose value comes next.
        var key: String?

        var value: SerializedValue { isDictionary ? .object(members) : .array(elements) }
    }

    /// A start or end tag; of its attributes none says anything.
    private struct Tag {
        var name: String
        var isEnd: Bool
        var isEmpty: Bool
        var offset: Int
    }

    private let file: [UInt8]
    private var offset = 0
    private var open: [Container] = []
    private var root: SerializedValue?

    init(_ file: [UInt8]) { self.file = file }

    mutating func read() throws(PropertyListFault) -> SerializedValue {
        let mark = Array("\u{FEFF}".utf8)
        if file.starts(with: mark) { offset = mark.count }
        guard String(validating: file, as: UTF8.self) != nil else {
            throw fault("expected UTF-8, found other bytes", at: 0)
        }
        let start = try nextTag()
        guard start.name == "plist", !start.isEnd, !start.isEmpty else {
            throw fault("expected `<plist>`", at: start.offset)
        }
        while true {
            let tag = try nextTag()
            if tag.isEnd, tag.name == "plist", open.isEmpty { break }
            try take(tag)
        }
        try skipBetweenTags()
        guard offset == file.count else { throw fault("expected the end of the file", at: offset) }
        guard let root else { throw fault("expected a value in `<plist>`", at: offset) }
        return root
    }

    private mutating func take(_ tag: Tag) throws(PropertyListFault) {
        if tag.isEnd {
            guard let container = open.popLast(), tag.name == (container.isDictionary ? "dict" : "array"),
                container.key == nil
            else { throw fault("expected another tag than `</\(Self.known(tag.name))>`", at: tag.offset) }
            return try add(container.value, at: tag.offset)
        }
        switch tag.name {
        case "dict", "array":
            let container = Container(isDictionary: tag.name == "dict")
            if tag.isEmpty { return try add(container.value, at: tag.offset) }
            guard open.count < PropertyList.maxDepth else {
                throw fault("more than \(PropertyList.maxDepth) containers are open", at: tag.offset)
            }
            open.append(container)
        case "key":
            let key = try content(of: tag)
            guard open.last?.isDictionary == true, open.last?.key == nil else {
                throw fault("expected a value, found a key", at: tag.offset)
            }
            open[open.count - 1].key = key
        default: try add(try scalar(tag), at: tag.offset)
        }
    }

    private mutating func add(_ value: SerializedValue, at offset: Int) throws(PropertyListFault) {
        guard var container = open.popLast() else {
            guard root == nil else { throw fault("expected one value, found a second", at: offset) }
            root = value
            return
        }
        if container.isDictionary {
            guard let key = container.key else { throw fault("expected a key, found a value", at: offset) }
            container.members.append(.init(key, value))
            container.key = nil
        } else {
            container.elements.append(value)
        }
        open.append(container)
    }

    // MARK: Scalars

    private mutating func scalar(_ tag: Tag) throws(PropertyListFault) -> SerializedValue {
        let content = try content(of: tag)
        let trimmed = Self.trimmed(content)
        switch tag.name {
        case "string": return .string(content)
        case "true" where trimmed.isEmpty: return .boolean(true)
        case "false" where trimmed.isEmpty: return .boolean(false)
        case "integer":
            if let number = Self.integer(trimmed) { return .number(number) }
            throw fault("expected an integer of 64 bits", at: tag.offset)
        case "real":
            if NumberText.isNumber(Array(trimmed.utf8).span) { return .number(trimmed) }
            // What C's `strtod` takes and JSON does not, such as `+1.` and `.5`.
            if let number = Double(trimmed), number.isFinite { return .number(number.description) }
            throw fault("expected a finite real number", at: tag.offset)
        case "date":
            if let date = DateText.utc.date(.string(trimmed)) { return .date(date) }
            throw fault("expected a date as 2001-01-01T00:00:00Z", at: tag.offset)
        case "data":
            if let data = Data(base64Encoded: content, options: .ignoreUnknownCharacters) { return .data(Array(data)) }
            throw fault("expected Base64", at: tag.offset)
        default: throw fault("expected an element of a property list", at: tag.offset)
        }
    }

    /// Decimal with an optional sign, or hexadecimal after `0x`, as Apple's reader takes them.
    private static func integer(_ text: String) -> String? {
        if let value = Int64(text) { return String(value) }
        if let value = UInt64(text) { return String(value) }
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        guard digits.hasPrefix("0x") || digits.hasPrefix("0X"), let value = UInt64(digits.dropFirst(2), radix: 16)
        else {
            return nil
        }
        guard isNegative else { return String(value) }
        return Int64(exactly: value).map { String(-$0) }
    }

    private static func trimmed(_ text: String) -> String {
        let space: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        return String(text.drop { space.contains($0) }.reversed().drop { space.contains($0) }.reversed())
    }

    /// The name of an end tag where it is one that property lists have; a file's own text stays out of messages.
    private static func known(_ name: String) -> String {
        ["dict", "array", "plist", "key", "string"].contains(name) ? name : "…"
    }

    private func fault(_ message: String, at offset: Int) -> PropertyListFault {
        PropertyListFault(message: message, offset: offset)
    }
}

// MARK: - XML

extension XMLPropertyListReader {
    private var next: UInt8? { offset < file.count ? file[offset] : nil }

    private func stands(_ text: StaticString) -> Bool { file[offset...].starts(with: text.description.utf8) }

    /// Skips white space, comments, processing instructions and the document type.
    private mutating func skipBetweenTags() throws(PropertyListFault) {
        while let byte = next {
            if [ASCII.space, ASCII.tab, ASCII.lineFeed, ASCII.carriageReturn].contains(byte) {
                offset += 1
            } else if stands("<!--") {
                try skip(past: "-->")
            } else if stands("<?") {
                try skip(past: "?>")
            } else if stands("<!DOCTYPE") {
                try skipDocumentType()
            } else {
                return
            }
        }
    }

    private mutating func skip(past end: StaticString) throws(PropertyListFault) {
        let start = offset
        while offset < file.count {
            if stands(end) {
                offset += end.utf8CodeUnitCount
                return
            }
            offset += 1
        }
        throw fault("expected `\(end)`, found the end of the file", at: start)
    }

    private mutating func skipDocumentType() throws(PropertyListFault) {
        let start = offset
        while let byte = next {
            guard byte != ASCII.openBracket else {
                throw fault("expected a document type without declarations", at: offset)
            }
            offset += 1
            if byte == ASCII.greaterThan { return }
        }
        throw fault("expected `>`, found the end of the file", at: start)
    }

    private mutating func nextTag() throws(PropertyListFault) -> Tag {
        try skipBetweenTags()
        let start = offset
        guard next == ASCII.lessThan else { throw fault("expected a tag", at: offset) }
        guard let end = file[offset...].firstIndex(of: ASCII.greaterThan) else {
            throw fault("expected `>`, found the end of the file", at: start)
        }
        var inner = file[(offset + 1)..<end]
        offset = end + 1
        let isEnd = inner.first == ASCII.slash
        if isEnd { inner = inner.dropFirst() }
        let isEmpty = !isEnd && inner.last == ASCII.slash
        if isEmpty { inner = inner.dropLast() }
        let name = inner.prefix { ASCII.isLetter($0) }
        return Tag(name: String(decoding: name, as: UTF8.self), isEnd: isEnd, isEmpty: isEmpty, offset: start)
    }

    /// The character data up to the end tag of an element that holds no other.
    private mutating func content(of tag: Tag) throws(PropertyListFault) -> String {
        var content: [UInt8] = []
        if tag.isEmpty { return "" }
        while let byte = next {
            if stands("<![CDATA[") {
                let start = offset + 9
                try skip(past: "]]>")
                content += file[start..<(offset - 3)]
            } else if stands("<!--") {
                try skip(past: "-->")
            } else if byte == ASCII.lessThan {
                let end = try nextTag()
                guard end.isEnd, end.name == tag.name else { throw fault("expected an end tag", at: end.offset) }
                return String(decoding: content, as: UTF8.self)
            } else if byte == ASCII.ampersand {
                content += try reference()
            } else {
                // XML 1.0, 2.11, would have a carriage return read as a line feed. Apple's writer leaves it raw and Apple's reader
                // keeps it; so does this one, or their files would not come back as they were.
                content.append(byte)
                offset += 1
            }
        }
        throw fault("expected an end tag, found the end of the file", at: tag.offset)
    }

    /// Reference = '&' Name ';' | '&#' [0-9]+ ';' | '&#x' [0-9a-fA-F]+ ';'
    private mutating func reference() throws(PropertyListFault) -> [UInt8] {
        let start = offset
        guard let end = file[offset...].prefix(Self.maxReferenceBytes).firstIndex(of: ASCII.semicolon) else {
            throw fault("expected `;` behind a reference", at: start)
        }
        let name = String(decoding: file[(offset + 1)..<end], as: UTF8.self)
        offset = end + 1
        switch name {
        case "lt": return [ASCII.lessThan]
        case "gt": return [ASCII.greaterThan]
        case "amp": return [ASCII.ampersand]
        case "quot": return [ASCII.quote]
        case "apos": return [ASCII.apostrophe]
        default:
            let isHex = name.hasPrefix("#x")
            guard name.hasPrefix("#"), let value = UInt32(name.dropFirst(isHex ? 2 : 1), radix: isHex ? 16 : 10),
                let scalar = Unicode.Scalar(value), value != 0
            else { throw fault("expected a reference that XML knows", at: start) }
            return Array(String(scalar).utf8)
        }
    }

    /// Longer references there are none, but for leading zeros.
    private static let maxReferenceBytes = 32
}
