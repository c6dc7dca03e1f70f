/// An object or array that is buffered until it ends, because rules may still move something in it, with its open errors and requirements.
///
/// The engine writes the text as usual, and adds a node for each member and element. When the object ends, `resolve`
/// applies the rules that had to wait. Then the text is written anew from the nodes that stay. The time of `resolve`
/// grows with the number of nodes, so for large objects the caller decides where it runs, see `HeldWork`.
struct HeldObject: ~Copyable, Sendable {
    /// An error that counts only if its node stays. Small, because there may be millions.
    struct DeferredError {
        let kind: EngineError.Kind
        /// The node that has the error, the pointer from there to the error (mostly empty), and the path of the missing value.
        let node: Int32
        let tail: String
        let missing: String
        let offset: Int
        let rule: String?
        /// The message; nil if the object had `maxWorded` errors before.
        let message: String?

        /// How many errors of one object get a message of their own.
        static let maxWorded = 1024
    }

    /// A requirement that a container in the object meets.
    struct MetRequirement {
        let requirement: ObjectContract.Requirement
        /// How many members meet it and stay.
        var count = 0
    }

    /// An error that is found, or counts, only when the object ends.
    enum Failure {
        /// A deferred error, by its index in `errors`.
        case deferred(Int)
        /// A node does not contain a required key or element.
        case missing(ObjectContract.Requirement, at: Int)
        /// The new parent of a moved node is not an object. Or a node to flatten is not an object, or not in one.
        case misplaced(Int, move: Int)
        case collision(HeldTree.Collision)
        /// The rules made the object larger than the limit for buffered output.
        case tooLong
    }

    var tree = HeldTree()
    var errors: [DeferredError] = []
    /// Nodes with the same output key as a member without a node: the index of the error in `errors`, which counts if the node stays.
    var collisions: [Int: Int] = [:]
    var requirements: [MetRequirement] = []
    /// The positions in the tree of defaults that lead to the object.
    var defaults: [Int32] = []
    /// The total bytes, in the profile, of the values that may be added.
    var defaultBytes = 0
    /// Whether the object is removed if it is empty without added members.
    var isPrunedIfEmpty = false

    /// The results of `resolve`.
    private(set) var isResolved = false
    private(set) var failure: Failure?
    /// Whether `keep` finds anything in the object, and whether the object is empty apart from defaults.
    private(set) var holdsKept = true
    private(set) var isEmpty = false
    private(set) var skippedRecords = SkippedRecords()

    private var names = NameTable()
    private var sorter = NameSorter()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { tree.storedBytes + names.storedBytes + sorter.storedBytes }

    /// Bytes of the deferred errors and the met requirements.
    @inline(__always) var openBytes: Int {
        errors.count * MemoryLayout<DeferredError>.stride + requirements.count * MemoryLayout<MetRequirement>.stride
    }

    /// The work of `resolve`: the number of nodes, again for each position of defaults, and the bytes that defaults may add.
    var work: Int { tree.nodes.count * (1 + defaults.count) + defaultBytes }

    /// Forgets the object.
    mutating func removeAll() {
        guard !tree.nodes.isEmpty else { return }
        tree.removeAll()
        errors.removeAll()
        collisions.removeAll()
        requirements.removeAll()
        (defaults, defaultBytes) = ([], 0)
        (isResolved, failure, holdsKept, isEmpty, skippedRecords) = (false, nil, true, false, SkippedRecords())
    }

    /// Applies the rules that had to wait until the object ended: those for input keys, then moves, then those for output keys.
    ///
    /// Errors do not end this, so that an explanation also shows the effects after them. The first one counts.
    mutating func resolve(by plan: Plan) {
        isResolved = true
        tree.text.padWithSlack()
        tree.countGrowth()
        removeRepetitions()
        if tree.holdsErrors {
            skipRecords(plan)
            checkErrors()
        }
        guard holdsKept else { return }
        if tree.holdsDiscarded { tree.removeDiscarded() }
        if tree.holdsMoves { move(plan) }
        checkMovedKeys(plan)
        // Each record is shaped by itself first, so that a bad one is removed before the rest is looked at.
        for record in 0..<tree.records.count {
            let node = Int(tree.records[record])
            if tree.nodes[node][.isRecord], tree.isPresent(node) { shape(node, plan) }
        }
        shape(HeldTree.root, plan)
        if plan.output.sortKeys { tree.sortMembers(below: HeldTree.root, &sorter) }
    }

    private mutating func fail(_ failure: Failure) { self.failure = self.failure ?? failure }

    /// Applies `duplicateKey: last`. After that, `keep` may find nothing in objects that lost a member.
    private mutating func removeRepetitions() {
        var thinned = tree.holdsRepetitions ? tree.removeRepetitions(&names) : []
        if tree.holdsListed { thinned += tree.countListedValues() }
        if tree.holdsDiscarded { tree.unlinkDiscarded() }
        for object in thinned where !tree.nodes[object][.isRemoved] { tree.removeIfNothingFound(from: object) }
        holdsKept = tree.holdsAnything(HeldTree.root)
    }

    private mutating func move(_ plan: Plan) {
        let misplaced = tree.moveValues(by: plan, maxBytes: maxGrownBytes(plan))
        checkGrowth(plan)
        // The record around a misplaced value may have been skipped for another one.
        for value in misplaced where tree.isPresent(value.node, ignoring: .move) {
            let isFlattened = plan.selectors.moves[value.move].flattening != nil
            if !skipRecord(around: value.node, isFlattened ? .flatten : .move, plan) {
                fail(.misplaced(value.node, move: value.move))
            }
        }
    }

    /// Applies `prune`, `defaults` (for the root only) and the policy for collisions to a node.
    private mutating func shape(_ node: Int, _ plan: Plan) {
        if plan.prune.isActive { tree.prune(below: node, plan.prune) }
        if node == HeldTree.root {
            isEmpty = tree.isEmpty(node)
            if !(isPrunedIfEmpty && isEmpty) {
                tree.addDefaults(
                    plan.selectors.defaults, at: defaults, maxBytes: maxGrownBytes(plan))
                checkGrowth(plan)
            }
            if !collisions.isEmpty, let first = collisions.filter({ tree.isPresent($0.key) }).values.min() {
                fail(.deferred(first))
            }
        }
        for collision in tree.resolveCollisions(below: node, plan.policies.collision, &names)
        where tree.isPresent(collision.later) {
            // A record that is replaced by null would still have its key, so it would still collide.
            let isName = tree.nodes[collision.later][.isRecord]
            let mayGo = !isName || plan.skipsCollidingRecord(mustHold: tree.nodes[collision.later][.mustHold])
            if !mayGo || !skipRecord(around: collision.later, .collision, asNull: !isName, plan) {
                fail(.collision(collision))
            }
        }
    }

    private func maxGrownBytes(_ plan: Plan) -> Int { min(plan.limits.maxHeldBytes, tree.mostGrowth) }

    /// Fails if the object has grown too much. A profile can make much text of little, even of containers without any text.
    private mutating func checkGrowth(_ plan: Plan) {
        if tree.grownBytes > maxGrownBytes(plan) { fail(.tooLong) }
    }

    // MARK: Errors

    /// Skips the records that contain an error.
    private mutating func skipRecords(_ plan: Plan) {
        for node in tree.nodes(where: { $0.error >= 0 }) where errorCounts(at: node) {
            _ = skipRecord(around: node, code(of: tree[note: node].error), plan)
        }
    }

    /// Fails with the first error whose node is still there. Because records were skipped, `keep` may find nothing in the
    /// containers around them. Errors there no longer count, except errors of the input itself.
    private mutating func checkErrors() {
        guard let node = tree.nodes(where: { $0.error >= 0 }).first(where: { errorCounts(at: $0) }) else { return }
        fail(.deferred(Int(tree[note: node].error)))
    }

    private func errorCounts(at node: Int) -> Bool {
        tree[note: node].error >= 0 && tree.isPresent(node, ignoring: tree[note: node].errorIsOfInput ? .keep : nil)
    }

    /// Checks the errors that count only if their nodes stay when moves are undone. Skips their records or fails.
    private mutating func checkMovedKeys(_ plan: Plan) {
        guard !errors.isEmpty else { return }
        for node in tree.nodes(where: { $0.errorAfterMoves >= 0 }) where tree.isPresent(node) {
            let error = tree[note: node].errorAfterMoves
            if !skipRecord(around: node, code(of: error), plan) { fail(.deferred(Int(error))) }
        }
    }

    private func code(of error: Int32) -> ConversionError.Code { errors[Int(error)].kind.code }

    // MARK: Records

    /// Skips the record that contains a node. Returns false if there is none.
    private mutating func skipRecord(
        around node: Int, _ code: ConversionError.Code, asNull: Bool = true, _ plan: Plan
    ) -> Bool {
        var record = node
        while record >= 0, !tree.nodes[record][.isRecord] { record = Int(tree.nodes[record].inputParent) }
        guard record >= 0, plan.sparesRecords else { return false }
        skippedRecords[code] += 1
        tree[note: record].skipped = code
        // For `require`, the record counts as absent.
        if let requirement = forgetRequirement(of: record) {
            fail(.missing(requirement, at: Int(tree.nodes[record].inputParent)))
        }
        if plan.records == .null, asNull, !tree.nodes[record][.mustHold] {
            tree.setValue(of: record, to: Array("null".utf8).span)
            tree.nodes[record][.isRecord] = false
            (tree[note: record].error, tree[note: record].errorAfterMoves) = (-1, -1)
        } else {
            tree.remove(record, for: .record)
            tree.removeIfNothingFound(from: Int(tree.nodes[record].parent))
        }
        tree.forgetListedValues(of: record)
        return true
    }

    /// Notes that a node meets a requirement of its container. Returns the index of the requirement, which is `met` unless that is -1.
    mutating func noteRequirement(
        _ requirement: ObjectContract.Requirement, of node: Int, met: Int32, keepsLast: Bool
    ) -> Int32 {
        var met = Int(met)
        if met < 0 {
            met = requirements.count
            requirements.append(MetRequirement(requirement: requirement))
        }
        // Only the last of the members with the same key will stay.
        requirements[met].count = keepsLast ? 1 : requirements[met].count + 1
        tree[note: node].requirement = Int32(met)
        return Int32(met)
    }

    /// Notes that a node no longer meets its requirement, if it did. Returns the requirement if no other node meets it.
    @discardableResult
    mutating func forgetRequirement(of node: Int) -> ObjectContract.Requirement? {
        let met = Int(tree[note: node].requirement)
        guard met >= 0 else { return nil }
        tree[note: node].requirement = -1
        requirements[met].count -= 1
        return requirements[met].count == 0 ? requirements[met].requirement : nil
    }
}
