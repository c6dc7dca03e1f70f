import ConvertText

/// Converts JSON strings from their text to their content and back.
///
/// Content is UTF-8, except for lone surrogate escapes, which RFC 8259 allows and UTF-8 cannot represent. They are stored as
/// three bytes in UTF-8's pattern (WTF-8) and are written as escapes again.
package enum JSONText {
    /// Appends the content of a string. `spelling` is the valid text between its quotes.
    ///
    /// Returns whether the content has a lone surrogate.
    package static func appendContent(of spelling: Span<UInt8>, to output: inout ByteBuffer) -> Bool {
        appendContent(of: spelling, isWhole: true, to: &output).holdsLoneSurrogate
    }

    /// Does the same for a `spelling` that continues later if it is not whole. If it ends with an escaped high surrogate, the next
    /// escape may complete the pair. Then `taken` ends before that surrogate.
    static func appendContent(
        of spelling: Span<UInt8>, isWhole: Bool, to output: inout ByteBuffer
    ) -> (taken: Int, holdsLoneSurrogate: Bool) {
        var holdsLoneSurrogate = false
        var index = 0
        while index < spelling.count {
            guard spelling[index] == ASCII.backslash else {
                let end = spelling.firstIndex(of: ASCII.backslash, from: index, to: spelling.count)
                output.append(spelling.extracting(index..<end))
                index = end
                continue
            }
            // A string with JSON text in it has an escaped quote every few bytes.
            guard spelling[index + 1] == ASCII.u else {
                output.append(byte(escapedAs: spelling[index + 1]))
                index += 2
                continue
            }
            guard let (value, length) = escapedCharacter(at: index, of: spelling, isWhole: isWhole) else { break }
            index += length
            if Surrogates.contain(value) { holdsLoneSurrogate = true }
            UTF8Sequence.append(value, to: &output)
        }
        return (index, holdsLoneSurrogate)
    }

    /// Appends the content of the string whose text is the first `count` bytes of `spelling`. Returns whether it has a lone surrogate.
    static func appendContent(of spelling: borrowing ByteBuffer, count: Int, to output: inout ByteBuffer) -> Bool {
        appendContent(of: spelling.bytes.extracting(0..<count), to: &output)
    }

    /// The content of a string. `spelling` is the valid text between its quotes.
    @inline(never)  // The compiler would copy it into each caller.
    package static func content(of spelling: Span<UInt8>) -> [UInt8] {
        var content = ByteBuffer(capacity: spelling.count)
        _ = appendContent(of: spelling, to: &content)
        return Array(content)
    }

    /// The content of a valid JSON text that is a string, without white space around it; nil for any other.
    package static func content(ofString text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.first == ASCII.quote else { return nil }
        let spelling = text.dropFirst().dropLast()
        return content(of: spelling.span)
    }

    /// The JSON string with this content.
    package static func quoted(_ content: [UInt8]) -> [UInt8] {
        var text = ByteBuffer(capacity: content.count + 2)
        appendQuoted(content, to: &text)
        return Array(text)
    }

    /// The JSON string with this text, as text.
    package static func quoted(_ text: String) -> String {
        String(decoding: quoted(Array(text.utf8)), as: UTF8.self)
    }

    /// Appends the JSON string with this content.
    package static func appendQuoted(_ content: [UInt8], to output: inout ByteBuffer) {
        output.append(ASCII.quote)
        appendSpelling(of: content.span, to: &output)
        output.append(ASCII.quote)
    }

    /// Appends content as the inside of a JSON string in its shortest legal form.
    package static func appendSpelling(of content: Span<UInt8>, to output: inout ByteBuffer) {
        var reader = ChunkReader(content)
        while let lead = output.copyPlainString(&reader) {
            if lead < ASCII.firstNonASCII {
                append(UInt32(lead), to: &output)
                reader.advance()
            } else {
                // Content may be WTF-8, so the length comes from the lead byte alone.
                let length = min(max(UTF8Sequence.length(lead: lead), 1), reader.remaining)
                let start = reader.position
                append(UTF8Sequence.scalar(content.extracting(start..<(start + length))), to: &output)
                reader.advance(length)
            }
        }
    }

    /// Appends UTF-8 as the inside of a JSON string in its shortest legal form. The content may be cut inside a character.
    package static func appendSpelling(ofText content: Span<UInt8>, to output: inout ByteBuffer) {
        var index = 0
        while true {
            index = output.appendTextRun(of: content, from: index, to: content.count)
            guard index < content.count else { return }
            append(UInt32(content[index]), to: &output)
            index += 1
        }
    }

    /// Appends `content` as the inside of a JSON string.
    static func appendSpelling(of content: borrowing ByteBuffer, to output: inout ByteBuffer) {
        appendSpelling(of: content.bytes, to: &output)
    }

    /// Appends one scalar value (or lone surrogate) of a string's content in its shortest legal form, or escaped if it is not ASCII.
    private static func append(_ value: UInt32, to output: inout ByteBuffer, isASCII: Bool = false) {
        switch value {
        case UInt32(ASCII.quote), UInt32(ASCII.backslash): appendShortEscape(UInt8(value), to: &output)
        case UInt32(ASCII.backspace): appendShortEscape(ASCII.b, to: &output)
        case UInt32(ASCII.formFeed): appendShortEscape(ASCII.f, to: &output)
        case UInt32(ASCII.lineFeed): appendShortEscape(ASCII.n, to: &output)
        case UInt32(ASCII.carriageReturn): appendShortEscape(ASCII.r, to: &output)
        case UInt32(ASCII.tab): appendShortEscape(ASCII.t, to: &output)
        case 0..<UInt32(ASCII.space): appendHexEscape(value, to: &output)
        case 0..<UInt32(ASCII.firstNonASCII): output.append(UInt8(value))
        default:
            if Surrogates.contain(value) {
                appendHexEscape(value, to: &output)
            } else if !isASCII {
                UTF8Sequence.append(value, to: &output)
            } else if let pair = Surrogates.pair(for: value) {
                appendHexEscape(pair.high, to: &output)
                appendHexEscape(pair.low, to: &output)
            } else {
                appendHexEscape(value, to: &output)
            }
        }
    }

    // MARK: Respelling

    /// Appends the character at `position` of a valid string, which is an escape or is not ASCII, with these escapes. Returns the position
    /// after it; nil if the text ends before the character does, or if another escape may belong to it.
    static func appendCharacter(
        at position: Int, of text: Span<UInt8>, to output: inout ByteBuffer, _ escapes: OutputOptions.Escapes
    ) -> Int? {
        guard text[position] == ASCII.backslash else {
            let end = position + UTF8Sequence.length(lead: text[position])
            guard end <= text.count else { return nil }
            append(UTF8Sequence.scalar(text.extracting(position..<end)), to: &output, isASCII: true)
            return end
        }
        guard escapes != .preserve else {
            guard position + 2 <= text.count else { return nil }
            output.append(text.extracting(position..<(position + 2)))
            return position + 2
        }
        guard let (value, length) = escapedCharacter(at: position, of: text, isWhole: false) else { return nil }
        append(value, to: &output, isASCII: escapes == .ascii)
        return position + length
    }

    /// The scalar value (or lone surrogate) of the escape at `start`, and the length of its spelling, which is two escapes for a surrogate
    /// pair. Nil if the text ends before that, or if it is not whole and the other half of a pair may follow.
    private static func escapedCharacter(
        at start: Int, of text: Span<UInt8>, isWhole: Bool
    ) -> (value: UInt32, length: Int)? {
        guard start + 2 <= text.count else { return nil }
        guard text[start + 1] == ASCII.u else { return (UInt32(byte(escapedAs: text[start + 1])), 2) }
        let next = start + ByteWindow.escapeLength
        guard next <= text.count else { return nil }
        let value = codeUnit(ofEscape: text.extracting(start..<next))
        guard Surrogates.isHigh(value) else { return (value, ByteWindow.escapeLength) }
        let mayFollow =
            next == text.count
            || text[next] == ASCII.backslash && (next + 1 == text.count || text[next + 1] == ASCII.u)
        let end = next + ByteWindow.escapeLength
        guard mayFollow, end <= text.count else {
            return mayFollow && !isWhole ? nil : (value, ByteWindow.escapeLength)
        }
        let low = codeUnit(ofEscape: text.extracting(next..<end))
        guard Surrogates.isLow(low) else { return (value, ByteWindow.escapeLength) }
        return (Surrogates.scalar(high: value, low: low), 2 * ByteWindow.escapeLength)
    }

    /// The UTF-16 code unit of an escape of the form `\uXXXX`.
    private static func codeUnit(ofEscape escape: Span<UInt8>) -> UInt32 {
        var value: UInt32 = 0
        for index in 2..<ByteWindow.escapeLength { value = value << 4 | UInt32(ASCII.hexValue(escape[index]) ?? 0) }
        return value
    }

    /// The byte for an escape of a backslash and a letter other than `u`.
    private static func byte(escapedAs letter: UInt8) -> UInt8 {
        switch letter {
        case ASCII.b: ASCII.backspace
        case ASCII.f: ASCII.formFeed
        case ASCII.n: ASCII.lineFeed
        case ASCII.r: ASCII.carriageReturn
        case ASCII.t: ASCII.tab
        default: letter
        }
    }

    // MARK: Escapes

    private static func appendShortEscape(_ byte: UInt8, to output: inout ByteBuffer) {
        output.append(ASCII.backslash)
        output.append(byte)
    }

    private static func appendHexEscape(_ unit: UInt32, to output: inout ByteBuffer) {
        // One digit in each byte of a word.
        let digits = unit &>> 12 | unit & 0xF00 | (unit & 0xF0) &<< 12 | (unit & 0xF) &<< 24
        let letters = (digits &+ 0x0606_0606) &>> 4 & 0x0101_0101
        let spelled = digits &+ 0x3030_3030 &+ letters &* UInt32(ASCII.a &- ASCII.zero &- 10)
        let word = UInt64(spelled) &<< 16 | UInt64(ASCII.u) &<< 8 | UInt64(ASCII.backslash)
        output.append(first: ByteWindow.escapeLength, ofWord: word)
    }
}
