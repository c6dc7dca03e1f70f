import ConvertText

/// `flatten` and its inverse: the members of an object replace it in the object around it.
///
/// Nested objects are flattened from the inside out, so that a member gets the prefixes of all of them.
///
/// The object around them is held. That is only needed in some plans, see `Plan.streamsFlattened`; in others, `Engine+Flattening` writes
/// the members as they come.
extension HeldTree {
    /// Flattens objects as the plan says, until the tree has grown beyond `maxBytes`. Returns nodes that are not objects or not in one.
    mutating func flatten(by plan: Plan, maxBytes: Int) -> [MovedValue] {
        let flattened = flattenedNodes(plan)
        var misplaced: [MovedValue] = []
        for node in flattened.reversed() where !isNull(node) {
            let (move, parent) = (Int(self[note: node].move), Int(nodes[node].parent))
            guard takesMembers(node), takesMembers(parent) else {
                misplaced.append(MovedValue(node: node, move: move, anchor: parent))
                continue
            }
            let prefix = plan.selectors.moves[move].flattening?.prefix ?? []
            if !prefix.isEmpty { rename(membersOf: node, with: prefix, maxBytes: maxBytes) }
            guard grownBytes <= maxBytes else { break }
            replaceByMembers(node)
        }
        return misplaced.reversed()
    }

    /// The nodes to flatten that are still there, in their order. In the inverse direction, the nodes to put back into objects.
    func flattenedNodes(_ plan: Plan) -> [Int] {
        nodes(where: { $0.move >= 0 && plan.selectors.moves[Int($0.move)].flattening != nil }).filter { isPresent($0) }
    }

    package func isNull(_ node: Int) -> Bool {
        nodes[node].kind == .scalar && nodes[node].valueCount > 0 && text[nodes[node].valueStart] == ASCII.n
    }

    private mutating func rename(membersOf object: Int, with prefix: [UInt8], maxBytes: Int) {
        var child = nodes[object].firstChild
        while child >= 0, grownBytes <= maxBytes {
            setName(of: Int(child), to: prefix + name(of: Int(child)))
            child = nodes[Int(child)].next
        }
    }

    /// Replaces an object by its members.
    private mutating func replaceByMembers(_ object: Int) {
        let (parent, next) = (Int(nodes[object].parent), nodes[object].next)
        // If `keep` found something in the object, the one around it stays, with or without members.
        if !nodes[object][.isSearched] { nodes[parent][.isSearched] = false }
        var (last, child) = (nodes[object].previous, nodes[object].firstChild)
        remove(object, for: .flatten)
        (nodes[object].firstChild, nodes[object].lastChild) = (-1, -1)
        while child >= 0 {
            let following = nodes[Int(child)].next
            nodes[Int(child)].parent = Int32(parent)
            chain(child, after: last, in: parent)
            (last, child) = (child, following)
        }
        chain(next, after: last, in: parent)
    }

    // MARK: The inverse

    /// An object to restore, identified by the object around it and its key.
    private struct RestoredMember: Hashable {
        let object: Int
        let name: [UInt8]
    }

    /// Puts members back into their former objects, which are made at the end of the objects around them. Outer objects
    /// come before inner ones, so that the direct members of an object come first.
    mutating func putBack(_ members: [Int], by plan: Plan, maxBytes: Int) {
        var waiting: [(member: Int, object: Int)] = []
        for member in members where !nodes[member][.isRemoved] {
            waiting.append((member, Int(nodes[member].parent)))
            remove(member, for: .flatten)
        }
        var restored: [RestoredMember: Int] = [:]
        var level = 0
        while !waiting.isEmpty {
            var deeper: [(member: Int, object: Int)] = []
            for (member, outer) in waiting {
                let names = plan.selectors.moves[Int(self[note: member].move)].sourceNames
                let key = RestoredMember(object: outer, name: names[level])
                let object = restored[key] ?? restore(names[level], in: outer, for: member)
                restored[key] = object
                if level + 1 < names.count { deeper.append((member, object)) } else { link(member, into: object) }
                guard grownBytes <= maxBytes else { return }
            }
            (waiting, level) = (deeper, level + 1)
        }
    }

    /// Makes an object that was flattened. Messages give it the position of its first member in the payload.
    private mutating func restore(_ name: [UInt8], in parent: Int, for member: Int) -> Int {
        let object = make(named: name, in: parent)
        nodes[object].kind = .object
        nodes[object].setInputName(start: nodes[member].inputStart, count: nodes[member].inputCount)
        nodes[object].inputParent = nodes[member].inputParent
        nodes[object].offset = nodes[member].offset
        self[note: object].move = self[note: member].move
        return object
    }

    // MARK: Messages

    /// The index in `moves` of the `flatten` that put a node into another object than in the input; nil if there is none.
    func flattening(of node: Int, by plan: Plan) -> Int? {
        let moved = plan.isInverse ? node : Int(nodes[node].inputParent)
        guard moved >= 0 else { return nil }
        let move = Int(self[note: moved].move)
        return move >= 0 && plan.selectors.moves[move].flattening != nil ? move : nil
    }
}
