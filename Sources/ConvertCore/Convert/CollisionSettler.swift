/// Judges members whose output names are equal, in every object of a scope; in pieces.
///
/// Members with one input name stand and fall together: `first` is for the name that the first member bears, `last` for that
/// of the last one. Objects are gone through from the outside in: what falls takes what it holds with it.
struct CollisionSettler: ~Copyable {
    /// A collision that the policy does not settle.
    struct Collision: BitwiseCopyable, Sendable {
        var later: Int32
        var earlier: Int32
    }

    /// What is done about the object, and the member that comes next, or -1.
    private enum Stage: BitwiseCopyable, Sendable {
        case judging(next: Int32)
        case listing(next: Int32)
        case none
    }

    /// The most members that are compared one by one before their names are hashed.
    private static let maxComparedMembers = 16

    /// Collisions whose storage is kept.
    private static let maxKeptCollisions = 1024

    private var top = ScopeTree.root
    /// The node that is looked at; -1 behind the last one.
    private var node: Int32 = -1
    private var stage = Stage.none
    /// The names of members that have not the one of the input: two that have do not collide, a third does it.
    private var standing = NameTable(of: .output)
    private(set) var collisions = TrivialArray<Collision>()

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { standing.storedBytes + collisions.storedBytes }

    /// Stands before a node and what is below it.
    mutating func begin(below top: Int) {
        removeAll()
        self.top = top
        node = Int32(top)
    }

    mutating func removeAll() {
        (node, stage) = (-1, .none)
        standing.removeAll()
        collisions.removeAll(keepingAtMost: Self.maxKeptCollisions)
    }

    /// Goes on as far as `steps` go; true once every object was looked at. The tree's text must be padded with slack.
    mutating func work(on tree: inout ScopeTree, _ policy: ClashPolicy, _ steps: inout Int) -> Bool {
        while node >= 0, steps > 0 {
            switch stage {
            case .none:
                steps -= 1
                if tree.nodes[Int(node)].kind == .object, tree.isOpen(Int(node)), mayShareName(in: tree, &steps) {
                    stage = .listing(next: tree.nodes[Int(node)].firstChild)
                } else {
                    goOn(in: tree)
                }
            case .listing(let next): list(next, policy, in: tree, &steps)
            case .judging(let next): judge(next, policy, in: &tree, &steps)
            }
        }
        return node < 0
    }

    /// Whether two members may have the same output name; for certain where there are few.
    private func mayShareName(in tree: borrowing ScopeTree, _ steps: inout Int) -> Bool {
        var count = 0
        var child = tree.nodes[Int(node)].firstChild
        while child >= 0 {
            count += 1
            guard count <= Self.maxComparedMembers else { return true }
            var earlier = tree.nodes[Int(node)].firstChild
            while earlier != child {
                if tree.haveSameName(Int(earlier), Int(child)) { return true }
                earlier = tree.nodes[Int(earlier)].next
            }
            steps -= count
            child = tree.nodes[Int(child)].next
        }
        return false
    }

    private mutating func list(
        _ next: Int32, _ policy: ClashPolicy, in tree: borrowing ScopeTree, _ steps: inout Int
    ) {
        var member = next
        while member >= 0, steps > 0 {
            steps -= 1
            if !tree.nodes[Int(member)].isUnchanged {
                guard standing.makeRoom(&steps) else { continue }
                _ = standing.insert(Int(member), in: tree, &steps)
            }
            member = tree.nodes[Int(member)].next
        }
        let object = tree.nodes[Int(node)]
        if member >= 0 {
            stage = .listing(next: member)
        } else if standing.isEmpty {
            endObject(in: tree)
        } else {
            stage = .judging(next: policy == .last ? object.lastChild : object.firstChild)
        }
    }

    private mutating func judge(
        _ next: Int32, _ policy: ClashPolicy, in tree: inout ScopeTree, _ steps: inout Int
    ) {
        var next = next
        while next >= 0, steps > 0 {
            let member = Int(next)
            next = policy == .last ? tree.nodes[member].previous : tree.nodes[member].next
            guard let slot = standing.find(member, in: tree, &steps) else { continue }
            let winner = Int(standing[slot].holder)
            if winner < 0 {
                standing[slot].holder = Int32(member)
            } else if tree.isSameInput(winner, member) {
                continue
            } else if policy == .error {
                collisions.append(Collision(later: Int32(member), earlier: Int32(winner)))
            } else {
                tree.remove(member)
            }
        }
        if next >= 0 { stage = .judging(next: next) } else { endObject(in: tree) }
    }

    private mutating func endObject(in tree: borrowing ScopeTree) {
        stage = .none
        standing.removeAll()
        goOn(in: tree)
    }

    /// Stands at the next node: inside this one, behind it, or behind one around it.
    private mutating func goOn(in tree: borrowing ScopeTree) {
        if tree.isOpen(Int(node)), tree.nodes[Int(node)].firstChild >= 0 {
            node = tree.nodes[Int(node)].firstChild
            return
        }
        while node != top, tree.nodes[Int(node)].next < 0 { node = tree.nodes[Int(node)].parent }
        node = node == top ? -1 : tree.nodes[Int(node)].next
    }
}
