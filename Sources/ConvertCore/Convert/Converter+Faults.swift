/// What is worked out only once a fault happened: line, column, pointer and words.
extension Converter {
    /// The fault of a byte that stands where another was expected.
    func unexpected(_ kind: Fault.Kind, _ byte: UInt8, _ reader: borrowing ChunkReader) -> Fault {
        Fault(kind: isLines && byte == ASCII.lineFeed ? .lineEnd : kind, position: reader.position)
    }

    /// Turns a fault of this chunk into the error that callers see; nothing is taken after it.
    mutating func describe(_ fault: Fault, in chunk: Span<UInt8>) -> ConversionError {
        var error: ConversionError
        switch fault.kind {
        case .deferred:
            error = deferredFaults[deferredIndex].error
            if !deferredFaults[deferredIndex].isPlaced { place(&error, in: chunk) }
        case .noObject, .nodeCollision, .missingNode:
            error = unplacedError(for: fault)
            if faultyNode < placedNodes, let line = scope.line(of: faultyNode) {
                let column = scope.nodes[faultyNode].offset - line.start
                (error.line, error.column) = (line.number + 1, column + 1)
            } else {
                self.place(&error, in: chunk)
            }
        default:
            error = unplacedError(for: fault)
            place(&error, in: chunk)
        }
        expectation = .failed
        return error
    }

    /// The error of a fault whose line and column are still to be found.
    mutating func unplacedError(for fault: Fault) -> ConversionError {
        ConversionError(
            code: Self.code(of: fault.kind), message: message(for: fault), offset: chunkOffset + fault.position,
            line: 0, column: 0, pointer: pointer(at: fault), rule: rule(for: fault))
    }

    /// Says in which line of the payload an error in this chunk is, or in a token or a member that reaches into it.
    private func place(_ error: inout ConversionError, in chunk: Span<UInt8>) {
        guard !placeByNote(&error) else { return }
        let line = line(of: error.offset, in: chunk)
        error.line = line.number + 1
        error.column = error.offset - line.start + 1
    }

    /// Says in which line an error is that was noted in an earlier chunk; false if none was.
    private func placeByNote(_ error: inout ConversionError) -> Bool {
        guard let line = openFaultLines.first(where: { $0.offset == error.offset })?.line else { return false }
        error.line = line.number + 1
        error.column = error.offset - line.start + 1
        return true
    }

    /// A fault that may be told later, when what was noted of its place is forgotten.
    mutating func deferredFault(for fault: Fault) -> DeferredFault {
        var error = unplacedError(for: fault)
        let isPlaced = placeByNote(&error)
        return DeferredFault(error: error, isPlaced: isPlaced)
    }

    /// The line of a place in this chunk, or of a token that reaches into it.
    private func line(of offset: Int, in chunk: Span<UInt8>) -> (number: Int, start: Int) {
        var line = (number: linesBefore, start: lineOffset)
        let position = offset - chunkOffset
        if position > 0 {
            let (lines, afterLast) = ChunkReader(chunk).lineFeeds(before: min(position, chunk.count))
            line.number += lines
            if let afterLast { line.start = chunkOffset + afterLast }
        }
        return line
    }

    /// Notes that what is at a place of the member being read will be at fault if that stays, which its end tells.
    mutating func noteOpenFault(at offset: Int) {
        let depth = outer.count
        while let last = openFaultLines.last,
            last.depth > depth || last.depth == depth && last.offset < levels[depth].offset
        {
            openFaultLines.removeLast()
        }
        openFaultLines.append(OpenFaultLine(depth: depth, offset: offset))
        hasOpenFaults = true
    }

    /// Finds the lines of such places while the chunk is at hand.
    mutating func placeOpenFaults(in chunk: Span<UInt8>) {
        for index in openFaultLines.indices.reversed() {
            guard openFaultLines[index].line == nil else { break }
            openFaultLines[index].line = line(of: openFaultLines[index].offset, in: chunk)
        }
        hasOpenFaults = false
    }

    /// Finds the lines of the scope's new nodes while the chunk is at hand.
    mutating func placeNodes(in chunk: Span<UInt8>) {
        var line = linesBefore
        var lineStart = lineOffset
        var position = 0
        while placedNodes < scope.nodes.count {
            let offset = scope.nodes[placedNodes].offset
            while position < min(offset - chunkOffset, chunk.count) {
                if chunk[position] == ASCII.lineFeed {
                    line += 1
                    lineStart = chunkOffset + position + 1
                }
                position += 1
            }
            if scope.lines.isEmpty || scope.lines[scope.lines.count - 1].number != line {
                scope.beginLine(at: placedNodes, number: line, start: lineStart)
            }
            placedNodes += 1
        }
        for index in deferredFaults.indices where !deferredFaults[index].isPlaced {
            var error = deferredFaults[index].error
            place(&error, in: chunk)
            deferredFaults[index] = DeferredFault(error: error, isPlaced: true)
        }
    }

    private static func code(of kind: Fault.Kind) -> ConversionError.Code {
        switch kind {
        case .depth, .keyLength, .namesLength, .heldLength: .limit
        case .duplicateKey: .duplicateKey
        case .collision, .nodeCollision, .renamedName: .collision
        case .missing, .missingNode: .require
        case .noObject: .move
        case .lossyKey, .changedName: .lossyKey
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
            if let rename = renamesTo(output, in: state).first?.match.rename {
                return plan.selectors.renames[rename].pointer
            }
            return plan.selectors.moves.first { $0.targetNames == [output] }?.pointer
        case .changedName: return "/keys"
        case .missing, .missingNode: return missing.rule
        case .noObject: return plan.selectors.moves[faultyMove].pointer
        case .nodeCollision: return nodeNamingRule(faultyNode) ?? nodeNamingRule(collidingNode)
        default: return nil
        }
    }

    /// The rule that gave a member of the scope its name.
    private mutating func nodeNamingRule(_ node: Int) -> String? {
        let member = scope.nodes[node]
        let name = scope.inputName(of: node)
        let output = scope.name(of: node)
        for move in plan.selectors.moves
        where (!plan.isInverse ? move.targetNames : move.sourceNames).last == output {
            if member.parent != member.inputParent { return move.pointer }
        }
        return name == output ? nil : "/keys"
    }

    private mutating func namingRule(of entry: Int) -> String? {
        let name = nameBytes(of: entry)
        let state = memo.entries[entry].state
        let fate = !plan.isInverse ? forwardFate(of: name, state, false) : inverseFate(of: name, state, false)
        if let rename = fate.match.rename { return plan.selectors.renames[rename].pointer }
        return fate.output == nil ? nil : "/keys"
    }

    /// Why the name of an entry is lossy, which the entry itself does not tell.
    mutating func lossKind(of entry: Int) -> Fault.Kind {
        guard !plan.isInverse else { return .lossyKey }
        let name = nameBytes(of: entry)
        let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
        return guardedFate(of: name, memo.entries[entry].state, holdsLoneSurrogate).loss ?? .renamedName
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
        case .heldLength:
            return "more than \(plan.limits.maxHeldBytes) bytes of output wait for what they are in to end"
        case .namesLength: return "the names of the open members are too long together"
        case .duplicateKey: return "the member name \(quotedName(of: Int(fault.entry))) was there before in this object"
        case .collision: return collisionMessage(Int(fault.entry))
        case .badValue: return badValueMessage
        case .missing, .missingNode: return "a required member or element is missing"
        case .noObject: return "the value cannot be moved, since its new parent is no object"
        case .nodeCollision:
            let (later, earlier) = (scope.inputName(of: faultyNode), scope.inputName(of: collidingNode))
            let target = scope.name(of: faultyNode)
            return "\(quoted(later)) and \(quoted(earlier)) would both be written as \(quoted(target))"
        case .deferred: return ""
        case .renamedName:
            let name = quotedName(of: Int(fault.entry))
            return
                "\(name) would be written as a renamed or moved member is, and could not be told from it on the way back"
        case .changedName:
            return "\(quotedName(of: Int(fault.entry))) would not come back from the name that the case rule writes"
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
    private func quotedName(of entry: Int) -> String { quoted(nameBytes(of: entry)) }

    private func quoted(_ bytes: [UInt8]) -> String {
        let maxScalars = 80
        let name = String(decoding: bytes, as: Unicode.UTF8.self)
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
        switch fault.kind {
        case .noObject, .nodeCollision:
            append(frame, to: &pointer)
            return pointer + scope.pointer(to: faultyNode)
        case .missingNode:
            append(frame, to: &pointer)
            return pointer + scope.pointer(to: faultyNode) + missing.place
        case .missing:
            if expectation == .value { append(frame, to: &pointer) }
            return pointer + missing.place
        case .collision:
            append(frame, to: &pointer)
            return pointer
        default: break
        }
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
            pointer += PayloadPointer.step(nameBytes(of: Int(frame.entry)))
        }
    }

    /// The unescaped name of a memo entry.
    func nameBytes(of index: Int) -> [UInt8] {
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
