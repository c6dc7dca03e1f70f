import ConvertText

/// The details of an error that are computed only after it happened: line, column, pointer and message.
extension Engine {
    /// The error for a byte where another one was expected. In NDJSON, an unexpected line feed means that the line ends too early.
    func unexpected(_ kind: EngineError.Kind, _ byte: UInt8, _ reader: borrowing ChunkReader) -> EngineError {
        EngineError(kind: isLines && byte == ASCII.lineFeed ? .lineEnd : kind, position: reader.position)
    }

    /// Turns an `EngineError` in this chunk into the error that callers see. After that, no more input is accepted.
    mutating func describe(_ error: EngineError, in chunk: Span<UInt8>) -> ConversionError {
        var described = error.kind == .held ? heldError() : conversionError(for: error)
        described.message += foreignSyntax(of: error, in: chunk)
        let line = moves.failure?.member.line ?? position.line(of: described.offset, in: chunk)
        (described.line, described.column) = (line.number + 1, described.offset - line.start + 1)
        lexerState = .failed
        return described
    }

    /// The error that was found when the held object ended, or at the key of a value that moves or that one collides with; without line and
    /// column.
    private func heldError() -> ConversionError {
        if let failure = moves.failure { return moveError(failure) }
        switch hold.object.failure {
        case .deferred(let number):
            let error = hold.object.errors[number]
            return ConversionError(
                code: error.kind.code, message: error.message ?? Self.commonMessage(for: error.kind),
                offset: error.offset, line: 0, column: 0,
                pointer: pointer(to: Int(error.node)) + error.tail + error.missing, rule: error.rule)
        case .missing(let requirement, let node):
            return nodeError(
                .require, Self.commonMessage(for: .missing), at: node, requirement.pointer, rule: requirement.rule)
        case .misplaced(let node, let index):
            let move = plan.selectors.moves[index]
            guard move.flattening != nil else {
                return nodeError(.move, Self.misplacedMessage, at: node, rule: move.pointer)
            }
            let message = Self.flattenMessage(isElement: hold.object.tree.nodes[node].index >= 0)
            return nodeError(.flatten, message, at: node, rule: move.pointer)
        case .collision(let collision):
            let later = hold.object.tree.nodeOfInput(at: collision.later)
            let earlier = hold.object.tree.nodeOfInput(at: collision.earlier)
            var names = (hold.object.tree.inputName(of: later), hold.object.tree.inputName(of: earlier))
            // A move can bring equal keys of two objects together, or make an object. Then the message shows pointers.
            if names.0 == names.1 || (later, earlier) != (collision.later, collision.earlier) {
                names = (Array(pointer(to: later).utf8), Array(pointer(to: earlier).utf8))
            }
            let target = KeyMapper.quoted(hold.object.tree.name(of: collision.later))
            let message = KeyMapper.collisionMessage(KeyMapper.quoted(names.0), KeyMapper.quoted(names.1), target)
            return nodeError(
                .collision, message, at: later, rule: nodeNamingRule(later) ?? nodeNamingRule(earlier))
        case .tooLong, nil: preconditionFailure("no error of a held object")
        }
    }

    private func moveError(_ failure: StreamedMoves.Failure) -> ConversionError {
        let moved = failure.member
        let move = plan.selectors.moves[Int(moved.move)]
        let code: ConversionError.Code
        let message: String
        switch failure {
        case .misplaced: (code, message) = (.move, Self.misplacedMessage)
        case .collision(_, let earlier):
            var names = (move.sourceNames.last ?? [], names(of: earlier).last ?? [])
            if names.0 == names.1 { names = (Array(pointer(to: moved).utf8), Array(pointer(to: earlier).utf8)) }
            code = .collision
            message = KeyMapper.collisionMessage(
                KeyMapper.quoted(names.0), KeyMapper.quoted(names.1), KeyMapper.quoted(move.targetNames[0]))
        }
        return ConversionError(
            code: code, message: message, offset: moved.offset, line: 0, column: 0, pointer: pointer(to: moved),
            rule: move.pointer)
    }

    /// The input keys from the anchor to the member.
    private func names(of member: StreamedMoves.Member) -> [[UInt8]] {
        member.move < 0 ? [moves.name(of: member)] : plan.selectors.moves[Int(member.move)].sourceNames
    }

    private func pointer(to member: StreamedMoves.Member) -> String {
        var pointer = ""
        for index in 0..<member.anchor { append(containers[index], to: &pointer) }
        return pointer + names(of: member).map(PayloadPointer.step).joined()
    }

    private func nodeError(
        _ code: ConversionError.Code, _ message: String, at node: Int, _ missing: String = "", rule: String?
    ) -> ConversionError {
        ConversionError(
            code: code, message: message, offset: hold.object.tree.nodes[node].offset, line: 0, column: 0,
            pointer: pointer(to: node) + missing, rule: rule)
    }

    /// The error for any other `EngineError`, without line and column.
    private mutating func conversionError(for error: EngineError) -> ConversionError {
        ConversionError(
            code: error.kind.code, message: message(for: error), offset: position.offset(of: error.position),
            line: 0, column: 0, pointer: pointer(at: error), rule: rule(for: error))
    }

    /// The code of the error that an `EngineError` becomes.
    func code(of error: EngineError) -> ConversionError.Code {
        error.kind == .held ? heldError().code : error.kind.code
    }

    /// The rule that was broken. For a collision, the rule that gave one of the two members its new key.
    mutating func rule(for error: EngineError) -> String? {
        switch error.kind {
        case .badValue where valueRule >= 0: plan.rules[Int(valueRule)].pointer
        case .collision: keys.collidingRule(of: Int(error.entry), containers)
        case .renamedName: keys.claimingRule(of: Int(error.entry))
        case .changedName: "/keys"
        case .missing: missing.rule
        case .flatten: plan.selectors.moves[flatteningOfMember()].pointer
        default: nil
        }
    }

    /// The rule that gave a member of the held object its output key; nil if no rule changed the key.
    private func nodeNamingRule(_ node: Int) -> String? {
        if let move = hold.object.tree.flattening(of: node, by: plan) { return plan.selectors.moves[move].pointer }
        let (name, output) = (hold.object.tree.inputName(of: node), hold.object.tree.name(of: node))
        let hasMoved = hold.object.tree.nodes[node].parent != hold.object.tree.nodes[node].inputParent
        for move in plan.selectors.moves {
            let (from, to) =
                plan.isInverse ? (move.targetNames, move.sourceNames) : (move.sourceNames, move.targetNames)
            if to.last == output, hasMoved || from.last == name { return move.pointer }
        }
        guard name != output else { return nil }
        if plan.isInverse || plan.caseRule?.converted(name) == output { return "/keys" }
        let renames = plan.selectors.renames.filter { $0.target.written(for: name) == output }
        return renames.count == 1 ? renames[0].pointer : nil
    }

    // MARK: Messages

    mutating func message(for error: EngineError) -> String {
        switch error.kind {
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
        case .lineFeedInString where isLines: return message(for: EngineError(kind: .lineEnd, position: error.position))
        case .controlCharacter, .lineFeedInString:
            return "a control character below U+0020 must be written as an escape in a string"
        case .badUTF8: return "the string is not valid UTF-8 here"
        case .badNumber:
            return
                "this is not a JSON number: digits without a leading zero, then perhaps '.' and digits, and an exponent"
        case .badLiteral: return "expected true, false or null, in lower case"
        case .depth: return "more than \(maxDepth) nested objects and arrays"
        case .keyLength: return "the key is longer than \(plan.limits.maxKeyBytes) bytes"
        case .heldLength:
            return "more than \(plan.limits.maxHeldBytes) bytes must be buffered until their object or record ends"
        case .namesLength: return "the keys of the open objects are too long in total"
        case .addedLength: return "`defaults` add too much to this object, because they also add to what they add"
        case .duplicateKey:
            return "duplicate key \(keys.quotedName(of: Int(error.entry))) in this object\(Self.duplicateKeyHint)"
        case .collision: return flattenedCollision(error) ?? keys.collisionMessage(Int(error.entry), containers)
        case .flatten: return Self.flattenMessage(isElement: containers.top.kind == .array)
        case .badValue: return badValueMessage
        case .missing: return Self.commonMessage(for: .missing)
        case .held: return ""
        case .renamedName:
            let name = keys.quotedName(of: Int(error.entry))
            return
                "\(name) is a key that a rename or a move writes, so it would not come back in the inverse direction"
        case .changedName:
            return
                "\(keys.quotedName(of: Int(error.entry))) would not come back in the inverse direction: the case rule would restore another key; add a rename for it"
        case .lossyKey:
            return
                "\(keys.quotedName(of: Int(error.entry))) cannot be converted back: no single input key becomes it in this profile"
        }
    }

    /// A hint if the input is not UTF-8, or has syntax that JavaScript, Python or configuration files have and JSON does not; otherwise
    /// empty.
    private func foreignSyntax(of error: EngineError, in chunk: Span<UInt8>) -> String {
        guard error.kind.code == .json, chunk.indices.contains(error.position) else { return "" }
        if UTF8Sequence.isForeign(chunk[error.position], at: position.offset(of: error.position)) {
            return
                "; this looks like UTF-16 or UTF-32, but JSON between systems is UTF-8 (RFC 8259 §8.1): iconv can convert it"
        }
        switch error.kind {
        case .expectedValue, .expectedValueOrEnd, .expectedKey, .expectedKeyOrEnd, .expectedColon,
            .expectedCommaOrBrace, .expectedCommaOrBracket, .trailingBytes, .twoValuesInLine:
            break
        default: return ""
        }
        switch chunk[error.position] {
        case ASCII.closeBracket where error.kind == .expectedValue && containers.top.kind == .array,
            ASCII.closeBrace where error.kind == .expectedKey:
            return "; JSON has no comma after the last one"
        case ASCII.slash, UInt8(ascii: "#"): return "; JSON has no comments"
        case ASCII.apostrophe: return "; JSON has keys and strings in double quotes"
        case ASCII.plus where error.kind == .expectedValue || error.kind == .expectedValueOrEnd:
            return "; JSON numbers have no plus sign"
        case ASCII.dot where error.kind == .expectedValue || error.kind == .expectedValueOrEnd:
            return "; JSON numbers have a digit before the point"
        case UInt8(ascii: "u"): return "; JSON has null, and no undefined"
        case UInt8(ascii: "T"), UInt8(ascii: "F"), UInt8(ascii: "N"), UInt8(ascii: "I"):
            return "; JSON has true, false and null in lower case, and neither NaN nor Infinity"
        default: return ""
        }
    }

    /// The general message for an error of a kind in a held object, if its own message was not stored.
    private static func commonMessage(for kind: EngineError.Kind) -> String {
        switch kind {
        case .badValue: "the rule does not accept the value"
        case .missing: "a required key or element is missing"
        case .duplicateKey: "duplicate key in this object\(duplicateKeyHint)"
        case .collision: "two keys would be written as the same key"
        default: "the key would not come back in the inverse direction"
        }
    }

    /// The message about two equal input keys that flattening brought together: it shows their pointers. Nil for other collisions.
    private mutating func flattenedCollision(_ error: EngineError) -> String? {
        let later = Int(error.entry)
        let earlier = streamsFlattened ? keys.presentSibling(of: later, containers) : -1
        guard earlier >= 0, keys.nameBytes(of: earlier) == keys.nameBytes(of: later) else { return nil }
        var pointer = ""
        for index in 0..<containers.top.tag.depth { append(containers[index], to: &pointer) }
        for move in keys.paths[keys[earlier].state].flattenings ?? [] {
            pointer += PayloadPointer.step(plan.selectors.flattenedKey(by: Int(move)))
        }
        pointer += PayloadPointer.step(keys.nameBytes(of: earlier))
        let output = Int(keys[Int(keys[later].canonical)].output)
        return KeyMapper.collisionMessage(
            KeyMapper.quoted(Array(path(to: error).utf8)), KeyMapper.quoted(Array(pointer.utf8)),
            keys.quotedName(of: output))
    }

    private static func flattenMessage(isElement: Bool) -> String {
        isElement ? "the element of an array cannot be flattened" : "expected an object to flatten, or null"
    }

    private static let misplacedMessage = "the value cannot be moved: its new parent is not an object"

    private static let duplicateKeyHint = "; to accept this, set `on.duplicateKey` in the profile"

    // MARK: Pointers

    /// The RFC 6901 pointer to the error, in the keys of the payload.
    private func pointer(at error: EngineError) -> String {
        switch error.kind {
        case .missing: path(to: error) + missing.pointer
        default: path(to: error)
        }
    }

    /// The pointer to the member with the error, or to the container of the error. It begins below the member of the container at `depth`.
    func path(to error: EngineError, below depth: Int = -1) -> String {
        var pointer = ""
        let reported = payload.discard.innermostReportedDepth
        for index in min(depth + 1, containers.depth)..<containers.depth where index <= reported {
            append(containers[index], to: &pointer)
        }
        if depth < containers.depth, containers.depth <= reported, isAtMember(error) {
            append(containers.top, to: &pointer)
        }
        return pointer
    }

    /// Whether an error belongs to the member or element of the innermost container that is being read, or was just read.
    private func isAtMember(_ error: EngineError) -> Bool {
        switch error.kind {
        case .missing: return lexerState == .value
        case .collision, .flatten: return true
        default: break
        }
        switch lexerState {
        case .value, .colon, .string, .number, .literal, .heldValue: return true
        default: return error.entry >= 0 || error.kind == .badValue
        }
    }

    /// The pointer to a node of the held object, which is in the innermost container.
    private func pointer(to node: Int) -> String {
        var pointer = ""
        for index in 0...containers.depth { append(containers[index], to: &pointer) }
        return pointer + hold.object.tree.pointer(to: node)
    }

    private func append(_ frame: Container, to pointer: inout String) {
        switch frame.kind {
        case .payload: break
        case .array: pointer += "/\(frame.index)"
        case .object:
            guard frame.entry >= 0 else { return }
            pointer += PayloadPointer.step(keys.nameBytes(of: Int(frame.entry)))
        }
    }
}
