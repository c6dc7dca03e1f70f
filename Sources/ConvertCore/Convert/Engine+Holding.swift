/// What the converter tells the object that is held of what it reads.
extension Engine {
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
    private func beginsHolding(_ kind: Container.Kind) -> Bool {
        !hold.isActive && !payload.discard.isActive && !payload.stringify.isActive
            && (valueTraits.contains(.anchor) || (holdsObjects && kind == .object))
    }

    /// Whether what the container at a depth holds has nodes: nothing does that is left out and that no rule looks into, or that
    /// would be more than can be held.
    private func notesNodes(in depth: Int) -> Bool {
        !payload.discard.isActive || payload.discard.isMember(at: depth)
            || (containers.top.state != PathAutomaton.inert && hold.hasRoom)
    }

    /// Opens a container in the held object, or that itself.
    mutating func openNode(_ kind: Container.Kind) {
        let depth = containers.depth
        guard hold.isActive || beginsHolding(kind), notesNodes(in: depth) else { return }
        var node = Int(savepoints[depth - 1].memberNode)
        if !hold.isActive {
            let defaults = paths[containers.top.state].defaultItems
            node = hold.begin(
                memberOf: depth - 1, defaults: defaults, ofBytes: plan.selectors.defaults.sourceBytes(at: defaults))
        }
        guard node >= 0 else { return }
        hold.open(node, kind, isSearched: savepoints[depth - 1].isSearched)
        savepoints[depth].node = Int32(node)
    }

    /// Adds the member whose key was just accepted, or the element that begins, to the held object.
    mutating func addNode(_ match: PathAutomaton.Traits, move: Int32, isLeftOut: Bool) {
        let depth = containers.depth
        let parent = savepoints[depth].node
        guard hold.isActive, parent >= 0, notesNodes(in: depth) else { return }
        let node = hold.add(
            to: parent, offset: savepoints[depth].offset, isLeftOut: isLeftOut,
            mustHold: !match.isDisjoint(with: [.searched, .passed]), move: move,
            isRecord: match.contains(.record) && plan.sparesRecords && !isLines)
        savepoints[depth].memberNode = Int32(node)
        if savepoints[depth].requirement >= 0, plan.sparesRecords, !isLines { noteRequirement(of: node) }
        if containers.top.kind == .object {
            hold.setNames(of: node, to: keyCache.entries[Int(containers.top.entry)], in: keyCache.arena)
        } else {
            hold.setIndex(of: node, to: containers.top.index)
        }
    }

    /// The member whose key was just accepted repeats an earlier one: it counts for nothing.
    mutating func forgetRepetition() {
        let depth = containers.depth
        takeBackRequirement(at: depth)
        savepoints[depth].requirement = -1
        let node = Int(savepoints[depth].memberNode)
        guard hold.isActive, node >= 0 else { return }
        hold.leaveOut(node)
        hold.forgetRequirement(of: node)
    }

    /// The member whose key was just accepted repeats an earlier one, which goes when the held object ends.
    mutating func noteRepetition() {
        let object = Int(savepoints[containers.depth].node)
        if hold.isActive, object >= 0 { hold.noteRepetition(in: object) }
    }

    /// The value of the member or element is over: its node has it now, so that its text is needed no more.
    mutating func settleNode(_ output: inout ByteBuffer) throws(Fault) {
        let depth = containers.depth
        let node = Int(savepoints[depth].memberNode)
        guard node >= 0 else { return }
        guard hold.hasRoom else { throw Fault(kind: .heldLength, position: 0) }
        if savepoints[depth].isRemoved {
            hold.leaveOut(node)
        } else {
            hold.take(node, from: savepoints[depth].mark, valueAt: savepoints[depth].valueMark, &output)
        }
    }

    // MARK: Faults in the held object

    /// Notes a fault at the member being read.
    mutating func deferFault(_ fault: Fault) throws(Fault) {
        // What a container lacks is held against itself, everything else against the member being read.
        var depth = fault.kind == .missing && lexerState != .value ? containers.depth - 1 : containers.depth
        // Where nothing has nodes the innermost one around it stands for it.
        while hold.holdsMembers(of: depth), savepoints[depth].memberNode < 0 { depth -= 1 }
        let node = hold.holdsMembers(of: depth) ? Int(savepoints[depth].memberNode) : HeldTree.root
        if hold.mayNoteFault(of: node) { hold.note(try deferredFault(fault, at: node, depth)) }
    }

    /// Notes that the member being read is at fault, unless undoing a move takes it out.
    mutating func deferUntilMoved(_ fault: Fault) throws(Fault) {
        let node = Int(savepoints[containers.depth].memberNode)
        guard node >= 0, !payload.discard.isActive else { return }
        hold.noteAfterMoves(try deferredFault(fault, at: node, containers.depth))
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
