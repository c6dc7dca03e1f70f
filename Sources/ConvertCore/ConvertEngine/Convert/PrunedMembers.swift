/// Members that go for being empty, and for no other reason.
///
/// Of a member the fast path keeps only where it begins; whether it goes shows when its value ends, and then the output is cut there. In
/// the fast path `uncommittedDepth` means nothing: `reopenMembers` works it out where the fast path ends.
enum PrunedMembers: MemberStage {
    @inline(__always) static var prunes: Bool { true }
}

extension Engine {
    /// Whether a whole member, element or value comes next.
    var beginsMemberOrValue: Bool {
        switch lexerState {
        case .key, .firstKey, .firstElement, .value: true
        default: false
        }
    }

    /// As `memberBegins`, for the member of an object whose key comes next; its comma will be at `mark`.
    @inline(__always)
    mutating func markMember(_ mark: Int) {
        let depth = containers.depth
        savepoints[depth].mark = mark
        savepoints[depth].wasEmpty = containers.top.isEmpty
        savepoints[depth].isFirst = true
        savepoints[depth].isRemoved = false
    }

    /// Takes back the member whose value was just taken. That is still marked, for a fast path that ends before the comma.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func takeBackMember(_ cursor: inout TokenCursor, _ output: borrowing ByteBuffer) {
        cursor.takeBack(to: savepoints[containers.depth].mark, in: output)
        unmarkMember()
    }

    /// Takes back the member whose value a rule wrote to `start`, if it made an empty one of it.
    @inline(never)
    mutating func takeBackIfEmpty(from start: Int, _ output: inout ByteBuffer) {
        guard containers.top.kind == .object, plan.prune.prunes(output.bytes.extracting(start...)) else { return }
        output.truncate(to: min(savepoints[containers.depth].mark, output.count))
        unmarkMember()
    }

    @inline(__always)
    private mutating func unmarkMember() {
        let depth = containers.depth
        containers.top.isEmpty = savepoints[depth].wasEmpty
        savepoints[depth].isRemoved = true
        if keys.tracksNames, savepoints[depth].isFirst { keys.forgetMember(hasKey: true, &containers) }
    }

    /// Ends the innermost container, whose closing bracket comes next; it goes if it is empty and such ones do.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func endContainer(_ bracket: UInt8, _ cursor: inout TokenCursor, _ output: borrowing ByteBuffer) {
        if containers.top.isEmpty, savepoints[containers.depth &- 1].isTentative {
            cursor.skip(1)
            leaveContainer()
            takeBackMember(&cursor, output)
        } else {
            cursor.copy(bracket)
            leaveContainer()
        }
    }

    /// Works out which members may still go: those around which there is nothing but what may go.
    mutating func reopenMembers() {
        var depth = containers.depth
        var isOpen = containers.top.kind == .object && (lexerState == .value || lexerState == .string)
        if let discarded = payload.discard.memberDepth { (depth, isOpen) = (discarded, true) }
        payload.uncommittedDepth = isOpen ? depth : Self.settled
        var isEmpty = isOpen ? savepoints[depth].wasEmpty : containers.top.isEmpty
        // Where there is something else, it was settled that what is around it stays, and may have been handed on.
        while isEmpty, depth > 0, savepoints[depth - 1].isTentative {
            depth -= 1
            payload.uncommittedDepth = depth
            isEmpty = savepoints[depth].wasEmpty
        }
    }
}
