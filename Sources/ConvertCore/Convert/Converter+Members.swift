/// Members that may be taken back: what `keep`, `prune`, `records` and the scopes need of every member and element.
///
/// Their plans write to `staged`. A member's fate is open from its key on; it is settled when its value ends, or earlier,
/// once something inside it is sure to stay: then every member around it stays, too. `uncommittedDepth` is the depth of the
/// outermost container whose member may still go, and only what stands before that member is handed on.
extension Converter {
    static let settled = Int.max

    /// Stands at a member or element whose text, comma included, will begin at `mark`.
    @inline(__always)
    mutating func beginMember(mark: Int, offset: Int) {
        let depth = frames.depth
        levels[depth].mark = mark
        levels[depth].wasEmpty = frames.top.isEmpty
        levels[depth].isTentative = false
        levels[depth].isSearched = false
        levels[depth].isRemoved = false
        levels[depth].isFirst = true
        levels[depth].collides = false
        levels[depth].badRule = -1
        levels[depth].offset = offset
        levels[depth].addition = -1
        levels[depth].requirement = -1
        levels[depth].isLeftOut = false
        levels[depth].memberNode = -1
        if payload.uncommittedDepth > depth { payload.uncommittedDepth = depth }
    }

    /// The member being read stays, and so do all around it, up to a scope: what stays in that is known at its end.
    @inline(__always)
    mutating func commit() {
        if !payload.discard.isActive, payload.uncommittedDepth > hold.depth {
            payload.uncommittedDepth = Self.settled
        }
    }

    /// Begins the level of the container that was just entered.
    @inline(__always)
    mutating func openLevel(_ kind: Frame.Kind) {
        let depth = frames.depth
        if levels.count <= depth { levels.append(Level()) }
        if prunesOnly {
            levels[depth].isRemoved = false
            return
        }
        levels[depth].node = -1
        if sortsText, kind == .object {
            if !payload.discard.isActive, !payload.stringify.isActive { sorting.begin(at: depth) }
            frames.top.endsSlowly = true
        }
        guard !valueTraits.isEmpty || hold.isActive || holdsObjects else { return }
        openSpecialLevel(kind)
    }

    @inline(never)
    private mutating func openSpecialLevel(_ kind: Frame.Kind) {
        if valueTraits.contains(.obliged) { beginObligations() }
        openNode(kind)
        frames.top.endsSlowly = true
    }

    /// Ends the innermost container, whose closing bracket was just read.
    mutating func closeLevel(_ output: inout ByteBuffer, at position: Int) throws(Fault) {
        let depth = frames.depth
        let stays = !payload.discard.isActive
        if counters.count(in: depth) { try checkRequirements(at: position) }
        if stays, !hold.isActive {
            if frames.top.isEmpty, levels[depth - 1].isTentative || levels[depth - 1].isSearched {
                levels[depth - 1].isRemoved = true
                if !levels[depth - 1].isSearched { holdFoundPlace() }
            } else if levels[depth - 1].isRemoved, !frames.top.isEmpty {
                // The member falls to a collision, but `keep` has found something in it.
                levels[depth - 1].isSearched = false
            } else if counters.count(in: depth), frames.top.kind == .object, !payload.discard.isActive {
                try addAbsentMembers(&output)
            }
        } else if stays, frames.top.isEmpty, levels[depth - 1].isSearched, hold.holdsMembers(of: depth - 1) {
            levels[depth - 1].isRemoved = true
        }
        let isWritten = !sortsText || sorting.end(at: depth, isDiscarded: payload.discard.isActive, &output)
        if isWritten {
            appendEnd(of: frames.top.kind, isEmpty: frames.top.isEmpty, &output, level: depth - 1)
        } else {
            beginWriting(at: depth - 1)
        }
        counters.end(at: depth)
        leaveContainer()
        expectation = isWritten ? .afterValue : .sortingMembers
        if hold.depth == frames.depth { try endHeldObject(&output) }
    }

    @inline(__always)
    mutating func appendEnd(of kind: Frame.Kind, isEmpty: Bool, _ output: inout ByteBuffer, level: Int) {
        if indent > 0, !isEmpty { appendNewLine(&output, level: level) }
        output.append(kind == .object ? ASCII.closeBrace : ASCII.closeBracket)
    }

    /// What was held of the value that ends is written next, piece by piece, and handed on as it is, if nothing can take it
    /// back any more.
    mutating func beginWriting(at depth: Int) {
        if levels[depth].badRule < 0, !levels[depth].collides, !levels[depth].isRemoved { commit() }
    }

    /// Decides on a value from its first byte, which may leave it out.
    ///
    /// Throws when something is required below a value that can hold nothing.
    mutating func weighValue(_ byte: UInt8, at position: Int, _ mark: Int) throws(Fault) {
        let depth = frames.depth
        let isContainer = byte == ASCII.openBrace || byte == ASCII.openBracket
        levels[depth].isLeftOut = payload.discard.isActive
        levels[depth].mustHold = !valueTraits.isDisjoint(with: [.searched, .passed])
        if !payload.discard.isActive { levels[depth].valueMark = mark }
        if valueTraits.contains(.record), !payload.records.isOpen, plan.sparesRecords, !isLines, !hold.isActive {
            beginRecord(at: depth)
        }
        if valueTraits.contains(.found) {
            payload.records.noteFound(at: depth)
            holdFoundPlace()
        }
        if valueTraits.contains(.obliged), !isContainer { try requireContainer(at: position) }
        let isQuoted = valueRule >= 0 && plan.rules[Int(valueRule)].quotesValue && byte != ASCII.n
        let isLeftOut = !isContainer && levels[depth].mustHold
        if isLeftOut || isQuoted {
            valueRule = -1
            valueState = PathStates.inert
        }
        if isLeftOut {
            if !payload.discard.isActive { leaveOut() }
            return
        }
        guard !payload.discard.isActive else { return }
        if isQuoted { payload.stringify.begin(at: depth) }
        let mayBePruned =
            prunes && !hold.isActive && frames.top.kind != .payload
            && (frames.top.kind == .object || prunesElements)
        if isContainer {
            let isPruned = mayBePruned && (byte == ASCII.openBrace ? plan.prune.emptyObject : plan.prune.emptyArray)
            levels[depth].isTentative = isPruned
            levels[depth].isSearched = valueTraits.contains(.searched)
            if !isPruned, !levels[depth].isSearched, valueRule < 0 { commit() }
        } else if !mayBePruned {
            commit()
        }
    }

    /// `keep` names a place that another rule takes out: the containers around it stay, were it with nothing in them. Around
    /// a scope that shows at its end, and around a record when that has turned out good.
    @inline(never)
    mutating func holdFoundPlace() {
        for depth in payload.records.outermost(hold.depth + 1)...frames.depth {
            levels[depth].isSearched = false
        }
        guard hold.isActive else {
            payload.records.noteHeldPlace()
            return
        }
        let node = Int(levels[frames.depth].memberNode)
        if node >= 0 { hold.noteFound(node) }
    }

    /// Leaves out the member whose value comes next, key and all.
    @inline(never)
    private mutating func leaveOut() {
        let depth = frames.depth
        discard(from: levels[depth].mark)
        levels[depth].isRemoved = true
    }

    /// Ends the member whose value is over: it is written, or taken back.
    @inline(never)
    mutating func settleMember(_ output: inout ByteBuffer) throws(Fault) {
        let depth = frames.depth
        let isRecord = payload.records.isRecord(at: depth)
        let falls = payload.fallenDepth == depth
        if payload.fallenDepth >= depth { payload.fallenDepth = -1 }
        if isRecord, levels[depth].badRule >= 0, !payload.records.isBad, !payload.discard.isActive, stays(depth) {
            abandonRecord()
        }
        if payload.discard.isMember(at: depth) {
            payload.discard.end(&output)
            levels[depth].isRemoved = true
        }
        if isRecord {
            try endRecord(at: depth, loses: falls, &output)
        }
        guard !payload.discard.isActive else { return }
        if payload.stringify.isMember(at: depth) { endStringify(&output) }
        if hold.holdsMembers(of: depth) {
            try settleNode(&output)
        } else if prunes, payload.uncommittedDepth <= depth, !levels[depth].isRemoved, frames.top.kind != .payload {
            // A container that was left empty is marked already; what is open is whether a scalar goes.
            levels[depth].isRemoved =
                (frames.top.kind == .object || prunesElements)
                && plan.prune.prunes(output.bytes.extracting(levels[depth].valueMark...))
            if levels[depth].isRemoved { holdFoundPlace() }
        }
        if isRecord, levels[depth].collides, !levels[depth].isRemoved,
            plan.skipsCollidingRecord(mustHold: levels[depth].mustHold)
        {
            levels[depth].isRemoved = true
            payload.records.noteSkipped()
            takeBackRequirement(at: depth)
        }
        if levels[depth].badRule >= 0, stays(depth) { try reportBadContainer() }
        if levels[depth].isRemoved {
            removeMember(&output)
        } else {
            let collides = levels[depth].collides
            levels[depth].collides = false
            commit()
            if collides {
                try report(
                    Fault(
                        kind: .collision, position: levels[depth].offset - payload.chunkOffset, entry: frames.top.entry)
                )
            }
        }
    }

    /// Whether `keep` leaves the container that was just read, whatever other rules do with it then.
    private func stays(_ depth: Int) -> Bool { !levels[depth].isRemoved || !levels[depth].isSearched }

    /// A rule cannot take the container that was just read, which shows now that `keep` leaves it.
    private mutating func reportBadContainer() throws(Fault) {
        let depth = frames.depth
        valueRule = levels[depth].badRule
        levels[depth].badRule = -1
        badValueMessage = "expected \(plan.rules[Int(valueRule)].noun), not an object or array"
        try report(Fault(kind: .badValue, position: levels[depth].badOffset - payload.chunkOffset))
    }

    /// Takes the member back, as if it had not been there.
    private mutating func removeMember(_ output: inout ByteBuffer) {
        let depth = frames.depth
        output.truncate(to: min(levels[depth].mark, output.count))
        frames.top.isEmpty = levels[depth].wasEmpty
        if payload.uncommittedDepth == depth { payload.uncommittedDepth = Self.settled }
        if levels[depth].addition >= 0 {
            counters.change(addition: Int(levels[depth].addition), in: depth, by: -1)
        }
        if frames.top.kind == .object, frames.top.entry >= 0, tracksNames, levels[depth].isFirst { forgetMember() }
        levels[depth].isRemoved = false
        levels[depth].collides = false
    }

    // MARK: Handing on

    /// How much of `staged` can no longer be taken back.
    @inline(__always)
    private func releasedBytes(of staged: borrowing ByteBuffer) -> Int {
        var released = min(staged.count, payload.discard.heldFrom)
        released = min(released, payload.records.heldFrom(levels))
        released = min(released, hold.heldFrom(levels))
        released = min(released, sorting.heldFrom(levels))
        if payload.fallenDepth >= 0 { released = min(released, levels[payload.fallenDepth].mark) }
        if payload.uncommittedDepth != Self.settled { released = min(released, levels[payload.uncommittedDepth].mark) }
        return released
    }

    /// Hands on what is sure to stay.
    mutating func release(_ staged: inout ByteBuffer, into output: inout ByteBuffer) {
        if expectation == .string, payload.uncommittedDepth == frames.depth, !payload.discard.isActive,
            staged.count > levels[frames.depth].valueMark + 1
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
        for depth in 0...frames.depth {
            levels[depth].mark -= released
            levels[depth].valueMark -= released
        }
        sorting.released(released)
    }
}
