/// The fast lane: the tokens that nearly all payloads are made of, handled with every position in a register.
///
/// It does nothing that the general machine in `run` does not do as well, and leaves everything unusual to it: keys that
/// were not predicted, strings with escapes or non-ASCII text, long or exponential numbers, values under a rule, the last
/// bytes of a chunk. Wherever it stops, `expectation` says what comes next, so that either can go on from there. Tests
/// feed payloads byte by byte, where only the general machine runs, and whole, and compare.
extension Converter {
    /// Takes tokens as long as they are usual: key, value and comma in one turn of the loop.
    @_lifetime(reader: copy reader)
    mutating func runFastLane(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        var cursor = TokenCursor(reader, output)
        var next = expectation
        while cursor.canStep {
            if next == .key || next == .firstKey {
                guard takeKey(&cursor) else { break }
                next = .colon
                guard cursor.canStep, cursor.byte() == ASCII.colon else { break }
                cursor.skip(1)
                next = .value
                guard cursor.canStep else { break }
            }
            if next == .value || next == .firstElement {
                let byte = cursor.nextToken(stopsAtLineFeed: isLines)
                guard cursor.canStep else { break }
                if elaborates, next == .value, !valueTraits.isEmpty { break }
                if byte == ASCII.quote, next == .value, mayRewriteString(cursor) {
                    if elaborates, !weighPlainValue(byte, cursor) { break }
                    let (start, mark) = (cursor.read, cursor.written)
                    guard copyWholeString(&cursor) else { break }
                    heldOffset = chunkOffset + start
                    cursor.commit(to: &reader, &output)
                    try rewriteString(from: mark, &output)
                    if elaborates, mutedDepth >= 0 || prunes {
                        expectation = .afterValue
                        return
                    }
                    output.reserve(Self.maxLaneBytes)
                    cursor = TokenCursor(reader, output)
                    next = .afterValue
                    continue
                }
                guard let following = takeValue(byte, &cursor, isFirst: next == .firstElement) else {
                    if next == .firstElement { frame.isEmpty = true }
                    break
                }
                next = following
                guard following == .afterValue, cursor.canStep else {
                    if following == .string { break }
                    continue
                }
            }
            guard next == .afterValue else { break }
            if elaborates, needsSettling { break }
            let byte = cursor.nextToken(stopsAtLineFeed: isLines)
            guard cursor.canStep else { break }
            if byte == ASCII.comma {
                if frame.kind == .object {
                    cursor.skip(1)
                    next = .key
                    continue
                }
                guard frame.isPlainArray else { break }
                cursor.skip(1)
                cursor.write(ASCII.comma)
                frame.index &+= 1
                valueState = frame.elementState
                valueRule = frame.elementRule
                valueTraits = []
                next = .value
            } else {
                guard byte == frame.closingBracket, !elaborates || endsPlainly else { break }
                cursor.skip(1)
                cursor.write(byte)
                leaveContainer()
            }
        }
        expectation = next
        cursor.commit(to: &reader, &output)
    }

    /// Takes the next key if it is one of the two that followed the last one lately.
    @inline(always) @_lifetime(cursor: copy cursor)
    private mutating func takeKey(_ cursor: inout TokenCursor) -> Bool {
        guard cursor.nextToken(stopsAtLineFeed: isLines) == ASCII.quote, cursor.canStep, lastEntry >= 0 else {
            return false
        }
        let last = lastEntry
        if takeKey(Int(memo.entries[last].next), &cursor) { return true }
        // An array of objects ended or began, most often: what followed the time before is the next guess.
        let second = Int(memo.entries[last].secondNext)
        guard takeKey(second, &cursor) else { return false }
        memo.predict(second, after: last)
        return true
    }

    /// Copies a string that has no escape and no non-ASCII text and ends before the cursor's room does, or nothing.
    @inline(always) @_lifetime(cursor: copy cursor)
    private func copyWholeString(_ cursor: inout TokenCursor) -> Bool {
        let (start, mark) = (cursor.read, cursor.written)
        cursor.skip(1)
        cursor.write(ASCII.quote)
        guard cursor.copyPlainString() == ASCII.quote, cursor.canStep else {
            cursor.moveBack(read: start, written: mark)
            return false
        }
        cursor.skip(1)
        return true
    }

    /// Takes the key of `predicted`, if it comes and nothing is to be judged about it.
    @inline(always) @_lifetime(cursor: copy cursor)
    private mutating func takeKey(_ predicted: Int, _ cursor: inout TokenCursor) -> Bool {
        guard predicted >= 0 else { return false }
        let keyCount = Int(memo.entries[predicted].keyCount)
        let textCount = Int(memo.entries[predicted].textCount)
        guard memo.entries[predicted].state == frame.state, memo.entries[predicted].isUsual else { return false }
        guard cursor.matches(memo.arena, from: Int(memo.entries[predicted].keyStart), length: keyCount, after: 1),
            !tracksNames || admitPlainName(predicted)
        else { return false }
        if elaborates { beginPlainMember(cursor) }
        cursor.skip(1 &+ keyCount)
        lastEntry = predicted
        frame.entry = Int32(predicted)
        valueState = memo.entries[predicted].valueState
        valueRule = memo.entries[predicted].valueRule
        let skipped = frame.isEmpty ? 1 : 0
        frame.isEmpty = false
        cursor.write(
            memo.arena, from: Int(memo.entries[predicted].textStart) &+ skipped, length: textCount &- skipped)
        return true
    }

    /// Whether a rule names the string that comes next, or scanning should look at it.
    @inline(__always)
    private func mayRewriteString(_ cursor: borrowing TokenCursor) -> Bool {
        if valueRule >= 0 { return true }
        return scanRule >= 0 && DateScan.isCandidate(cursor.word(1), ninth: cursor.byte(DateScan.windowBytes))
    }

    /// Takes a value or the start of one; nil when the general machine must.
    @inline(always) @_lifetime(cursor: copy cursor)
    private mutating func takeValue(
        _ byte: UInt8, _ cursor: inout TokenCursor, isFirst: Bool
    ) -> Expectation? {
        if isFirst {
            if byte == ASCII.closeBracket {
                if elaborates { return nil }
                cursor.skip(1)
                cursor.write(byte)
                leaveContainer()
                return .afterValue
            }
            guard frame.isPlainArray else { return nil }
            if elaborates { beginPlainMember(cursor) }
            valueState = frame.elementState
            valueRule = frame.elementRule
            frame.isEmpty = false
        }
        if valueRule >= 0 { return nil }
        if elaborates, !weighPlainValue(byte, cursor) { return nil }
        switch byte {
        case ASCII.quote:
            if isFirst, mayRewriteString(cursor) { return nil }
            cursor.skip(1)
            cursor.write(ASCII.quote)
            guard cursor.copyPlainString() == ASCII.quote, cursor.canStep else { return .string }
            cursor.skip(1)
            cursor.write(ASCII.quote)
            return .afterValue
        case ASCII.minus, ASCII.zero...ASCII.nine:
            return cursor.copyShortNumber() ? .afterValue : nil
        case ASCII.t, ASCII.f, ASCII.n:
            return cursor.copyLiteral() ? .afterValue : nil
        case ASCII.openBrace:
            guard outer.count < maxDepth else { return nil }
            cursor.skip(1)
            cursor.write(byte)
            enterObject()
            return .firstKey
        case ASCII.openBracket:
            guard outer.count < maxDepth, !hasPatterns else { return nil }
            cursor.skip(1)
            cursor.write(byte)
            outer.append(frame)
            frame = Frame(kind: .array, state: valueState)
            frame.elementState = valueState
            frame.isPlainArray = !prunesElements
            if elaborates { openLevel(.array) }
            return .firstElement
        default: return nil
        }
    }

    /// Marks a name as seen where that takes no judgement; false when it does.
    @inline(__always)
    private mutating func admitPlainName(_ entry: Int) -> Bool {
        let last = memo.entries[entry].stamp
        guard Int(memo.entries[entry].canonical) == entry, !memo.entries[entry].isShared, frame.spill < 0,
            !last.isSameObject(as: frame.stamp)
        else { return false }
        stampName(entry, over: last, frame.stamp)
        return true
    }

    // MARK: Members that may be taken back

    /// As `beginMember`, for a member or an element whose value has no traits.
    @inline(__always)
    private mutating func beginPlainMember(_ cursor: borrowing TokenCursor) {
        beginMember(mark: cursor.written, offset: chunkOffset &+ cursor.read)
        valueTraits = []
    }

    /// As `weighValue`, for a value without traits; false when the general machine must.
    @inline(__always)
    private mutating func weighPlainValue(_ byte: UInt8, _ cursor: borrowing TokenCursor) -> Bool {
        let depth = outer.count
        if plan.holdsObjects || quotes || !valueTraits.isEmpty || recordDepth == depth { return false }
        levels[depth].valueMark = cursor.written
        levels[depth].isTentative = false
        guard prunes, frame.kind == .object || (prunesElements && frame.kind == .array) else {
            uncommittedDepth = Self.settled
            return true
        }
        switch byte {
        case ASCII.openBrace where plan.prune.emptyObject, ASCII.openBracket where plan.prune.emptyArray:
            levels[depth].isTentative = true
        case ASCII.quote where plan.prune.emptyString && cursor.byte(1) == ASCII.quote: return false
        case ASCII.n where plan.prune.null: return false
        // A rule may yet make of it what goes.
        default: if valueRule < 0 { uncommittedDepth = Self.settled }
        }
        return true
    }

    /// Whether the general machine must decide on the member whose value just ended.
    @inline(__always)
    private var needsSettling: Bool {
        let depth = outer.count
        return uncommittedDepth <= depth || recordDepth == depth || levels[depth].collides || levels[depth].isRemoved
            || levels[depth].badRule >= 0 || frame.kind == .payload
    }

    /// Whether nothing is to be judged about the container that ends.
    @inline(__always)
    private var endsPlainly: Bool { !frame.isEmpty && !frame.endsSlowly }
}
