/// What is worked out only once a fault happened: line, column, pointer and words.
extension Engine {
    /// The fault of a byte that stands where another was expected.
    func unexpected(_ kind: Fault.Kind, _ byte: UInt8, _ reader: borrowing ChunkReader) -> Fault {
        Fault(kind: isLines && byte == ASCII.lineFeed ? .lineEnd : kind, position: reader.position)
    }

    /// Turns a fault of this chunk into the error that callers see; nothing is taken after it.
    mutating func describe(_ fault: Fault, in chunk: Span<UInt8>) -> ConversionError {
        var error = fault.kind == .held ? heldError() : unplacedError(for: fault)
        if error.line == 0 { place(&error, in: chunk) }
        lexerState = .failed
        return error
    }

    /// The error of what showed when the held object ended; its line is 0 if it is still to be found.
    private func heldError() -> ConversionError {
        switch hold.failure {
        case .deferred(let number):
            let fault = hold.faults[number]
            return ConversionError(
                code: Self.code(of: fault.kind), message: fault.message ?? Self.commonMessage(for: fault.kind),
                offset: fault.offset, line: fault.line, column: fault.column,
                pointer: pointer(to: Int(fault.node)) + fault.tail + fault.missing, rule: fault.rule)
        case .missing(let requirement, let node):
            return nodeError(
                .require, Self.commonMessage(for: .missing), at: node, requirement.place, rule: requirement.rule)
        case .misplaced(let node, let move):
            return nodeError(
                .move, "the value cannot be moved: its new parent is not an object", at: node,
                rule: plan.selectors.moves[move].pointer)
        case .collision(let collision):
            let (later, earlier) = (collision.later, collision.earlier)
            let names = (hold.inputName(of: later), hold.inputName(of: earlier))
            let target = quoted(hold.outputName(of: later))
            return nodeError(
                .collision, "\(quoted(names.0)) and \(quoted(names.1)) would both be written as \(target)", at: later,
                rule: nodeNamingRule(later) ?? nodeNamingRule(earlier))
        case .tooLong, nil: preconditionFailure("no fault of a held object")
        }
    }

    private func nodeError(
        _ code: ConversionError.Code, _ message: String, at node: Int, _ missing: String = "", rule: String?
    ) -> ConversionError {
        var error = ConversionError(
            code: code, message: message, offset: hold.offset(of: node), line: 0, column: 0,
            pointer: pointer(to: node) + missing, rule: rule)
        if let line = hold.line(of: node) { error.setPlace(of: error.offset, in: (line.number, line.start)) }
        return error
    }

    /// The error of a fault whose line and column are still to be found.
    private mutating func unplacedError(for fault: Fault) -> ConversionError {
        ConversionError(
            code: Self.code(of: fault.kind), message: message(for: fault), offset: payload.chunkOffset + fault.position,
            line: 0, column: 0, pointer: pointer(at: fault), rule: rule(for: fault))
    }

    /// Says in which line of the payload an error in this chunk is, or in a token or a member that reaches into it.
    private func place(_ error: inout ConversionError, in chunk: Span<UInt8>) {
        error.setPlace(of: error.offset, in: notedLine(of: error.offset) ?? line(of: error.offset, in: chunk))
    }

    /// The line of a place that was noted in an earlier chunk; nil if none was.
    func notedLine(of offset: Int) -> (number: Int, start: Int)? {
        openFaultLines.first { $0.offset == offset }?.line
    }

    /// The line of a place in this chunk, or of a token that reaches into it.
    private func line(of offset: Int, in chunk: Span<UInt8>) -> (number: Int, start: Int) {
        var scan = LineScan(number: payload.linesBefore, start: payload.lineOffset)
        scan.advance(to: offset, in: chunk, from: payload.chunkOffset)
        return (scan.number, scan.start)
    }

    /// Notes that what is at a place of the member being read will be at fault if that stays, which its end tells.
    mutating func noteOpenFault(at offset: Int) {
        let depth = containers.depth
        while let last = openFaultLines.last,
            last.depth > depth || last.depth == depth && last.offset < savepoints[depth].offset
        {
            openFaultLines.removeLast()
        }
        openFaultLines.append(OpenFaultLine(depth: depth, offset: offset))
        payload.hasOpenFaults = true
    }

    /// Finds the lines of such places while the chunk is at hand.
    mutating func placeOpenFaults(in chunk: Span<UInt8>) {
        for index in openFaultLines.indices.reversed() {
            guard openFaultLines[index].line == nil else { break }
            openFaultLines[index].line = line(of: openFaultLines[index].offset, in: chunk)
        }
        payload.hasOpenFaults = false
    }

    private static func code(of kind: Fault.Kind) -> ConversionError.Code {
        switch kind {
        case .depth, .keyLength, .namesLength, .heldLength: .limit
        case .duplicateKey: .duplicateKey
        case .collision, .renamedName: .collision
        case .missing: .require
        case .lossyKey, .changedName: .lossyKey
        case .badValue: .badValue
        default: .json
        }
    }

    /// The rule that was broken; of a collision, the one that gave either member its new name.
    mutating func rule(for fault: Fault) -> String? {
        switch fault.kind {
        case .badValue where valueRule >= 0: return plan.rules[Int(valueRule)].pointer
        case .collision:
            let later = Int(fault.entry)
            let state = keyCache.entries[later].state
            return namingRule(of: nameBytes(of: later), state)
                ?? earlierName(collidingWith: later).flatMap { namingRule(of: $0, state) }
        case .renamedName:
            let name = nameBytes(of: Int(fault.entry))
            let state = keyCache.entries[Int(fault.entry)].state
            let output = forwardResolution(of: name, state, false).output ?? name
            if let rename = renamesTo(output, in: state).first?.match.rename {
                return plan.selectors.renames[rename].pointer
            }
            return paths.move(to: output, in: state).map { plan.selectors.moves[$0].pointer }
        case .changedName: return "/keys"
        case .missing: return missing.rule
        default: return nil
        }
    }

    /// The rule that gave a member of the held object its name.
    private func nodeNamingRule(_ node: Int) -> String? {
        let (name, output) = (hold.inputName(of: node), hold.outputName(of: node))
        for move in plan.selectors.moves
        where (!plan.isInverse ? move.targetNames : move.sourceNames).last == output {
            if hold.hasMoved(node) { return move.pointer }
        }
        return name == output ? nil : "/keys"
    }

    /// The name of a member of the innermost object that is written as this one is, as far as that is still known.
    private mutating func earlierName(collidingWith entry: Int) -> [UInt8]? {
        let canonical = Int(keyCache.entries[entry].canonical)
        let sibling = keyCache.standingSibling(of: canonical, in: containers.top.tag)
        if sibling >= 0 { return nameBytes(of: sibling) }
        let output = Int(keyCache.entries[canonical].output)
        guard output >= 0, containers.top.hasSeenKeys, Int(containers.top.passedStart) < passed.count else {
            return nil
        }
        let target = nameBytes(of: output)
        let state = keyCache.entries[entry].state
        for name in [UInt8](passed)[Int(containers.top.passedStart)...].split(separator: ASCII.quote).map(Array.init)
        where (forwardResolution(of: name, state, false).output ?? name) == target { return name }
        return nil
    }

    private mutating func namingRule(of name: [UInt8], _ state: Int32) -> String? {
        let resolution =
            !plan.isInverse ? forwardResolution(of: name, state, false) : inverseResolution(of: name, state, false)
        if let rename = resolution.match.rename { return plan.selectors.renames[rename].pointer }
        return resolution.output == nil ? nil : "/keys"
    }

    /// Why the name of an entry is lossy, which the entry itself does not tell.
    mutating func lossKind(of entry: Int) -> Fault.Kind {
        guard !plan.isInverse else { return .lossyKey }
        let name = nameBytes(of: entry)
        let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
        return guardedResolution(of: name, keyCache.entries[entry].state, holdsLoneSurrogate).loss ?? .renamedName
    }

    // MARK: Words

    mutating func message(for fault: Fault) -> String {
        if let encoding = foreignEncoding(for: fault) {
            return "the payload is \(encoding), but JSON between systems is UTF-8 (RFC 8259 §8.1)"
        }
        switch fault.kind {
        case .expectedValue: return "expected a JSON value"
        case .expectedValueOrEnd: return "expected a JSON value or ']'"
        case .expectedKey: return "expected a key in double quotes after the comma"
        case .expectedKeyOrEnd: return "expected a key in double quotes or '}'"
        case .expectedColon: return "expected ':' after the key"
        case .expectedCommaOrBrace: return "expected ',' or '}' after the value"
        case .expectedCommaOrBracket: return "expected ',' or ']' after the element"
        case .trailingBytes: return "the JSON document has ended, but more bytes follow"
        case .twoValuesInLine: return "an NDJSON line contains one JSON document, but more bytes follow"
        case .lineEnd: return "the line ends inside a JSON document"
        case .unexpectedEnd: return "the payload ends inside a JSON document"
        case .emptyInput: return "the payload is empty; expected a JSON document"
        case .badEscape:
            return
                "this backslash does not begin an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u and four hex digits"
        case .controlCharacter: return "a control character below U+0020 must be written as an escape in a string"
        case .badUTF8: return "the string is not valid UTF-8 here"
        case .badNumber: return "this is not a valid JSON number"
        case .badLiteral: return "expected true, false or null, in lower case"
        case .depth: return "more than \(maxDepth) nested objects and arrays"
        case .keyLength: return "the key is longer than \(maxKeyBytes) bytes"
        case .heldLength:
            return "more than \(plan.limits.maxHeldBytes) bytes must be buffered until their object or record ends"
        case .namesLength: return "the keys of the open objects are too long in total"
        case .duplicateKey: return "duplicate key \(quotedName(of: Int(fault.entry))) in this object"
        case .collision: return collisionMessage(Int(fault.entry))
        case .badValue: return badValueMessage
        case .missing: return Self.commonMessage(for: .missing)
        case .held: return ""
        case .renamedName:
            let name = quotedName(of: Int(fault.entry))
            return
                "\(name) is a key that a rename or a move writes, so it would not come back in the inverse direction"
        case .changedName:
            return
                "\(quotedName(of: Int(fault.entry))) would not come back in the inverse direction: the case rule would restore another key"
        case .lossyKey:
            return
                "\(quotedName(of: Int(fault.entry))) cannot be converted back: no single input key becomes it in this profile"
        }
    }

    /// What is said of any fault of a kind that was noted in a held object, where its own words were not.
    private static func commonMessage(for kind: Fault.Kind) -> String {
        switch kind {
        case .badValue: "the value is not one that its rule accepts"
        case .missing: "a required key or element is missing"
        case .duplicateKey: "duplicate key in this object"
        default: "the key would not come back in the inverse direction"
        }
    }

    private mutating func collisionMessage(_ entry: Int) -> String {
        let canonical = Int(keyCache.entries[entry].canonical)
        let name = earlierName(collidingWith: entry)
        let earlier = if let name { quoted(name) } else { "an earlier key" }
        let output = Int(keyCache.entries[canonical].output)
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
        guard Self.code(of: fault.kind) == .json, payload.chunkOffset + fault.position <= 4 else { return nil }
        return UTF8Sequence.foreignEncoding(signature)
    }

    // MARK: Pointers

    /// The RFC 6901 pointer of the place at fault, in the payload's own names.
    private func pointer(at fault: Fault) -> String {
        switch fault.kind {
        case .missing: path(to: fault) + missing.place
        default: path(to: fault)
        }
    }

    /// The pointer of what holds the place at fault or is at fault itself, from the member of the container at a depth on.
    func path(to fault: Fault, below depth: Int = -1) -> String {
        var pointer = ""
        for index in min(depth + 1, containers.depth)..<containers.depth { append(containers[index], to: &pointer) }
        if depth < containers.depth, isAtMember(fault) { append(containers.top, to: &pointer) }
        return pointer
    }

    /// Whether a fault is at the member or element of the innermost container that is being read, or was just read.
    private func isAtMember(_ fault: Fault) -> Bool {
        switch fault.kind {
        case .missing: return lexerState == .value
        case .collision: return true
        default: break
        }
        switch lexerState {
        case .value, .colon, .string, .number, .literal, .heldString, .heldNumber, .heldLiteral: return true
        default: return fault.entry >= 0 || fault.kind == .badValue
        }
    }

    /// The pointer of a node of the held object, which the innermost container holds.
    private func pointer(to node: Int) -> String {
        var pointer = ""
        for index in 0...containers.depth { append(containers[index], to: &pointer) }
        return pointer + hold.pointer(to: node)
    }

    private func append(_ frame: Container, to pointer: inout String) {
        switch frame.kind {
        case .payload: break
        case .array: pointer += "/\(frame.index)"
        case .object:
            guard frame.entry >= 0 else { return }
            pointer += PayloadPointer.step(nameBytes(of: Int(frame.entry)))
        }
    }

    /// The unescaped name of a key cache entry.
    func nameBytes(of index: Int) -> [UInt8] {
        let entry = keyCache.entries[index]
        let isSpelling = entry.kind == .spelling
        let start = Int(entry.keyStart)
        let bytes = keyCache.arena.bytes.extracting(start..<(start + Int(entry.keyCount) - (isSpelling ? 1 : 0)))
        guard isSpelling else { return [UInt8](copying: bytes) }
        var name = ByteBuffer()
        _ = JSONText.appendContent(of: bytes, to: &name)
        return [UInt8](name)
    }
}

extension ConversionError {
    /// Says where in the payload `offset` is, by what is known of its line: how many are before it, and where it begins.
    fileprivate mutating func setPlace(of offset: Int, in line: (number: Int, start: Int)) {
        self.line = line.number + 1
        column = offset - line.start + 1
    }
}
