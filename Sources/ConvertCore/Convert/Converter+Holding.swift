/// Scopes: the one object, or array, that is held because something in it may still change places.
///
/// A scope is the outermost container at which a move is anchored; with a policy of `last`, or `sortKeys` beside
/// moves, the outermost object. Inside it the converter writes as ever and notes every member in `scope`; where the container ends, the rules
/// that had to wait are applied there (`Converter+Settling`) and the text is written anew.
extension Converter {
    /// A place that will be at fault if the member in the container at a depth stays; offsets count from the payload's start.
    struct OpenFaultLine {
        let depth: Int
        let offset: Int
        /// Lines before it, and where its own begins; nil until the chunk ends.
        var line: (number: Int, start: Int)?
    }

    /// Whether a fault inside the scope may still be taken back by a later duplicate or a record around it.
    var defersFaults: Bool {
        plan.policies.duplicateKey == .last || (plan.sparesRecords && !isLines && payload.recordDepth < 0)
    }

    /// Whether the container that opens now is a scope.
    @inline(__always)
    func beginsScope(_ kind: Frame.Kind) -> Bool {
        payload.scopeDepth < 0 && payload.mutedDepth < 0 && payload.quoteDepth < 0
            && (valueTraits.contains(.anchor) || (holdsObjects && kind == .object))
    }

    /// Whether what the container at a depth holds has nodes: nothing does that is left out and that no rule looks into, or that
    /// would be more than can be held.
    private func notesNodes(in depth: Int) -> Bool {
        payload.mutedDepth < 0 || payload.mutedDepth == depth
            || (frames.top.state != PathStates.inert && heldObject.tree.text.count <= HeldTree.maxTextBytes)
    }

    /// Opens a container in the scope, or the scope itself.
    mutating func openNode(_ kind: Frame.Kind) {
        let depth = frames.depth
        guard notesNodes(in: depth) else { return }
        var node = Int(levels[depth - 1].memberNode)
        if payload.scopeDepth < 0 {
            payload.scopeDepth = depth - 1
            // Of a record that was left out they are still there.
            heldObject.removeAll()
            payload.placedFaults = 0
            payload.scopeBytes = 0
            heldObject.defaults = paths[frames.top.state].defaultItems
            payload.placedNodes = 0
            node = heldObject.tree.append(to: -1)
        }
        guard node >= 0 else { return }
        heldObject.tree.nodes[node].kind = kind == .object ? .object : .array
        heldObject.tree.nodes[node].isSearched = levels[depth - 1].isSearched
        levels[depth].node = Int32(node)
    }

    /// Adds the member whose key was just accepted, or the element that begins, to the scope.
    mutating func addNode(_ match: PathStates.Traits, move: Int32, isVoid: Bool) {
        let depth = frames.depth
        let parent = levels[depth].node
        guard payload.scopeDepth >= 0, parent >= 0, notesNodes(in: depth) else { return }
        let node = heldObject.tree.append(to: parent)
        levels[depth].memberNode = Int32(node)
        heldObject.tree.nodes[node].isVoid = isVoid
        heldObject.tree.nodes[node].mustHold = !match.isDisjoint(with: [.searched, .passed])
        heldObject.tree.nodes[node].offset = levels[depth].offset
        if isVoid { heldObject.tree.holdsVoid = true }
        if move >= 0 {
            heldObject.tree[note: node].move = move
            heldObject.tree.holdsMoves = true
        }
        if match.contains(.record), plan.sparesRecords, !isLines {
            heldObject.tree.nodes[node].isRecord = true
            heldObject.tree.records.append(Int32(node))
        }
        if levels[depth].requirement >= 0, plan.sparesRecords, !isLines { noteRequirement(of: node) }
        guard frames.top.kind == .object else {
            heldObject.tree.nodes[node].index = frames.top.index
            return
        }
        let entry = memo.entries[Int(frames.top.entry)]
        // The text is comma, quote, name, quote, colon; the key ends in its quote.
        heldObject.tree.setNames(
            of: node, from: memo.arena, output: Int(entry.textStart) + 2, length: Int(entry.textCount) - 4,
            input: Int(entry.keyStart), length: Int(entry.keyCount) - 1)
    }

    /// The member whose key was just accepted repeats an earlier one: it counts for nothing.
    mutating func forgetRepetition() {
        let depth = frames.depth
        if levels[depth].requirement >= 0 { count(requirement: Int(levels[depth].requirement), by: -1) }
        levels[depth].requirement = -1
        let node = Int(levels[depth].memberNode)
        guard payload.scopeDepth >= 0, node >= 0 else { return }
        heldObject.tree.nodes[node].isVoid = true
        heldObject.tree.holdsVoid = true
        if heldObject.tree[note: node].requirement >= 0 { heldObject.forgetRequirement(of: node) }
    }

    /// The member whose key was just accepted repeats an earlier one, which goes when the scope ends.
    mutating func noteRepetition() {
        let object = Int(levels[frames.depth].node)
        guard payload.scopeDepth >= 0, object >= 0 else { return }
        heldObject.tree.nodes[object].holdsRepetition = true
        heldObject.tree.holdsRepetitions = true
    }

    /// The value of the member or element is over: the scope has it now, so that its text is needed no more.
    mutating func settleNode(_ output: inout ByteBuffer) throws(Fault) {
        let depth = frames.depth
        let node = Int(levels[depth].memberNode)
        guard node >= 0 else { return }
        guard heldObject.tree.text.count <= HeldTree.maxTextBytes else { throw Fault(kind: .heldLength, position: 0) }
        if levels[depth].isRemoved {
            heldObject.tree.nodes[node].isVoid = true
            heldObject.tree.holdsVoid = true
            return
        }
        if heldObject.tree.nodes[node].kind == .scalar {
            heldObject.tree.setValue(of: node, to: output.bytes.extracting(levels[depth].valueMark...))
        }
        payload.scopeBytes += output.count - levels[depth].mark
        output.truncate(to: levels[depth].mark)
    }

    // MARK: Faults in the scope

    /// Notes a fault at the member being read.
    mutating func deferFault(_ fault: Fault) throws(Fault) {
        // What a container lacks is held against itself, everything else against the member being read.
        var depth = fault.kind == .missing && expectation != .value ? frames.depth - 1 : frames.depth
        // Where nothing has nodes the innermost one around it stands for it.
        while depth > payload.scopeDepth, levels[depth].memberNode < 0 { depth -= 1 }
        let node = depth > payload.scopeDepth ? Int(levels[depth].memberNode) : HeldTree.root
        heldObject.tree.holdsFaults = true
        guard heldObject.tree[note: node].fault < 0 else { return }
        heldObject.tree[note: node].fault = try noteFault(fault, at: node, depth)
        heldObject.tree[note: node].faultIsOfInput = fault.kind == .missing || fault.kind == .duplicateKey
    }

    /// Notes that the member being read is at fault, unless undoing a move takes it out.
    mutating func deferUntilMoved(_ fault: Fault) throws(Fault) {
        let node = Int(levels[frames.depth].memberNode)
        guard node >= 0, payload.mutedDepth < 0 else { return }
        heldObject.tree[note: node].faultAfterMoves = try noteFault(fault, at: node, frames.depth)
    }

    /// Keeps what of a fault at a node, the member of the container at a depth, is not to be found out later.
    private mutating func noteFault(_ fault: Fault, at node: Int, _ depth: Int) throws(Fault) -> Int32 {
        guard heldObject.faults.count < plan.limits.maxHeldBytes / MemoryLayout<HeldObject.DeferredFault>.stride else {
            throw Fault(kind: .heldLength, position: 0)
        }
        var deferred = HeldObject.DeferredFault(
            kind: fault.kind, node: Int32(node), tail: path(to: fault, below: depth),
            missing: fault.kind == .missing ? missing.place : "",
            offset: payload.chunkOffset + fault.position, rule: rule(for: fault),
            message: heldObject.faults.count < HeldObject.DeferredFault.maxWorded ? message(for: fault) : nil)
        if let line = notedLine(of: deferred.offset) { deferred.setPlace(in: line) }
        heldObject.faults.append(deferred)
        return Int32(heldObject.faults.count - 1)
    }

    /// Finds the lines of the faults that were noted in this chunk while that is at hand.
    mutating func placeDeferredFaults(in chunk: Span<UInt8>) {
        guard payload.placedFaults < heldObject.faults.count else { return }
        var scan = LineScan(number: payload.linesBefore, start: payload.lineOffset)
        // What is wrong with a container shows at its end, after what is wrong in it.
        let unplaced = (payload.placedFaults..<heldObject.faults.count).filter { heldObject.faults[$0].line == 0 }
        for index in unplaced.sorted(by: { heldObject.faults[$0].offset < heldObject.faults[$1].offset }) {
            scan.advance(to: heldObject.faults[index].offset, in: chunk, from: payload.chunkOffset)
            heldObject.faults[index].setPlace(in: (scan.number, scan.start))
        }
        payload.placedFaults = heldObject.faults.count
    }
}

extension HeldObject.DeferredFault {
    fileprivate mutating func setPlace(in place: (number: Int, start: Int)) {
        (line, column) = (place.number + 1, offset - place.start + 1)
    }
}

/// The line of one place after another in a chunk.
struct LineScan {
    /// Lines before it, and the offset at which it begins.
    private(set) var number: Int
    private(set) var start: Int
    private var position = 0

    /// Stands at a chunk's beginning, which is in this line.
    init(number: Int, start: Int) { (self.number, self.start) = (number, start) }

    /// Goes on to an offset, or to the chunk's end if that is further on.
    mutating func advance(to offset: Int, in chunk: Span<UInt8>, from chunkOffset: Int) {
        let end = min(offset - chunkOffset, chunk.count)
        guard position < end else { return }
        let passed = ChunkReader(chunk.extracting(position..<end))
        let (lines, afterLast) = passed.lineFeeds(before: end - position)
        number += lines
        if let afterLast { start = chunkOffset + position + afterLast }
        position = end
    }
}
