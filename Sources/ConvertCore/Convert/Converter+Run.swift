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
            if hasFastLane, mutedDepth < (elaborates && !prunesOnly ? 0 : outer.count), scopeDepth < 0, quoteDepth < 0 {
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
                guard try strings.copy(&reader, into: &output) else { return }
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
            case .settlingScope, .writingScope, .emptyingScope, .writingSorted: return
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
            expectation = try strings.copy(&reader, into: &output) ? .afterValue : .string
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
            if frame.kind != .payload || !isLines { try settleMember(&output) }
        } else if mutedDepth == outer.count {
            unmute(&output)
        }
        switch frame.kind {
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
                frame.index &+= 1
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
        guard outer.count < maxDepth else { throw Fault(kind: .depth, position: position) }
        output.append(ASCII.openBrace)
        enterObject()
        expectation = .firstKey
    }

    @inline(__always)
    mutating func enterObject() {
        outer.append(frame)
        frame = Frame(kind: .object, state: valueState, undoStart: Int32(undo.count))
        serial &+= 1
        if tracksNames { frame.stamp = ObjectStamp(serial: serial, depth: outer.count) }
        if elaborates { openLevel(.object) }
    }

    @inline(__always)
    private mutating func openArray(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        guard outer.count < maxDepth else { throw Fault(kind: .depth, position: position) }
        output.append(ASCII.openBracket)
        enterArray()
        expectation = .firstElement
    }

    mutating func enterArray() {
        outer.append(frame)
        frame = Frame(kind: .array, state: valueState)
        if elaborates { openLevel(.array) }
        if hasPatterns {
            let plain = paths.plainElements[Int(frame.state)]
            if plain.state >= 0 {
                frame.elementState = plain.state
                frame.elementRule = plain.rule
                frame.isPlainArray = !frame.endsSlowly && !prunesElements
                return
            }
            // Arrays make states without any key.
            if paths.isFull { emptyMemo() }
            let elements = paths.elements(of: frame.state)
            frame.elementState = elements.match.state
            frame.elementRule = elements.match.rule
            frame.elementTraits = elements.match.traits
            frame.namesIndices = !elements.namedIndices.isEmpty
            frame.dropsElements = elements.match.isDropped
            frame.isPlainArray =
                !frame.namesIndices && !frame.dropsElements && frame.elementTraits.isEmpty && !frame.endsSlowly
                && !prunesElements
        } else {
            frame.isPlainArray = !prunesElements
            frame.elementState = frame.state
        }
    }

    /// Ends the innermost container, whose closing bracket was just read.
    @inline(__always)
    mutating func closeContainer(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        if elaborates { return try closeLevel(&output, at: position) }
        if indent > 0, !frame.isEmpty { appendNewLine(&output, level: outer.count - 1) }
        output.append(frame.kind == .object ? ASCII.closeBrace : ASCII.closeBracket)
        leaveContainer()
        expectation = .afterValue
    }

    @inline(__always)
    mutating func leaveContainer() {
        if tracksNames, frame.kind == .object { forgetNames() }
        frame = outer.removeLast()
    }

    /// Stands before an element of the innermost array; what comes before an element that stays is written.
    @inline(__always)
    private mutating func beginElement(_ output: inout ByteBuffer, at position: Int) {
        expectation = .value
        valueState = frame.elementState
        valueRule = frame.elementRule
        var isDropped = frame.dropsElements
        if elaborates {
            valueTraits = frame.elementTraits
            beginMember(mark: output.count, offset: chunkOffset + position)
        }
        var move: Int32 = -1
        if frame.namesIndices { (isDropped, move) = matchNamedIndex() }
        if elaborates, levels[outer.count].isObliged { meetRequirement() }
        if scopeDepth >= 0 { addNode(valueTraits, move: move, isVoid: isDropped) }
        if isDropped { return mute(output.count) }
        if !frame.isEmpty { output.append(ASCII.comma) }
        frame.isEmpty = false
        if indent > 0 { appendNewLine(&output, level: outer.count) }
    }

    /// Looks whether a pattern names the element's index, and answers whether the element is left out or moved.
    @inline(never)
    private mutating func matchNamedIndex() -> (isDropped: Bool, move: Int32) {
        let index = Array(String(frame.index).utf8)
        guard paths.elements(of: frame.state).namedIndices.contains(index) else { return (frame.dropsElements, -1) }
        let match = paths.element(index, of: frame.state)
        valueState = match.state
        valueRule = match.rule
        valueTraits = match.traits
        return (match.isDropped, match.move)
    }

    @inline(never)
    func appendNewLine(_ output: inout ByteBuffer, level: Int) {
        // What is written for a scope, or to become text, is laid out later or not at all.
        guard scopeDepth < 0, quoteDepth < 0 else { return }
        output.append(ASCII.lineFeed)
        output.append(repeating: ASCII.space, count: (outerLevels + level) * indent)
    }

    /// Takes back what a member that is left out has written.
    @inline(never)
    private mutating func unmute(_ output: inout ByteBuffer) {
        output.truncate(to: mutedMark)
        mutedDepth = -1
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
            reader.advance()
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
        if expectation == .afterValue, frame.kind == .payload {
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
        case .value where frame.kind == .payload && !isLines: throw Fault(kind: .emptyInput, position: 0)
        case .failed: preconditionFailure("a converter that failed or finished must be reset before it is used again")
        default: throw Fault(kind: .unexpectedEnd, position: 0)
        }
    }
}
