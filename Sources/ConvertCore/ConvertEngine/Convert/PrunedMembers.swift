import ConvertText

/// Members and elements that are removed if they are empty, and for no other reason.
///
/// The fast path notes only where one begins. At the end of its value it is known whether the member is removed; then the output is
/// cut there. In the fast path `uncommittedDepth` has no meaning: `reopenMembers` computes it where the fast path ends.
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

    /// Whether the fast path may take what comes next. If the resumable lexer read a member's value, it also makes the decisions about this
    /// member that are still open. It also begins values with traits, and ends empty objects to which values may move.
    @inline(__always)
    var mayRunPruning: Bool {
        beginsMemberOrValue && !pendingErrors.hasMember(at: containers.depth)
            && (lexerState != .value || valueTraits.isEmpty) && (lexerState != .firstKey || !containers.top.endsSlowly)
    }

    /// Whether a member or element of the innermost container is removed if its value is empty.
    @inline(__always)
    var mayPrune: Bool { mayPrune(in: containers.top.kind) }

    @inline(__always)
    func mayPrune(in kind: Container.Kind) -> Bool { kind == .object || kind == .array && prune.inArrays }

    /// Whether the fast path takes the elements of arrays for which there are no rules.
    @inline(__always)
    var mayBePlain: Bool { staging == .prunes || !prune.inArrays }

    /// Does the work of `memberBegins` for the member or element that comes next. Its comma will be at `mark`.
    @inline(__always)
    mutating func markMember(_ mark: Int) {
        let depth = containers.depth
        savepoints[depth].mark = mark
        savepoints[depth].wasEmpty = containers.top.isEmpty
        savepoints[depth].isFirst = true
        savepoints[depth].isRemoved = false
    }

    /// Begins the next element of an array, behind the comma that comes next. The comma is written if an element was.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func beginNextElement<Stage: MemberStage>(
        _ stage: Stage.Type, _ cursor: inout TokenCursor, _ output: borrowing ByteBuffer
    ) {
        if Stage.prunes, prune.inArrays { markMember(cursor.written(in: output)) }
        if Stage.prunes, containers.top.isEmpty { cursor.skip(1) } else { cursor.copy(ASCII.comma) }
        containers.top.isEmpty = false
        containers.top.index &+= 1
        beginPlainElement()
    }

    /// Removes the member whose value was just taken. Its savepoint says so, in case the fast path ends before the comma.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func takeBackMember(_ cursor: inout TokenCursor, _ output: borrowing ByteBuffer) {
        cursor.takeBack(to: savepoints[containers.depth].mark, in: output)
        unmarkMember()
    }

    /// Removes the member whose value a rule wrote from `start` on, if the value is empty.
    @inline(never)
    mutating func takeBackIfEmpty(from start: Int, _ output: inout ByteBuffer) {
        guard mayPrune, prune.prunes(output.bytes.extracting(start...)) else { return }
        output.truncate(to: min(savepoints[containers.depth].mark, output.count))
        unmarkMember()
    }

    @inline(__always)
    private mutating func unmarkMember() {
        let depth = containers.depth
        containers.top.isEmpty = savepoints[depth].wasEmpty
        savepoints[depth].isRemoved = true
        guard keys.tracksNames, containers.top.kind == .object, savepoints[depth].isFirst else { return }
        keys.forgetMember(hasKey: true, &containers)
    }

    /// Ends the innermost container, whose closing bracket comes next. It is removed if it is empty and the profile prunes such containers.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func endContainer<Stage: MemberStage>(
        _ stage: Stage.Type, _ bracket: UInt8, _ cursor: inout TokenCursor, _ output: borrowing ByteBuffer
    ) {
        if Stage.prunes, containers.top.isEmpty, savepoints[containers.depth &- 1].isTentative {
            cursor.skip(1)
            leaveContainer()
            takeBackMember(&cursor, output)
        } else {
            cursor.copy(bracket)
            leaveContainer()
        }
    }

    /// Computes which members may still be removed: the current one, and those around it as long as they contain nothing else.
    mutating func reopenMembers() {
        var depth = containers.depth
        var isOpen = mayPrune && (lexerState == .value || lexerState == .string)
        if let discarded = payload.discard.memberDepth { (depth, isOpen) = (discarded, true) }
        payload.uncommittedDepth = isOpen ? depth : Self.allCommitted
        var isEmpty = isOpen ? savepoints[depth].wasEmpty : containers.top.isEmpty
        // If a container has other content, what is around it stays, and may have been handed on.
        while isEmpty, depth > max(moves.depth, 0), savepoints[depth - 1].isTentative {
            depth -= 1
            payload.uncommittedDepth = depth
            isEmpty = savepoints[depth].wasEmpty
        }
    }
}
