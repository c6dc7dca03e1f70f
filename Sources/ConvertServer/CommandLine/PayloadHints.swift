import ConvertEngine
import Text

/// Guesses why an input is not JSON, from what it looks like, and suggests what to do.
struct PayloadHints {
    private let file: String
    private let framing: Converter.Framing
    /// The first bytes of the input.
    private var head: [UInt8] = []
    /// The number of bytes before the last recorded ones, and the number of these.
    private var passedBytes = 0
    private var lastBytes = 0

    private static let headBytes = 64

    init(file: String, framing: Converter.Framing) {
        self.file = file
        self.framing = framing
    }

    /// Records the next bytes of the input, before they are converted.
    mutating func note(_ bytes: Span<UInt8>) {
        passedBytes += lastBytes
        lastBytes = bytes.count
        for index in 0..<min(Self.headBytes - head.count, bytes.count) { head.append(bytes[index]) }
    }

    /// A suggestion for an error in the last recorded bytes, which are `bytes`; nil if there is none.
    func hint(for error: ConversionError, in bytes: Span<UInt8>) -> String? {
        switch error.code {
        case .limit: return "--max-depth and --max-key-bytes set the limits"
        case .json: break
        default: return nil
        }
        let first = head.drop(while: ASCII.isSpace)
        if head.starts(with: [ASCII.gzipMember]) { return "this is gzip; decompress it: gunzip -c\(operand) | ..." }
        if head.starts(with: ASCII.zstandardFrame) {
            return "this is Zstandard; decompress it: zstd -dc\(operand) | ..."
        }
        if first.starts(with: Array("bplist".utf8)) || first.starts(with: Array("<plist".utf8))
            || first.starts(with: Array("<?xml".utf8))
        {
            return "if this is a property list, add --input-format plist"
        }
        if first.first == ASCII.lessThan { return "this looks like HTML, such as an error page of a server" }
        if let format = Self.textFormat(first, error.offset - (head.count - first.count)) {
            return "this looks like \(format); convert it to JSON first"
        }
        if isHexadecimal(error, bytes) { return "JSON numbers are decimal" }
        return hasSecondText(error, bytes) ? "a file is one JSON text; if each line is one, add --ndjson" : nil
    }

    /// YAML or CSV by the first bytes of an input, if the error is in its first word.
    private static func textFormat(_ first: ArraySlice<UInt8>, _ errorOffset: Int) -> String? {
        let word = first.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.underscore }
        guard errorOffset <= max(word.count, 1) else { return nil }
        if first.starts(with: Array("---".utf8)) || first.starts(with: Array("- ".utf8)) { return "YAML" }
        guard let letter = word.first, !ASCII.isDigit(letter) else { return nil }
        let rest = first.dropFirst(word.count)
        if rest.first == ASCII.comma { return "CSV" }
        return rest.first == ASCII.colon && rest.dropFirst().first.map(ASCII.isSpace) != false ? "YAML" : nil
    }

    /// Whether the error is at the `x` of `0x`.
    private func isHexadecimal(_ error: ConversionError, _ bytes: Span<UInt8>) -> Bool {
        let index = error.offset - passedBytes
        guard index > 0, index < bytes.count, bytes[index - 1] == ASCII.zero else { return false }
        return bytes[index] == UInt8(ascii: "x") || bytes[index] == UInt8(ascii: "X")
    }

    /// The file as a word for a shell.
    private var operand: String {
        if file == "-" { return "" }
        if file.utf8.allSatisfy({ ASCII.isUnreserved($0) || $0 == ASCII.slash }) { return " \(file)" }
        return " '\(file.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }

    /// Whether the error is a second JSON text after a whole one.
    private func hasSecondText(_ error: ConversionError, _ bytes: Span<UInt8>) -> Bool {
        let index = error.offset - passedBytes
        guard framing == .document, error.message.contains("more bytes follow"), bytes.indices.contains(index) else {
            return false
        }
        let byte = bytes[index]
        return byte == ASCII.openBrace || byte == ASCII.openBracket || byte == ASCII.quote || ASCII.isDigit(byte)
    }
}
