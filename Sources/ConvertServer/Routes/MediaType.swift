/// A media type with its parameters, as Content-Type and Accept spell it (RFC 9110 §8.3.1); names are in lower case.
struct MediaType: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        /// In lower case.
        let name: String
        let value: String
    }

    let type: String
    let subtype: String
    let parameters: [Parameter]

    /// Reads `type/subtype *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )`, nil for anything else.
    init?(_ text: some StringProtocol) {
        var reader = FieldReader(text)
        guard let type = reader.token(), reader.skip(ASCII.slash), let subtype = reader.token() else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        guard let parameters = reader.parameters() else { return nil }
        self.parameters = parameters
    }

    var essence: String { "\(type)/\(subtype)" }

    /// The value of the first parameter with this name.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Whether this range of an Accept field covers `essence`, and how exactly: 0 for `*/*`, 1 for `type/*`, 2 for itself.
    func precision(covering other: MediaType) -> Int? {
        if type == "*" { return subtype == "*" ? 0 : nil }
        guard type == other.type else { return nil }
        if subtype == "*" { return 1 }
        return subtype == other.subtype ? 2 : nil
    }
}

/// Reads a field's value from left to right.
struct FieldReader {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
        skipBlanks()
    }

    var isAtEnd: Bool { index == bytes.count }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == ASCII.space || bytes[index] == ASCII.tab { index += 1 }
    }

    mutating func token() -> String? {
        let start = index
        while index < bytes.count, Self.isToken(bytes[index]) { index += 1 }
        return index == start ? nil : String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// `*( OWS ";" OWS [ parameter ] )` up to the end, nil where there is something else.
    mutating func parameters() -> [MediaType.Parameter]? {
        var parameters: [MediaType.Parameter] = []
        while true {
            skipBlanks()
            if isAtEnd { return parameters }
            guard skip(ASCII.semicolon) else { return nil }
            skipBlanks()
            if isAtEnd || bytes[index] == ASCII.semicolon { continue }
            guard let name = token(), skip(ASCII.equals), let value = token() ?? quotedString() else { return nil }
            parameters.append(MediaType.Parameter(name: name.lowercased(), value: value))
        }
    }

    private mutating func quotedString() -> String? {
        guard skip(ASCII.quote) else { return nil }
        var content: [UInt8] = []
        while index < bytes.count, bytes[index] != ASCII.quote {
            if bytes[index] == ASCII.backslash { index += 1 }
            guard index < bytes.count else { return nil }
            content.append(bytes[index])
            index += 1
        }
        return skip(ASCII.quote) ? String(decoding: content, as: UTF8.self) : nil
    }

    // tchar of RFC 9110 §5.6.2
    private static func isToken(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || ASCII.isLetter(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
