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
            let length = 6
            var value = scalar(ofAtom: spelling.extracting(index..<(index + length)))
            if Surrogates.isHigh(value), !isWhole, index + length == spelling.count { break }
            index += length
            if Surrogates.isHigh(value), index + 6 <= spelling.count, spelling[index] == ASCII.backslash,
                spelling[index + 1] == ASCII.u
            {
                let low = scalar(ofAtom: spelling.extracting(index..<(index + 6)))
                if Surrogates.isLow(low) {
                    value = Surrogates.scalar(high: value, low: low)
                    index += 6
                }
            }
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
    package static func quoted(_ content: [UInt8], _ escapes: OutputOptions.Escapes = .minimal) -> [UInt8] {
        var text = ByteBuffer(capacity: content.count + 2)
        appendQuoted(content, to: &text, escapes)
        return Array(text)
    }

    /// The JSON string with this text, as text.
    package static func quoted(_ text: String) -> String {
        String(decoding: quoted(Array(text.utf8)), as: UTF8.self)
    }

    /// Appends the JSON string with this content.
    package static func appendQuoted(
        _ content: [UInt8], to output: inout ByteBuffer, _ escapes: OutputOptions.Escapes = .minimal
    ) {
        output.append(ASCII.quote)
        appendSpelling(of: content.span, to: &output, escapes)
        output.append(ASCII.quote)
    }

    /// Appends content as the inside of a JSON string: in its shortest legal form, or in ASCII. `preserve` has no effect, since
    /// content has no escapes.
    package static func appendSpelling(
        of content: Span<UInt8>, to output: inout ByteBuffer, _ escapes: OutputOptions.Escapes
    ) {
        var reader = ChunkReader(content)
        while let lead = output.copyPlainString(&reader) {
            if lead < ASCII.firstNonASCII {
                append(UInt32(lead), to: &output, escapes)
                reader.advance()
            } else {
                // Content may be WTF-8, so the length comes from the lead byte alone.
                let length = min(max(UTF8Sequence.length(lead: lead), 1), reader.remaining)
                let start = reader.position
                append(UTF8Sequence.scalar(content.extracting(start..<(start + length))), to: &output, escapes)
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
            append(UInt32(content[index]), to: &output, .minimal)
            index += 1
        }
    }

    /// Appends `content` as the inside of a JSON string.
    static func appendSpelling(
        of content: borrowing ByteBuffer, to output: inout ByteBuffer, _ escapes: OutputOptions.Escapes
    ) {
        appendSpelling(of: content.bytes, to: &output, escapes)
    }

    /// Appends one scalar value (or lone surrogate) of a string's content.
    static func append(_ value: UInt32, to output: inout ByteBuffer, _ escapes: OutputOptions.Escapes) {
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
            } else if escapes != .ascii {
                UTF8Sequence.append(value, to: &output)
            } else if let pair = Surrogates.pair(for: value) {
                appendHexEscape(pair.high, to: &output)
                appendHexEscape(pair.low, to: &output)
            } else {
                appendHexEscape(value, to: &output)
            }
        }
    }

    /// The scalar value of one UTF-8 sequence, or the UTF-16 code unit of one escape.
    static func scalar(ofAtom atom: Span<UInt8>) -> UInt32 {
        guard atom[0] == ASCII.backslash else { return UTF8Sequence.scalar(atom) }
        guard atom[1] == ASCII.u else { return UInt32(byte(escapedAs: atom[1])) }
        var value: UInt32 = 0
        for index in 2..<6 { value = value << 4 | UInt32(ASCII.hexValue(atom[index]) ?? 0) }
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
        output.append(ASCII.backslash)
        output.append(ASCII.u)
        for shift in [12, 8, 4, 0] as [UInt32] { output.append(ASCII.hexDigit(UInt8(unit >> shift & 15))) }
    }
}
