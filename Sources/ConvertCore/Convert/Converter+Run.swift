extension Converter {
    /// Takes the whole chunk, token by token.
    ///
    /// Returning means that the chunk is used up, or that its rest is worth padding, so that the fast lane can take it.
    /// Where the chunk ended inside a token, `expectation` says in which.
    @_lifetime(reader: copy reader)
    mutating func run(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        guard isLines, plan.sparesRecords else { return try takeTokens(&reader, &output) }
        while true {
            do throws(Fault) {
                return try takeTokens(&reader, &output)
            } catch {
                // Rules report to the record by themselves: what comes here is no JSON, or too deep or long.
                abandonLine(&output)
            }
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func takeTokens(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        while true {
            if hasFastLane, payload.discard.allows(insideOf: elaborates && !prunesOnly ? 0 : frames.depth),
                !hold.isActive,
                !payload.stringify.isActive
            {
                if TokenCursor.fits(reader) {
                    output.reserve(laneBytes(for: reader))
                    try runFastLane(&reader, &output)
                } else if reader.isWorthPadding {
                    return
                }
            }
            switch expectation {
            case .value:
                guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return }
                try beginValue(byte, &reader, &output)
            case .afterValue:
                guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return }
                try continueContainer(byte, &reader, &output)
            case .key, .firstKey:
                guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return }
                try beginKey(byte, &reader, &output)
            case .colon:
                guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return }
                guard byte == ASCII.colon else { throw unexpected(.expectedColon, byte, reader) }
                reader.advance()
                expectation = .value
            case .firstElement:
                guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return }
                if byte == ASCII.closeBracket {
                    reader.advance()
                    try closeContainer(&output, at: reader.position - 1)
                } else {
                    beginElement(&output, at: reader.position)
                    do throws(Fault) {
                        try beginValue(byte, &reader, &output)
                    } catch {
                        throw error.kind == .expectedValue
                            ? Fault(kind: .expectedValueOrEnd, position: error.position) : error
                    }
                }
            case .keyText:
                guard try continueKey(&reader, &output) else { return }
            case .string:
                guard try strings.copy(&reader, escapes, into: &output) else { return }
                expectation = .afterValue
            case .number:
                guard try NumberCopier.copy(&reader, into: &output, &number) else { return }
                expectation = .afterValue
            case .literal:
                guard try literal.copy(&reader, into: &output) else { return }
                expectation = .afterValue
            case .heldString:
                guard try continueHeldString(&reader, &output) else { return }
            case .heldLiteral:
                guard try continueHeldLiteral(&reader, &output) else { return }
            case .heldNumber:
                guard try continueHeldNumber(&reader, &output) else { return }
            case .end, .lineStart:
                guard try betweenValues(&reader, &output) else { return }
            case .abandonedLine:
                guard skipLine(&reader) else { return }
            case .settlingObject, .writingObject, .sortingMembers, .writingMembers: return
            case .start, .secondMarkByte, .thirdMarkByte:
                guard try skipByteOrderMark(&reader) else { return }
            case .failed:
                preconditionFailure("a converter that failed or finished must be reset before it is used again")
            }
        }
    }

    // MARK: Values

    @inline(__always) @_lifetime(reader: copy reader)
    mutating func beginValue(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) {
        if elaborates { try weighValue(byte, at: reader.position, output.count) }
        if valueRule >= 0 {
            guard try !beginRuledValue(byte, &reader) else { return }
        }
        switch byte {
        case ASCII.quote:
            reader.advance()
            if scanRule >= 0, isDateCandidate(reader) {
                holdToken(.heldString, reader.position - 1)
                return
            }
            output.append(ASCII.quote)
            expectation = try strings.copy(&reader, escapes, into: &output) ? .afterValue : .string
        case ASCII.openBrace:
            reader.advance()
            try openObject(&output, at: reader.position - 1)
        case ASCII.openBracket:
            reader.advance()
            try openArray(&output, at: reader.position - 1)
        case ASCII.minus, ASCII.zero...ASCII.nine:
            number = .start
            expectation = try NumberCopier.copy(&reader, into: &output, &number) ? .afterValue : .number
        case ASCII.t, ASCII.f, ASCII.n:
            literal = LiteralProgress(byte)
            expectation = .literal
        default:
            throw unexpected(.expectedValue, byte, reader)
        }
    }

    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func continueContainer(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) {
        if elaborates {
            if frames.top.kind != .payload || !isLines { try settleMember(&output) }
        } else if payload.discard.isMember(at: frames.depth) {
            payload.discard.end(&output)
        }
        switch frames.top.kind {
        case .object:
            if byte == ASCII.comma {
                reader.advance()
                expectation = .key
            } else if byte == ASCII.closeBrace {
                reader.advance()
                try closeContainer(&output, at: reader.position - 1)
            } else {
                throw unexpected(.expectedCommaOrBrace, byte, reader)
            }
        case .array:
            if byte == ASCII.comma {
                reader.advance()
                frames.top.index &+= 1
                beginElement(&output, at: reader.position)
            } else if byte == ASCII.closeBracket {
                reader.advance()
                try closeContainer(&output, at: reader.position - 1)
            } else {
                throw unexpected(.expectedCommaOrBracket, byte, reader)
            }
        case .payload:
            expectation = .end
        }
    }

    // MARK: Containers

    @inline(__always)
    private mutating func openObject(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        guard frames.depth < maxDepth else { throw Fault(kind: .depth, position: position) }
        output.append(ASCII.openBrace)
        enterObject()
        expectation = .firstKey
    }

    @inline(__always)
    mutating func enterObject() {
        serial &+= 1
        let stamp = tracksNames ? ObjectStamp(serial: serial, depth: frames.depth &+ 1) : .none
        frames.push(Frame(kind: .object, state: valueState, undoStart: Int32(undo.count), stamp: stamp))
        if elaborates { openLevel(.object) }
    }

    @inline(__always)
    private mutating func openArray(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        guard frames.depth < maxDepth else { throw Fault(kind: .depth, position: position) }
        output.append(ASCII.openBracket)
        enterArray()
        expectation = .firstElement
    }

    mutating func enterArray() {
        frames.push(Frame(kind: .array, state: valueState))
        if elaborates { openLevel(.array) }
        if hasPatterns {
            let plain = paths.plainElements[Int(frames.top.state)]
            if plain.state >= 0 {
                frames.top.elementState = plain.state
                frames.top.elementRule = plain.rule
                frames.top.isPlainArray = !frames.top.endsSlowly && !prunesElements
                return
            }
            // Arrays make states without any key.
            if paths.isFull { emptyMemo() }
            let elements = paths.elements(of: frames.top.state)
            frames.top.elementState = elements.match.state
            frames.top.elementRule = elements.match.rule
            frames.top.elementTraits = elements.match.traits
            frames.top.namesIndices = !elements.namedIndices.isEmpty
            frames.top.dropsElements = elements.match.isDropped
            frames.top.isPlainArray =
                !frames.top.namesIndices && !frames.top.dropsElements && frames.top.elementTraits.isEmpty
                && !frames.top.endsSlowly && !prunesElements
        } else {
            frames.top.isPlainArray = !prunesElements
            frames.top.elementState = frames.top.state
        }
    }

    /// Ends the innermost container, whose closing bracket was just read.
    @inline(__always)
    mutating func closeContainer(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        if elaborates { return try closeLevel(&output, at: position) }
        if indent > 0, !frames.top.isEmpty { appendNewLine(&output, level: frames.depth - 1) }
        output.append(frames.top.kind == .object ? ASCII.closeBrace : ASCII.closeBracket)
        leaveContainer()
        expectation = .afterValue
    }

    @inline(__always)
    mutating func leaveContainer() {
        if tracksNames, frames.top.kind == .object { forgetNames() }
        frames.pop()
    }

    /// Stands before an element of the innermost array; what comes before an element that stays is written.
    @inline(__always)
    private mutating func beginElement(_ output: inout ByteBuffer, at position: Int) {
        expectation = .value
        valueState = frames.top.elementState
        valueRule = frames.top.elementRule
        var isDropped = frames.top.dropsElements
        if elaborates {
            valueTraits = frames.top.elementTraits
            beginMember(mark: output.count, offset: payload.chunkOffset + position)
        }
        var move: Int32 = -1
        if frames.top.namesIndices { (isDropped, move) = matchNamedIndex() }
        if elaborates, counters.count(in: frames.depth) { meetRequirement() }
        if hold.isActive { addNode(valueTraits, move: move, isVoid: isDropped) }
        if isDropped { return discard(from: output.count) }
        if !frames.top.isEmpty { output.append(ASCII.comma) }
        frames.top.isEmpty = false
        if indent > 0 { appendNewLine(&output, level: frames.depth) }
    }

    /// Looks whether a pattern names the element's index, and answers whether the element is left out or moved.
    @inline(never)
    private mutating func matchNamedIndex() -> (isDropped: Bool, move: Int32) {
        guard let match = paths.namedElement(frames.top.index, of: frames.top.state) else {
            return (frames.top.dropsElements, -1)
        }
        valueState = match.state
        valueRule = match.rule
        valueTraits = match.traits
        return (match.isDropped, match.move)
    }

    /// Mutating for no other reason than that its callers would copy the converter otherwise.
    @inline(never)
    mutating func appendNewLine(_ output: inout ByteBuffer, level: Int) {
        // What is written for a scope, or to become text, is laid out later or not at all.
        guard !hold.isActive, !payload.stringify.isActive else { return }
        output.append(ASCII.lineFeed)
        output.append(repeating: ASCII.space, count: (outerLevels + level) * indent)
    }

    // MARK: Around the payload's value

    /// After a value or before a line's; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func betweenValues(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) -> Bool {
        guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return false }
        if isLines, byte == ASCII.lineFeed {
            if expectation == .end { try endLine(&output) }
            reader.advance(1, lineFeeds: 1)
            expectation = .lineStart
        } else if expectation == .lineStart {
            beginPayload()
            beginLine(&output)
            expectation = .value
        } else {
            throw Fault(kind: isLines ? .twoValuesInLine : .trailingBytes, position: reader.position)
        }
        return true
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func skipByteOrderMark(_ reader: inout ChunkReader) throws(Fault) -> Bool {
        guard !reader.isAtEnd else { return false }
        let mark = UTF8Sequence.byteOrderMark
        let first: Expectation = isLines ? .lineStart : .value
        switch expectation {
        case .start where reader.next != mark.0:
            expectation = first
            return true
        case .start: expectation = .secondMarkByte
        case .secondMarkByte where reader.next == mark.1: expectation = .thirdMarkByte
        case .thirdMarkByte where reader.next == mark.2: expectation = first
        default: throw Fault(kind: .expectedValue, position: reader.position)
        }
        reader.advance()
        return true
    }

    /// The end of the payload.
    mutating func end(_ output: inout ByteBuffer) throws(Fault) {
        // A number that breaks off is a fault like any other token that does, below.
        if number.isComplete, expectation == .number || expectation == .heldNumber {
            if expectation == .heldNumber { try finishHeldNumber(&output) }
            expectation = .afterValue
        }
        if expectation == .afterValue, frames.top.kind == .payload {
            if elaborates, !isLines { try settleMember(&output) }
            expectation = .end
        }
        if isLines, plan.sparesRecords, expectation != .end, expectation != .lineStart, expectation != .start {
            if expectation != .abandonedLine { abandonLine(&output) }
            expectation = .end
        }
        switch expectation {
        case .end: if isLines { try endLine(&output) }
        case .lineStart: break
        case .start where isLines: break
        case .start: throw Fault(kind: .emptyInput, position: 0)
        case .value where frames.top.kind == .payload && !isLines: throw Fault(kind: .emptyInput, position: 0)
        case .failed: preconditionFailure("a converter that failed or finished must be reset before it is used again")
        default: throw Fault(kind: .unexpectedEnd, position: 0)
        }
    }
}
