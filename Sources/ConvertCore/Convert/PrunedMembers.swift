/// What the fast path does where members go for being empty, and for nothing else.
///
/// Of a member it keeps only where it begins; whether it goes shows when its value ends, and then the output is cut there. In
/// the fast path `uncommittedDepth` means nothing: `reopenMembers` works it out where the fast path ends.
enum PrunedMembers: MemberStage {
    @inline(__always) static var endsEmptyObjects: Bool { true }

    @inline(__always) @_lifetime(cursor: copy cursor)
    static func takeKey(
        _ engine: inout Engine, _ cursor: inout TokenCursor, predicted: inout Int,
        _ reader: borrowing ChunkReader,
        _ output: borrowing ByteBuffer
    ) -> Bool {
        engine.takeKey(&cursor, predicted: &predicted, nil, mark: cursor.written(in: output))
    }

    @inline(__always)
    static func stringGoes(
        _ engine: inout Engine, _ cursor: borrowing TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool {
        if cursor.byte(1) == ASCII.quote, engine.plan.prune.emptyString, engine.containers.top.kind == .object {
            return true
        }
        engine.savepoints[engine.containers.depth].valueMark = cursor.written(in: output)
        return false
    }

    @inline(__always)
    static func containerBegins(_ engine: inout Engine, _ bracket: UInt8) {
        let prune = engine.plan.prune
        let goes = bracket == ASCII.openBrace ? prune.emptyObject : prune.emptyArray
        engine.savepoints[engine.containers.depth].isTentative =
            goes && engine.containers.top.kind == .object
    }

    @inline(__always)
    static func literalGoes(_ engine: borrowing Engine, _ byte: UInt8) -> Bool {
        byte == ASCII.n && engine.plan.prune.null && engine.containers.top.kind == .object
    }

    @inline(__always)
    static func stops(_ engine: inout Engine, afterStringAt mark: Int, _ output: inout ByteBuffer) -> Bool {
        engine.takeBackIfEmpty(from: mark, &output)
        return false
    }

    @inline(__always)
    static func stopsBeforeComma(_ engine: borrowing Engine) -> Bool {
        engine.savepoints[engine.containers.depth].collides
    }

    @inline(__always) @_lifetime(cursor: copy cursor)
    static func endContainer(
        _ engine: inout Engine, _ bracket: UInt8, _ cursor: inout TokenCursor, _ output: borrowing ByteBuffer
    ) -> Bool {
        engine.endContainer(bracket, &cursor, output)
        return true
    }
}

extension Engine {
    /// Whether a whole member, element or value comes next.
    var beginsMemberOrValue: Bool {
        switch lexerState {
        case .key, .firstKey, .firstElement, .value: true
        default: false
        }
    }

    /// As `memberBegins`, for the member of an object whose key the fast path took, comma included at `mark`.
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
        if tracksNames, savepoints[depth].isFirst { forgetMember() }
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

    /// Works out which members may still go: those around which nothing stands but what may go.
    mutating func reopenMembers() {
        var depth = containers.depth
        var isOpen = containers.top.kind == .object && (lexerState == .value || lexerState == .string)
        if let discarded = payload.discard.memberDepth { (depth, isOpen) = (discarded, true) }
        payload.uncommittedDepth = isOpen ? depth : Self.settled
        var isEmpty = isOpen ? savepoints[depth].wasEmpty : containers.top.isEmpty
        // Where something stands, it was settled that what is around it stays, and may have been handed on.
        while isEmpty, depth > 0, savepoints[depth - 1].isTentative {
            depth -= 1
            payload.uncommittedDepth = depth
            isEmpty = savepoints[depth].wasEmpty
        }
    }
}
