/// What the converter tells the object that is held of what it reads.
extension Converter {
    /// A place that will be at fault if the member in the container at a depth stays; offsets count from the payload's start.
    struct OpenFaultLine {
        let depth: Int
        let offset: Int
        /// Lines before it, and where its own begins; nil until the chunk ends.
        var line: (number: Int, start: Int)?
    }

    /// Whether a fault inside the held object may still be taken back by a later duplicate or a record around it.
    var defersFaults: Bool {
        plan.policies.duplicateKey == .last || (plan.sparesRecords && !isLines && !payload.records.isOpen)
    }

    /// Whether the container that opens now is held.
    @inline(__always)
    private func beginsHolding(_ kind: Frame.Kind) -> Bool {
        !hold.isActive && !payload.discard.isActive && !payload.stringify.isActive
            && (valueTraits.contains(.anchor) || (holdsObjects && kind == .object))
    }

    /// Whether what the container at a depth holds has nodes: nothing does that is left out and that no rule looks into, or that
    /// would be more than can be held.
    private func notesNodes(in depth: Int) -> Bool {
        !payload.discard.isActive || payload.discard.isMember(at: depth)
            || (frames.top.state != PathStates.inert && hold.hasRoom)
    }

    /// Opens a container in the held object, or that itself.
    mutating func openNode(_ kind: Frame.Kind) {
        let depth = frames.depth
        guard hold.isActive || beginsHolding(kind), notesNodes(in: depth) else { return }
        var node = Int(levels[depth - 1].memberNode)
        if !hold.isActive {
            node = hold.begin(memberOf: depth - 1, defaults: paths[frames.top.state].defaultItems)
        }
        guard node >= 0 else { return }
        hold.open(node, kind, isSearched: levels[depth - 1].isSearched)
        levels[depth].node = Int32(node)
    }

    /// Adds the member whose key was just accepted, or the element that begins, to the held object.
    mutating func addNode(_ match: PathStates.Traits, move: Int32, isVoid: Bool) {
        let depth = frames.depth
        let parent = levels[depth].node
        guard hold.isActive, parent >= 0, notesNodes(in: depth) else { return }
        let node = hold.add(
            to: parent, offset: levels[depth].offset, isLeftOut: isVoid,
            mustHold: !match.isDisjoint(with: [.searched, .passed]), move: move,
            isRecord: match.contains(.record) && plan.sparesRecords && !isLines)
        levels[depth].memberNode = Int32(node)
        if levels[depth].requirement >= 0, plan.sparesRecords, !isLines { noteRequirement(of: node) }
        if frames.top.kind == .object {
            hold.setNames(of: node, to: memo.entries[Int(frames.top.entry)], in: memo.arena)
        } else {
            hold.setIndex(of: node, to: frames.top.index)
        }
    }

    /// The member whose key was just accepted repeats an earlier one: it counts for nothing.
    mutating func forgetRepetition() {
        let depth = frames.depth
        takeBackRequirement(at: depth)
        levels[depth].requirement = -1
        let node = Int(levels[depth].memberNode)
        guard hold.isActive, node >= 0 else { return }
        hold.leaveOut(node)
        hold.forgetRequirement(of: node)
    }

    /// The member whose key was just accepted repeats an earlier one, which goes when the held object ends.
    mutating func noteRepetition() {
        let object = Int(levels[frames.depth].node)
        if hold.isActive, object >= 0 { hold.noteRepetition(in: object) }
    }

    /// The value of the member or element is over: its node has it now, so that its text is needed no more.
    mutating func settleNode(_ output: inout ByteBuffer) throws(Fault) {
        let depth = frames.depth
        let node = Int(levels[depth].memberNode)
        guard node >= 0 else { return }
        guard hold.hasRoom else { throw Fault(kind: .heldLength, position: 0) }
        if levels[depth].isRemoved {
            hold.leaveOut(node)
        } else {
            hold.take(node, from: levels[depth].mark, valueAt: levels[depth].valueMark, &output)
        }
    }

    // MARK: Faults in the held object

    /// Notes a fault at the member being read.
    mutating func deferFault(_ fault: Fault) throws(Fault) {
        // What a container lacks is held against itself, everything else against the member being read.
        var depth = fault.kind == .missing && expectation != .value ? frames.depth - 1 : frames.depth
        // Where nothing has nodes the innermost one around it stands for it.
        while hold.holdsMembers(of: depth), levels[depth].memberNode < 0 { depth -= 1 }
        let node = hold.holdsMembers(of: depth) ? Int(levels[depth].memberNode) : HeldTree.root
        if hold.mayNoteFault(of: node) { hold.note(try deferredFault(fault, at: node, depth)) }
    }

    /// Notes that the member being read is at fault, unless undoing a move takes it out.
    mutating func deferUntilMoved(_ fault: Fault) throws(Fault) {
        let node = Int(levels[frames.depth].memberNode)
        guard node >= 0, !payload.discard.isActive else { return }
        hold.noteAfterMoves(try deferredFault(fault, at: node, frames.depth))
    }

    /// What of a fault at a node, the member of the container at a depth, is not to be found out later.
    private mutating func deferredFault(
        _ fault: Fault, at node: Int, _ depth: Int
    ) throws(Fault) -> HeldObject.DeferredFault {
        let count = hold.faults.count
        guard count < plan.limits.maxHeldBytes / MemoryLayout<HeldObject.DeferredFault>.stride else {
            throw Fault(kind: .heldLength, position: 0)
        }
        var deferred = HeldObject.DeferredFault(
            kind: fault.kind, node: Int32(node), tail: path(to: fault, below: depth),
            missing: fault.kind == .missing ? missing.place : "",
            offset: payload.chunkOffset + fault.position, rule: rule(for: fault),
            message: count < HeldObject.DeferredFault.maxWorded ? message(for: fault) : nil)
        if let line = notedLine(of: deferred.offset) { deferred.setPlace(in: line) }
        return deferred
    }
}
