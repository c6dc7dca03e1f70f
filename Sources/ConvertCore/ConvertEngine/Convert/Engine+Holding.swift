/// Reports to the held object about the containers, members and errors that the engine reads.
extension Engine {
    /// Whether an error inside the held object may still disappear, with a later duplicate or with a record around it.
    var defersErrors: Bool {
        plan.holdsDocument || plan.policies.duplicateKey == .last
            || (plan.sparesRecords && !isLines && !payload.records.isOpen)
    }

    /// Whether the container that opens now becomes the held object.
    @inline(__always)
    private func beginsHolding(_ kind: Container.Kind) -> Bool {
        !hold.isActive && !payload.discard.isActive && !payload.stringify.isActive
            && ((valueTraits.contains(.anchor) && !streamsFlattened)
                || (holdsObjects && (kind == .object || plan.holdsDocument) && containers.depth > documentDepth))
    }

    /// Whether the contents of the container at a depth get nodes. Discarded contents get none if their member stays with another value, if
    /// no rule looks into them, or if more nodes would exceed the room in `hold`.
    private func notesNodes(in depth: Int) -> Bool {
        !payload.discard.isActive || payload.discard.isMember(at: depth)
            || (!payload.discard.isReplaced && containers.top.state != PathAutomaton.inert && hold.hasRoom)
    }

    /// Opens a container in the held object, or begins a held object with it.
    mutating func openNode(_ kind: Container.Kind) {
        let depth = containers.depth
        if !hold.isActive {
            guard beginsHolding(kind) else { return }
            let defaults = keys.paths[containers.top.state].defaultItems
            // A record in the object may be skipped when the object ends, which needs each member.
            let keepsText = plan.holdsText && (!plan.sparesRecords || isLines || payload.records.isOpen)
            hold.begin(
                memberOf: depth - 1, keepsText: keepsText, defaults: defaults,
                ofBytes: plan.selectors.defaults.sourceBytes(at: defaults))
            hold.outerUncommittedDepth = payload.uncommittedDepth
            payload.uncommittedDepth = Self.allCommitted
        }
        guard let node = hold.member(at: depth - 1), notesNodes(in: depth) else { return }
        hold.open(node, as: kind, isSearched: savepoints[depth - 1].isSearched)
    }

    /// Whether every member that comes next gets a node in the held object.
    @inline(__always)
    var holdsNodes: Bool { hold.isActive && !hold.keepsText }

    /// Whether a member needs a node in the held object: a move may concern it, or the members are not kept as text.
    @inline(__always)
    func needsNode(_ match: PathAutomaton.Traits) -> Bool {
        !hold.keepsText || !match.isDisjoint(with: [.route, .moved, .anchor, .trail])
    }

    /// Whether the fast path needs no savepoints: what comes next is text, also in a held object, and none of it can be removed.
    @inline(__always)
    var mapsText: Bool {
        (hold.isActive ? !prunes : staging == .buffersMoves) && !payload.discard.isActive
            && pendingErrors.outermostDepth == .max
            && (beginsMemberOrValue ? lexerState != .value || valueTraits.isEmpty : endsText)
            && hold.member(at: containers.depth) == nil
    }

    /// Whether a member or element has ended that nothing can remove any more.
    @inline(__always)
    private var endsText: Bool {
        staging == .buffersMoves && lexerState == .afterValue && payload.uncommittedDepth > containers.depth
            && containers.top.kind != .payload
    }

    /// Marks the members that were read without savepoints, which are not below `outermost`, as members that stay. One that is discarded
    /// has a savepoint, and so does the payload's value, where an NDJSON line begins.
    mutating func markText(from outermost: Int) {
        payload.uncommittedDepth = Self.allCommitted
        let end = payload.discard.memberDepth ?? containers.depth + 1
        for depth in min(max(hold.isActive ? hold.innermostDepth : 1, outermost), end)..<end {
            savepoints[depth] = Savepoint(isFirst: true)
        }
    }

    /// Moves the text of the last members without nodes, up to `end`, from the output to a node of the innermost container.
    mutating func takeText(upTo end: Int, _ output: inout ByteBuffer) {
        guard !payload.discard.isActive else { return }
        let depth = containers.depth
        hold.takeText(ofMembersAt: depth, from: savepoints[depth - 1].valueMark + 1, upTo: end, &output)
    }

    /// Adds the member whose key was just accepted, or the element that begins, to the held object.
    mutating func addNode(_ match: PathAutomaton.Traits, move: Int32, isDiscarded: Bool) {
        let depth = containers.depth
        // Only `flatten` can select elements with `*`; no other move can.
        let isMoved = move < 0 && match.contains(.moved) && containers.top.kind == .array
        let moveOfElements = isMoved ? keys.paths.elements(of: containers.top.state).match.move : -1
        guard notesNodes(in: depth),
            let node = hold.add(
                at: depth, offset: savepoints[depth].offset, isDiscarded: isDiscarded,
                mustHold: !match.isDisjoint(with: [.searched, .passed]), move: isMoved ? moveOfElements : move,
                isRecord: match.contains(.record) && plan.sparesRecords && !isLines)
        else { return }
        if plan.sparesRecords, !isLines { noteRequirement(of: node) }
        if containers.top.kind == .object {
            hold.setNames(of: node, to: keys[Int(containers.top.entry)], in: keys.cache.arena)
        } else {
            hold.object.tree.nodes[node].index = containers.top.index
        }
    }

    /// Leaves out the member whose key was just accepted, because it repeats an earlier one. It also meets no requirement.
    mutating func forgetRepetition() {
        let depth = containers.depth
        counters.takeBackRequirement(in: depth)
        guard let node = hold.member(at: depth) else { return }
        hold.discard(node, for: .repetition)
        hold.object.forgetRequirement(of: node)
    }

    /// Ends the value of the member or element. Its text moves from the output to the node.
    mutating func resolve(_ node: Int, _ output: inout ByteBuffer) throws(EngineError) {
        let depth = containers.depth
        guard hold.hasRoom else { throw EngineError(kind: .heldLength, position: 0) }
        if savepoints[depth].isRemoved {
            hold.discard(node)
        } else {
            hold.take(node, from: savepoints[depth].mark, valueAt: savepoints[depth].valueMark, &output)
        }
    }

    // MARK: Errors in the held object

    /// Notes for an explanation why a rule rejects the value being read.
    mutating func noteComplaint(_ message: String) {
        guard plan.holdsDocument else { return }
        // The document itself is rejected before anything is held, or is a scalar.
        if let node = hold.isActive ? hold.member(at: containers.depth) : HeldTree.root {
            hold.note(complaint: message, at: node)
        }
    }

    /// Defers an error at the member being read.
    mutating func deferError(_ error: EngineError) throws(EngineError) {
        // A missing key or element is an error of its container. Any other error belongs to the member being read.
        var depth = error.kind == .missing && lexerState != .value ? containers.depth - 1 : containers.depth
        let node = hold.innermostMember(at: &depth)
        if hold.mayNoteError(of: node) { hold.note(try deferredError(error, at: node, depth)) }
    }

    /// Defers an error at the member being read. It does not count if undoing a move takes the member out.
    mutating func deferUntilMoved(_ error: EngineError) throws(EngineError) {
        guard let node = hold.member(at: containers.depth), !payload.discard.isActive else { return }
        hold.noteAfterMoves(try deferredError(error, at: node, containers.depth))
    }

    /// Defers a collision of the member that ends if one of the two members, but not both, has a node: it counts only if this node stays.
    /// Returns false if neither has a node. The collision of two nodes is found when the object ends.
    mutating func deferCollision(_ error: EngineError) throws(EngineError) -> Bool {
        let depth = containers.depth
        guard let container = hold.container(at: depth) else { return false }
        let own = hold.member(at: depth)
        let first = hold.member(named: keys.outputName(of: Int(error.entry)), of: container)
        let other = first == own ? nil : first
        // Another member of the same output key may have come after that node.
        let hasText = other.map { hold.collides($0) } ?? true
        if own == nil, hasText { return false }
        if let node = hasText ? own : own == nil ? other : nil {
            let owner = own ?? container
            hold.note(try deferredError(error, at: owner, own == nil ? depth - 1 : depth), collidingWith: node)
        }
        return true
    }

    /// The details of an error that cannot be found out later. Its node is the member of the container at `depth`.
    private mutating func deferredError(
        _ error: EngineError, at node: Int, _ depth: Int
    ) throws(EngineError) -> HeldObject.DeferredError {
        let count = hold.object.errors.count
        guard count < plan.limits.maxHeldBytes / MemoryLayout<HeldObject.DeferredError>.stride else {
            throw EngineError(kind: .heldLength, position: 0)
        }
        return HeldObject.DeferredError(
            kind: error.kind, node: Int32(node), tail: path(to: error, below: depth),
            missing: error.kind == .missing ? missing.pointer : "",
            offset: position.offset(of: error.position), rule: rule(for: error),
            message: count < HeldObject.DeferredError.maxWorded ? message(for: error) : nil)
    }
}
