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
