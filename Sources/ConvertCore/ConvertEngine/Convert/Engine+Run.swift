import ConvertText

extension Engine {
    /// Takes the whole chunk, token by token.
    ///
    /// Returns when the chunk is used up, or when buffered output must be written first. It also returns when the rest is worth copying
    /// with padding for the fast path. If the chunk ended inside a token, `lexerState` says in which one.
    @_lifetime(reader: copy reader)
    mutating func run(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        guard isLines, plan.sparesRecords else { return try takeTokens(&reader, &output) }
        while true {
            do throws(EngineError) {
                return try takeTokens(&reader, &output)
            } catch {
                // Rules report errors to the record themselves. An error that comes here is about bad JSON or about a limit.
                abandonLine(code(of: error), &output)
            }
        }
    }

    @_lifetime(reader: copy reader)
    private mutating func takeTokens(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        while true {
            if containers.depth >= firstFastDepth,
                payload.discard.allows(insideOf: containers.depth), moves.depth < containers.depth, !holdsNodes,
                !payload.stringify.isActive
            {
                if scansChunk { takeScans(&reader, &output) }
                if TokenCursor.fits(reader) {
                    output.reserve(fastPathBytes(for: reader))
                    try runFastPath(&reader, &output)
                } else if reader.isWorthPadding {
                    return
                }
            }
            switch lexerState {
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
                lexerState = .value
            case .firstElement:
                guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return }
                if byte == ASCII.closeBracket {
                    reader.advance()
                    try closeContainer(&output, at: reader.position - 1)
                } else {
                    try beginElement(&output, at: reader.position)
                    do throws(EngineError) {
                        try beginValue(byte, &reader, &output)
                    } catch {
                        throw error.kind == .expectedValue
                            ? EngineError(kind: .expectedValueOrEnd, position: error.position) : error
                    }
                }
            case .keyText:
                guard try continueKey(&reader, &output) else { return }
            case .string:
                guard try strings.copy(&reader, into: &output) else { return }
                lexerState = .afterValue
            case .number:
                guard try NumberCopier.copy(&reader, into: &output, &number) else { return }
                lexerState = .afterValue
            case .literal:
                guard try literal.copy(&reader, into: &output) else { return }
                lexerState = .afterValue
            case .heldValue:
                guard try continueHeldValue(&reader, &output) else { return }
            case .end, .lineStart:
                guard try betweenValues(&reader, &output) else { return }
            case .abandonedLine:
                guard skipLine(&reader) else { return }
            case .resolvingObject, .writingObject, .sortingMembers, .writingMembers: return
            case .start, .secondMarkByte, .thirdMarkByte:
                guard try skipByteOrderMark(&reader, &output) else { return }
            case .failed:
                Self.refuseUse()
            }
        }
    }

    /// How many bytes of output are reserved before the fast path begins.
    @inline(__always)
    func fastPathBytes(for reader: borrowing ChunkReader) -> Int {
        min(reader.remaining, Self.maxFastPathBytes) &+ 2 &* TokenCursor.turnBytes
    }

    // MARK: Values

    @inline(__always) @_lifetime(reader: copy reader)
    mutating func beginValue(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) {
        if decidesMembers { try valueBegins(byte, at: reader.position, output.count) }
        if valueRule >= 0 {
            guard try !beginRuledValue(byte, &reader, &output) else { return }
        }
        switch byte {
        case ASCII.quote:
            reader.advance()
            if scanRule >= 0, isDateCandidate(reader) {
                holdValue(byte, at: reader.position - 1)
                return
            }
            output.append(ASCII.quote)
            lexerState = try strings.copy(&reader, into: &output) ? .afterValue : .string
        case ASCII.openBrace:
            reader.advance()
            try openObject(&output, at: reader.position - 1)
        case ASCII.openBracket:
            reader.advance()
            try openArray(&output, at: reader.position - 1)
        case ASCII.minus, ASCII.zero...ASCII.nine:
            number = .start
            lexerState = try NumberCopier.copy(&reader, into: &output, &number) ? .afterValue : .number
        case ASCII.t, ASCII.f, ASCII.n:
            literal = LiteralProgress(byte)
            lexerState = .literal
        default:
            throw unexpected(.expectedValue, byte, reader)
        }
    }

    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func continueContainer(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) {
        guard containers.top.kind != .payload else { return try endPayloadValue(&output) }
        if decidesMembers {
            try valueEnds(&output)
        } else {
            if payload.discard.isActive { _ = payload.discard.memberEnds(at: containers.depth, &output) }
            if moves.depth == containers.depth { endMovedValue(&output) }
        }
        if containers.top.kind == .object {
            if byte == ASCII.comma {
                reader.advance()
                lexerState = .key
            } else if byte == ASCII.closeBrace {
                reader.advance()
                try closeContainer(&output, at: reader.position - 1)
            } else {
                throw unexpected(.expectedCommaOrBrace, byte, reader)
            }
        } else if byte == ASCII.comma {
            reader.advance()
            containers.top.index &+= 1
            try beginElement(&output, at: reader.position)
        } else if byte == ASCII.closeBracket {
            reader.advance()
            try closeContainer(&output, at: reader.position - 1)
        } else {
            throw unexpected(.expectedCommaOrBracket, byte, reader)
        }
    }

    // MARK: Containers

    /// The depth whose indentation is expected before the closing bracket of the innermost container. No other token
    /// comes on a line of its own after a value.
    @inline(__always)
    var outerDepth: Int { containers.depth &- 1 }

    @inline(__always)
    private mutating func openObject(_ output: inout ByteBuffer, at position: Int) throws(EngineError) {
        guard containers.depth < maxDepth else { throw EngineError(kind: .depth, position: position) }
        lexerState = .firstKey
        if streamsFlattened, savepoints[containers.depth].isFlattened { return enterFlattened(&output) }
        if containers.depth >= documentDepth { output.append(ASCII.openBrace) }
        enterObject()
        if streamsMoves, !valueTraits.isEmpty { containers.top.endsSlowly = true }
    }

    @inline(__always)
    mutating func enterObject() {
        containers.push(keys.object(valueState, depth: containers.depth))
        if staging.noticesContainers { containerOpens(.object) }
    }

    @inline(__always)
    private mutating func openArray(_ output: inout ByteBuffer, at position: Int) throws(EngineError) {
        guard containers.depth < maxDepth else { throw EngineError(kind: .depth, position: position) }
        if containers.depth >= documentDepth { output.append(ASCII.openBracket) }
        enterArray()
        if streamsMoves, !valueTraits.isEmpty { containers.top.endsSlowly = true }
        lexerState = .firstElement
    }

    mutating func enterArray() {
        containers.push(Container(kind: .array, state: valueState))
        if staging.noticesContainers { containerOpens(.array) }
        if hasPatterns {
            keys.arrayBegins(&containers, &valueState, mayBePlain: mayBePlain && !containers.top.endsSlowly)
        } else {
            containers.top.isPlainArray = mayBePlain
            containers.top.elementState = containers.top.state
        }
    }

    /// Ends the innermost container, whose closing bracket was just read.
    @inline(__always)
    mutating func closeContainer(_ output: inout ByteBuffer, at position: Int) throws(EngineError) {
        if streamsMoves, containers.top.endsSlowly { return try endAnchor(&output) }
        if decidesMembers { return try containerCloses(&output, at: position) }
        if staging == .sorts, !sorting.end(at: containers.depth, isDiscarded: false, &output) {
            leaveContainer()
            lexerState = .sortingMembers
            return
        }
        endContainer(&output)
    }

    /// Writes the closing bracket of the innermost container, and leaves it.
    @inline(__always)
    mutating func endContainer(_ output: inout ByteBuffer) {
        output.append(containers.top.closingBracket)
        leaveContainer()
        lexerState = .afterValue
    }

    @inline(__always)
    mutating func leaveContainer() {
        if keys.tracksNames, containers.top.kind == .object { keys.objectEnds(&containers) }
        containers.pop()
    }

    /// Begins an element of the innermost array: its comma is written, if it stays.
    @inline(__always)
    private mutating func beginElement(_ output: inout ByteBuffer, at position: Int) throws(EngineError) {
        lexerState = .value
        valueState = containers.top.elementState
        valueRule = containers.top.elementRule
        var isDropped = containers.top.dropsElements
        if isStaged { valueTraits = containers.top.elementTraits }
        if decidesMembers {
            memberBegins(
                mark: output.count, offset: self.position.offset(of: position), wasEmpty: containers.top.isEmpty)
        }
        var move: Int32 = -1
        if containers.top.namesIndices { (isDropped, move) = matchNamedIndex() }
        if streamsFlattened, valueTraits.contains(.moved) { pendingErrors.noteToFlatten(at: containers.depth) }
        if decidesMembers, counters.count(in: containers.depth) { meetRequirement() }
        if hold.isActive { addNode(valueTraits, move: move, isDiscarded: isDropped) }
        if isDropped { return discard(from: output.count) }
        if streamsMoves, move >= 0, !payload.discard.isActive {
            return try movedValueBegins(by: move, at: position, output)
        }
        // Around the document nothing is written.
        guard containers.depth > documentDepth else { return }
        if !containers.top.isEmpty { output.append(ASCII.comma) }
        containers.top.isEmpty = false
    }

    /// Looks for a pattern that lists the element's index. Returns whether the element is discarded, and its move or -1.
    @inline(never)
    private mutating func matchNamedIndex() -> (isDropped: Bool, move: Int32) {
        guard let match = keys.paths.namedElement(containers.top.index, of: containers.top.state) else {
            return (containers.top.dropsElements, -1)
        }
        valueState = match.state
        valueRule = match.rule
        valueTraits = match.traits
        return (match.isDropped, match.move)
    }

    // MARK: Around the payload's value

    /// Reads what is between payload values: after one, or before that of a line. Returns false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func betweenValues(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) -> Bool {
        guard let byte = reader.nextToken(stopsAtLineFeed: isLines) else { return false }
        if isLines, byte == ASCII.lineFeed {
            if lexerState == .end { try endLine(&output) }
            reader.advance(1, lineFeeds: 1)
            lexerState = .lineStart
        } else if lexerState == .lineStart {
            beginPayload()
            beginLine(&output)
            lexerState = .value
        } else {
            throw EngineError(kind: isLines ? .twoValuesInLine : .trailingBytes, position: reader.position)
        }
        return true
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func skipByteOrderMark(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) -> Bool {
        guard !reader.isAtEnd else { return false }
        let mark = UTF8Sequence.byteOrderMark
        let first: LexerState = isLines ? .lineStart : .value
        switch lexerState {
        case .start where reader.next != mark.0:
            if !isLines { output.append(wrapText.beginning) }
            lexerState = first
            return true
        case .start: lexerState = .secondMarkByte
        case .secondMarkByte where reader.next == mark.1: lexerState = .thirdMarkByte
        case .thirdMarkByte where reader.next == mark.2:
            if !isLines { output.append(wrapText.beginning) }
            lexerState = first
        default: throw EngineError(kind: .expectedValue, position: reader.position)
        }
        reader.advance()
        return true
    }

    /// Ends the payload's value, or the value of a line: `endLine` makes the decisions about it.
    private mutating func endPayloadValue(_ output: inout ByteBuffer) throws(EngineError) {
        if !decidesMembers {
            if payload.discard.isActive { _ = payload.discard.memberEnds(at: containers.depth, &output) }
        } else if !isLines {
            try valueEnds(&output)
        }
        if !isLines { output.append(wrapText.end) }
        lexerState = .end
    }

    /// Whether the payload's value has ended.
    var isAfterValue: Bool { lexerState == .end || (lexerState == .afterValue && containers.top.kind == .payload) }

    /// Ends the payload. Throws if it is incomplete.
    mutating func end(_ output: inout ByteBuffer) throws(EngineError) {
        // An incomplete number is an error like any other incomplete token, see below.
        if lexerState == .heldValue, values.isWholeNumber { try finishHeldValue(&output) }
        if lexerState == .number, number.isComplete { lexerState = .afterValue }
        if lexerState == .afterValue, containers.top.kind == .payload { try endPayloadValue(&output) }
        if isLines, plan.sparesRecords, lexerState != .end, lexerState != .lineStart, lexerState != .start {
            if lexerState != .abandonedLine { abandonLine(.json, &output) }
            lexerState = .end
        }
        switch lexerState {
        case .end: if isLines { try endLine(&output) }
        case .lineStart: break
        case .start where isLines: break
        case .start: throw EngineError(kind: .emptyInput, position: 0)
        case .value where containers.top.kind == .payload && !isLines: throw EngineError(kind: .emptyInput, position: 0)
        case .failed: Self.refuseUse()
        default: throw EngineError(kind: .unexpectedEnd, position: 0)
        }
    }

    /// Stops the process after a mistake of the caller. `fatalError` shows its message in release builds, too.
    @inline(never)
    private static func refuseUse() -> Never {
        fatalError("a Converter that failed or finished takes no more input: call reset() first")
    }
}
