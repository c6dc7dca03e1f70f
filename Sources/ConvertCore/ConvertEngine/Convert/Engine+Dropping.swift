import ConvertText

/// Dropped members on the fast path.
extension Engine {
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
