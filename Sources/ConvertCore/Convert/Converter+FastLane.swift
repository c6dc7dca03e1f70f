/// The fast lane: the tokens that nearly all payloads are made of, handled with both places in registers.
///
/// It does nothing that the general machine in `run` does not do as well, and leaves everything unusual to it: keys that
/// are yet to be learned, long or exponential numbers, most values under a rule, the end of a chunk. Wherever it stops,
/// `expectation` says what comes next, so that either can go on from there. Tests feed payloads byte by byte, where only
/// the general machine runs, and whole, and compare.
extension Converter {
    /// What came of a value.
    private enum Step {
        /// It was taken whole.
        case taken
        /// A container began; `expectation` says what may come in it.
        case opened
        /// The lane ends; everything is committed and `expectation` set.
        case stopped
        /// It was taken whole, and its member goes. Only where members go for nothing but being empty.
        case pruned
    }

    /// Takes tokens as long as they are usual: key, value and comma in one turn of a loop.
    ///
    /// A turn must fit into the chunk and into the room of the output. Where a member is left out, the lane works inside of it
    /// and ends with its last container.
    @_lifetime(reader: copy reader)
    mutating func runFastLane(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        if ignoresNames {
            try runCopyingLane(&reader, &output)
        } else if prunesOnly {
            // What is open about a member whose value was taken elsewhere is decided elsewhere, too.
            guard beginsMemberOrValue, !levels[frames.depth].collides else { return }
            try runPruningLane(&reader, &output)
            reopenMembers()
        } else if elaborates {
            try runElaboratingLane(&reader, &output)
        } else {
            try runMappingLane(&reader, &output)
        }
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runCopyingLane(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runLane(copiesNames: true, elaborates: false, takesBack: false, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runMappingLane(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runLane(copiesNames: false, elaborates: false, takesBack: false, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runPruningLane(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        try runLane(copiesNames: false, elaborates: false, takesBack: true, &reader, &output)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func runElaboratingLane(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) {
        try runLane(copiesNames: false, elaborates: true, takesBack: false, &reader, &output)
    }

    /// The settings are constants where this is inlined. With `copiesNames` names, rules and states play no part; with
    /// `elaborates` every member is weighed, since it may be taken back; with `takesBack` only those that turn out empty are.
    @inline(__always) @_lifetime(reader: copy reader)
    private mutating func runLane(
        copiesNames: Bool, elaborates: Bool, takesBack: Bool, _ reader: inout ChunkReader,
        _ output: inout ByteBuffer
    ) throws(Fault) {
        // What is white space beside space, tab and carriage return: in lines nothing is, which the space stands for.
        let lineFeed = isLines ? ASCII.space : ASCII.lineFeed
        var cursor = TokenCursor(reader, output)
        if copiesNames { payload.hasPlaces = true }
        lane: while cursor.canBegin {
            switch expectation {
            case .key, .firstKey:
                var predicted = copiesNames ? -1 : likelyEntry
                repeat {
                    guard
                        cursor.reaches(
                            ASCII.quote, lineFeed: lineFeed, indentation: &indentations[placeOfIndentation])
                    else {
                        guard takesBack, cursor.isNext(ASCII.closeBrace), expectation == .firstKey else { break lane }
                        endContainer(ASCII.closeBrace, &cursor, output)
                        expectation = .afterValue
                        if payload.discard.isMember(at: frames.depth) { break lane }
                        continue lane
                    }
                    if copiesNames {
                        let place = cursor.place(in: reader)
                        guard cursor.copyName(isFirst: frames.top.isEmpty) else { break lane }
                        frames.top.isEmpty = false
                        frames.top.entry = -1
                        frames.top.place = place
                    } else {
                        let place = elaborates ? place(of: cursor, reader, output) : nil
                        let mark = takesBack ? cursor.written(in: output) : nil
                        guard
                            takeKey(&cursor, predicted: &predicted, place, mark: mark)
                                || (!elaborates && !takesBack && takeUnknownKey(&cursor, reader))
                        else { break lane }
                    }
                    let byte = cursor.nextToken(
                        lineFeed: lineFeed, indentation: &indentations[placeOfIndentation])
                    switch try takeValue(
                        byte, hasRules: !copiesNames, elaborates: elaborates, takesBack: takesBack, &cursor, &reader,
                        &output)
                    {
                    case .taken: break
                    case .opened: continue lane
                    case .stopped: return
                    case .pruned: takeBackMember(&cursor, output)
                    }
                    expectation = .afterValue
                    if elaborates, needsSettling { break lane }
                    guard
                        cursor.reaches(
                            ASCII.comma, lineFeed: lineFeed, indentation: &indentations[placeOfOuterIndentation])
                    else {
                        guard cursor.isNext(ASCII.closeBrace), !elaborates || endsPlainly else { break lane }
                        if takesBack {
                            endContainer(ASCII.closeBrace, &cursor, output)
                        } else {
                            cursor.copy(ASCII.closeBrace)
                            leaveContainer()
                        }
                        if payload.discard.isMember(at: frames.depth) { break lane }
                        continue lane
                    }
                    cursor.skip(1)
                    expectation = .key
                } while cursor.canBegin
            case .firstElement:
                let byte = cursor.nextToken(
                    lineFeed: lineFeed, indentation: &indentations[placeOfIndentation])
                // Where the room ended in white space no element is known to come.
                guard byte > ASCII.space else { break lane }
                if byte == ASCII.closeBracket {
                    if elaborates { break lane }
                    if takesBack {
                        endContainer(ASCII.closeBracket, &cursor, output)
                    } else {
                        cursor.copy(ASCII.closeBracket)
                        leaveContainer()
                    }
                    expectation = .afterValue
                    if payload.discard.isMember(at: frames.depth) { break lane }
                } else {
                    // What is wrong with a first element is said in other words, so that none begins but where it is taken here.
                    guard frames.top.isPlainArray, cursor.canBegin else { break lane }
                    if elaborates { beginPlainMember(place(of: cursor, reader, output)) }
                    frames.top.isEmpty = false
                    beginPlainElement()
                    expectation = .value
                }
            case .value:
                repeat {
                    let byte = cursor.nextToken(
                        lineFeed: lineFeed, indentation: &indentations[placeOfIndentation])
                    switch try takeValue(
                        byte, hasRules: !copiesNames, elaborates: elaborates, takesBack: takesBack, &cursor, &reader,
                        &output)
                    {
                    case .taken: break
                    case .opened: continue lane
                    case .stopped: return
                    case .pruned: takeBackMember(&cursor, output)
                    }
                    expectation = .afterValue
                    if elaborates, needsSettling { break lane }
                    guard frames.top.isPlainArray else { continue lane }
                    guard
                        cursor.reaches(
                            ASCII.comma, lineFeed: lineFeed, indentation: &indentations[placeOfOuterIndentation])
                    else {
                        guard !elaborates, entersNextArray(&cursor) else { continue lane }
                        guard cursor.isAtElement, cursor.canBegin else {
                            expectation = .firstElement
                            continue lane
                        }
                        frames.top.isEmpty = false
                        beginPlainElement()
                        expectation = .value
                        continue
                    }
                    if elaborates { beginPlainMember(place(of: cursor, reader, output, after: 1)) }
                    cursor.copy(ASCII.comma)
                    frames.top.index &+= 1
                    beginPlainElement()
                    expectation = .value
                } while cursor.canBegin
            case .afterValue:
                if elaborates, needsSettling { break lane }
                if takesBack, levels[frames.depth].collides { break lane }
                let byte = cursor.nextToken(
                    lineFeed: lineFeed, indentation: &indentations[placeOfOuterIndentation])
                if byte == ASCII.comma {
                    if frames.top.kind == .object {
                        cursor.skip(1)
                        expectation = .key
                    } else {
                        guard frames.top.isPlainArray else { break lane }
                        if elaborates { beginPlainMember(place(of: cursor, reader, output, after: 1)) }
                        cursor.copy(ASCII.comma)
                        frames.top.index &+= 1
                        beginPlainElement()
                        expectation = .value
                    }
                } else {
                    guard frames.top.kind != .payload, byte == frames.top.closingBracket, !elaborates || endsPlainly
                    else {
                        break lane
                    }
                    if takesBack {
                        endContainer(byte, &cursor, output)
                    } else {
                        cursor.copy(byte)
                        leaveContainer()
                    }
                    if payload.discard.isMember(at: frames.depth) { break lane }
                }
            default: break lane
            }
        }
        cursor.commit(to: &reader, &output)
    }

    /// Takes the value that begins with `byte`, or the beginning of a container.
    @inline(always) @_lifetime(cursor: copy cursor, copy reader) @_lifetime(reader: copy reader)
    private mutating func takeValue(
        _ byte: UInt8, hasRules: Bool, elaborates: Bool, takesBack: Bool, _ cursor: inout TokenCursor,
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) -> Step {
        if elaborates, valueRule < 0 || byte == ASCII.quote, !weighPlainValue(byte, cursor, output) {
            cursor.commit(to: &reader, &output)
            return stopBeforeValue()
        }
        // Most often there is neither rule.
        if hasRules, valueRule & scanRule >= 0, valueRule >= 0 || (byte == ASCII.quote && isDateCandidate(cursor)) {
            let dates = plan.laneDates[Int(valueRule >= 0 ? valueRule : scanRule)]
            if byte == ASCII.quote, dates.isTaken, let date = Self.writeDate(cursor, precision: dates.precision) {
                cursor.move(read: date.read, written: date.written)
                return .taken
            }
            if valueRule >= 0 || !cursor.endsString(within: DateRule.minScannedBytes) {
                cursor.commit(to: &reader, &output)
                let mark = output.count
                guard byte == ASCII.quote, try rewriteWholeString(&reader, &output) else { return stopBeforeValue() }
                if elaborates, payload.discard.isActive || prunes {
                    expectation = .afterValue
                    return .stopped
                }
                if takesBack { takeBackIfEmpty(from: mark, &output) }
                return resume(&cursor, &reader, &output)
            }
        }
        if byte == ASCII.quote {
            if takesBack, cursor.byte(1) == ASCII.quote, plan.prune.emptyString, frames.top.kind == .object {
                cursor.skip(2)
                return .pruned
            }
            if takesBack { levels[frames.depth].valueMark = cursor.written(in: output) }
            if cursor.copyString() == ASCII.quote { return .taken }
            cursor.commit(to: &reader, &output)
            guard try copyRestOfString(&reader, &output) else { return .stopped }
            return resume(&cursor, &reader, &output)
        }
        if ASCII.isDigit(byte) || byte == ASCII.minus {
            if cursor.copyShortNumber() { return .taken }
        } else if byte == ASCII.openBrace {
            if frames.depth < maxDepth {
                cursor.copy(byte)
                if takesBack { levels[frames.depth].isTentative = plan.prune.emptyObject && frames.top.kind == .object }
                enterObject()
                expectation = .firstKey
                return .opened
            }
        } else if byte == ASCII.openBracket {
            if frames.depth < maxDepth {
                cursor.copy(byte)
                if takesBack { levels[frames.depth].isTentative = plan.prune.emptyArray && frames.top.kind == .object }
                if hasPatterns { enterArray() } else { enterPlainArray() }
                expectation = .firstElement
                return .opened
            }
        } else if cursor.copyLiteral(byte) {
            return takesBack && byte == ASCII.n && plan.prune.null && frames.top.kind == .object ? .pruned : .taken
        }
        cursor.commit(to: &reader, &output)
        return stopBeforeValue()
    }

    /// Takes the rest of a string that is not plain or that the lane had no more room for; false when the chunk ended first.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copyRestOfString(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) -> Bool {
        expectation = .string
        return try strings.copyVerbatim(&reader, into: &output)
    }

    /// Goes on behind a value that was taken without the cursor.
    @inline(always) @_lifetime(cursor: copy reader) @_lifetime(reader: copy reader)
    private mutating func resume(
        _ cursor: inout TokenCursor, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) -> Step {
        expectation = .afterValue
        guard TokenCursor.fits(reader) else { return .stopped }
        output.reserve(laneBytes(for: reader))
        cursor = TokenCursor(reader, output)
        return .taken
    }

    /// The room in the output with which the lane begins.
    @inline(__always)
    func laneBytes(for reader: borrowing ChunkReader) -> Int {
        min(reader.remaining, Self.maxLaneBytes) &+ 2 &* TokenCursor.turnBytes
    }

    /// Stops before a value that the general machine must take, or find fault with.
    private mutating func stopBeforeValue() -> Step {
        expectation = .value
        if frames.top.kind == .array, frames.top.index == 0 {
            expectation = .firstElement
            frames.top.isEmpty = true
        }
        return .stopped
    }

    // MARK: White space

    /// Where the indentation before what the innermost container holds is kept.
    @inline(__always)
    private var placeOfIndentation: Int { frames.depth & Self.indentationMask }

    /// Where that before its closing bracket is, which is that of the container itself. Nothing else follows a value on a line of its own.
    @inline(__always)
    private var placeOfOuterIndentation: Int { (frames.depth &- 1) & Self.indentationMask }

    // MARK: Arrays

    @inline(__always)
    private mutating func enterPlainArray() {
        frames.push(Frame(kind: .array, isPlainArray: !prunesElements, state: valueState, elementState: valueState))
        if elaborates { openLevel(.array) }
    }

    /// Goes on from the end of an array in an array to the beginning of the next, if they follow each other closely.
    @inline(__always) @_lifetime(cursor: copy cursor)
    private mutating func entersNextArray(_ cursor: inout TokenCursor) -> Bool {
        guard frames[frames.depth &- 1].isPlainArray, frames[frames.depth &- 1].elementRule < 0,
            cursor.take(ASCII.closeBracket, ASCII.comma, ASCII.openBracket)
        else { return false }
        frames[frames.depth &- 1].index &+= 1
        frames.top.index = 0
        frames.top.isEmpty = true
        return true
    }

    @inline(__always)
    private mutating func beginPlainElement() {
        valueState = frames.top.elementState
        valueRule = frames.top.elementRule
        valueTraits = PathStates.Traits()
    }
}
