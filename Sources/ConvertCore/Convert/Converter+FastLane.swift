/// The fast lane: the tokens that nearly all payloads are made of, handled with both places in registers.
///
/// It does nothing that the general machine in `run` does not do as well, and leaves everything unusual to it: keys that
/// were not predicted, long or exponential numbers, most values under a rule, the end of a chunk. Wherever it stops,
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
    }

    /// Takes tokens as long as they are usual: key, value and comma in one turn of a loop.
    ///
    /// A turn must fit into the chunk and into the room of the output.
    @_lifetime(reader: copy reader)
    mutating func runFastLane(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) {
        // What is white space beside space, tab and carriage return: in lines nothing is, which the space stands for.
        let lineFeed = isLines ? ASCII.space : ASCII.lineFeed
        var cursor = TokenCursor(reader, output)
        lane: while cursor.canBegin {
            switch expectation {
            case .key, .firstKey:
                repeat {
                    guard cursor.nextToken(lineFeed: lineFeed) == ASCII.quote, takeKey(&cursor) else { break lane }
                    let byte = cursor.nextToken(lineFeed: lineFeed)
                    switch try takeValue(byte, &cursor, &reader, &output) {
                    case .taken: break
                    case .opened: continue lane
                    case .stopped: return
                    }
                    expectation = .afterValue
                    let following = cursor.nextToken(lineFeed: lineFeed)
                    if following != ASCII.comma {
                        guard following == ASCII.closeBrace else { break lane }
                        cursor.copy(ASCII.closeBrace)
                        leaveContainer()
                        continue lane
                    }
                    cursor.skip(1)
                    expectation = .key
                } while cursor.canBegin
            case .firstElement:
                if cursor.nextToken(lineFeed: lineFeed) == ASCII.closeBracket {
                    cursor.copy(ASCII.closeBracket)
                    leaveContainer()
                    expectation = .afterValue
                } else {
                    guard frame.isPlainArray else { break lane }
                    frame.isEmpty = false
                    beginPlainElement()
                    expectation = .value
                }
            case .value:
                repeat {
                    let byte = cursor.nextToken(lineFeed: lineFeed)
                    switch try takeValue(byte, &cursor, &reader, &output) {
                    case .taken: break
                    case .opened: continue lane
                    case .stopped: return
                    }
                    expectation = .afterValue
                    guard cursor.nextToken(lineFeed: lineFeed) == ASCII.comma, frame.isPlainArray else { continue lane }
                    cursor.copy(ASCII.comma)
                    frame.index &+= 1
                    beginPlainElement()
                    expectation = .value
                } while cursor.canBegin
            case .afterValue:
                let byte = cursor.nextToken(lineFeed: lineFeed)
                if byte == ASCII.comma {
                    if frame.kind == .object {
                        cursor.skip(1)
                        expectation = .key
                    } else {
                        guard frame.isPlainArray else { break lane }
                        cursor.copy(ASCII.comma)
                        frame.index &+= 1
                        beginPlainElement()
                        expectation = .value
                    }
                } else {
                    guard frame.kind != .payload, byte == frame.closingBracket else { break lane }
                    cursor.copy(byte)
                    leaveContainer()
                }
            default: break lane
            }
        }
        cursor.commit(to: &reader, &output)
    }

    /// Takes the value that begins with `byte`, or the beginning of a container.
    @inline(always) @_lifetime(cursor: copy cursor, copy reader) @_lifetime(reader: copy reader)
    private mutating func takeValue(
        _ byte: UInt8, _ cursor: inout TokenCursor, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) -> Step {
        if valueRule >= 0 || (scanRule >= 0 && byte == ASCII.quote && isDateCandidate(cursor)) {
            cursor.commit(to: &reader, &output)
            guard byte == ASCII.quote, try rewriteWholeString(&reader, &output) else { return stopBeforeValue() }
            return resume(&cursor, &reader, &output)
        }
        if byte == ASCII.quote {
            if cursor.copyString() == ASCII.quote { return .taken }
            cursor.commit(to: &reader, &output)
            expectation = .string
            guard try strings.copy(&reader, into: &output) else { return .stopped }
            return resume(&cursor, &reader, &output)
        }
        if ASCII.isDigit(byte) || byte == ASCII.minus {
            if cursor.copyShortNumber() { return .taken }
        } else if byte == ASCII.openBrace {
            if outer.count < maxDepth {
                cursor.copy(byte)
                enterObject()
                expectation = .firstKey
                return .opened
            }
        } else if byte == ASCII.openBracket {
            if outer.count < maxDepth, !hasPatterns {
                cursor.copy(byte)
                enterPlainArray()
                expectation = .firstElement
                return .opened
            }
        } else if byte == ASCII.t || byte == ASCII.f || byte == ASCII.n {
            if cursor.copyLiteral() { return .taken }
        }
        cursor.commit(to: &reader, &output)
        return stopBeforeValue()
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
        if frame.kind == .array, frame.index == 0 {
            // What is wrong with a first element is said in other words.
            expectation = .firstElement
            frame.isEmpty = true
        }
        return .stopped
    }

    // MARK: Names

    /// Takes the next key and its colon if it is one of the two that followed the last one lately.
    @inline(always) @_lifetime(cursor: copy cursor)
    private mutating func takeKey(_ cursor: inout TokenCursor) -> Bool {
        let last = lastEntry
        guard last >= 0 else { return false }
        if takeKey(Int(memo.entries[last].next), &cursor) { return true }
        // An array of objects ended or began, most often: what followed the time before is the next guess.
        let second = Int(memo.entries[last].secondNext)
        guard takeKey(second, &cursor) else { return false }
        memo.predict(second, after: last)
        return true
    }

    /// Takes the key of `predicted`, if it comes and nothing is to be judged about it.
    @inline(always) @_lifetime(cursor: copy cursor)
    private mutating func takeKey(_ predicted: Int, _ cursor: inout TokenCursor) -> Bool {
        guard predicted >= 0 else { return false }
        let entry = memo.entries[predicted]
        guard entry.laneState == frame.state, cursor.matches(entry, memo.arena) else { return false }
        if tracksNames {
            guard frame.spill < 0, !entry.stamp.isSameObject(as: frame.stamp) else { return false }
            if entry.stamp.isAtDepth(of: frame.stamp) {
                memo.entries[predicted].stamp = frame.stamp
            } else {
                stampName(predicted, over: entry.stamp, frame.stamp)
            }
        }
        lastEntry = predicted
        frame.entry = Int32(truncatingIfNeeded: predicted)
        valueState = entry.valueState
        valueRule = entry.valueRule
        cursor.takeName(of: entry, isFirst: frame.isEmpty, memo.arena)
        frame.isEmpty = false
        return true
    }

    // MARK: Arrays

    @inline(__always)
    private mutating func enterPlainArray() {
        outer.append(frame)
        frame = Frame(kind: .array, state: valueState)
        frame.elementState = valueState
        frame.isPlainArray = true
    }

    @inline(__always)
    private mutating func beginPlainElement() {
        valueState = frame.elementState
        valueRule = frame.elementRule
    }

    // MARK: Values under rules

    /// Whether scanning should look at the string that comes next, which it should at one that the chunk cuts early.
    @inline(__always)
    private func isDateCandidate(_ cursor: borrowing TokenCursor) -> Bool {
        let ninth = cursor.byte(DateScan.windowBytes)
        return ninth == ASCII.null || DateScan.isCandidate(cursor.word(1), ninth: ninth)
    }

    /// Takes a string that has no escape and no non-ASCII text and rewrites it; false, with nothing taken, if it is another.
    @inline(never) @_lifetime(reader: copy reader)
    private mutating func rewriteWholeString(
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) -> Bool {
        let (start, mark) = (reader.position, output.count)
        var cursor = TokenCursor(reader, output)
        guard cursor.copyString() == ASCII.quote else { return false }
        cursor.commit(to: &reader, &output)
        heldOffset = chunkOffset + start
        output.truncate(to: output.count - 1)
        try rewriteString(from: mark, &output)
        return true
    }
}
