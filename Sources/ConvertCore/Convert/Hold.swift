/// The one object, or array, that is held because something in it may still change places: the outermost container at which a move is
/// anchored; with a policy of `last`, or `sortKeys` beside moves, the outermost object.
///
/// Inside it the converter writes as ever, and every member's text goes to a node. Where the container ends, the rules that had to wait
/// are carried out (`HeldObject.settle`), and the text is written anew.
struct Hold: ~Copyable, Sendable {
    /// The depth of the container whose member it is, or -1.
    private(set) var depth = -1
    private var object = HeldObject()
    private var writer = HeldWriter()
    /// Text that went to nodes.
    private var textBytes = 0
    /// The nodes whose line is known, and the deferred faults, as far as that can be.
    private var placedNodes = 0
    private var placedFaults = 0

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    /// Whether the members of the container at this depth are in it.
    @inline(__always)
    func holdsMembers(of depth: Int) -> Bool { isActive && self.depth < depth }

    /// Bytes that the storage takes, used or not, and of what is open beside.
    var storedBytes: Int { object.storedBytes + writer.storedBytes }
    var openBytes: Int { object.openBytes }
    /// Bytes that count for what may be held.
    var heldBytes: Int { isActive ? textBytes : 0 }

    /// Whether more text fits.
    var hasRoom: Bool { object.tree.text.count <= HeldTree.maxTextBytes }

    /// What stands before it in the staged output stays where it is.
    @inline(__always)
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int { isActive ? savepoints[depth].mark : .max }

    // MARK: Nodes

    /// The member of the container at this depth is held from now on; returns its node.
    mutating func begin(memberOf depth: Int, defaults: [Int32], ofBytes defaultBytes: Int) -> Int {
        self.depth = depth
        // Of a record that was left out they are still there.
        object.removeAll()
        (textBytes, placedNodes, placedFaults) = (0, 0, 0)
        object.defaults = defaults
        object.defaultBytes = defaultBytes
        return object.tree.append(to: -1)
    }

    /// The value of a node is a container.
    mutating func open(_ node: Int, _ kind: Container.Kind, isSearched: Bool) {
        object.tree.nodes[node].kind = kind == .object ? .object : .array
        object.tree.nodes[node].isSearched = isSearched
    }

    /// Adds a member or element to the container of a node.
    mutating func add(
        to parent: Int32, offset: Int, isLeftOut: Bool, mustHold: Bool, move: Int32, isRecord: Bool
    ) -> Int {
        let node = object.tree.append(to: parent)
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

    /// Two members of a node have one input name, of which the last stays.
    mutating func noteRepetition(in node: Int) {
        object.tree.nodes[node].holdsRepetition = true
        object.tree.holdsRepetitions = true
    }

    /// `keep` names the place of a node, though it may be left out.
    mutating func noteFound(_ node: Int) {
        object.tree.nodes[node].isFoundPlace = true
        object.tree.holdsFoundPlaces = true
    }

    /// Has the text of a node become a string when it is written, without what falls in it until then; false if it is no container.
    mutating func stringify(_ node: Int) -> Bool {
        guard object.tree.nodes[node].kind != .scalar else { return false }
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

    /// Finds the lines of new nodes and faults while the chunk is at hand; `scan` stands at its beginning.
    mutating func placeLines(in chunk: Span<UInt8>, from chunkOffset: Int, _ scan: LineScan) {
        guard isActive else { return }
        var nodeScan = scan
        while placedNodes < object.tree.nodes.count {
            nodeScan.advance(to: object.tree.nodes[placedNodes].offset, in: chunk, from: chunkOffset)
            object.tree.beginLine(at: placedNodes, number: nodeScan.number, start: nodeScan.start)
            placedNodes += 1
        }
        guard placedFaults < object.faults.count else { return }
        var scan = scan
        // What is wrong with a container shows at its end, after what is wrong in it.
        let unplaced = (placedFaults..<object.faults.count).filter { object.faults[$0].line == 0 }
        for index in unplaced.sorted(by: { object.faults[$0].offset < object.faults[$1].offset }) {
            scan.advance(to: object.faults[index].offset, in: chunk, from: chunkOffset)
            object.faults[index].setPlace(in: (scan.number, scan.start))
        }
        placedFaults = object.faults.count
    }

    /// The line of a node, as far as it is known.
    func line(of node: Int) -> HeldTree.Line? { node < placedNodes ? object.tree.line(of: node) : nil }

    /// What messages say of a node.
    func offset(of node: Int) -> Int { object.tree.nodes[node].offset }
    func pointer(to node: Int) -> String { object.tree.pointer(to: node) }
    func inputName(of node: Int) -> [UInt8] { object.tree.inputName(of: node) }
    func outputName(of node: Int) -> [UInt8] { object.tree.name(of: node) }
    func hasMoved(_ node: Int) -> Bool { object.tree.nodes[node].parent != object.tree.nodes[node].inputParent }

    // MARK: The end

    /// What came of the object.
    struct Result {
        let hasFailed: Bool
        /// Whether `keep` finds anything in it, and whether nothing but defaults is left in it.
        let holdsKept: Bool
        let isEmpty: Bool
        let skippedRecords: Int
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

    /// Forgets the object, wherever it stands.
    mutating func abandon() {
        depth = -1
        writer.abandon()
        object.removeAll()
    }
}

extension HeldObject.DeferredFault {
    mutating func setPlace(in place: (number: Int, start: Int)) {
        (line, column) = (place.number + 1, offset - place.start + 1)
    }
}
