import ConvertText

/// Members that may be taken back: what `keep`, `prune`, `records` and the held objects need of every member and element.
///
/// Their plans write to `staged`. A member's future is open from its key on; it is settled when its value ends, or earlier,
/// once something inside it is sure to stay: then every member around it stays, too. `uncommittedDepth` is the depth of the
/// outermost container whose member may still go, and only what is before that member is handed on.
extension Engine {
    static let settled = Int.max

    /// Begins a member or element whose text, comma included, will begin at `mark`.
    @inline(__always)
    mutating func memberBegins(mark: Int, offset: Int, wasEmpty: Bool) {
        let depth = containers.depth
        savepoints[depth].mark = mark
        savepoints[depth].wasEmpty = wasEmpty
        savepoints[depth].isTentative = false
        savepoints[depth].isSearched = false
        savepoints[depth].isRemoved = false
        savepoints[depth].isFirst = true
        savepoints[depth].offset = offset
        savepoints[depth].isLeftOut = false
        counters.memberBegins(in: depth)
        if payload.uncommittedDepth > depth { payload.uncommittedDepth = depth }
    }

    /// The member being read stays, and so do all around it, up to a held object: what stays in that is known at its end.
    @inline(__always)
    mutating func commit() {
        if !payload.discard.isActive, payload.uncommittedDepth > hold.depth {
            payload.uncommittedDepth = Self.settled
        }
    }

    /// Begins the level of the container that was just entered.
    @inline(__always)
    mutating func containerOpens(_ kind: Container.Kind) {
        let depth = containers.depth
        if savepoints.count <= depth { savepoints.append(Savepoint()) }
        if prunesOnly {
            savepoints[depth].isRemoved = false
            return
        }
        if documentDepth > 0, depth == documentDepth + 1 { containers.top.endsSlowly = true }
        if sortsText, kind == .object, depth > documentDepth {
            if !payload.discard.isActive, !payload.stringify.isActive { sorting.begin(at: depth) }
            containers.top.endsSlowly = true
        }
        guard !valueTraits.isEmpty || hold.isActive || holdsObjects else { return }
        openSpecialContainer(kind)
    }

    @inline(never)
    private mutating func openSpecialContainer(_ kind: Container.Kind) {
        if valueTraits.contains(.hasContract) { beginContract() }
        openNode(kind)
        containers.top.endsSlowly = true
    }

    /// Ends the innermost container, whose closing bracket was just read.
    mutating func containerCloses(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        let depth = containers.depth
        let stays = !payload.discard.isActive
        if counters.count(in: depth) { try checkRequirements(at: position) }
        if stays, !hold.isActive {
            if containers.top.isEmpty, savepoints[depth - 1].isTentative || savepoints[depth - 1].isSearched {
                savepoints[depth - 1].isRemoved = true
                if !savepoints[depth - 1].isSearched { holdFoundPlace() }
            } else if savepoints[depth - 1].isRemoved, !containers.top.isEmpty {
                // The member falls to a collision, but `keep` has found something in it.
                savepoints[depth - 1].isSearched = false
            } else if counters.count(in: depth), containers.top.kind == .object, !payload.discard.isActive {
                try addAbsentMembers(&output)
            }
        } else if stays, containers.top.isEmpty, savepoints[depth - 1].isSearched, hold.holdsMembers(of: depth - 1) {
            savepoints[depth - 1].isRemoved = true
        }
        let isWritten = !sortsText || sorting.end(at: depth, isDiscarded: payload.discard.isActive, &output)
        if isWritten, depth <= documentDepth {
            // Around the document nothing is written.
        } else if isWritten {
            appendEnd(of: containers.top.kind, isEmpty: containers.top.isEmpty, &output, level: depth - 1)
        } else {
            beginWriting(at: depth - 1)
        }
        counters.end(at: depth)
        leaveContainer()
        lexerState = isWritten ? .afterValue : .sortingMembers
        if hold.depth == containers.depth { try endHeldObject(&output) }
    }

    @inline(__always)
    mutating func appendEnd(of kind: Container.Kind, isEmpty: Bool, _ output: inout ByteBuffer, level: Int) {
        if indent > 0, !isEmpty { appendNewLine(&output, level: level) }
        output.append(kind == .object ? ASCII.closeBrace : ASCII.closeBracket)
    }

    /// What was held of the value that ends is written next, piece by piece, and handed on as it is, if nothing can take it
    /// back any more.
    mutating func beginWriting(at depth: Int) {
        if !pendingErrors.hasMember(at: depth), !savepoints[depth].isRemoved { commit() }
    }

    /// Decides on a value from its first byte, which may leave it out.
    ///
    /// Throws when something is required below a value that can hold nothing.
    mutating func valueBegins(_ byte: UInt8, at position: Int, _ mark: Int) throws(Fault) {
        let depth = containers.depth
        let isContainer = byte == ASCII.openBrace || byte == ASCII.openBracket
        savepoints[depth].isLeftOut = payload.discard.isActive
        savepoints[depth].mustHold = !valueTraits.isDisjoint(with: [.searched, .passed])
        if !payload.discard.isActive { savepoints[depth].valueMark = mark }
        if valueTraits.contains(.record), !payload.records.isOpen, plan.sparesRecords, !isLines, !hold.isActive {
            beginRecord(at: depth)
        }
        if valueTraits.contains(.found) {
            payload.records.noteFound(at: depth)
            holdFoundPlace()
        }
        if valueTraits.contains(.hasContract), !isContainer { try requireContainer(at: position) }
        let isStringified = valueRule >= 0 && plan.rules[Int(valueRule)].stringifiesValue && byte != ASCII.n
        let isLeftOut = !isContainer && savepoints[depth].mustHold
        if isLeftOut || isStringified {
            valueRule = -1
            valueState = PathAutomaton.inert
        }
        if isLeftOut {
            if !payload.discard.isActive { leaveOut() }
            return
        }
        guard !payload.discard.isActive else { return }
        if isStringified { payload.stringify.begin(at: depth) }
        let mayBePruned =
            prunes && !hold.isActive && depth > documentDepth
            && (containers.top.kind == .object || prunesElements)
        if isContainer {
            let isPruned =
                mayBePruned && !replacesContainer
                && (byte == ASCII.openBrace ? plan.prune.emptyObject : plan.prune.emptyArray)
            savepoints[depth].isTentative = isPruned
            savepoints[depth].isSearched = valueTraits.contains(.searched)
            if !isPruned, !savepoints[depth].isSearched, valueRule < 0 { commit() }
        } else if !mayBePruned {
            commit()
        }
    }

    /// `keep` names a place that another rule takes out: the containers around it stay, even with nothing in them. Around
    /// a held object that shows at its end, and around a record when that has turned out good.
    @inline(never)
    mutating func holdFoundPlace() {
        for depth in payload.records.outermost(hold.depth + 1)...containers.depth {
            savepoints[depth].isSearched = false
        }
        guard hold.isActive else {
            payload.records.noteHeldPlace()
            return
        }
        hold.noteFound(at: containers.depth)
    }

    /// Leaves out the member whose value comes next, key and all.
    @inline(never)
    private mutating func leaveOut() {
        let depth = containers.depth
        discard(from: savepoints[depth].mark)
        savepoints[depth].isRemoved = true
    }

    /// Ends the member whose value is over: it is written, or taken back.
    @inline(never)
    mutating func valueEnds(_ output: inout ByteBuffer) throws(Fault) {
        let depth = containers.depth
        let isRecord = payload.records.isRecord(at: depth)
        var pending = pendingErrors.memberEnds(at: depth)
        let falls = payload.fallenDepth == depth
        if payload.fallenDepth >= depth { payload.fallenDepth = -1 }
        if isRecord, pending?.badRule ?? -1 >= 0, !payload.records.isBad, !payload.discard.isActive, stays(depth) {
            abandonRecord(.badValue)
        }
        if isRecord, payload.records.isBad { pending?.badRule = -1 }
        if payload.discard.isActive {
            switch payload.discard.memberEnds(at: depth, &output) {
            case .stays: break
            // What `keep` seeks in there may not have been found.
            case .staysReplaced: if savepoints[depth].isSearched { savepoints[depth].isRemoved = true }
            case .isLeftOut: savepoints[depth].isRemoved = true
            }
        }
        if isRecord {
            try endRecord(at: depth, loses: falls, &output)
        }
        guard !payload.discard.isActive else { return }
        if payload.stringify.isMember(at: depth) { endStringify(&output) }
        if hold.holdsMembers(of: depth) {
            try settleNode(&output)
        } else if prunes, payload.uncommittedDepth <= depth, !savepoints[depth].isRemoved, depth > documentDepth {
            // A container that was left empty is marked already; what is open is whether a scalar goes.
            savepoints[depth].isRemoved =
                (containers.top.kind == .object || prunesElements)
                && plan.prune.prunes(output.bytes.extracting(savepoints[depth].valueMark...))
            if savepoints[depth].isRemoved { holdFoundPlace() }
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
                try report(
                    Fault(
                        kind: .collision, position: position.position(of: savepoints[depth].offset),
                        entry: containers.top.entry)
                )
            }
        }
    }

    /// Whether `keep` leaves the container that was just read, whatever other rules do with it then.
    private func stays(_ depth: Int) -> Bool { !savepoints[depth].isRemoved || !savepoints[depth].isSearched }

    /// A rule cannot take the container that was just read, which shows now that `keep` leaves it.
    private mutating func reportBadContainer(_ member: PendingErrors.Member) throws(Fault) {
        valueRule = member.badRule
        badValueMessage = "expected \(plan.rules[Int(valueRule)].noun), not an object or array"
        try report(Fault(kind: .badValue, position: position.position(of: member.badOffset)))
    }

    /// Takes the member back, as if it had not been there.
    private mutating func removeMember(hasKey: Bool, _ output: inout ByteBuffer) {
        let depth = containers.depth
        output.truncate(to: min(savepoints[depth].mark, output.count))
        containers.top.isEmpty = savepoints[depth].wasEmpty
        if payload.uncommittedDepth == depth { payload.uncommittedDepth = Self.settled }
        counters.takeBackAddition(in: depth)
        if containers.top.kind == .object, containers.top.entry >= 0, keys.tracksNames, savepoints[depth].isFirst {
            keys.forgetMember(hasKey: hasKey, &containers)
        }
        savepoints[depth].isRemoved = false
    }

    // MARK: Handing on

    /// How much of `staged` can no longer be taken back.
    @inline(__always)
    private func releasedBytes(of staged: borrowing ByteBuffer) -> Int {
        var released = min(staged.count, payload.discard.heldFrom)
        released = min(released, payload.records.heldFrom(savepoints))
        released = min(released, hold.heldFrom(savepoints))
        released = min(released, sorting.heldFrom(savepoints))
        if payload.fallenDepth >= 0 { released = min(released, savepoints[payload.fallenDepth].mark) }
        if payload.uncommittedDepth != Self.settled {
            released = min(released, savepoints[payload.uncommittedDepth].mark)
        }
        return released
    }

    /// Hands on what is sure to stay.
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
        // Marks of settled members may lie before what was handed on; nothing looks at them again.
        for depth in 0...containers.depth {
            savepoints[depth].mark -= released
            savepoints[depth].valueMark -= released
        }
        sorting.released(released)
    }
}
