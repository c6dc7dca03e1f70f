import ConvertText

/// Dropped members on the fast path.
extension Engine {
    /// Takes the member of a key that is dropped, and the comma after it, if its value is a plain scalar. Otherwise, begins it as the
    /// resumable lexer would, and returns false.
    @inline(never) @_lifetime(cursor: copy reader) @_lifetime(reader: copy reader)
    mutating func takeDropped(
        _ key: KeyMapper.WrittenKey, _ lineFeed: UInt8, _ cursor: inout TokenCursor, _ reader: inout ChunkReader,
        _ output: inout ByteBuffer
    ) -> Bool {
        let start = memberStart(of: cursor, reader, output)
        if decidesMembers { plainMemberBegins(start) }
        cursor.skip(key.read)
        let byte = cursor.nextToken(lineFeed: lineFeed, &indentations, at: containers.depth)
        let value = cursor
        guard cursor.copyPlainScalar(byte) else {
            cursor = value
            cursor.commit(to: &reader, &output, lineFeeds: &indentations.lineFeeds)
            discard(from: output.count)
            lexerState = .value
            return false
        }
        cursor.takeBack(to: start.mark, in: output)
        if decidesMembers, !payload.discard.isActive {
            savepoints[containers.depth].isRemoved = true
            if payload.uncommittedDepth >= containers.depth { payload.uncommittedDepth = Self.allCommitted }
        }
        let isFollowed = cursor.reaches(ASCII.comma, lineFeed: lineFeed, &indentations, at: outerDepth)
        if isFollowed { cursor.skip(1) }
        lexerState = isFollowed ? .key : .afterValue
        return true
    }
}
