/// The one object or array that is buffered because rules may still move something in it: the outermost container with the anchor of
/// a move, unless `Plan.streamsFlattened`. With a policy of `last`, or with `sortKeys` and moves, it is the outermost object.
///
/// Inside it the engine writes as usual, and the text of every member moves to a node. When the container ends,
/// `HeldObject.resolve` applies the rules that had to wait, and the text is written anew.
struct Hold: ~Copyable, Sendable {
    /// The node of an open container, and the node of the member being read in it, or -1.
    struct Level: BitwiseCopyable, Sendable {
        var node: Int32 = -1
        var member: Int32 = -1
    }

    /// The depth of the container around the held object; -1 if nothing is held.
    private(set) var depth = -1
    /// Whether members that no move concerns are kept as text, see `Plan.holdsText`.
    private(set) var keepsText = false
    /// What `PayloadState.uncommittedDepth` was before the object began. In the object it is about members inside.
    var outerUncommittedDepth = 0
    /// The nodes, their errors, and the results when they are resolved.
    var object = HeldObject()
    /// One level for each open container, beginning with the one around the object. Containers that are kept as text have none.
    private var levels = UniqueArray<Level>()
    private var writer = HeldWriter()
    private var index = NodeIndex()
    /// The reasons why rules reject values, by node. They are only noted to explain a plan.
    private(set) var complaints: [Int: String] = [:]
    /// How many bytes of text moved to nodes.
    private var textBytes = 0

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    /// Whether the members of the container at this depth are in the held object.
    @inline(__always)
    func holdsMembers(of depth: Int) -> Bool { isActive && self.depth < depth }

    /// Bytes that the storage takes, used or not, and bytes of the errors, requirements and levels that are open.
    @inline(__always) var storedBytes: Int { object.storedBytes + writer.storedBytes }
    @inline(__always) var openBytes: Int { object.openBytes + levels.storedBytes + index.storedBytes }
    /// Bytes that count toward the limit `maxHeldBytes`.
    var heldBytes: Int { isActive ? textBytes : 0 }

    /// Whether more text fits.
    var hasRoom: Bool { object.tree.text.count <= HeldTree.maxTextBytes }

    /// The end of the staged output that can be released; `.max` if nothing is held.
    @inline(__always)
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int {
        isActive ? savepoints[min(depth, outerUncommittedDepth)].mark : .max
    }

    // MARK: Nodes

    /// The index of the level of the container at this depth; nil if it has none, or nothing is held.
    @inline(__always)
    private func level(at depth: Int) -> Int? {
        isActive && self.depth <= depth && depth - self.depth < levels.count ? depth - self.depth : nil
    }

    /// The node of the member being read in the container at this depth; nil if it has none, or nothing is held.
    @inline(__always)
    func member(at depth: Int) -> Int? {
        guard let level = level(at: depth), levels[level].member >= 0 else { return nil }
        return Int(levels[level].member)
    }

    /// The node of the container at this depth; nil if it has none, or nothing is held.
    func container(at depth: Int) -> Int? {
        guard let level = level(at: depth), levels[level].node >= 0 else { return nil }
        return Int(levels[level].node)
    }

    /// The depth of the innermost container that has a node.
    var innermostDepth: Int { depth + levels.count - 1 }

    /// The innermost node at or around the member of the container at this depth. `depth` becomes the depth of the node's container.
    func innermostMember(at depth: inout Int) -> Int {
        while holdsMembers(of: depth) {
            if let node = member(at: depth) { return node }
            depth -= 1
        }
        return HeldTree.root
    }

    /// Begins to hold the member of the container at this depth.
    mutating func begin(memberOf depth: Int, keepsText: Bool, defaults: [Int32], ofBytes defaultBytes: Int) {
        self.depth = depth
        self.keepsText = keepsText
        // Nodes of a record that was skipped may still be there.
        object.removeAll()
        levels.removeAll()
        index = NodeIndex()
        textBytes = 0
        object.defaults = defaults
        object.defaultBytes = defaultBytes
        levels.append(Level(member: Int32(object.tree.append(to: -1))))
    }

    /// Opens a container, the value of the innermost member with a node.
    mutating func open(_ node: Int, as kind: Container.Kind, isSearched: Bool) {
        object.tree.nodes[node].kind = kind == .object ? .object : .array
        object.tree.nodes[node][.isSearched] = isSearched
        levels.append(Level(node: Int32(node)))
    }

    /// Begins a member or element of the container at this depth. Returns its node, or nil if the container has none.
    mutating func add(
        at depth: Int, offset: Int, isDiscarded: Bool, mustHold: Bool, move: Int32, isRecord: Bool
    ) -> Int? {
        guard let container = container(at: depth) else { return nil }
        let node = object.tree.append(to: Int32(container))
        levels[depth - self.depth].member = Int32(node)
        object.tree.nodes[node][.mustHold] = mustHold
        object.tree.nodes[node].offset = offset
        if isDiscarded { discard(node) }
        if move >= 0 {
            object.tree[note: node].move = move
            object.tree.holdsMoves = true
        }
        if isRecord {
            object.tree.nodes[node][.isRecord] = true
            object.tree.records.append(Int32(node))
        }
        return node
    }

    /// Sets a member's keys to those of its key cache entry.
    mutating func setNames(of node: Int, to entry: KeyCache.Entry, in arena: borrowing ByteBuffer) {
        // The text is comma, quote, key, quote, colon. The input key ends in its quote.
        object.tree.setNames(
            of: node, from: arena, output: Int(entry.textStart) + 2, length: Int(entry.textCount) - 4,
            input: Int(entry.keyStart), length: Int(entry.keyCount) - 1)
    }

    /// Marks a node that a rule discards. It still counts as a duplicate.
    mutating func discard(_ node: Int, for removal: HeldTree.Node.Removal = .discarded) {
        if !object.tree.nodes[node][.isDiscarded] { object.tree.nodes[node].removal = removal }
        object.tree.nodes[node][.isDiscarded] = true
        object.tree.holdsDiscarded = true
    }

    /// Notes that two members of the container at this depth have the same input key. The last one stays when the object ends.
    mutating func noteRepetition(in depth: Int) {
        guard let container = container(at: depth) else { return }
        object.tree.nodes[container][.holdsRepetition] = true
        object.tree.holdsRepetitions = true
    }

    /// Notes that `keep` lists the path of the member in the container at this depth, which may be discarded.
    mutating func noteListed(at depth: Int) {
        guard let node = member(at: depth) else { return }
        object.tree.nodes[node][.isListed] = true
        object.tree.holdsListed = true
    }

    /// Makes the member in the container at this depth a string when it is written, after rules have removed values in
    /// it. Returns false if it is not a container or has no node.
    mutating func stringify(at depth: Int) -> Bool {
        guard let node = member(at: depth), object.tree.nodes[node].kind != .scalar else { return false }
        object.tree.nodes[node][.isStringified] = true
        return true
    }

    /// Ends the value of a node. The text of the member, from `mark` on, moves from the output to the node.
    mutating func take(_ node: Int, from mark: Int, valueAt valueMark: Int, _ output: inout ByteBuffer) {
        if object.tree.nodes[node].kind == .scalar {
            object.tree.setValue(of: node, to: output.bytes.extracting(valueMark...))
        } else {
            object.tree.appendText(output.bytes.extracting((valueMark + 1)..<(output.count - 1)), to: node)
        }
        textBytes += output.count - mark
        output.truncate(to: mark)
    }

    /// Moves the text of members without nodes, in the container at this depth, from the output to a node of its own. The output ends
    /// where the text began.
    mutating func takeText(ofMembersAt depth: Int, from start: Int, upTo end: Int, _ output: inout ByteBuffer) {
        guard let container = container(at: depth), start < end else { return }
        object.tree.appendText(output.bytes.extracting(start..<end), to: container)
        textBytes += end - start
        output.truncate(to: start)
    }

    /// Ends the member of the container at this depth.
    mutating func memberEnds(at depth: Int) {
        guard let level = level(at: depth) else { return }
        levels.truncate(to: level + 1)
        levels[level].member = -1
    }

    // MARK: Errors

    /// Whether an error must be noted for a node. Only the first error of a node counts.
    mutating func mayNoteError(of node: Int) -> Bool {
        object.tree.holdsErrors = true
        return object.tree[note: node].error < 0
    }

    mutating func note(_ error: HeldObject.DeferredError) {
        object.tree[note: Int(error.node)].error = Int32(object.errors.count)
        object.tree[note: Int(error.node)].errorIsOfInput = error.kind == .missing || error.kind == .duplicateKey
        object.errors.append(error)
    }

    /// Notes the reason why a rule rejects the value of a node.
    mutating func note(complaint: String, at node: Int) { complaints[node] = complaint }

    /// Notes an error that counts only if the node stays when moves are undone.
    mutating func noteAfterMoves(_ error: HeldObject.DeferredError) {
        object.tree[note: Int(error.node)].errorAfterMoves = Int32(object.errors.count)
        object.errors.append(error)
    }

    /// Notes the error that a member without a node has the same output key as this node. It counts only if the node stays.
    mutating func note(_ error: HeldObject.DeferredError, collidingWith node: Int) {
        guard !collides(node) else { return }
        object.collisions[node] = object.errors.count
        object.errors.append(error)
    }

    /// Whether such an error was noted for a node.
    func collides(_ node: Int) -> Bool { object.collisions[node] != nil }

    /// The first member of an object that has this output key and that no move takes away; nil for none.
    mutating func member(named name: [UInt8], of object: Int) -> Int? {
        index.member(named: name, of: object, in: self.object.tree)
    }

    // MARK: The end

    /// The work to resolve the object; 0 when it is resolved.
    var work: Int { object.isResolved ? 0 : object.work }

    /// Resolves the object, if that was not done elsewhere. From then on nothing is held.
    mutating func resolve(by plan: Plan) {
        if !object.isResolved { object.resolve(by: plan) }
        depth = -1
    }

    /// Begins to write the resolved object.
    mutating func beginWriting(into output: inout ByteBuffer) {
        object.tree.text.padWithSlack()
        writer.begin(HeldTree.root, in: object.tree, into: &output)
    }

    /// Writes more of the object. Returns false when all is written.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) -> Bool {
        writer.write(object.tree, upTo: maxBytes, into: &output)
        if writer.isDone { object.removeAll() }
        return !writer.isDone
    }

    /// Stops holding an object that is no longer needed.
    mutating func release() { depth = -1 }

    /// Forgets the object, finished or not.
    mutating func abandon() {
        depth = -1
        writer.abandon()
        object.removeAll()
    }
}
