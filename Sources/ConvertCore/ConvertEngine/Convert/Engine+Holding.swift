/// What the converter tells the object that is held of what it reads.
extension Engine {
    /// Whether a fault inside the held object may still be taken back by a later duplicate or a record around it.
    var defersFaults: Bool {
        plan.policies.duplicateKey == .last || (plan.sparesRecords && !isLines && !payload.records.isOpen)
    }

    /// Whether the container that opens now is held.
    @inline(__always)
    private func beginsHolding(_ kind: Container.Kind) -> Bool {
        !hold.isActive && !payload.discard.isActive && !payload.stringify.isActive
            && (valueTraits.contains(.anchor) || (holdsObjects && kind == .object && containers.depth > documentDepth))
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
        if !hold.isActive {
            guard beginsHolding(kind) else { return }
            let defaults = keys.paths[containers.top.state].defaultItems
            hold.begin(
                memberOf: depth - 1, defaults: defaults, ofBytes: plan.selectors.defaults.sourceBytes(at: defaults))
        }
        hold.open(kind, at: depth, isSearched: savepoints[depth - 1].isSearched, hasNodes: notesNodes(in: depth))
    }

    /// Adds the member whose key was just accepted, or the element that begins, to the held object.
    mutating func addNode(_ match: PathAutomaton.Traits, move: Int32, isLeftOut: Bool) {
        let depth = containers.depth
        // Only what is flattened is named by `*`.
        let isMoved = move < 0 && match.contains(.moved) && containers.top.kind == .array
        let moveOfElements = isMoved ? keys.paths.elements(of: containers.top.state).match.move : -1
        guard
            let node = hold.add(
                at: depth, offset: savepoints[depth].offset, isLeftOut: isLeftOut,
                mustHold: !match.isDisjoint(with: [.searched, .passed]), move: isMoved ? moveOfElements : move,
                isRecord: match.contains(.record) && plan.sparesRecords && !isLines, hasNode: notesNodes(in: depth))
        else { return }
        if plan.sparesRecords, !isLines { noteRequirement(of: node) }
        if containers.top.kind == .object {
            hold.setNames(of: node, to: keys[Int(containers.top.entry)], in: keys.cache.arena)
        } else {
            hold.setIndex(of: node, to: containers.top.index)
        }
    }

    /// The member whose key was just accepted repeats an earlier one: it counts for nothing.
    mutating func forgetRepetition() {
        let depth = containers.depth
        counters.takeBackRequirement(in: depth)
        guard let node = hold.member(at: depth) else { return }
        hold.leaveOut(node)
        hold.forgetRequirement(of: node)
    }

    /// The value of the member or element is over: its node has it now, so that its text is needed no more.
    mutating func settleNode(_ output: inout ByteBuffer) throws(Fault) {
        let depth = containers.depth
        guard let node = hold.member(at: depth) else { return }
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
        let node = hold.innermostMember(at: &depth)
        if hold.mayNoteFault(of: node) { hold.note(try deferredFault(fault, at: node, depth)) }
    }

    /// Notes that the member being read is at fault, unless undoing a move takes it out.
    mutating func deferUntilMoved(_ fault: Fault) throws(Fault) {
        guard let node = hold.member(at: containers.depth), !payload.discard.isActive else { return }
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
        return HeldObject.DeferredFault(
            kind: fault.kind, node: Int32(node), tail: path(to: fault, below: depth),
            missing: fault.kind == .missing ? missing.place : "",
            offset: position.offset(of: fault.position), rule: rule(for: fault),
            message: count < HeldObject.DeferredFault.maxWorded ? message(for: fault) : nil)
    }
}
