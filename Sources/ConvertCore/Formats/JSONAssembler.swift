/// Writes the minified JSON text of a payload that came in another format, within limits, and knows the place it has reached.
struct JSONAssembler: ~Copyable {
    private struct Frame {
        let isObject: Bool
        var count = 0
        /// The last name as it is spelled in the output, without quotes.
        var name = 0..<0
    }

    private(set) var output = ByteBuffer()
    private var frames: [Frame] = []
    private let maxDepth: Int
    private let maxKeyBytes: Int
    private let maxTextBytes: Int

    init(_ limits: TranslationLimits, payloadBytes: Int) {
        maxDepth = limits.maxDepth
        maxKeyBytes = limits.maxKeyBytes
        maxTextBytes = limits.maxTextBytes(ofPayload: payloadBytes)
    }

    /// RFC 6901 pointer to the value that comes next.
    var pointer: String {
        var text = ""
        for (index, frame) in frames.enumerated() {
            guard frame.isObject else {
                text += "/\(index == frames.count - 1 ? frame.count : frame.count - 1)"
                continue
            }
            guard frame.count > 0 else { continue }
            text += "/"
            var content = ByteBuffer()
            _ = JSONText.appendContent(of: output.bytes.extracting(frame.name), to: &content)
            for scalar in String(decoding: [UInt8](content), as: UTF8.self).unicodeScalars {
                switch scalar {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    // MARK: Containers

    /// Opens an object or an array; `offset` is where the payload begins it.
    mutating func open(isObject: Bool, at offset: Int) throws(FormatFault) {
        guard frames.count < maxDepth else {
            throw FormatFault(
                code: .limit, message: "nested deeper than \(maxDepth) levels", offset: offset, pointer: pointer)
        }
        try beginValue(at: offset)
        frames.append(Frame(isObject: isObject))
        output.append(isObject ? ASCII.openBrace : ASCII.openBracket)
    }

    /// Closes what was opened last.
    mutating func close() {
        let frame = frames.removeLast()
        output.append(frame.isObject ? ASCII.closeBrace : ASCII.closeBracket)
    }

    /// Begins a member of the open object by its name in UTF-8.
    mutating func name(_ content: [UInt8], at offset: Int) throws(FormatFault) {
        guard let last = frames.indices.last, frames[last].isObject else {
            preconditionFailure("a name outside of an object")
        }
        if frames[last].count > 0 { output.append(ASCII.comma) }
        frames[last].count += 1
        output.append(ASCII.quote)
        let start = output.count
        JSONText.appendSpelling(of: content.span, to: &output, .minimal)
        frames[last].name = start..<output.count
        output.append(ASCII.quote)
        output.append(ASCII.colon)
        guard content.count <= maxKeyBytes else {
            throw FormatFault(
                code: .limit, message: "a name has more than \(maxKeyBytes) bytes", offset: offset)
        }
    }

    // MARK: Scalars

    /// Writes a string of UTF-8.
    mutating func string(_ content: [UInt8], at offset: Int) throws(FormatFault) {
        try beginValue(at: offset)
        output.append(ASCII.quote)
        JSONText.appendSpelling(of: content.span, to: &output, .minimal)
        output.append(ASCII.quote)
    }

    /// Writes a number, `true`, `false` or `null` that is spelled so.
    mutating func token(_ text: [UInt8], at offset: Int) throws(FormatFault) {
        try beginValue(at: offset)
        output.append(text)
    }

    private mutating func beginValue(at offset: Int) throws(FormatFault) {
        guard output.count < maxTextBytes else {
            throw FormatFault(
                code: .limit, message: "the payload becomes more than \(maxTextBytes) bytes of JSON", offset: offset,
                pointer: pointer)
        }
        guard let last = frames.indices.last, !frames[last].isObject else { return }
        if frames[last].count > 0 { output.append(ASCII.comma) }
        frames[last].count += 1
    }
}

extension UTF8Sequence {
    /// The index of the first byte that breaks the encoding, nil where none does.
    static func firstFault(in bytes: [UInt8]) -> Int? {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead < ASCII.firstNonASCII {
                index += 1
                continue
            }
            let length = length(lead: lead)
            guard length > 0, index + length <= bytes.count, secondBytes(lead: lead).contains(bytes[index + 1]),
                bytes[(index + 2)..<max(index + 2, index + length)].allSatisfy(isContinuation)
            else { return index }
            index += length
        }
        return nil
    }
}
