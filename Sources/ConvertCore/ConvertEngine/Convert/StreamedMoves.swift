import ConvertText

/// `move` without a buffered object: a value is taken out where it ends, and written at the end of the object that it moves to.
///
/// Only the values that move are buffered, until that object, their anchor, ends. Members of it that are written with the target's key are
/// noted, because a value that moves there collides with them. See `Plan.streamedMoves`.
struct StreamedMoves: ~Copyable, Sendable {
    /// A value that moves, or a member of an anchor that it may collide with.
    struct Member: BitwiseCopyable, Sendable {
        /// The depth of the anchor.
        let anchor: Int
        /// The move; -1 for a member that stays.
        let move: Int32
        /// The number of the output key, see `SelectorTable.movedNames`.
        let name: Int32
        /// The offset of its key in the payload, in bytes; and its line, once the chunk with this offset has ended.
        let offset: Int
        var line: InputPosition.Line?
        /// The part of `text` with the value; for a member that stays, with its input key.
        var start = 0
        var count = 0
    }

    /// A value that is being read, the member of the container at this depth.
    struct OpenValue: BitwiseCopyable, Sendable {
        let depth: Int
        /// Its index in `members`. Members that are forgotten before it ends come after it, so this stays.
        let member: Int
        /// The position in the output where the value begins.
        var mark: Int
        /// What `PayloadState.uncommittedDepth` is around the value, which is no content of its container. In the value it is about members
        /// inside.
        let outerUncommittedDepth: Int
    }

    /// An error of a value that moves.
    enum Failure {
        /// The anchor is an array.
        case misplaced(Member)
        case collision(later: Member, earlier: Member)

        /// The member with the error.
        var member: Member {
            switch self {
            case .misplaced(let member), .collision(let member, _): member
            }
        }
    }

    /// The members of open anchors, in input order.
    private var members = UniqueArray<Member>()
    private var open = UniqueArray<OpenValue>()
    private(set) var text = ByteBuffer()
    /// The depth of the container with the innermost value that is being read, or -1.
    private(set) var depth = -1
    /// The member that is written next at the end of an anchor, and how much of its value was written.
    private var next = 0
    private var writtenBytes = 0
    private(set) var failure: Failure?

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { members.storedBytes + open.storedBytes + text.capacity }

    /// The end of the staged output that can be released.
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int {
        guard !open.isEmpty else { return .max }
        let outer = open[0].outerUncommittedDepth
        return outer == Engine.allCommitted ? open[0].mark : savepoints[outer].mark
    }

    mutating func released(_ count: Int) {
        for index in 0..<open.count { open[index].mark -= count }
    }

    mutating func removeAll() {
        members.removeAll()
        open.removeAll()
        text.removeAll()
        (depth, next, writtenBytes, failure) = (-1, 0, 0, nil)
    }

    // MARK: Members

    /// Begins a value that moves, the member of the container at this depth. Its text will begin at `mark`.
    mutating func valueBegins(_ member: Member, at depth: Int, mark: Int, _ uncommittedDepth: inout Int) {
        let outer = uncommittedDepth < depth ? uncommittedDepth : Engine.allCommitted
        uncommittedDepth = max(uncommittedDepth, depth)
        open.append(OpenValue(depth: depth, member: members.count, mark: mark, outerUncommittedDepth: outer))
        members.append(member)
        self.depth = depth
    }

    /// Ends the innermost value that moves. Its text moves from the output to `text`, unless it is removed.
    mutating func valueEnds(isRemoved: Bool, _ uncommittedDepth: inout Int, _ output: inout ByteBuffer) {
        let value = open.removeLast()
        uncommittedDepth = value.outerUncommittedDepth
        depth = open.isEmpty ? -1 : open[open.count - 1].depth
        if isRemoved {
            forgetMember(at: members[value.member].offset)
        } else {
            store(output.bytes.extracting(value.mark...), as: value.member)
        }
        output.truncate(to: value.mark)
    }

    /// Forgets the member whose key is at this offset, if it was noted. Members inside of it may stay.
    mutating func forgetMember(at offset: Int) {
        var index = members.count - 1
        while index >= 0, members[index].offset > offset { index -= 1 }
        if index >= 0, members[index].offset == offset { removeMembers { $0.offset == offset } }
    }

    /// Notes a member that stays, with its input key.
    mutating func note(_ member: Member, named name: [UInt8]) {
        members.append(member)
        store(name.span, as: members.count - 1)
    }

    /// Fails if one of the members of the container at this depth, which ends, has the output key of another one.
    mutating func findCollisions(at depth: Int) {
        for index in next..<members.count where members[index].anchor == depth && failure == nil {
            findCollision(of: index)
        }
    }

    /// Fails if a member has the output key of an earlier one. The value that moves counts as the later one.
    private mutating func findCollision(of member: Int) {
        let last = members[member]
        for index in 0..<member
        where members[index].anchor == last.anchor && members[index].name == last.name {
            let other = members[index]
            failure = last.move < 0 ? .collision(later: other, earlier: last) : .collision(later: last, earlier: other)
            return
        }
    }

    mutating func findCollisionOfLast() { findCollision(of: members.count - 1) }

    /// Fails because the last member moves to an array.
    mutating func refuseLast() { failure = .misplaced(members[members.count - 1]) }

    private mutating func store(_ bytes: Span<UInt8>, as member: Int) {
        (members[member].start, members[member].count) = (text.count, bytes.count)
        text.append(bytes)
    }

    /// Notes the lines of the members that began in this chunk.
    mutating func noteLines(in chunk: Span<UInt8>, _ position: borrowing InputPosition) {
        for index in 0..<members.count where members[index].line == nil {
            members[index].line = position.line(of: members[index].offset, in: chunk)
        }
    }

    // MARK: The end of an anchor

    /// Prepares to write the values that move to the container at this depth, which ends. Returns false if it has no members here.
    mutating func anchorEnds(at depth: Int) -> Bool {
        (next, writtenBytes) = ((0..<members.count).first { members[$0].anchor == depth } ?? members.count, 0)
        return next < members.count
    }

    /// Writes more of the values that move to the container at this depth. Returns false while there are more.
    mutating func write(
        _ moves: [StreamedMove], to depth: Int, isEmpty: inout Bool, upTo maxBytes: Int, into output: inout ByteBuffer
    ) -> Bool {
        let end = output.count + maxBytes
        while next < members.count {
            let member = members[next]
            if member.anchor == depth, member.move >= 0 {
                if writtenBytes == 0 {
                    let key = moves[Int(member.move)].text
                    output.append(key.span.extracting(droppingFirst: isEmpty ? 1 : 0))
                    isEmpty = false
                }
                let count = min(member.count - writtenBytes, max(end - output.count, 1))
                let start = member.start + writtenBytes
                output.append(text.bytes.extracting(start..<(start + count)))
                writtenBytes += count
                guard writtenBytes == member.count else { return false }
            }
            (next, writtenBytes) = (next + 1, 0)
        }
        removeMembers { $0.anchor == depth }
        return true
    }

    private mutating func removeMembers(where isRemoved: (Member) -> Bool) {
        var (count, end) = (0, 0)
        for index in 0..<members.count where !isRemoved(members[index]) {
            members[count] = members[index]
            end = max(end, members[count].start + members[count].count)
            count += 1
        }
        members.truncate(to: count)
        text.truncate(to: end)
    }

    /// The input key of a member that stays.
    func name(of member: Member) -> [UInt8] {
        [UInt8](copying: text.bytes.extracting(member.start..<(member.start + member.count)))
    }
}

extension Engine {
    /// Begins the member whose key was just accepted, if its value moves; otherwise notes it, if a value may move to its output key. Returns
    /// whether the value moves, so that its key is not written.
    @inline(never)
    mutating func memberMoves(
        _ entry: Int, at position: Int, _ output: borrowing ByteBuffer
    ) throws(EngineError) -> Bool {
        guard keys[entry].move < 0 else {
            try movedValueBegins(by: keys[entry].move, at: position, output)
            return true
        }
        guard let number = plan.selectors.movedNames[keys.outputName(of: entry)] else { return false }
        let offset = self.position.offset(of: position)
        let member = StreamedMoves.Member(anchor: containers.depth, move: -1, name: number, offset: offset)
        moves.note(member, named: keys.nameBytes(of: entry))
        try checkMoves()
        return false
    }

    /// Begins a member or element whose value moves.
    @inline(never)
    mutating func movedValueBegins(
        by move: Int32, at position: Int, _ output: borrowing ByteBuffer
    ) throws(EngineError) {
        let anchor = containers.depth + 1 - plan.selectors.moves[Int(move)].sourceNames.count
        let (name, offset) = (plan.streamedMoves[Int(move)].name, self.position.offset(of: position))
        let member = StreamedMoves.Member(anchor: anchor, move: move, name: name, offset: offset)
        moves.valueBegins(member, at: containers.depth, mark: output.count, &payload.uncommittedDepth)
        if containers[anchor].kind == .array { moves.refuseLast() }
        try checkMoves()
    }

    /// Throws if the member that was just added is an error, or makes another one an error. Under `prune`, it is not known yet which members
    /// stay, so collisions are found when their object ends.
    private mutating func checkMoves() throws(EngineError) {
        if plan.policies.collision == .error, !prunes { moves.findCollisionOfLast() }
        try throwFailure()
    }

    private func throwFailure() throws(EngineError) {
        guard moves.failure == nil else { throw EngineError(kind: .held, position: 0) }
    }

    /// Ends the value that moves, which was just read.
    mutating func endMovedValue(_ output: inout ByteBuffer) {
        let depth = containers.depth
        // Under `prune`, an empty container is marked already.
        let isRemoved =
            prunes
            && (savepoints[depth].isRemoved
                || prune.prunes(output.bytes.extracting(savepoints[depth].valueMark...)))
        if isRemoved { savepoints[depth].isRemoved = false }
        moves.valueEnds(isRemoved: isRemoved, &payload.uncommittedDepth, &output)
    }

    /// Ends an object or array to which values may move, whose closing bracket was just read.
    mutating func endAnchor(_ output: inout ByteBuffer) throws(EngineError) {
        guard moves.anchorEnds(at: containers.depth) else { return try endWrittenAnchor(&output) }
        commit()
        if prunes, plan.policies.collision == .error { moves.findCollisions(at: containers.depth) }
        try throwFailure()
        try writeMoves(into: &output)
    }

    /// Writes more of the values that move to the innermost object. After the last one, ends the object.
    mutating func writeMoves(into output: inout ByteBuffer) throws(EngineError) {
        lexerState = .writingMembers
        if moves.write(
            plan.streamedMoves, to: containers.depth, isEmpty: &containers.top.isEmpty, upTo: pieceBytes, into: &output)
        {
            try endWrittenAnchor(&output)
        }
    }

    private mutating func endWrittenAnchor(_ output: inout ByteBuffer) throws(EngineError) {
        // The position is that of a missing member, which no plan with streamed moves requires.
        if decidesMembers { try containerCloses(&output, at: 0) } else { endContainer(&output) }
    }
}
