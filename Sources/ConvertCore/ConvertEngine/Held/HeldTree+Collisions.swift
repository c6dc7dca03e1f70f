/// `on.collision`: members whose output keys are equal.
///
/// Members with the same input key stay or are removed together. `first` keeps those with the input key of the first member, `last` those
/// with that of the last one. Outer objects come first, because a removed member takes its contents with it.
extension HeldTree {
    /// A collision that the policy does not resolve.
    struct Collision: BitwiseCopyable, Sendable {
        let later: Int
        let earlier: Int
    }

    /// The most members that are compared one by one before their keys are hashed.
    private static let maxComparedMembers = 16

    /// Applies the policy to every object at or below a node. Returns the collisions that are errors.
    mutating func resolveCollisions(below top: Int, _ policy: ClashPolicy, _ names: inout NameTable)
        -> [Collision]
    {
        guard policy != .keep else { return [] }
        text.padWithSlack()
        var collisions: [Collision] = []
        var node = top
        while node >= 0 {
            if nodes[node].kind == .object, isOpen(node), mayShareName(in: node) {
                resolveCollisions(in: node, policy, &names, &collisions)
            }
            node = next(after: node, below: top)
        }
        return collisions
    }

    /// Whether two members may have the same output key. The result is exact for objects with few members.
    private func mayShareName(in object: Int) -> Bool {
        let first = nodes[object].firstChild
        var (child, count) = (first, 0)
        while child >= 0 {
            count += 1
            guard count <= Self.maxComparedMembers else { return true }
            var earlier = first
            while earlier != child {
                if haveSameName(Int(earlier), Int(child)) { return true }
                earlier = nodes[Int(earlier)].next
            }
            child = nodes[Int(child)].next
        }
        return false
    }

    private mutating func resolveCollisions(
        in object: Int, _ policy: ClashPolicy, _ names: inout NameTable, _ collisions: inout [Collision]
    ) {
        // Unchanged members do not collide with each other, only with a changed one. So only the keys of changed members are inserted.
        names.begin(.output, room: count(of: object))
        var child = nodes[object].firstChild
        while child >= 0 {
            if !nodes[Int(child)].isUnchanged, !nodes[Int(child)][.isText] { _ = names.insert(Int(child), in: self) }
            child = nodes[Int(child)].next
        }
        guard !names.isEmpty else { return }
        child = policy == .last ? nodes[object].lastChild : nodes[object].firstChild
        while child >= 0 {
            let member = Int(child)
            child = policy == .last ? nodes[member].previous : nodes[member].next
            guard !nodes[member][.isText], let slot = names.find(member, in: self) else { continue }
            let winner = Int(names.holders[slot])
            if winner < 0 {
                names.holders[slot] = Int32(member)
            } else if isSameInput(winner, member) {
                continue
            } else if policy == .error {
                collisions.append(Collision(later: member, earlier: winner))
            } else {
                remove(member, for: .collision)
            }
        }
    }
}
