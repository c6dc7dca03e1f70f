/// Leaves of the members with one input name only the last, in every object of a scope; in pieces.
struct RepetitionRemover: ~Copyable {
    /// Objects that lost a member whose storage is kept.
    private static let maxKeptObjects = 1024

    /// The object that is looked at, or comes next, and the next of its members, or -1.
    private var object = 0
    private var member: Int32 = -1
    /// By each name the last member so far that bears it.
    private var last = NameTable(of: .input)
    private var removesSome = false
    /// The containers that lost something which `keep` finds.
    var thinned = TrivialArray<Int32>()
    private var judged = 0

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { last.storedBytes + thinned.storedBytes }

    /// Stands before the first object, and forgets what was done.
    mutating func removeAll() {
        (object, member, judged, removesSome) = (0, -1, 0, false)
        last.removeAll()
        thinned.removeAll(keepingAtMost: Self.maxKeptObjects)
    }

    /// Goes on as far as `steps` go; true once all are out. The tree's text must be padded with slack.
    mutating func work(on tree: inout ScopeTree, _ steps: inout Int) -> Bool {
        while steps > 0 {
            if member >= 0 {
                guard last.makeRoom(&steps) else { continue }
                look(atMemberOf: &tree, &steps)
            } else {
                guard object < tree.nodes.count else { return true }
                steps -= 1
                let node = tree.nodes[object]
                if node.holdsRepetition, !node.isGone { member = node.firstChild }
                if member < 0 { object += 1 }
            }
        }
        return false
    }

    private mutating func look(atMemberOf tree: inout ScopeTree, _ steps: inout Int) {
        let slot = last.insert(Int(member), in: tree, &steps)
        let earlier = Int(last[slot].holder)
        if earlier >= 0 {
            tree.remove(earlier)
            removesSome = true
        }
        last[slot].holder = member
        member = tree.nodes[Int(member)].next
        guard member < 0 else { return }
        if removesSome { thinned.append(Int32(object)) }
        removesSome = false
        last.removeAll()
        object += 1
    }

    /// Takes out the containers in which `keep` then finds nothing, as far as `steps` go; true once all are.
    mutating func removeEmptied(from tree: inout ScopeTree, _ steps: inout Int) -> Bool {
        while judged < thinned.count, steps > 0 {
            let object = Int(thinned[judged])
            if !tree.nodes[object].isGone { tree.removeIfNothingFound(from: object, &steps) }
            judged += 1
            steps -= 1
        }
        return judged == thinned.count
    }
}
