import ConvertText

/// Copies JSON strings from chunk to buffer unchanged, and checks escapes and UTF-8.
///
/// A string may be cut anywhere. An *atom* is one escape or one multi-byte UTF-8 sequence. If the chunk's end cuts an atom, its
/// bytes (at most five) are buffered until the next chunk completes it. Nothing else is buffered.
struct StringCopier: ~Copyable {
    /// The bytes of a cut atom, valid so far.
    private var atom = ByteBuffer()

    mutating func reset() { atom.removeAll() }

    /// Copies the string unchanged, including the closing quote; false if the chunk ends first.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copy(_ reader: inout ChunkReader, into output: inout ByteBuffer) throws(EngineError) -> Bool {
        if !atom.isEmpty {
            guard try completeAtom(&reader) else { return false }
            output.append(atom.bytes)
            atom.removeAll()
        }
        while let stop = output.copyPlainString(&reader) {
            if stop == ASCII.quote {
                reader.advance()
                output.append(ASCII.quote)
                return true
            }
            guard try copySpecial(stop, &reader, into: &output) else { return false }
        }
        return false
    }

    /// Copies from a byte that is not plain; false if the chunk ends inside an atom.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copySpecial(
        _ first: UInt8, _ reader: inout ChunkReader, into output: inout ByteBuffer
    ) throws(EngineError) -> Bool {
        if first >= ASCII.firstNonASCII {
            var end = output.copyText(&reader)
            if end == .nearEnd { end = output.copyMultiByteRun(&reader) }
            switch end {
            case .ascii: return true
            case .endOfChunk, .nearEnd: break
            case .invalid: throw EngineError(kind: .badUTF8, position: reader.position)
            }
            if reader.isAtEnd { return false }
        } else if first == ASCII.backslash {
            // Text that was converted to ASCII has runs of escapes. Complete ones need not be buffered.
            var copied = false
            while reader.remaining >= 8, reader.next == ASCII.backslash {
                if reader.peek(1) != ASCII.u || !output.copyEscapes(&reader) {
                    guard let length = Self.escapeLength(reader) else { break }
                    output.copyWord(length, from: &reader)
                }
                copied = true
            }
            if copied { return true }
        }
        guard try completeAtom(&reader) else { return false }
        output.append(atom.bytes)
        atom.removeAll()
        return true
    }

    // MARK: Atoms

    /// Reads bytes until the atom is complete; false if the chunk ends first.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func completeAtom(_ reader: inout ChunkReader) throws(EngineError) -> Bool {
        while !reader.isAtEnd {
            let byte = reader.next
            let start = reader.position - atom.count
            if atom.isEmpty, byte < ASCII.space {
                throw EngineError(kind: byte == ASCII.lineFeed ? .lineFeedInString : .controlCharacter, position: start)
            }
            guard canContinue(with: byte) else {
                let isEscape = atom.isEmpty ? byte == ASCII.backslash : atom[0] == ASCII.backslash
                throw EngineError(kind: isEscape ? .badEscape : .badUTF8, position: start)
            }
            atom.append(byte)
            reader.advance()
            if isAtomComplete { return true }
        }
        return false
    }

    private func canContinue(with byte: UInt8) -> Bool {
        let held = atom.count
        if held == 0 { return byte == ASCII.backslash || UTF8Sequence.length(lead: byte) > 0 }
        let lead = atom[0]
        if lead == ASCII.backslash {
            return held == 1 ? Self.isShortEscape(byte) || byte == ASCII.u : ASCII.hexValue(byte) != nil
        }
        return held == 1
            ? UTF8Sequence.secondBytes(lead: lead).contains(byte) : UTF8Sequence.isContinuation(byte)
    }

    private var isAtomComplete: Bool {
        let lead = atom[0]
        guard lead == ASCII.backslash else { return atom.count == UTF8Sequence.length(lead: lead) }
        return atom.count == ByteWindow.escapeLength || (atom.count == 2 && atom[1] != ASCII.u)
    }

    /// The length of the escape at the reader's next byte, which needs at least six bytes in the chunk; nil if it is invalid.
    @inline(__always)
    private static func escapeLength(_ reader: borrowing ChunkReader) -> Int? {
        let letter = reader.peek(1)
        if isShortEscape(letter) { return 2 }
        guard letter == ASCII.u else { return nil }
        for distance in 2..<ByteWindow.escapeLength where ASCII.hexValue(reader.peek(distance)) == nil { return nil }
        return ByteWindow.escapeLength
    }

    @inline(__always)
    static func isShortEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.quote, ASCII.backslash, ASCII.slash, ASCII.b, ASCII.f, ASCII.n, ASCII.r, ASCII.t: true
        default: false
        }
    }
}
