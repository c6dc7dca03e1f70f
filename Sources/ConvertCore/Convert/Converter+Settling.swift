// A scope that has ended goes through the phases of `ScopeSettling`, one after another. Each goes as far as `steps` go, of
// which every node that is looked at takes one or more, and then stands where it was left: as far as the first call of a piece
// came, the next one goes on. What small objects take is taken from the same steps, so that thousands of them in one chunk
// are not longer on the way than a large one. While a scope is being settled `expectation` is `.settlingScope`; then it is
// written (`.writingScope`) and its memory given back (`.emptyingScope`), which takes some time as well.

/// Settling a scope: the rules that had to wait until it ended, in pieces.
extension Converter {
    /// The steps of one piece: about a millisecond where all that is looked at has to come from memory.
    static let maxPieceSteps = 4096

    /// The scope's container is over: its text, as written so far, is replaced by what becomes of it.
    mutating func endScope(_ output: inout ByteBuffer) throws(Fault) {
        levels[payload.scopeDepth + 1].node = -1
        scope.text.padWithSlack()
        scope.countGrowth()
        settling.begin()
        expectation = .settlingScope
        // Small scopes, too, take some time.
        steps -= 1 + scopeDefaultItems.count
        try settleScope(&output)
    }

    /// Goes on with settling the scope and, once that is done, begins to write it.
    mutating func settleScope(_ output: inout ByteBuffer) throws(Fault) {
        while settling.phase != .settled, steps > 0 {
            try takePhase()
            // The record that it was in is left out.
            if payload.recordIsBad { return endSettling() }
        }
        guard settling.phase == .settled else { return }
        let depth = payload.scopeDepth
        endSettling()
        output.truncate(to: levels[depth].valueMark)
        if levels[depth].isTentative, payload.isScopeEmpty {
            levels[depth].isRemoved = true
            if !levels[depth].isSearched { holdFoundPlace() }
        }
        // What goes in any case need not be written.
        guard !levels[depth].isRemoved else {
            expectation = .emptyingScope
            return emptyScope()
        }
        beginWriting(at: depth)
        scope.text.padWithSlack()
        writer.begin(
            ScopeTree.root, plan.output, indent: indent, outerLevels: outerLevels + depth, in: scope, into: &output)
        writeScope(into: &output, upTo: Self.maxPieceBytes)
    }

    private mutating func endSettling() {
        payload.scopeDepth = -1
        settling.end()
        expectation = .afterValue
    }

    /// Forgets the scope, wherever it stands.
    mutating func abandonScope() {
        payload.scopeDepth = -1
        if settling.phase != .settled { settling.end() }
        writer.abandon()
        scope.removeAll()
        forgetDeferredFaults()
    }

    /// Writes more of the scope that is settled.
    mutating func writeScope(into output: inout ByteBuffer, upTo maxBytes: Int) {
        writer.write(&scope, upTo: maxBytes, into: &output)
        expectation = writer.isDone ? .emptyingScope : .writingScope
        if writer.isDone { emptyScope() }
    }

    /// Forgets what was held, or a part of it.
    mutating func emptyScope() {
        guard !scope.shrink() else { return }
        var faults = 0
        while !deferredFaults.isEmpty || !metRequirements.isEmpty {
            guard faults < Self.maxPieceSteps else { return }
            _ = (deferredFaults.popLast(), metRequirements.popLast())
            faults += 1
        }
        scope.removeAll()
        forgetDeferredFaults()
        expectation = .afterValue
    }

    // MARK: Phases

    /// Goes on with one phase, and enters the next one if it is over.
    private mutating func takePhase() throws(Fault) {
        switch settling.phase {
        case .removingRepetitions:
            let isOver = !scope.holdsRepetitions || settling.repetitions.work(on: &scope, &steps)
            if isOver { settling.enter(scope.holdsFoundPlaces ? .countingFoundPlaces : .unlinkingVoid) }
        case .countingFoundPlaces:
            let isOver = scope.countFoundPlaces(
                from: &settling.next, doubtful: &settling.repetitions.thinned, &steps)
            if isOver { settling.enter(.unlinkingVoid) }
        case .unlinkingVoid:
            let isOver = !scope.holdsVoid || scope.unlinkVoid(from: &settling.next, &steps)
            if isOver { settling.enter(.removingThinned) }
        case .removingThinned:
            guard settling.repetitions.removeEmptied(from: &scope, &steps) else { return }
            settling.findsSomething = scope.holdsAnything(ScopeTree.root)
            if settling.findsSomething { levels[payload.scopeDepth].isSearched = false }
            settling.enter(scope.holdsFaults ? .sparingRecords : .removingVoid)
        case .sparingRecords: try spareRecords()
        case .judgingFaults: try judgeFaults()
        case .removingVoid:
            guard settling.findsSomething else {
                levels[payload.scopeDepth].isRemoved = true
                return settling.enter(.settled)
            }
            let isOver = !scope.holdsVoid || scope.removeVoid(from: &settling.next, &steps)
            if isOver { settling.enter(.moving) }
        case .moving:
            let isOver = !scope.holdsMoves || settling.mover.work(on: &scope, plan, &steps)
            try checkGrowth()
            if isOver { settling.enter(.judgingMoves) }
        case .judgingMoves: try judgeMoves()
        case .judgingNames: try judgeNames()
        case .choosingShape: chooseShape()
        case .pruning:
            let isOver = !prunes || settling.pruner.work(on: &scope, plan.prune, &steps)
            if isOver { beginDefaults() }
        case .adding: try addDefaults()
        case .settlingCollisions:
            let policy = plan.policies.collision
            let isOver = policy == .keep || settling.collisions.work(on: &scope, policy, &steps)
            if isOver { settling.enter(.judgingCollisions) }
        case .judgingCollisions: try judgeCollisions()
        case .settled: return
        }
    }

    // MARK: Shape

    /// Stands before the next record, or the whole scope once all of them have their shape.
    private mutating func chooseShape() {
        while settling.record < scope.records.count {
            guard steps > 0 else { return }
            let node = Int(scope.records[settling.record])
            settling.record += 1
            if scope.nodes[node].isRecord, scope.stands(node, &steps) { return beginShape(of: node) }
        }
        beginShape(of: ScopeTree.root)
    }

    private mutating func beginShape(of node: Int) {
        settling.shaped = node
        settling.pruner.begin(below: node)
        settling.enter(.pruning)
    }

    private mutating func beginDefaults() {
        guard settling.shaped == ScopeTree.root else { return beginCollisions() }
        payload.isScopeEmpty = scope.isEmpty(ScopeTree.root)
        guard !scopeDefaultItems.isEmpty, !(levels[payload.scopeDepth].isTentative && payload.isScopeEmpty) else {
            return beginCollisions()
        }
        settling.adder.begin(scopeDefaultItems)
        settling.enter(.adding)
    }

    private mutating func addDefaults() throws(Fault) {
        let isOver = settling.adder.work(
            on: &scope, below: ScopeTree.root, plan.selectors, plan.output.escapes, maxBytes: maxGrownBytes, &steps)
        try checkGrowth()
        if isOver { beginCollisions() }
    }

    private var maxGrownBytes: Int { min(plan.limits.maxHeldBytes, scope.mostGrowth) }

    /// A profile can make much of little, were it of containers without any text.
    private func checkGrowth() throws(Fault) {
        guard scope.grownBytes <= maxGrownBytes else { throw Fault(kind: .heldLength, position: 0) }
    }

    private mutating func beginCollisions() {
        scope.text.padWithSlack()
        settling.collisions.begin(below: settling.shaped)
        settling.enter(.settlingCollisions)
    }
}
