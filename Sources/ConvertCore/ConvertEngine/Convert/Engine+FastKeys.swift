import ConvertText

/// Keys on the fast path, and members that are dropped.
extension Engine {
    /// The result of reading a key on the fast path.
    enum KeyStep {
        /// The key and its colon were read.
        case taken
        /// The whole member was read, which is dropped.
        case dropped
        /// The fast path ends; everything is committed and `lexerState` set.
        case stopped
        /// Nothing was read: the resumable lexer must read the key.
        case left
    }

    /// Takes the next key and its colon. A member that is dropped is taken as a whole.
    ///
    /// - Parameter predicted: the `likelyEntry` of the key; becomes that of the key after it.
    @inline(always) @_lifetime(cursor: copy cursor, copy reader) @_lifetime(reader: copy reader)
    mutating func takeKey<Stage: MemberStage>(
        _ stage: Stage.Type, _ predicted: inout Int, _ lineFeed: UInt8, _ cursor: inout TokenCursor,
        _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) -> KeyStep {
        if Stage.ignoresNames {
            containers.top.keyPosition = cursor.position(in: reader)
            guard cursor.copyName(isFirst: containers.top.isEmpty) else {
                containers.top.keyPosition = -1
                return .left
            }
            containers.top.isEmpty = false
            return .taken
        }
        if Stage.prunes { markMember(cursor.written(in: output)) }
        let start = memberStart(of: cursor, reader, output)
        if let value = keys.takePredictedKey(&cursor, &containers, &predicted) {
            (valueState, valueRule) = value
        } else {
            let key = keys.writeOtherKey(
                predicted, cursor, at: cursor.position(in: reader), &containers, &valueState, &valueRule)
            guard key.read > 0 else { return .left }
            if key.isDropped {
                guard let next = takeDropped(key, lineFeed, cursor, &reader, &output),
                    resume(&cursor, &reader, &output, in: next) == .taken
                else { return .stopped }
                return .dropped
            }
            cursor.move(read: key.read, written: key.written)
            predicted = key.predicted
        }
        if Stage.isStaged { namedMemberBegins(start) }
        if Stage.sorts { sortedMemberBegins(at: start.mark) }
        return .taken
    }

    /// Takes the member of a key that is dropped, and the comma after it, if its value is a plain scalar. Otherwise, begins the member as the
    /// resumable lexer would. Returns the state of the lexer after that, or nil if the fast path stops, also because a search is to come.
    ///
    /// Everything is committed. The cursor is a copy: if the loop of the fast path passed on its own, that would have to be in memory.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func takeDropped(
        _ key: KeyMapper.WrittenKey, _ lineFeed: UInt8, _ member: borrowing TokenCursor, _ reader: inout ChunkReader,
        _ output: inout ByteBuffer
    ) -> LexerState? {
        let start = memberStart(of: member, reader, output)
        if decidesMembers { plainMemberBegins(start) }
        var cursor = copy member
        cursor.skip(key.read)
        let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
        let value = cursor
        guard cursor.copyPlainScalar(byte) else {
            value.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
            discard(from: output.count)
            lexerState = .value
            return nil
        }
        cursor.takeBack(to: start.mark, in: output)
        if decidesMembers, !payload.discard.isActive {
            savepoints[containers.depth].isRemoved = true
            if payload.uncommittedDepth >= containers.depth { payload.uncommittedDepth = Self.allCommitted }
        }
        let isFollowed = cursor.reaches(ASCII.comma, lineFeed: lineFeed, &indentations, at: outerDepth)
        if isFollowed { cursor.skip(1) }
        cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
        lexerState = isFollowed ? .key : .afterValue
        let isSearched = containers.top.isSearched && !payload.discard.isActive
        return isSearched && !keys.endsSearch(within: Self.searchedMembers, containers) ? nil : lexerState
    }
}
