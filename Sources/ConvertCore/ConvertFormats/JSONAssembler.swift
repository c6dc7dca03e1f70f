import ConvertEngine
import ConvertText

/// Writes the minified JSON text of a payload in another format, within limits, and tracks the JSON Pointer for errors.
///
/// Keys, strings and numbers come in pieces: `begin`, any number of `append`, `end`. A token counts only after its
/// `end`, so `pointer` is that of the unfinished value.
struct JSONAssembler: ~Copyable {
    /// The kinds of token that come in pieces.
    enum Token {
        case name, string, number
    }

    private struct Frame {
        let isObject: Bool
        var count = 0
        /// The last key as it is written in the output, without quotes.
        var name = 0..<0
    }

    /// The text so far. Between `begin` and `end`, others write only numbers and Base64 directly into it.
    var output: ByteBuffer
    private var frames: [Frame] = []
    /// The length of the output before the current token, and the token's own length without quotes and escapes.
    private var tokenStart = 0
    private var tokenBytes = 0
    private let maxDepth: Int
    private let maxKeyBytes: Int
    private let maxTextBytes: Int

    /// Reserves room for the text. The JSON of most payloads is about as long as they are, and growing later would
    /// copy all written text.
    init(_ limits: TranslationLimits, payloadBytes: Int) {
        maxDepth = limits.maxDepth
        maxKeyBytes = limits.maxKeyBytes
        maxTextBytes = limits.maxTextBytes(ofPayload: payloadBytes)
        output = ByteBuffer(capacity: min(payloadBytes, max(maxTextBytes, 0)) + ByteBuffer.slackBytes)
    }

    /// The text, which must be complete.
    consuming func finish() -> ByteBuffer {
        precondition(frames.isEmpty)
        return output
    }

    /// The RFC 6901 pointer to the next value.
    var pointer: String {
        var text = ByteBuffer()
        for (index, frame) in frames.enumerated() {
            if frame.isObject {
                guard frame.count > 0 else { continue }
                Self.appendStep(output.bytes.extracting(frame.name), to: &text)
            } else {
                text.append(ASCII.slash)
                text.append(utf8: String(index == frames.count - 1 ? frame.count : frame.count - 1))
            }
        }
        return text.string(from: 0, to: text.count)
    }

    private static func appendStep(_ spelling: Span<UInt8>, to pointer: inout ByteBuffer) {
        // A key may be as long as the payload, so it is copied only if it has escapes.
        guard spelling.firstIndex(of: ASCII.backslash, from: 0, to: spelling.count) < spelling.count else {
            return PayloadPointer.appendStep(spelling, to: &pointer)
        }
        var content = ByteBuffer()
        _ = JSONText.appendContent(of: spelling, to: &content)
        PayloadPointer.appendStep(content.bytes, to: &pointer)
    }

    // MARK: Containers

    /// Opens an object or an array; `offset` is its start in the payload.
    mutating func open(isObject: Bool, at offset: Int) throws(FormatError) {
        guard frames.count < maxDepth else {
            throw .limit("nested deeper than \(maxDepth) levels", at: offset, pointer: pointer)
        }
        begin(.number)
        try end(.number, at: offset)
        frames.append(Frame(isObject: isObject))
        output.append(isObject ? ASCII.openBrace : ASCII.openBracket)
    }

    /// Closes the innermost container.
    mutating func close() {
        let frame = frames.removeLast()
        output.append(frame.isObject ? ASCII.closeBrace : ASCII.closeBracket)
    }

    // MARK: Tokens

    /// Begins a value, or the key of the next member of the open object.
    mutating func begin(_ token: Token) {
        tokenStart = output.count
        tokenBytes = 0
        if let last = frames.last, last.isObject == (token == .name), last.count > 0 { output.append(ASCII.comma) }
        if token != .number { output.append(ASCII.quote) }
    }

    /// Appends UTF-8 to a key or a string; a piece may end inside a character.
    mutating func append(_ content: Span<UInt8>) {
        tokenBytes += content.count
        JSONText.appendSpelling(ofText: content, to: &output)
    }

    /// Ends the current token; `offset` is its start in the payload.
    mutating func end(_ token: Token, at offset: Int) throws(FormatError) {
        if token == .name { return try endName(at: offset) }
        guard tokenStart < maxTextBytes else {
            throw .limit(
                "the payload becomes more than \(maxTextBytes) bytes of JSON", at: offset, pointer: pointer)
        }
        if token == .string { output.append(ASCII.quote) }
        guard let last = frames.indices.last, !frames[last].isObject else { return }
        frames[last].count += 1
    }

    private mutating func endName(at offset: Int) throws(FormatError) {
        guard let last = frames.indices.last, frames[last].isObject else {
            preconditionFailure("a name outside of an object")
        }
        let start = tokenStart + (frames[last].count > 0 ? 2 : 1)
        frames[last].count += 1
        frames[last].name = start..<output.count
        output.append(ASCII.quote)
        output.append(ASCII.colon)
        guard tokenBytes <= maxKeyBytes else {
            throw .limit("a key is longer than \(maxKeyBytes) bytes", at: offset)
        }
    }

    /// Writes a number, `true`, `false` or `null` with this text.
    mutating func token(_ text: String, at offset: Int) throws(FormatError) {
        begin(.number)
        output.append(utf8: text)
        try end(.number, at: offset)
    }
}
