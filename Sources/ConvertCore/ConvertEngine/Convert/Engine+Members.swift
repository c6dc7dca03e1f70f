import ConvertText

/// Members that may be removed after they were written: the decisions that `keep`, `prune`, `records` and held objects need.
///
/// Plans with such rules write to `staged`. Whether a member stays is open from its key on. It is decided when the member's value ends, or
/// earlier, when something inside it is sure to stay: then every member around it stays, too. `uncommittedDepth` is the depth of the
/// outermost container whose member may still be removed. Only the output before that member is handed on.
extension Engine {
    static let allCommitted = Int.max

    /// Begins a member or element whose text, comma included, will begin at `mark`.
    @inline(__always)
    mutating func memberBegins(mark: Int, offset: Int, wasEmpty: Bool) {
        let depth = containers.depth
        savepoints[depth] = Savepoint(mark: mark, valueMark: mark, wasEmpty: wasEmpty, isFirst: true, offset: offset)
        counters.memberBegins(in: depth)
        if payload.uncommittedDepth > depth { payload.uncommittedDepth = depth }
    }

    /// Decides that the member being read and all around it stay, up to the buffered object or the value that moves, if there is one.
    @inline(__always)
    mutating func commit() {
        if !payload.discard.isActive { payload.uncommittedDepth = Self.allCommitted }
    }

    /// Begins the level of the container that was just entered.
    @inline(never)
    mutating func containerOpens(_ kind: Container.Kind) {
        let depth = containers.depth
        if staging == .sorts {
            if kind == .object, !payload.discard.isActive { sorting.begin(at: depth) }
            return
        }
        if savepoints.count <= depth { savepoints.append(Savepoint()) }
        if staging == .prunes {
            savepoints[depth].isRemoved = false
            return
        }
        if documentDepth > 0, depth == documentDepth + 1 { containers.top.endsSlowly = true }
        if sortsText, kind == .object, depth > documentDepth, !payload.discard.isActive, !payload.stringify.isActive {
            sorting.begin(at: depth)
            containers.top.endsSlowly = true
        }
        if keys.searches {
            if kind == .object, depth == documentDepth + 1 || valueTraits.contains(.searched) || keys.isSearching {
                keys.searchedObjectBegins(&containers)
            }
            // A collision has removed the member, unless `keep` finds something in it.
            if savepoints[depth - 1].isRemoved, !payload.discard.isActive { containers.top.endsSlowly = true }
            // Decisions on members of a bad record may be open, and are made when these members end.
            guard payload.discard.isActive || !valueTraits.isDisjoint(with: [.hasContract, .record]) else { return }
        }
        guard !valueTraits.isEmpty || holdsObjects || hold.member(at: depth - 1) != nil else { return }
        if valueTraits.contains(.hasContract) { beginContract() }
        openNode(kind)
        containers.top.endsSlowly = true
    }

    /// Ends the innermost container, whose closing bracket was just read.
    mutating func containerCloses(_ output: inout ByteBuffer, at position: Int) throws(EngineError) {
        let depth = containers.depth
        let stays = !payload.discard.isActive
        let isEmpty =
            containers.top.isFlattened ? output.count == savepoints[depth - 1].mark : containers.top.isEmpty
        if counters.count(in: depth) { try checkRequirements(at: position) }
        if stays, hold.member(at: depth - 1) == nil {
            if isEmpty, savepoints[depth - 1].isTentative || savepoints[depth - 1].isSearched {
                savepoints[depth - 1].isRemoved = true
                if !savepoints[depth - 1].isSearched { keepContainersOfListed() }
            } else if savepoints[depth - 1].isRemoved, !isEmpty {
                // A collision removes the member, but `keep` has found something in it.
                savepoints[depth - 1].isSearched = false
            } else if counters.count(in: depth), containers.top.kind == .object, !payload.discard.isActive {
                try addAbsentMembers(&output, at: position)
            }
        } else if stays, containers.top.isEmpty, savepoints[depth - 1].isSearched, hold.holdsMembers(of: depth - 1) {
            savepoints[depth - 1].isRemoved = true
        }
        let isWritten = !sortsText || sorting.end(at: depth, isDiscarded: payload.discard.isActive, &output)
        if isWritten, depth <= documentDepth || containers.top.isFlattened {
            // Around the document, and around the members of a flattened object, nothing is written.
        } else if isWritten {
            output.append(containers.top.closingBracket)
        } else {
            beginWriting(at: depth - 1)
        }
        counters.end(at: depth)
        if containers.top.isFlattened { leaveFlattened() } else { leaveContainer() }
        lexerState = isWritten ? .afterValue : .sortingMembers
        if hold.depth == containers.depth { try endHeldObject(&output) }
    }

    /// Prepares to write the buffered output of the value that ends, piece by piece. If nothing can remove the value
    /// any more, its pieces are handed on at once.
    mutating func beginWriting(at depth: Int) {
        if !pendingErrors.hasMember(at: depth), !savepoints[depth].isRemoved { commit() }
    }

    /// Makes the decisions about a value that depend on its first byte. They may leave it out.
    ///
    /// Throws if something inside the value is required, but the value is a scalar.
    mutating func valueBegins(_ byte: UInt8, at position: Int, _ mark: Int) throws(EngineError) {
        let depth = containers.depth
        let isContainer = byte == ASCII.openBrace || byte == ASCII.openBracket
        savepoints[depth].isDiscarded = payload.discard.isActive
        savepoints[depth].isFlattened = false
        savepoints[depth].isTentative = false
        savepoints[depth].mustHold = !valueTraits.isDisjoint(with: [.searched, .passed])
        if !payload.discard.isActive { savepoints[depth].valueMark = mark }
        if valueTraits.contains(.record), !payload.records.isOpen, plan.sparesRecords, !isLines, !hold.isActive {
            beginRecord(at: depth)
        }
        if valueTraits.contains(.found) {
            payload.records.noteListed(at: depth)
            keepContainersOfListed()
        }
        if valueTraits.contains(.hasContract), !isContainer { try requireContainer(byte, at: position) }
        let isStringified = valueRule >= 0 && plan.rules[Int(valueRule)].stringifiesValue && byte != ASCII.n
        let isDiscarded = !isContainer && savepoints[depth].mustHold
        if isDiscarded || isStringified {
            valueRule = -1
            valueState = PathAutomaton.inert
        }
        if isDiscarded {
            if !payload.discard.isActive { discardMember() }
            return
        }
        guard !payload.discard.isActive else { return }
        if isStringified { payload.stringify.begin(at: depth) }
        let isToFlatten = streamsFlattened && valueTraits.contains(.moved)
        if isToFlatten {
            guard byte != ASCII.openBrace || containers.top.kind != .object || isStringified || replacesContainer
            else {
                return beginFlattened(at: depth)
            }
            // Errors inside the value count less. If `keep` may find nothing in it, they come first.
            let isCertain = isContainer && !isStringified && !replacesContainer && !valueTraits.contains(.searched)
            if isCertain { try reportMisplaced() } else { pendingErrors.noteMisplaced(at: depth) }
        }
        let mayBePruned =
            prunes && hold.member(at: depth) == nil && depth > documentDepth && (mayPrune || moves.depth == depth)
        if isContainer {
            let isPruned =
                mayBePruned && !replacesContainer
                && (byte == ASCII.openBrace ? prune.emptyObject : prune.emptyArray)
            savepoints[depth].isTentative = isPruned
            savepoints[depth].isSearched = valueTraits.contains(.searched)
            if !isPruned, !savepoints[depth].isSearched, valueRule < 0 { commit() }
        } else if !mayBePruned, !isToFlatten {
            commit()
        }
    }

    /// Keeps the containers around a value that `keep` lists but another rule removes, even if they are empty then.
    /// Around a held object this is decided at its end, and around a record when the record is known to be good.
    @inline(never)
    mutating func keepContainersOfListed() {
        for depth in payload.records.outermost(hold.depth + 1)...containers.depth {
            savepoints[depth].isSearched = false
        }
        guard hold.isActive else {
            payload.records.noteHeldListed()
            return
        }
        hold.noteListed(at: containers.depth)
    }

    /// Discards the member whose value comes next, including its key.
    @inline(never)
    private mutating func discardMember() {
        let depth = containers.depth
        discard(from: savepoints[depth].mark)
        savepoints[depth].isRemoved = true
    }

    /// Ends the member whose value ended: the member is written or removed.
    @inline(never)
    mutating func valueEnds(_ output: inout ByteBuffer) throws(EngineError) {
        try decideMember(&output)
        hold.memberEnds(at: containers.depth)
        // The next member may begin on the fast path, which stores no offset. It is none of those that `moves` has noted.
        if streamsMoves { savepoints[containers.depth].offset = -1 }
    }

    private mutating func decideMember(_ output: inout ByteBuffer) throws(EngineError) {
        let depth = containers.depth
        let isRecord = payload.records.isRecord(at: depth)
        var pending = pendingErrors.memberEnds(at: depth)
        let hasCollided = payload.collidedDepth == depth
        if payload.collidedDepth >= depth { payload.collidedDepth = -1 }
        if isRecord, pending?.badRule ?? -1 >= 0, !payload.records.isBad, !payload.discard.isActive, stays(depth) {
            abandonRecord(.badValue)
        }
        if isRecord, payload.records.isBad { pending?.badRule = -1 }
        if payload.discard.isActive {
            switch payload.discard.memberEnds(at: depth, &output) {
            case .stays: break
            // `keep` may not have found what it looks for in the value.
            case .staysReplaced: if savepoints[depth].isSearched { savepoints[depth].isRemoved = true }
            case .isDiscarded: savepoints[depth].isRemoved = true
            }
        }
        if isRecord {
            try endRecord(at: depth, loses: hasCollided, &output)
        }
        guard !payload.discard.isActive else { return }
        if moves.depth == depth { return endMovedValue(&output) }
        if payload.stringify.isMember(at: depth) { endStringify(&output) }
        if let pending, pending.isMisplaced, stays(depth) { try refuseUnlessNull(output) }
        if let node = hold.member(at: depth) {
            try resolve(node, &output)
        } else if prunes, payload.uncommittedDepth <= depth, !savepoints[depth].isRemoved, depth > documentDepth {
            // An empty container is marked already. It is still open whether `prune` removes a scalar.
            savepoints[depth].isRemoved =
                mayPrune && prune.prunes(output.bytes.extracting(savepoints[depth].valueMark...))
            if savepoints[depth].isRemoved { keepContainersOfListed() }
        }
        let collides = pending?.collides ?? false
        if isRecord, collides, !savepoints[depth].isRemoved,
            plan.skipsCollidingRecord(mustHold: savepoints[depth].mustHold)
        {
            savepoints[depth].isRemoved = true
            payload.records.noteSkipped(.collision)
            counters.takeBackRequirement(in: depth)
        }
        if let pending, pending.badRule >= 0, stays(depth) { try reportBadContainer(pending) }
        if savepoints[depth].isRemoved {
            removeMember(hasKey: !collides, &output)
        } else {
            commit()
            if collides {
                let error = EngineError(
                    kind: .collision, position: position.position(of: savepoints[depth].offset),
                    entry: containers.top.entry)
                if try !deferCollision(error) { try report(error) }
            }
        }
    }

    /// Whether `keep` retains the container that was just read. Other rules may still remove it.
    private func stays(_ depth: Int) -> Bool { !savepoints[depth].isRemoved || !savepoints[depth].isSearched }

    /// Reports that a rule does not accept the container that was just read. It is known only now that `keep` retains the container.
    private mutating func reportBadContainer(_ member: PendingErrors.Member) throws(EngineError) {
        valueRule = member.badRule
        badValueMessage = "expected \(plan.rules[Int(valueRule)].noun), not an object or array"
        try report(EngineError(kind: .badValue, position: position.position(of: member.badOffset)))
    }

    /// Removes the member, as if it had not been there. `hasKey` is false if another member has its output key.
    private mutating func removeMember(hasKey: Bool, _ output: inout ByteBuffer) {
        let depth = containers.depth
        output.truncate(to: min(savepoints[depth].mark, output.count))
        if sortsText { sorting.forget(from: output.count) }
        if streamsMoves { moves.forgetMember(at: savepoints[depth].offset) }
        containers.top.isEmpty = savepoints[depth].wasEmpty
        // Members inside a discarded one may have set a greater depth.
        if payload.uncommittedDepth >= depth { payload.uncommittedDepth = Self.allCommitted }
        counters.takeBackAddition(in: depth)
        if containers.top.kind == .object, containers.top.entry >= 0, keys.tracksNames, savepoints[depth].isFirst {
            keys.forgetMember(hasKey: hasKey, &containers)
        }
        savepoints[depth].isRemoved = false
    }

    // MARK: Handing on

    /// How many bytes of `staged` cannot be removed any more.
    @inline(__always)
    private func releasedBytes(of staged: borrowing ByteBuffer) -> Int {
        var released = min(staged.count, payload.discard.heldFrom)
        released = min(released, payload.records.heldFrom(savepoints))
        released = min(released, hold.heldFrom(savepoints))
        released = min(released, sorting.heldFrom(staged.count))
        released = min(released, moves.heldFrom(savepoints))
        if payload.collidedDepth >= 0 { released = min(released, savepoints[payload.collidedDepth].mark) }
        if payload.uncommittedDepth != Self.allCommitted {
            released = min(released, savepoints[payload.uncommittedDepth].mark)
        }
        return released
    }

    /// Hands on the output that is sure to stay.
    mutating func release(_ staged: inout ByteBuffer, into output: inout ByteBuffer) {
        if lexerState == .string, payload.uncommittedDepth == containers.depth, !payload.discard.isActive,
            staged.count > savepoints[containers.depth].valueMark + 1
        {
            commit()
        }
        let released = releasedBytes(of: staged)
        guard released > 0 else { return }
        if !handOnStringified(staged, upTo: released, into: &output) {
            output.append(staged.bytes.extracting(0..<released))
        }
        staged.removeFirst(released)
        payload.discard.released(released)
        // Marks of members that are decided may become negative. No decision depends on them any more.
        for depth in 0..<min(savepoints.count, containers.depth + 1) {
            savepoints[depth].mark -= released
            savepoints[depth].valueMark -= released
        }
        sorting.released(released)
        moves.released(released)
    }
}
