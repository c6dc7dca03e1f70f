import ConvertText

/// Writes the engine's output with the indentation and the escapes that the output options ask for.
///
/// The engine writes JSON without white space between tokens, and strings as the payload spells them. That text comes here piece by piece.
/// One byte of it can become a line with thousands of spaces, so the formatter can stop before the end of a piece.
package struct OutputFormatter: ~Copyable, Sendable {
    private enum State {
        case token, string
        /// After an opening bracket. The next byte decides whether a line begins.
        case opened
    }

    /// Spaces for each level; 0 writes no white space.
    private let indent: Int
    private let escapes: OutputOptions.Escapes
    /// Output of the engine that is not formatted yet. The engine appends to it.
    package var text = ByteBuffer()
    /// How much of it is formatted.
    private var position = 0
    private var state: State
    private var level = 0
    /// Whether writing stopped before the end of the text.
    private(set) var isPaused = false

    package init(_ output: OutputOptions) {
        (indent, escapes) = (output.indent, output.escapes)
        state = Self.start(indent)
    }

    /// Without indentation, all text is handled like that of a string: outside of strings there is nothing to respell.
    private static func start(_ indent: Int) -> State { indent > 0 ? .token : .string }

    /// Whether the engine's output is already in the wanted form.
    package var isIdle: Bool { indent == 0 && escapes == .preserve }

    /// Whether one byte of text can become much output.
    var indents: Bool { indent > 0 }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { isIdle ? 0 : text.capacity }

    /// Begins another output.
    mutating func reset() {
        text.removeAll()
        (position, state, level, isPaused) = (0, Self.start(indent), 0, false)
    }

    /// Takes text of the engine, and leaves none.
    mutating func take(_ taken: inout ByteBuffer) {
        guard !text.isEmpty else { return swap(&text, &taken) }
        text.append(taken.bytes)
        taken.removeAll()
    }

    /// Formats the text until `maxBytes` more are written, or nothing is left but the beginning of a character.
    package mutating func write(upTo maxBytes: Int = .max, into output: inout ByteBuffer) {
        let limit = output.count.addingReportingOverflow(maxBytes)
        let end = limit.overflow ? Int.max : limit.partialValue
        // Local variables, because the stores into the output could otherwise change them for all that the compiler knows.
        var (position, state, level) = (position, state, level)
        var isCut = false
        while position < text.count, output.count < end, !isCut {
            if state == .string {
                isCut = !writeString(&position, &state, &output)
            } else {
                writeToken(&position, &state, &level, &output)
            }
        }
        (self.position, self.state, self.level) = (position, state, level)
        isPaused = position < text.count && !isCut
        guard !isPaused else { return }
        text.removeFirst(position)
        self.position = 0
    }

    /// Formats the next token, of a string only its opening quote.
    @inline(__always)
    private func writeToken(
        _ position: inout Int, _ state: inout State, _ level: inout Int, _ output: inout ByteBuffer
    ) {
        let byte = text[position]
        if byte == ASCII.closeBrace || byte == ASCII.closeBracket {
            if state == .opened {
                state = .token
            } else {
                level &-= 1
                output.append(line: level &* indent)
            }
            output.append(byte)
            position &+= 1
            return
        }
        if state == .opened {
            state = .token
            level &+= 1
            output.append(line: level &* indent)
        }
        switch byte {
        case ASCII.quote: state = .string
        case ASCII.openBrace, ASCII.openBracket: state = .opened
        case ASCII.comma, ASCII.colon: break
        default:
            position = output.appendScalar(of: text.bytes, from: position)
            return
        }
        output.append(byte)
        position &+= 1
        if byte == ASCII.comma { output.append(line: level &* indent) }
        if byte == ASCII.colon { output.append(ASCII.space) }
    }

    /// Formats the text up to the end of the string, or all text if there is no indentation. Returns false if the text ends inside a
    /// character.
    @inline(__always)
    private func writeString(_ position: inout Int, _ state: inout State, _ output: inout ByteBuffer) -> Bool {
        let stop = indent > 0 ? ASCII.quote : ASCII.backslash
        while true {
            position = output.appendRun(
                of: text.bytes, from: position, to: text.count, until: ASCII.backslash, or: stop,
                stopsAtNonASCII: escapes == .ascii)
            guard position < text.count else { return true }
            guard text[position] != ASCII.quote else {
                output.append(ASCII.quote)
                position &+= 1
                state = .token
                return true
            }
            guard let end = JSONText.appendCharacter(at: position, of: text.bytes, to: &output, escapes) else {
                return false
            }
            position = end
        }
    }
}
