import ConvertText

/// The fast path: the tokens that nearly all payloads are made of, handled with both places in registers.
///
/// It does nothing that the resumable lexer in `run` does not do as well, and leaves everything unusual to it: keys that
/// are yet to be learned, long or exponential numbers, most values under a rule, the end of a chunk. Wherever it stops,
/// `lexerState` says what comes next, so that either can go on from there. Tests feed payloads byte by byte, where only
/// the resumable lexer runs, and whole, and compare.
extension Engine {
    /// What came of a value.
    private enum Step {
        /// It was taken whole.
        case taken
        /// A container began; `lexerState` says what may come in it.
        case opened
        /// The fast path ends; everything is committed and `lexerState` set.
        case stopped
        /// It was taken whole, and its member goes. Only where members go for nothing but being empty.
        case pruned
    }

    /// Takes tokens as long as they are usual: key, value and comma in one turn of a loop.
    ///
    /// A turn must fit into the chunk and into the room of the output. Where a member is left out, the fast path works inside of it
    /// and ends with its last container.
    @_lifetime(reader: copy reader)
    mutating func runFastPath(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        if ignoresNames {
            try runVerbatim(&reader, &output)
        } else if prunesOnly {
            // What is open about a member whose value was taken elsewhere is decided elsewhere, too.
            guard beginsMemberOrValue, !pendingErrors.hasMember(at: containers.depth) else { return }
            try runPruning(&reader, &output)
            reopenMembers()
        } else if isStaged {
            try runStaged(&reader, &output)
        } else {
            try runMapping(&reader, &output)
        }
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runVerbatim(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runTokens(VerbatimMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runMapping(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runTokens(MappedMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runPruning(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runTokens(PrunedMembers.self, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runStaged(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runTokens(StagedMembers.self, &reader, &output)
    }

    /// The stage is known where this is inlined.
    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func runTokens<Stage: MemberStage>(
        _ stage: Stage.Type, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) {
        // White space beside space, tab and carriage return. In NDJSON there is none: the space is named again.
        let lineFeed = isLines ? ASCII.space : ASCII.lineFeed
        var cursor = TokenCursor(reader, output)
        if Stage.ignoresNames { keys.hasPlaces = true }
        tokens: while cursor.canBegin {
            switch lexerState {
            case .key, .firstKey:
                var predicted = Stage.ignoresNames ? -1 : keys.likelyEntry(after: containers.top.entry)
                repeat {
                    guard
                        cursor.reaches(ASCII.quote, lineFeed: lineFeed, &indentations, at: containers.depth)
                    else {
                        guard Stage.prunes, cursor.isNext(ASCII.closeBrace), lexerState == .firstKey else {
                            break tokens
                        }
                        endContainer(ASCII.closeBrace, &cursor, output)
                        lexerState = .afterValue
                        if payload.discard.isMember(at: containers.depth) { break tokens }
                        continue tokens
                    }
                    if Stage.ignoresNames {
                        let place = cursor.place(in: reader)
                        guard cursor.copyName(isFirst: containers.top.isEmpty) else { break tokens }
                        containers.top.isEmpty = false
                        containers.top.entry = -1
                        containers.top.place = place
                    } else {
                        if Stage.prunes { markMember(cursor.written(in: output)) }
                        let start = place(of: cursor, reader, output)
                        if let value = keys.takePredictedKey(&cursor, &containers, &predicted) {
                            (valueState, valueRule) = value
                        } else {
                            let key = keys.writeOtherKey(
                                predicted, cursor, at: cursor.place(in: reader),
                                mayPass: !Stage.isStaged && !Stage.prunes,
                                &containers, &valueState, &valueRule)
                            guard key.read > 0 else { break tokens }
                            cursor.move(read: key.read, written: key.written)
                            predicted = key.predicted
                        }
                        if Stage.isStaged { namedMemberBegins(start) }
                    }
                    let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
                    switch try takeValue(stage, byte, &cursor, &reader, &output) {
                    case .taken: break
                    case .opened: continue tokens
                    case .stopped: return
                    case .pruned: takeBackMember(&cursor, output)
                    }
                    lexerState = .afterValue
                    if Stage.isStaged, needsDecision { break tokens }
                    guard
                        cursor.reaches(ASCII.comma, lineFeed: lineFeed, &indentations, at: outerDepth)
                    else {
                        guard cursor.isNext(ASCII.closeBrace), !Stage.isStaged || endsPlainly else { break tokens }
                        if Stage.prunes {
                            endContainer(ASCII.closeBrace, &cursor, output)
                        } else {
                            cursor.copy(ASCII.closeBrace)
                            leaveContainer()
                        }
                        if payload.discard.isMember(at: containers.depth) { break tokens }
                        continue tokens
                    }
                    cursor.skip(1)
                    lexerState = .key
                } while cursor.canBegin
            case .firstElement:
                let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
                // Where the room ended in white space no element is known to come.
                guard byte > ASCII.space else { break tokens }
                if byte == ASCII.closeBracket {
                    if Stage.isStaged { break tokens }
                    if Stage.prunes {
                        endContainer(ASCII.closeBracket, &cursor, output)
                    } else {
                        cursor.copy(ASCII.closeBracket)
                        leaveContainer()
                    }
                    lexerState = .afterValue
                    if payload.discard.isMember(at: containers.depth) { break tokens }
                } else {
                    // What is wrong with a first element is said in other words, so that none begins but where it is taken here.
                    guard containers.top.isPlainArray, cursor.canBegin else { break tokens }
                    if Stage.isStaged { plainMemberBegins(place(of: cursor, reader, output)) }
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
                        guard !Stage.isStaged, entersNextArray(&cursor) else { continue tokens }
                        guard cursor.isAtElement, cursor.canBegin else {
                            lexerState = .firstElement
                            continue tokens
                        }
                        containers.top.isEmpty = false
                        beginPlainElement()
                        lexerState = .value
                        continue
                    }
                    if Stage.isStaged { plainMemberBegins(place(of: cursor, reader, output, after: 1)) }
                    cursor.copy(ASCII.comma)
                    containers.top.index &+= 1
                    beginPlainElement()
                    lexerState = .value
                } while cursor.canBegin
            case .afterValue:
                if Stage.isStaged, needsDecision { break tokens }
                if Stage.prunes, pendingErrors.hasMember(at: containers.depth) { break tokens }
                let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: outerDepth)
                if byte == ASCII.comma {
                    if containers.top.kind == .object {
                        cursor.skip(1)
                        lexerState = .key
                    } else {
                        guard containers.top.isPlainArray else { break tokens }
                        if Stage.isStaged { plainMemberBegins(place(of: cursor, reader, output, after: 1)) }
                        cursor.copy(ASCII.comma)
                        containers.top.index &+= 1
                        beginPlainElement()
                        lexerState = .value
                    }
                } else {
                    guard containers.top.kind != .payload, byte == containers.top.closingBracket,
                        !Stage.isStaged || endsPlainly
                    else {
                        break tokens
                    }
                    if Stage.prunes {
                        endContainer(byte, &cursor, output)
                    } else {
                        cursor.copy(byte)
                        leaveContainer()
                    }
                    if payload.discard.isMember(at: containers.depth) { break tokens }
                }
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
    ) throws(Fault) -> Step {
        if Stage.isStaged, valueRule < 0 || byte == ASCII.quote, !plainValueBegins(byte, cursor, output) {
            cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
            return stopBeforeValue()
        }
        // Most often there is neither rule.
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
                if Stage.isStaged, payload.discard.isActive || prunes {
                    lexerState = .afterValue
                    return .stopped
                }
                if Stage.prunes { takeBackIfEmpty(from: mark, &output) }
                return resume(&cursor, &reader, &output)
            }
        }
        if byte == ASCII.quote {
            if Stage.prunes, cursor.byte(1) == ASCII.quote, plan.prune.emptyString, containers.top.kind == .object {
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
                    savepoints[containers.depth].isTentative = plan.prune.emptyObject && containers.top.kind == .object
                }
                enterObject()
                lexerState = .firstKey
                return .opened
            }
        } else if byte == ASCII.openBracket {
            if containers.depth < maxDepth {
                cursor.copy(byte)
                if Stage.prunes {
                    savepoints[containers.depth].isTentative = plan.prune.emptyArray && containers.top.kind == .object
                }
                if hasPatterns { enterArray() } else { enterPlainArray() }
                lexerState = .firstElement
                return .opened
            }
        } else if cursor.copyLiteral(byte) {
            return Stage.prunes && byte == ASCII.n && plan.prune.null && containers.top.kind == .object
                ? .pruned : .taken
        }
        cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
        return stopBeforeValue()
    }

    /// Takes the rest of a string that is not plain or that the fast path had no more room for; false when the chunk ended first.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copyRestOfString(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) -> Bool {
        lexerState = .string
        return try strings.copyVerbatim(&reader, into: &output)
    }

    /// Goes on behind a value that was taken without the cursor.
    @inline(always) @_lifetime(cursor: copy reader) @_lifetime(reader: copy reader)
    private mutating func resume(
        _ cursor: inout TokenCursor, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) -> Step {
        lexerState = .afterValue
        guard TokenCursor.fits(reader) else { return .stopped }
        output.reserve(fastPathBytes(for: reader))
        cursor = TokenCursor(reader, output)
        return .taken
    }

    /// The room in the output with which the fast path begins.
    @inline(__always)
    func fastPathBytes(for reader: borrowing ChunkReader) -> Int {
        min(reader.remaining, Self.maxFastPathBytes) &+ 2 &* TokenCursor.turnBytes
    }

    /// Stops before a value that the resumable lexer must take, or find fault with.
    private mutating func stopBeforeValue() -> Step {
        lexerState = .value
        if containers.top.kind == .array, containers.top.index == 0 {
            lexerState = .firstElement
            containers.top.isEmpty = true
        }
        return .stopped
    }

    // MARK: White space

    /// The depth whose indentation comes before the closing bracket of the innermost container. Nothing else follows a value on a
    /// line of its own.
    @inline(__always)
    private var outerDepth: Int { containers.depth &- 1 }

    // MARK: Arrays

    @inline(__always)
    private mutating func enterPlainArray() {
        containers.push(
            Container(kind: .array, isPlainArray: !prunesElements, state: valueState, elementState: valueState))
        if isStaged { containerOpens(.array) }
    }

    /// Goes on from the end of an array in an array to the beginning of the next, if they follow each other closely.
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
    private mutating func beginPlainElement() {
        valueState = containers.top.elementState
        valueRule = containers.top.elementRule
        valueTraits = PathAutomaton.Traits()
    }
}
