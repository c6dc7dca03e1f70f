/// How far a scope that has ended is settled; see `Converter+Settling`.
struct ScopeSettling: ~Copyable {
    /// What is done next, in this order.
    enum Phase: BitwiseCopyable, Sendable {
        /// Of the members with one input name only the last stays; then `keep` may find nothing in their objects.
        case removingRepetitions, countingFoundPlaces, unlinkingVoid, removingThinned
        /// Records with a fault are left out; other faults count.
        case sparingRecords, judgingFaults
        case removingVoid
        case moving, judgingMoves, judgingNames
        /// Each record is given its shape by itself first, so that a bad one is out before the rest is looked at.
        case choosingShape
        /// The shape of a record, or of the whole scope: `prune`, `defaults`, collisions.
        case pruning, adding, settlingCollisions, judgingCollisions
        case settled
    }

    private(set) var phase = Phase.settled
    /// The node, or whatever else the phase goes through one by one, that is next.
    var next = 0
    /// The node that is given its shape, and the number of the record that is next.
    var shaped = ScopeTree.root
    var record = 0
    /// Whether `keep` finds anything in the scope.
    var findsSomething = true
    var repetitions = RepetitionRemover()
    var mover = ScopeMover()
    var pruner = ScopePruner()
    var adder = DefaultAdder()
    var collisions = CollisionSettler()

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int {
        repetitions.storedBytes + mover.storedBytes + adder.storedBytes + collisions.storedBytes
    }

    /// Stands before the first phase.
    mutating func begin() {
        record = 0
        enter(.removingRepetitions)
    }

    /// Nothing is being settled any more.
    mutating func end() {
        repetitions.removeAll()
        mover.removeAll()
        adder.removeAll()
        collisions.removeAll()
        enter(.settled)
    }

    mutating func enter(_ phase: Phase) {
        self.phase = phase
        next = 0
    }
}
