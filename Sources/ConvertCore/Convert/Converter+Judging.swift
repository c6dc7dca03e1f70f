/// Faults that show, or count, only once a scope has ended.
extension Converter {
    /// Leaves out the records that hold a fault.
    mutating func spareRecords() throws(Fault) {
        while let node = nextFault() {
            _ = try spareRecord(around: node)
            if payload.recordIsBad { return }
        }
        if settling.next == scope.nodes.count { settling.enter(.judgingFaults) }
    }

    /// Any other fault is one of the payload, if what it is about stands yet: without the records, `keep` may find nothing any
    /// more in what is at fault around them, which counts for all but the faults of the input as it is.
    mutating func judgeFaults() throws(Fault) {
        while let node = nextFault() {
            payload.deferredIndex = Int(scope[note: node].fault)
            try report(Fault(kind: .deferred, position: 0))
            if payload.recordIsBad { return }
        }
        if settling.next == scope.nodes.count { settling.enter(.removingVoid) }
    }

    /// The next node with a fault that counts; nil when there is none up to the last, or `steps` are used up.
    private mutating func nextFault() -> Int? {
        scope.nextStanding(from: &settling.next, &steps, butForKeep: \.faultIsOfInput) { $0.fault >= 0 }
    }

    /// Values that could not be put where their moves say.
    mutating func judgeMoves() throws(Fault) {
        while settling.next < settling.mover.misplaced.count {
            guard steps > 0 else { return }
            let job = settling.mover.misplaced[settling.next]
            settling.next += 1
            try reportNode(Int(job.node), .noObject, rule: Int(job.move))
            if payload.recordIsBad { return }
        }
        settling.enter(.judgingNames)
    }

    /// Names that count once what undoing moves takes out is gone.
    mutating func judgeNames() throws(Fault) {
        guard !deferredFaults.isEmpty else { return settling.enter(.choosingShape) }
        while let node = scope.nextStanding(from: &settling.next, &steps, where: { $0.faultAfterMoves >= 0 }) {
            if try !spareRecord(around: node) {
                payload.deferredIndex = Int(scope[note: node].faultAfterMoves)
                try report(Fault(kind: .deferred, position: 0))
            }
            if payload.recordIsBad { return }
        }
        if settling.next == scope.nodes.count { settling.enter(.choosingShape) }
    }

    /// Collisions that the policy does not settle.
    mutating func judgeCollisions() throws(Fault) {
        while settling.next < settling.collisions.collisions.count {
            guard steps > 0 else { return }
            let collision = settling.collisions.collisions[settling.next]
            settling.next += 1
            guard scope.stands(Int(collision.later), &steps) else { continue }
            payload.collidingNode = Int(collision.earlier)
            try reportNode(Int(collision.later), .nodeCollision, rule: -1)
            if payload.recordIsBad { return }
        }
        settling.enter(settling.shaped == ScopeTree.root ? .settled : .choosingShape)
    }

    /// A fault that shows only when the scope is over.
    private mutating func reportNode(_ node: Int, _ kind: Fault.Kind, rule: Int) throws(Fault) {
        steps -= 1
        let isName = kind == .nodeCollision && scope.nodes[node].isRecord
        let mustHold = scope.nodes[node].mustHold
        if !isName || leavesOutCollidingRecord(mustHold: mustHold), try spareRecord(around: node, asNull: !isName) {
            return
        }
        payload.faultyNode = node
        payload.faultyMove = rule
        try report(Fault(kind: kind, position: scope.nodes[node].offset - payload.chunkOffset))
    }

    /// Takes out the record that a node is in; false when it is in none.
    private mutating func spareRecord(around node: Int, asNull: Bool = true) throws(Fault) -> Bool {
        var current = node
        while current >= 0, !scope.nodes[current].isRecord {
            current = Int(scope.nodes[current].inputParent)
            steps -= 1
        }
        guard current >= 0, plan.sparesRecords else { return false }
        payload.skippedRecords += 1
        // It counts as left out before anything is required.
        if scope[note: current].requirement >= 0, let requirement = forgetRequirement(of: current) {
            missing = requirement
            payload.faultyNode = Int(scope.nodes[current].inputParent)
            try report(
                Fault(kind: .missingNode, position: scope.nodes[payload.faultyNode].offset - payload.chunkOffset))
        }
        if plan.records == .null, asNull, !scope.nodes[current].mustHold {
            scope.setValue(of: current, to: Array("null".utf8).span)
            scope.nodes[current].isRecord = false
            if scope.nodes[current].note >= 0 { scope[note: current].fault = -1 }
        } else {
            scope.removeSearched(from: current, &steps)
        }
        scope.forgetFoundPlaces(of: current, &steps)
        return true
    }
}
