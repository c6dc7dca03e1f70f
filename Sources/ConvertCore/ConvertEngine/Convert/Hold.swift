/// The one object, or array, that is held because something in it may still change places: the outermost container at which a move is
/// anchored; with a policy of `last`, or `sortKeys` beside moves, the outermost object.
///
/// Inside it the converter writes as ever, and every member's text goes to a node. Where the container ends, the rules that had to wait
/// are carried out (`HeldObject.settle`), and the text is written anew.
struct Hold: ~Copyable, Sendable {
    /// An open container's node, and that of the member being read in it, or -1.
    struct Level: BitwiseCopyable, Sendable {
        var node: Int32 = -1
        var member: Int32 = -1
    }

    /// The depth of the container whose member it is, or -1.
    private(set) var depth = -1
    private var object = HeldObject()
    /// For each open container from the one around the object on.
    private var levels = UniqueArray<Level>()
    private var writer = HeldWriter()
    /// Text that went to nodes.
    private var textBytes = 0

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    /// Whether the members of the container at this depth are in it.
    @inline(__always)
    func holdsMembers(of depth: Int) -> Bool { isActive && self.depth < depth }

    /// Bytes that the storage takes, used or not, and of what is open beside.
    @inline(__always) var storedBytes: Int { object.storedBytes + writer.storedBytes }
    @inline(__always) var openBytes: Int { object.openBytes + levels.storedBytes }
    /// Bytes that count for what may be held.
    var heldBytes: Int { isActive ? textBytes : 0 }

    /// Whether more text fits.
    var hasRoom: Bool { object.tree.text.count <= HeldTree.maxTextBytes }

    /// The staged output before it can be released.
    @inline(__always)
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int { isActive ? savepoints[depth].mark : .max }

    // MARK: Nodes

    /// The node of the member being read in the container at this depth; nil if it has none, or nothing is held.
    func member(at depth: Int) -> Int? {
        guard isActive, self.depth <= depth, levels[depth - self.depth].member >= 0 else { return nil }
        return Int(levels[depth - self.depth].member)
    }

    /// The innermost node around a place in the container at this depth, which becomes that of the node's container.
    func innermostMember(at depth: inout Int) -> Int {
        while holdsMembers(of: depth) {
            if let node = member(at: depth) { return node }
            depth -= 1
        }
        return HeldTree.root
    }

    /// The member of the container at this depth is held from now on.
    mutating func begin(memberOf depth: Int, defaults: [Int32], ofBytes defaultBytes: Int) {
        self.depth = depth
        // Of a record that was left out they are still there.
        object.removeAll()
        levels.removeAll()
        textBytes = 0
        object.defaults = defaults
        object.defaultBytes = defaultBytes
        levels.append(Level(member: Int32(object.tree.append(to: -1))))
    }

    /// The value of the member in the container around this depth is a container.
    mutating func open(_ kind: Container.Kind, at depth: Int, isSearched: Bool, hasNodes: Bool) {
        levels.truncate(to: depth - self.depth)
        levels.append(Level())
        guard hasNodes, let node = member(at: depth - 1) else { return }
        object.tree.nodes[node].kind = kind == .object ? .object : .array
        object.tree.nodes[node].isSearched = isSearched
        levels[depth - self.depth].node = Int32(node)
    }

    /// A member or element of the container at this depth begins; returns its node, if it has one.
    mutating func add(
        at depth: Int, offset: Int, isLeftOut: Bool, mustHold: Bool, move: Int32, isRecord: Bool, hasNode: Bool
    ) -> Int? {
        let level = depth - self.depth
        levels[level].member = -1
        guard hasNode, levels[level].node >= 0 else { return nil }
        let node = object.tree.append(to: levels[level].node)
        levels[level].member = Int32(node)
        object.tree.nodes[node].mustHold = mustHold
        object.tree.nodes[node].offset = offset
        if isLeftOut { leaveOut(node) }
        if move >= 0 {
            object.tree[note: node].move = move
            object.tree.holdsMoves = true
        }
        if isRecord {
            object.tree.nodes[node].isRecord = true
            object.tree.records.append(Int32(node))
        }
        return node
    }

    mutating func setIndex(of node: Int, to index: Int) { object.tree.nodes[node].index = index }

    /// Gives a member the names that the key cache has of it.
    mutating func setNames(of node: Int, to entry: KeyCache.Entry, in arena: borrowing ByteBuffer) {
        // The text is comma, quote, name, quote, colon; the key ends in its quote.
        object.tree.setNames(
            of: node, from: arena, output: Int(entry.textStart) + 2, length: Int(entry.textCount) - 4,
            input: Int(entry.keyStart), length: Int(entry.keyCount) - 1)
    }

    /// A rule leaves the node out, which counts as a duplicate all the same.
    mutating func leaveOut(_ node: Int) {
        object.tree.nodes[node].isLeftOut = true
        object.tree.holdsLeftOut = true
    }

    /// Two members of the container at this depth have one input key, of which the last stays when the object ends.
    mutating func noteRepetition(in depth: Int) {
        guard isActive, levels[depth - self.depth].node >= 0 else { return }
        object.tree.nodes[Int(levels[depth - self.depth].node)].holdsRepetition = true
        object.tree.holdsRepetitions = true
    }

    /// `keep` names the place of the member in the container at this depth, though it may be left out.
    mutating func noteFound(at depth: Int) {
        guard let node = member(at: depth) else { return }
        object.tree.nodes[node].isFoundPlace = true
        object.tree.holdsFoundPlaces = true
    }

    /// Has the text of the member in the container at this depth become a string when it is written, without what falls in it until
    /// then; false if it is no container, or not held.
    mutating func stringify(at depth: Int) -> Bool {
        guard let node = member(at: depth), object.tree.nodes[node].kind != .scalar else { return false }
        object.tree.nodes[node].isStringified = true
        return true
    }

    /// The value of a node is over; what was written of the member from `mark` on goes to the node.
    mutating func take(_ node: Int, from mark: Int, valueAt valueMark: Int, _ output: inout ByteBuffer) {
        if object.tree.nodes[node].kind == .scalar {
            object.tree.setValue(of: node, to: output.bytes.extracting(valueMark...))
        }
        textBytes += output.count - mark
        output.truncate(to: mark)
    }

    mutating func noteRequirement(
        _ requirement: ObjectContract.Requirement, of node: Int, met: Int32, keepsLast: Bool
    ) -> Int32 {
        object.noteRequirement(requirement, of: node, met: met, keepsLast: keepsLast)
    }

    mutating func forgetRequirement(of node: Int) {
        if object.tree[note: node].requirement >= 0 { object.forgetRequirement(of: node) }
    }

    // MARK: Faults

    var faults: [HeldObject.DeferredFault] { object.faults }
    var failure: HeldObject.Failure? { object.failure }

    /// Whether a fault of a node is to be noted, of which the first one counts.
    mutating func mayNoteFault(of node: Int) -> Bool {
        object.tree.holdsFaults = true
        return object.tree[note: node].fault < 0
    }

    mutating func note(_ fault: HeldObject.DeferredFault) {
        object.tree[note: Int(fault.node)].fault = Int32(object.faults.count)
        object.tree[note: Int(fault.node)].faultIsOfInput = fault.kind == .missing || fault.kind == .duplicateKey
        object.faults.append(fault)
    }

    /// Notes a fault that counts only if the node stays when moves were undone.
    mutating func noteAfterMoves(_ fault: HeldObject.DeferredFault) {
        object.tree[note: Int(fault.node)].faultAfterMoves = Int32(object.faults.count)
        object.faults.append(fault)
    }

    /// What messages say of a node.
    func offset(of node: Int) -> Int { object.tree.nodes[node].offset }
    func pointer(to node: Int) -> String { object.tree.pointer(to: node) }
    func inputName(of node: Int) -> [UInt8] { object.tree.inputName(of: node) }
    func outputName(of node: Int) -> [UInt8] { object.tree.name(of: node) }
    func flattening(of node: Int, by plan: Plan) -> Int? { object.tree.flattening(of: node, by: plan) }
    func isElement(_ node: Int) -> Bool { object.tree.nodes[node].index >= 0 }
    func hasMoved(_ node: Int) -> Bool { object.tree.nodes[node].parent != object.tree.nodes[node].inputParent }

    // MARK: The end

    /// What came of the object.
    struct Result {
        let hasFailed: Bool
        /// Whether `keep` finds anything in it, and whether nothing but defaults is left in it.
        let holdsKept: Bool
        let isEmpty: Bool
        let skippedRecords: SkippedRecords
    }

    /// What it takes to settle the object; 0 once that is done.
    var work: Int { object.isSettled ? 0 : object.work }

    /// The container is over.
    mutating func end(isPrunedIfEmpty: Bool) { object.isPrunedIfEmpty = isPrunedIfEmpty }

    /// Gives the object away to be settled, or takes it back.
    mutating func exchange(_ other: inout HeldObject) { swap(&object, &other) }

    /// Settles the object, if that was not done elsewhere; nothing is held from now on.
    mutating func settle(by plan: Plan) -> Result {
        if !object.isSettled { object.settle(by: plan) }
        depth = -1
        return Result(
            hasFailed: object.failure != nil, holdsKept: object.holdsKept, isEmpty: object.isEmpty,
            skippedRecords: object.skippedRecords)
    }

    /// Begins to write the object that is settled.
    mutating func beginWriting(_ options: OutputOptions, indent: Int, outerLevels: Int, into output: inout ByteBuffer) {
        object.tree.text.padWithSlack()
        writer.begin(
            HeldTree.root, options, indent: indent, outerLevels: outerLevels, in: object.tree, into: &output)
    }

    /// Writes more of it; false once all is written.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) -> Bool {
        writer.write(object.tree, upTo: maxBytes, into: &output)
        if writer.isDone { object.removeAll() }
        return !writer.isDone
    }

    /// Nothing is held any more; what was held is of no use.
    mutating func release() { depth = -1 }

    /// Forgets the object, finished or not.
    mutating func abandon() {
        depth = -1
        writer.abandon()
        object.removeAll()
    }
}
