import ConvertText

/// The fast path: the tokens that nearly all payloads are made of, handled with the positions in input and output in registers.
///
/// It does nothing that the resumable lexer in `run` does not do too. It leaves everything unusual to that lexer: keys with an escape, long
/// or exponential numbers, most values under a rule, the end of a chunk. When it stops, `lexerState` says what comes next, so that either one
/// can continue. Tests compare payloads that are fed whole with payloads fed byte by byte, which only the resumable lexer reads.
extension Engine {
    /// The result of reading a value.
    enum Step {
        /// The whole value was read.
        case taken
        /// A container began; `lexerState` says what may come in it.
        case opened
        /// The fast path ends; everything is committed and `lexerState` set.
        case stopped
        /// The whole value was read, and its member is removed because it is empty. Occurs only with `PrunedMembers`.
        case pruned
    }

    /// Reads tokens as long as they are usual: key, value and comma in one turn of a loop.
    ///
    /// A turn must fit into the chunk and into the reserved output. Inside a discarded member the fast path works too;
    /// it stops when the member's value ends.
    @_lifetime(reader: copy reader)
    mutating func runFastPath(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        if ignoresNames {
            try runVerbatim(&reader, &output)
        } else if staging == .prunes {
            guard mayRunPruning else { return }
            valueTraits = []
            try runPruning(&reader, &output)
            reopenMembers()
        } else if staging == .sorts {
            try runSorting(&reader, &output)
        } else if mapsText {
            valueTraits = []
            let (depth, start) = (containers.depth, reader.position)
            try runMapping(&reader, &output)
            // A bad value may have abandoned the record around the held object. Each level that was left took a byte or more.
            if hold.isActive || staging == .buffersMoves { markText(from: depth - (reader.position - start)) }
        } else if containers.top.isSearched, !payload.discard.isActive {
            try runKeeping(&reader, &output)
        } else if decidesMembers, !payload.discard.isActive {
            try runStaged(&reader, &output)
        } else if !decidesMembers || discardsPlainMembers {
            // The value of a member with traits begins in the resumable lexer.
            guard lexerState != .value || valueTraits.isEmpty else { return }
            let start = reader.position
            try runMapping(&reader, &output)
            if reader.position > start { valueTraits = [] }
        }
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runVerbatim(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        try runTokens(VerbatimMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    mutating func runMapping(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        try runTokens(MappedMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runPruning(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        try runTokens(PrunedMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runSorting(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        try runTokens(SortedMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    mutating func runStaged(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        try runTokens(StagedMembers.self, &reader, &output)
    }

    /// Inlined into each caller, so that the compiler knows the stage.
    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func runTokens<Stage: MemberStage>(
        _ stage: Stage.Type, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) {
        // The fourth white space byte beside space, tab and carriage return. A line feed is not white space in NDJSON,
        // so the space is passed again.
        let lineFeed = isLines ? ASCII.space : ASCII.lineFeed
        var cursor = TokenCursor(reader, output)
        if Stage.ignoresNames { keys.hasUnstoredKeys = true }
        tokens: while cursor.canBegin {
            switch lexerState {
            case .afterValue:
                if Stage.isStaged, needsDecision { break tokens }
                if Stage.prunes, pendingErrors.hasMember(at: containers.depth) { break tokens }
                let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: outerDepth)
                if byte == ASCII.comma, containers.top.kind == .object {
                    cursor.skip(1)
                    lexerState = .key
                    guard cursor.canBegin else { break tokens }
                    fallthrough
                } else if byte == ASCII.comma {
                    guard containers.top.isPlainArray else { break tokens }
                    if Stage.isStaged { plainMemberBegins(memberStart(of: cursor, reader, output, after: 1)) }
                    beginNextElement(stage, &cursor, output)
                    lexerState = .value
                } else {
                    guard containers.top.kind != .payload, byte == containers.top.closingBracket,
                        !containers.top.endsSlowly, !Stage.isStaged || !containers.top.isEmpty
                    else {
                        break tokens
                    }
                    if Stage.sorts, byte == ASCII.closeBrace, !sortMembers(&cursor, &reader, &output) { return }
                    endContainer(stage, byte, &cursor, output)
                    if payload.discard.isMember(at: containers.depth) { break tokens }
                }
            case .key, .firstKey:
                var predicted = Stage.ignoresNames ? -1 : keys.likelyEntry(after: containers.top.entry)
                if Stage.ignoresNames { containers.top.entry = -1 }
                repeat {
                    guard
                        cursor.reaches(ASCII.quote, lineFeed: lineFeed, &indentations, at: containers.depth)
                    else {
                        guard Stage.prunes, cursor.isNext(ASCII.closeBrace), lexerState == .firstKey else {
                            break tokens
                        }
                        endContainer(stage, ASCII.closeBrace, &cursor, output)
                        lexerState = .afterValue
                        if payload.discard.isMember(at: containers.depth) { break tokens }
                        continue tokens
                    }
                    switch takeKey(stage, &predicted, lineFeed, &cursor, &reader, &output) {
                    case .taken: break
                    case .dropped: continue tokens
                    case .stopped: return
                    case .left: break tokens
                    }
                    let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
                    switch try takeValue(stage, byte, &cursor, &reader, &output) {
                    case .taken: break
                    case .opened:
                        guard lexerState == .firstKey else { continue tokens }
                        predicted = Stage.ignoresNames ? -1 : keys.likelyEntry(after: containers.top.entry)
                        continue
                    case .stopped: return
                    case .pruned: takeBackMember(&cursor, output)
                    }
                    if Stage.isStaged, needsDecision {
                        lexerState = .afterValue
                        break tokens
                    }
                    guard
                        cursor.reaches(ASCII.comma, lineFeed: lineFeed, &indentations, at: outerDepth)
                    else {
                        lexerState = .afterValue
                        guard cursor.isNext(ASCII.closeBrace), !containers.top.endsSlowly else { break tokens }
                        if Stage.sorts, !sortMembers(&cursor, &reader, &output) { return }
                        endContainer(stage, ASCII.closeBrace, &cursor, output)
                        if payload.discard.isMember(at: containers.depth) { break tokens }
                        continue tokens
                    }
                    cursor.skip(1)
                    lexerState = .key
                } while cursor.canBegin
            case .firstElement:
                let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
                // If the cursor ran out of room inside white space, it is not known whether an element comes.
                guard byte > ASCII.space else { break tokens }
                if byte == ASCII.closeBracket {
                    if Stage.isStaged || containers.top.endsSlowly { break tokens }
                    endContainer(stage, ASCII.closeBracket, &cursor, output)
                    lexerState = .afterValue
                    if payload.discard.isMember(at: containers.depth) { break tokens }
                } else {
                    // A bad first element has an error message of its own. So an element begins here only if this loop
                    // also reads its value.
                    guard containers.top.isPlainArray, cursor.canBegin else { break tokens }
                    if Stage.isStaged { plainMemberBegins(memberStart(of: cursor, reader, output)) }
                    if Stage.prunes, prune.inArrays { markMember(cursor.written(in: output)) }
                    containers.top.isEmpty = false
                    beginPlainElement()
                    lexerState = .value
                }
            case .value:
                repeat {
                    let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
                    switch try takeValue(stage, byte, &cursor, &reader, &output) {
                    case .taken: break
                    case .opened: continue tokens
                    case .stopped: return
                    case .pruned: takeBackMember(&cursor, output)
                    }
                    lexerState = .afterValue
                    if Stage.isStaged, needsDecision { break tokens }
                    guard containers.top.isPlainArray else { continue tokens }
                    guard
                        cursor.reaches(ASCII.comma, lineFeed: lineFeed, &indentations, at: outerDepth)
                    else {
                        guard !Stage.isStaged, !Stage.prunes || !prune.inArrays, entersNextArray(&cursor) else {
                            continue tokens
                        }
                        guard cursor.isAtElement, cursor.canBegin else {
                            lexerState = .firstElement
                            continue tokens
                        }
                        containers.top.isEmpty = false
                        beginPlainElement()
                        lexerState = .value
                        continue
                    }
                    if Stage.isStaged { plainMemberBegins(memberStart(of: cursor, reader, output, after: 1)) }
                    beginNextElement(stage, &cursor, output)
                    lexerState = .value
                } while cursor.canBegin
            default: break tokens
            }
        }
        cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
    }

    /// Takes the value that begins with `byte`, or the beginning of a container.
    @inline(always) @_lifetime(cursor: copy cursor, copy reader) @_lifetime(reader: copy reader)
    private mutating func takeValue<Stage: MemberStage>(
        _ stage: Stage.Type, _ byte: UInt8, _ cursor: inout TokenCursor, _ reader: inout ChunkReader,
        _ output: inout ByteBuffer
    ) throws(EngineError) -> Step {
        if Stage.isStaged, valueRule < 0 || byte == ASCII.quote, !plainValueBegins(byte, cursor, output) {
            cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
            return stopBeforeValue()
        }
        // Usually there is neither a rule for the value nor a scan rule.
        if !Stage.ignoresNames, valueRule & scanRule >= 0,
            valueRule >= 0 || (byte == ASCII.quote && isDateCandidate(cursor))
        {
            let dates = plan.fastDates[Int(valueRule >= 0 ? valueRule : scanRule)]
            if byte == ASCII.quote, dates.isTaken, let date = Self.writeDate(cursor, precision: dates.precision) {
                cursor.move(read: date.read, written: date.written)
                return .taken
            }
            if valueRule >= 0 || !cursor.endsString(within: DateRule.minScannedBytes) {
                cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
                let mark = output.count
                guard byte == ASCII.quote, try rewriteWholeString(&reader, &output) else { return stopBeforeValue() }
                // A bad value may have discarded more than the member that was discarded before.
                if decidesMembers, staging != .prunes, payload.discard.isActive || prunes {
                    lexerState = .afterValue
                    return .stopped
                }
                if Stage.prunes { takeBackIfEmpty(from: mark, &output) }
                return resume(&cursor, &reader, &output)
            }
        }
        if byte == ASCII.quote {
            if Stage.prunes, cursor.byte(1) == ASCII.quote, prune.emptyString, mayPrune {
                cursor.skip(2)
                return .pruned
            }
            if Stage.prunes { savepoints[containers.depth].valueMark = cursor.written(in: output) }
            if cursor.copyString() == ASCII.quote { return .taken }
            cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
            guard try copyRestOfString(&reader, &output) else { return .stopped }
            return resume(&cursor, &reader, &output)
        }
        if ASCII.isDigit(byte) || byte == ASCII.minus {
            if cursor.copyShortNumber() { return .taken }
        } else if byte == ASCII.openBrace {
            if containers.depth < maxDepth {
                cursor.copy(byte)
                if Stage.prunes {
                    savepoints[containers.depth].isTentative = prune.emptyObject && mayPrune
                }
                enterObject()
                lexerState = .firstKey
                return .opened
            }
        } else if byte == ASCII.openBracket {
            if containers.depth < maxDepth {
                cursor.copy(byte)
                if Stage.prunes {
                    savepoints[containers.depth].isTentative = prune.emptyArray && mayPrune
                }
                if hasPatterns { enterArray() } else { enterPlainArray() }
                lexerState = .firstElement
                return .opened
            }
        } else if cursor.copyLiteral(byte) {
            return Stage.prunes && byte == ASCII.n && prune.null && mayPrune ? .pruned : .taken
        }
        cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
        return stopBeforeValue()
    }

    /// Sorts the members of the object whose end comes next. Returns false if the fast path stops before this end.
    @inline(never) @_lifetime(cursor: copy reader) @_lifetime(reader: copy reader)
    private mutating func sortMembers(
        _ cursor: inout TokenCursor, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) -> Bool {
        cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
        lexerState = .afterValue
        guard sorting.endUnlessLong(at: containers.depth, &output) else { return false }
        return resume(&cursor, &reader, &output) == .taken
    }

    /// Copies the rest of a string that is not plain or for which the fast path has no room. Returns false if the chunk ends first.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copyRestOfString(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) -> Bool {
        lexerState = .string
        return try strings.copy(&reader, into: &output)
    }

    /// Continues after what was read without the cursor.
    @inline(always) @_lifetime(cursor: copy reader) @_lifetime(reader: copy reader)
    mutating func resume(
        _ cursor: inout TokenCursor, _ reader: inout ChunkReader, _ output: inout ByteBuffer,
        in state: LexerState = .afterValue
    ) -> Step {
        lexerState = state
        guard TokenCursor.fits(reader) else { return .stopped }
        output.reserve(fastPathBytes(for: reader))
        cursor = TokenCursor(reader, output)
        return .taken
    }

    /// Stops before a value that the resumable lexer must read or reject.
    private mutating func stopBeforeValue() -> Step {
        lexerState = .value
        if containers.top.kind == .array, containers.top.index == 0 {
            lexerState = .firstElement
            containers.top.isEmpty = true
        }
        return .stopped
    }

    @inline(__always)
    private mutating func enterPlainArray() {
        containers.push(
            Container(kind: .array, isPlainArray: mayBePlain, state: valueState, elementState: valueState))
        if staging.noticesContainers { containerOpens(.array) }
    }

    /// Moves from the end of an inner array to the beginning of the next one, if the input has `],[` without white space.
    @inline(__always) @_lifetime(cursor: copy cursor)
    private mutating func entersNextArray(_ cursor: inout TokenCursor) -> Bool {
        guard containers[containers.depth &- 1].isPlainArray, containers[containers.depth &- 1].elementRule < 0,
            cursor.take(ASCII.closeBracket, ASCII.comma, ASCII.openBracket)
        else { return false }
        containers[containers.depth &- 1].index &+= 1
        containers.top.index = 0
        containers.top.isEmpty = true
        return true
    }

    @inline(__always)
    mutating func beginPlainElement() {
        valueState = containers.top.elementState
        valueRule = containers.top.elementRule
        valueTraits = PathAutomaton.Traits()
    }
}
