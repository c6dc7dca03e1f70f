import ConvertText

/// Members that may be removed again, in output that is staged.
enum StagedMembers: MemberStage {
    @inline(__always) static var isStaged: Bool { true }
}

/// The fast path for members of this stage.
extension Engine {
    /// The positions in the output and the payload where a member or element begins, and whether its container was empty before.
    struct MemberStart {
        var mark: Int
        var offset: Int
        var wasEmpty: Bool
    }

    @inline(__always)
    func memberStart(
        of cursor: borrowing TokenCursor, _ reader: borrowing ChunkReader, _ output: borrowing ByteBuffer,
        after distance: Int = 0
    ) -> MemberStart {
        MemberStart(
            mark: cursor.written(in: output), offset: position.offset(of: cursor.position(in: reader) &+ distance),
            wasEmpty: containers.top.isEmpty)
    }

    /// Does the work of `memberBegins`, for a member or an element whose value has no traits.
    @inline(__always)
    mutating func plainMemberBegins(_ start: MemberStart) {
        memberBegins(mark: start.mark, offset: start.offset, wasEmpty: start.wasEmpty)
        valueTraits = PathAutomaton.Traits()
    }

    /// The same for the member of an object.
    @inline(__always)
    mutating func namedMemberBegins(_ start: MemberStart) {
        plainMemberBegins(start)
        if sortsText { sortedMemberBegins(at: start.mark) }
    }

    /// Does the work of `valueBegins`, for a value without traits. Returns false if the resumable lexer must do it.
    @inline(__always)
    mutating func plainValueBegins(
        _ byte: UInt8, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool {
        let depth = containers.depth
        // The byte is padding at the end of the chunk, or white space where the room ended. It is not known whether a value comes, so
        // nothing may be committed.
        if byte <= ASCII.space || holdsObjects || stringifies || !valueTraits.isEmpty
            || payload.records.isRecord(at: depth)
        {
            return false
        }
        savepoints[depth].valueMark = cursor.written(in: output)
        guard prunes, mayPrune else {
            payload.uncommittedDepth = Self.allCommitted
            return true
        }
        switch byte {
        case ASCII.openBrace where prune.emptyObject, ASCII.openBracket where prune.emptyArray:
            savepoints[depth].isTentative = true
        case ASCII.quote where prune.emptyString && mayEndString(cursor.byte(1)): return false
        case ASCII.n where prune.null: return false
        // A rule may still turn the value into one that is removed.
        default: if valueRule < 0 { payload.uncommittedDepth = Self.allCommitted }
        }
        return true
    }

    /// Whether a string may end at this byte: a quote, or padding, because the quote may be in the next chunk.
    @inline(__always)
    private func mayEndString(_ byte: UInt8) -> Bool { byte == ASCII.quote || byte == ASCII.null }

    /// Whether the resumable lexer must decide on the member whose value just ended.
    @inline(__always)
    var needsDecision: Bool {
        let depth = containers.depth
        return payload.uncommittedDepth <= depth || payload.records.isRecord(at: depth)
            || savepoints[depth].isRemoved || pendingErrors.hasMember(at: depth) || containers.top.kind == .payload
            || hold.member(at: depth) != nil
    }

    /// Whether no decision is needed on the members inside the discarded one: it makes no difference whether they stay, and no rule looks
    /// for something in them. After a value, decisions about its member may be open.
    @inline(__always)  // Otherwise the engine would be copied.
    var discardsPlainMembers: Bool {
        guard let outer = payload.discard.memberDepth, beginsMemberOrValue, valueTraits.isEmpty,
            !pendingErrors.hasMember(at: containers.depth)
        else { return false }
        return !((outer + 1)...containers.depth).contains { containers[$0].endsSlowly }
    }
}
