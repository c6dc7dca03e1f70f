/// An object, or array, that is held until it ends, since something in it may still change places, with what is open about it.
///
/// The converter writes its text as ever, and adds a node for each member and element. When it ends, `settle` carries out the rules that
/// had to wait, and the text is written anew from the nodes that stay. To settle takes time by the number of nodes: for large objects
/// the caller says where, see `HeldWork`.
struct HeldObject: ~Copyable, Sendable {
    /// A fault that counts only if what it is about stays: small, since there may be millions.
    struct DeferredFault {
        let kind: Fault.Kind
        /// The node that it is held against, the pointer from there to the place, mostly nothing, and what is missing there.
        let node: Int32
        let tail: String
        let missing: String
        let offset: Int
        let rule: String?
        /// Why; of the first faults of an object alone.
        let message: String?

        /// How many of an object's faults are told in words of their own.
        static let maxWorded = 1024
    }

    /// A requirement that a container in it meets.
    struct MetRequirement {
        let requirement: ObjectContract.Requirement
        /// The members that meet it and stand.
        var count = 0
    }

    /// What shows, or counts, only once the object has ended.
    enum Failure: Error {
        /// One that was noted before, by its number.
        case deferred(Int)
        /// What a node must hold is not there.
        case missing(ObjectContract.Requirement, at: Int)
        /// The new parent of a moved node is no object, or what should be flattened is none, or not in one.
        case misplaced(Int, move: Int)
        case collision(HeldTree.Collision)
        /// More came of the object than may be held.
        case tooLong
    }

    var tree = HeldTree()
    var faults: [DeferredFault] = []
    var requirements: [MetRequirement] = []
    /// The positions of the defaults that may be added somewhere in it.
    var defaults: [Int32] = []
    /// How long their values are in the profile.
    var defaultBytes = 0
    /// Whether it goes if it is empty without them.
    var isPrunedIfEmpty = false

    /// What came of it, once it was settled.
    private(set) var isSettled = false
    private(set) var failure: Failure?
    /// Whether `keep` finds anything in it, and whether nothing but defaults is left in it.
    private(set) var holdsKept = true
    private(set) var isEmpty = false
    private(set) var skippedRecords = SkippedRecords()

    private var names = NameTable()
    private var sorter = NameSorter()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { tree.storedBytes + names.storedBytes + sorter.storedBytes }

    /// Bytes of what is open about it.
    @inline(__always) var openBytes: Int {
        faults.count * MemoryLayout<DeferredFault>.stride + requirements.count * MemoryLayout<MetRequirement>.stride
    }

    /// How long it takes to settle it: nodes that are looked at, for each position of rules that add some, and what these may add.
    var work: Int { tree.nodes.count * (1 + defaults.count) + defaultBytes }

    /// Forgets the object.
    mutating func removeAll() {
        tree.removeAll()
        faults.removeAll()
        requirements.removeAll()
        (defaults, defaultBytes) = ([], 0)
        (isSettled, failure, holdsKept, isEmpty, skippedRecords) = (false, nil, true, false, SkippedRecords())
    }

    /// Carries out what had to wait until the object ended.
    mutating func settle(by plan: Plan) {
        do throws(Failure) {
            try carryOut(plan)
        } catch {
            failure = error
        }
        isSettled = true
    }

    // MARK: The order of operations

    /// Rules by the names of the input, then moves, then rules by the names of the output.
    private mutating func carryOut(_ plan: Plan) throws(Failure) {
        tree.text.padWithSlack()
        tree.countGrowth()
        removeRepetitions()
        if tree.holdsFaults {
            try skipRecords(plan)
            try judgeFaults()
        }
        guard holdsKept else { return }
        if tree.holdsLeftOut { tree.removeLeftOut() }
        if tree.holdsMoves { try move(plan) }
        try judgeMovedNames(plan)
        // Each record is given its shape by itself first, so that a bad one is out before the rest is looked at.
        for record in 0..<tree.records.count {
            let node = Int(tree.records[record])
            if tree.nodes[node].isRecord, tree.stands(node) { try shape(node, plan) }
        }
        try shape(HeldTree.root, plan)
        if plan.output.sortKeys { tree.sortMembers(below: HeldTree.root, &sorter) }
    }

    /// `duplicateKey: last`, after which `keep` may find nothing in objects that lost a member.
    private mutating func removeRepetitions() {
        var thinned = tree.holdsRepetitions ? tree.removeRepetitions(&names) : []
        if tree.holdsFoundPlaces { thinned += tree.countFoundPlaces() }
        if tree.holdsLeftOut { tree.unlinkLeftOut() }
        for object in thinned where !tree.nodes[object].isGone { tree.removeIfNothingFound(from: object) }
        holdsKept = tree.holdsAnything(HeldTree.root)
    }

    private mutating func move(_ plan: Plan) throws(Failure) {
        let misplaced = tree.moveValues(by: plan, maxBytes: maxGrownBytes(plan))
        try checkGrowth(plan)
        for value in misplaced {
            let isFlattened = plan.selectors.moves[value.move].flattening != nil
            // Of one that is flattened the record may have gone before.
            if isFlattened, !tree.stands(value.node) { continue }
            guard try skipRecord(around: value.node, isFlattened ? .flatten : .move, plan) else {
                throw .misplaced(value.node, move: value.move)
            }
        }
    }

    /// `prune`, `defaults`, collisions.
    private mutating func shape(_ node: Int, _ plan: Plan) throws(Failure) {
        if plan.prune.isActive { tree.prune(below: node, plan.prune) }
        if node == HeldTree.root {
            isEmpty = tree.isEmpty(node)
            if !(isPrunedIfEmpty && isEmpty) {
                tree.addDefaults(
                    plan.selectors.defaults, at: defaults, plan.output.escapes, maxBytes: maxGrownBytes(plan))
                try checkGrowth(plan)
            }
        }
        for collision in tree.settleCollisions(below: node, plan.policies.collision, &names)
        where tree.stands(collision.later) {
            // With null in its place a record would still have its key.
            let isName = tree.nodes[collision.later].isRecord
            let mayGo = !isName || plan.skipsCollidingRecord(mustHold: tree.nodes[collision.later].mustHold)
            guard mayGo, try skipRecord(around: collision.later, .collision, asNull: !isName, plan) else {
                throw .collision(collision)
            }
        }
    }

    private func maxGrownBytes(_ plan: Plan) -> Int { min(plan.limits.maxHeldBytes, tree.mostGrowth) }

    /// A profile can make much of little, even of containers without any text.
    private func checkGrowth(_ plan: Plan) throws(Failure) {
        guard tree.grownBytes <= maxGrownBytes(plan) else { throw .tooLong }
    }

    // MARK: Faults

    /// Skips the records that hold a fault.
    private mutating func skipRecords(_ plan: Plan) throws(Failure) {
        for node in tree.nodes(where: { $0.fault >= 0 }) where isAtFault(node) {
            _ = try skipRecord(around: node, code(of: tree[note: node].fault), plan)
        }
    }

    /// Any other fault is one of the payload, if what it is about is still there: without the records, `keep` may find nothing any
    /// more in what is at fault around them, which counts for all but the faults of the input as it is.
    private func judgeFaults() throws(Failure) {
        for node in tree.nodes(where: { $0.fault >= 0 }) where isAtFault(node) {
            throw .deferred(Int(tree[note: node].fault))
        }
    }

    private func isAtFault(_ node: Int) -> Bool {
        tree[note: node].fault >= 0 && tree.stands(node, ignoresKeep: tree[note: node].faultIsOfInput)
    }

    /// Names that count once what undoing moves takes out is gone.
    private mutating func judgeMovedNames(_ plan: Plan) throws(Failure) {
        guard !faults.isEmpty else { return }
        for node in tree.nodes(where: { $0.faultAfterMoves >= 0 }) where tree.stands(node) {
            let fault = tree[note: node].faultAfterMoves
            guard try skipRecord(around: node, code(of: fault), plan) else { throw .deferred(Int(fault)) }
        }
    }

    private func code(of fault: Int32) -> ConversionError.Code { Engine.code(of: faults[Int(fault)].kind) }

    // MARK: Records

    /// Takes out the record that a node is in; false when it is in none.
    private mutating func skipRecord(
        around node: Int, _ code: ConversionError.Code, asNull: Bool = true, _ plan: Plan
    ) throws(Failure) -> Bool {
        var record = node
        while record >= 0, !tree.nodes[record].isRecord { record = Int(tree.nodes[record].inputParent) }
        guard record >= 0, plan.sparesRecords else { return false }
        skippedRecords[code] += 1
        // It counts as left out before anything is required.
        if tree[note: record].requirement >= 0, let requirement = forgetRequirement(of: record) {
            throw .missing(requirement, at: Int(tree.nodes[record].inputParent))
        }
        if plan.records == .null, asNull, !tree.nodes[record].mustHold {
            tree.setValue(of: record, to: Array("null".utf8).span)
            tree.nodes[record].isRecord = false
            if tree.nodes[record].note >= 0 { tree[note: record].fault = -1 }
        } else {
            tree.removeSearched(from: record)
        }
        tree.forgetFoundPlaces(of: record)
        return true
    }

    /// Has a node meet a requirement of the container around it; returns the requirement's number, `met` if it has one already.
    mutating func noteRequirement(
        _ requirement: ObjectContract.Requirement, of node: Int, met: Int32, keepsLast: Bool
    ) -> Int32 {
        var met = Int(met)
        if met < 0 {
            met = requirements.count
            requirements.append(MetRequirement(requirement: requirement))
        }
        // Of the members with one name the last will be the only one.
        requirements[met].count = keepsLast ? 1 : requirements[met].count + 1
        tree[note: node].requirement = Int32(met)
        return Int32(met)
    }

    /// Has a node no longer meet the requirement that it met; returns it if nothing else does.
    @discardableResult
    mutating func forgetRequirement(of node: Int) -> ObjectContract.Requirement? {
        let met = Int(tree[note: node].requirement)
        tree[note: node].requirement = -1
        requirements[met].count -= 1
        return requirements[met].count == 0 ? requirements[met].requirement : nil
    }
}
