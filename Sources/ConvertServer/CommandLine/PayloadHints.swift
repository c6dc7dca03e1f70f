import ConvertEngine
import Text

/// Guesses why an input is not JSON, from what it looks like, and suggests what to do.
struct PayloadHints {
    private let file: String
    private let framing: Converter.Framing
    /// The first bytes of the input.
    private var head: [UInt8] = []
    /// The number of bytes before the last recorded ones, and the number of these.
    private var passedBytes: Int
    private var lastBytes = 0
    private let hasHead: Bool

    private static let headBytes = 256

    /// - Parameter start: the position in the input of the first bytes that are recorded.
    init(file: String, framing: Converter.Framing, start: Int = 0) {
        self.file = file
        self.framing = framing
        passedBytes = start
        hasHead = start == 0
    }

    /// Records the next bytes of the input, before they are converted.
    mutating func note(_ bytes: Span<UInt8>) {
        passedBytes += lastBytes
        lastBytes = bytes.count
        guard hasHead else { return }
        for index in 0..<min(Self.headBytes - head.count, bytes.count) { head.append(bytes[index]) }
    }

    /// A suggestion for an error in the last recorded bytes, which are `bytes`; nil if there is none.
    func hint(for error: ConversionError, in bytes: Span<UInt8>) -> String? {
        switch error.code {
        case .limit:
            if error.message.contains("nested") { return "--max-depth sets the limit" }
            return error.message.contains("the key is longer") ? "--max-key-bytes sets the limit" : nil
        case .json: break
        default: return nil
        }
        let first = head.drop(while: ASCII.isSpace)
        if head.starts(with: [ASCII.gzipMember]) { return "this is gzip; decompress it: gunzip -c\(operand) | ..." }
        if head.starts(with: ASCII.zstandardFrame) {
            return "this is Zstandard; decompress it: zstd -dc\(operand) | ..."
        }
        if ["bplist", "<plist", "<?xml"].contains(where: { first.starts(with: $0.utf8) }) {
            return "if this is a property list, add --input-format plist"
        }
        if let format = Self.otherFormat(first, error.offset - (head.count - first.count)) { return format }
        if framing == .lines, error.line == 1, error.message.contains("the line ends") {
            return "if the input is one JSON text, leave out --ndjson (for a file *.ndjson, add --input-format json)"
        }
        if isByteOrderMark(error, bytes) {
            return "a byte order mark may only be at the beginning of the input; remove this one"
        }
        if error.message.contains("not valid UTF-8") {
            return "if it is Windows-1252 or Latin-1, convert it first: iconv -f CP1252 -t UTF-8\(operand) | ..."
        }
        if isHexadecimal(error, bytes) { return "JSON numbers are decimal" }
        return hasSecondText(error, bytes) ? "a file is one JSON text; if each line is one, add --ndjson" : nil
    }

    /// A hint for a text of another format, by its first bytes, if the error is in its first line.
    private static func otherFormat(_ text: ArraySlice<UInt8>, _ errorOffset: Int) -> String? {
        let lines = text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
        guard let line = lines.first, let byte = line.first, errorOffset <= line.count else { return nil }
        if byte == ASCII.recordSeparator { return "if this is a JSON sequence (RFC 7464), add --framing seq" }
        if byte == ASCII.lessThan {
            let isPage = ["<!doctype html", "<html"].contains { text.dropping($0) != nil }
            return isPage
                ? "this looks like HTML, such as an error page of a server"
                : "this looks like XML; convert it to JSON first"
        }
        if line.dropping("http/") != nil { return "these are headers; if they are from curl, leave out -i" }
        if ["data:", "event:", "id:"].contains(where: { line.dropping($0) != nil }) {
            return "if these are server-sent events, add --framing sse"
        }
        if line.starts(with: Array("---".utf8)) || line.starts(with: Array("- ".utf8)) { return other("YAML") }
        let word = Self.word(line)
        let following = line.dropFirst(word.count).first
        if !word.isEmpty, following == ASCII.equals { return "if this is a form, add --input-format form" }
        guard lines.count > 1, let second = lines[1].first else { return nil }
        let next = lines[1].drop(while: ASCII.isSpace)
        let isPair = lines[1].dropFirst(Self.word(lines[1]).count).first == ASCII.colon
        if !word.isEmpty, following == ASCII.colon, isPair || next.first == ASCII.hyphen || ASCII.isSpace(second) {
            return other("YAML")
        }
        let isTable = [ASCII.comma, ASCII.semicolon, ASCII.tab].contains { separator in
            let count = line.count { $0 == separator }
            return count > 0 && count == lines[1].count { $0 == separator }
        }
        return isTable && (ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.quote) ? other("CSV") : nil
    }

    private static func other(_ format: String) -> String { "this looks like \(format); convert it to JSON first" }

    private static func word(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.prefix { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == ASCII.underscore }
    }

    /// Whether the error is at the `x` of `0x`.
    private func isHexadecimal(_ error: ConversionError, _ bytes: Span<UInt8>) -> Bool {
        let index = error.offset - passedBytes
        guard index > 0, index < bytes.count, bytes[index - 1] == ASCII.zero else { return false }
        return bytes[index] == UInt8(ascii: "x") || bytes[index] == UInt8(ascii: "X")
    }

    /// Whether the error is at a byte order mark, as between files that were joined.
    private func isByteOrderMark(_ error: ConversionError, _ bytes: Span<UInt8>) -> Bool {
        let index = error.offset - passedBytes
        guard index >= 0, index + 2 < bytes.count else { return false }
        return [bytes[index], bytes[index + 1], bytes[index + 2]] == ASCII.byteOrderMark
    }

    /// The file as a word for a shell.
    private var operand: String {
        if file == "-" { return "" }
        if file.utf8.allSatisfy({ ASCII.isUnreserved($0) || $0 == ASCII.slash }) { return " \(file)" }
        return " '\(file.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
    }

    /// Whether the error is a second JSON text after a whole one.
    func hasSecondText(_ error: ConversionError, _ bytes: Span<UInt8>) -> Bool {
        let index = error.offset - passedBytes
        guard framing == .document, error.message.contains("more bytes follow"), bytes.indices.contains(index) else {
            return false
        }
        let byte = bytes[index]
        return byte == ASCII.openBrace || byte == ASCII.openBracket || byte == ASCII.quote || ASCII.isDigit(byte)
    }
}
