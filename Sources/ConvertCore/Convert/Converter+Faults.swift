/// What is worked out only once a fault happened: line, column, pointer and words.
extension Converter {
    /// The fault of a byte that stands where another was expected.
    func unexpected(_ kind: Fault.Kind, _ byte: UInt8, _ reader: borrowing ChunkReader) -> Fault {
        Fault(kind: isLines && byte == ASCII.lineFeed ? .lineEnd : kind, position: reader.position)
    }

    /// Turns a fault of this chunk into the error that callers see; nothing is taken after it.
    mutating func describe(_ fault: Fault, in chunk: Span<UInt8>) -> ConversionError {
        var line = linesBefore
        var lineStart = lineOffset
        if fault.position > 0 {
            let (lines, afterLast) = ChunkReader(chunk).lineFeeds(before: min(fault.position, chunk.count))
            line += lines
            if let afterLast { lineStart = chunkOffset + afterLast }
        }
        let offset = chunkOffset + fault.position
        let error = ConversionError(
            code: Self.code(of: fault.kind), message: message(for: fault), offset: offset, line: line + 1,
            column: offset - lineStart + 1, pointer: pointer(at: fault), rule: rule(for: fault))
        expectation = .failed
        return error
    }

    private static func code(of kind: Fault.Kind) -> ConversionError.Code {
        switch kind {
        case .depth, .keyLength, .namesLength: .limit
        case .duplicateKey: .duplicateKey
        case .collision, .renamedName: .collision
        case .lossyKey: .lossyKey
        case .badValue: .badValue
        default: .json
        }
    }

    /// The rule that was broken; of a collision, the one that gave either member its new name.
    private mutating func rule(for fault: Fault) -> String? {
        switch fault.kind {
        case .badValue where valueRule >= 0: return plan.rules[Int(valueRule)].pointer
        case .collision:
            let later = Int(fault.entry)
            let earlier = standingSibling(of: Int(memo.entries[later].canonical))
            return namingRule(of: later) ?? (earlier >= 0 ? namingRule(of: earlier) : nil)
        case .renamedName:
            let name = nameBytes(of: Int(fault.entry))
            let state = memo.entries[Int(fault.entry)].state
            let output = forwardFate(of: name, state, false).output ?? name
            return renamesTo(output, in: state).first?.match.rename.map { plan.selectors.renames[$0].pointer }
        default: return nil
        }
    }

    private mutating func namingRule(of entry: Int) -> String? {
        let name = nameBytes(of: entry)
        let state = memo.entries[entry].state
        let fate = plan.inversion == nil ? forwardFate(of: name, state, false) : inverseFate(of: name, state, false)
        if let rename = fate.match.rename { return plan.selectors.renames[rename].pointer }
        return fate.output == nil ? nil : "/keys"
    }

    // MARK: Words

    private func message(for fault: Fault) -> String {
        if let encoding = foreignEncoding(for: fault) {
            return "the payload is \(encoding), but JSON between systems is UTF-8 (RFC 8259 §8.1)"
        }
        switch fault.kind {
        case .expectedValue: return "a JSON value was expected here"
        case .expectedValueOrEnd: return "a JSON value or ']' was expected here"
        case .expectedKey: return "a member name in double quotes was expected after the comma"
        case .expectedKeyOrEnd: return "a member name in double quotes or '}' was expected here"
        case .expectedColon: return "':' was expected after the member name"
        case .expectedCommaOrBrace: return "',' or '}' was expected after the member's value"
        case .expectedCommaOrBracket: return "',' or ']' was expected after the element"
        case .trailingBytes: return "the JSON text is over, but more bytes follow it"
        case .twoValuesInLine: return "a line of NDJSON holds one JSON text, but more bytes follow it"
        case .lineEnd: return "the line ends inside its JSON text"
        case .unexpectedEnd: return "the payload ends inside its JSON text"
        case .emptyInput: return "the payload is empty; a JSON text was expected"
        case .badEscape:
            return "a backslash begins no escape here: \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits"
        case .controlCharacter: return "a control character below U+0020 must be written as an escape in a string"
        case .badUTF8: return "the string is not valid UTF-8 here"
        case .badNumber: return "the number breaks off or goes on in a way that JSON numbers do not"
        case .badLiteral: return "only true, false and null begin so, in lower case"
        case .depth: return "more than \(maxDepth) containers are open"
        case .keyLength: return "the member name is longer than \(maxKeyBytes) bytes"
        case .namesLength: return "the names of the open members are too long together"
        case .duplicateKey: return "the member name \(quotedName(of: Int(fault.entry))) was there before in this object"
        case .collision: return collisionMessage(Int(fault.entry))
        case .badValue: return badValueMessage
        case .renamedName:
            let name = quotedName(of: Int(fault.entry))
            return "\(name) would be written as a renamed member is, and could not be told from it on the way back"
        case .lossyKey:
            return "\(quotedName(of: Int(fault.entry))) cannot be undone: no one input name becomes it by this profile"
        }
    }

    private func collisionMessage(_ entry: Int) -> String {
        let canonical = Int(memo.entries[entry].canonical)
        let other = standingSibling(of: canonical)
        let earlier = other >= 0 ? quotedName(of: other) : "an earlier member"
        let output = Int(memo.entries[canonical].output)
        let target = output >= 0 ? quotedName(of: output) : "the same name"
        return "\(quotedName(of: entry)) and \(earlier) would both be written as \(target)"
    }

    /// The name of an entry for a message: cut where it is long.
    private func quotedName(of entry: Int) -> String {
        let maxScalars = 80
        let name = String(decoding: nameBytes(of: entry), as: Unicode.UTF8.self)
        let shown = String(String.UnicodeScalarView(name.unicodeScalars.prefix(maxScalars)))
        return shown == name ? "\"\(name)\"" : "\"\(shown)…\""
    }

    private func foreignEncoding(for fault: Fault) -> String? {
        guard Self.code(of: fault.kind) == .json, chunkOffset + fault.position <= 4 else { return nil }
        return UTF8Sequence.foreignEncoding(signature)
    }

    // MARK: Pointers

    /// The RFC 6901 pointer of the place at fault, in the payload's own names.
    private func pointer(at fault: Fault) -> String {
        var pointer = ""
        for index in 0..<outer.count { append(outer[index], to: &pointer) }
        switch expectation {
        case .value, .colon, .string, .number, .literal, .heldString, .heldNumber, .heldLiteral:
            append(frame, to: &pointer)
        default: if fault.entry >= 0 || fault.kind == .badValue { append(frame, to: &pointer) }
        }
        return pointer
    }

    private func append(_ frame: Frame, to pointer: inout String) {
        switch frame.kind {
        case .payload: break
        case .array: pointer += "/\(frame.index)"
        case .object:
            guard frame.entry >= 0 else { return }
            pointer += "/"
            for byte in String(decoding: nameBytes(of: Int(frame.entry)), as: Unicode.UTF8.self).unicodeScalars {
                switch byte {
                case "~": pointer += "~0"
                case "/": pointer += "~1"
                default: pointer.unicodeScalars.append(byte)
                }
            }
        }
    }

    /// The unescaped name of a memo entry.
    private func nameBytes(of index: Int) -> [UInt8] {
        let entry = memo.entries[index]
        let isSpelling = entry.kind == .spelling
        let start = Int(entry.keyStart)
        let bytes = memo.arena.bytes.extracting(start..<(start + Int(entry.keyCount) - (isSpelling ? 1 : 0)))
        guard isSpelling else { return [UInt8](copying: bytes) }
        var name = ByteBuffer()
        _ = JSONText.appendContent(of: bytes, to: &name)
        return [UInt8](name)
    }
}
