/// `move` and its inverse: values leave their containers and go, in input order, to the end of their new parents.
///
/// First all values to move are found, then all are removed. The inverse also removes the containers that become empty.
/// Only then are the values inserted one by one, because one may go where another one was.
extension HeldTree {
    /// A value that moves.
    struct MovedValue: BitwiseCopyable, Sendable {
        let node: Int
        let move: Int
        /// The container around source and target.
        let anchor: Int
    }

    private static let maxUnsharedNames = 8

    /// Moves values as the plan says, until the tree has grown beyond `maxBytes`. Returns the values that cannot be moved.
    ///
    /// `flatten` comes after all values have their new parents. Its inverse comes before that.
    mutating func moveValues(by plan: Plan, maxBytes: Int) -> [MovedValue] {
        let values = nodes(where: { $0.move >= 0 && plan.selectors.moves[Int($0.move)].flattening == nil })
            .filter { isPresent($0) }.map { movedValue($0, plan) }
        let flattened = plan.isInverse ? flattenedNodes(plan) : []
        for value in values { remove(value.node, for: .move) }
        if plan.isInverse {
            for value in values { removeEmptied(around: value) }
            putBack(flattened, by: plan, maxBytes: maxBytes)
        }
        // For each move, a node that already has its key, so that the text contains the key once. Few keys may be there more often.
        var named: [Int: Int] = [:]
        let sharesNames = values.count > Self.maxUnsharedNames
        var index = MemberIndex()
        var misplaced: [MovedValue] = []
        for value in values {
            if !put(value, plan, &index, sharesNames ? named[value.move] : nil) {
                misplaced.append(value)
            } else if sharesNames {
                named[value.move] = value.node
            }
            self[note: value.node].move = -1
            guard grownBytes <= maxBytes else { return misplaced }
        }
        return plan.isInverse || plan.holdsText ? misplaced : misplaced + flatten(by: plan, maxBytes: maxBytes)
    }

    private func movedValue(_ node: Int, _ plan: Plan) -> MovedValue {
        let move = Int(self[note: node].move)
        var anchor = node
        for _ in plan.selectors.moves[move].names(undone: !plan.isInverse) {
            anchor = Int(nodes[anchor].inputParent)
        }
        return MovedValue(node: node, move: move, anchor: anchor)
    }

    private mutating func removeEmptied(around value: MovedValue) {
        var current = Int(nodes[value.node].parent)
        while current != value.anchor, current > Self.root, isEmpty(current), !nodes[current][.isRemoved] {
            let parent = Int(nodes[current].parent)
            remove(current, for: .move)
            current = parent
        }
    }

    /// Puts a value where its move says. Returns false if something on the way is not an object.
    private mutating func put(
        _ value: MovedValue, _ plan: Plan, _ index: inout MemberIndex, _ namesake: Int?
    ) -> Bool {
        let wanted = plan.selectors.movedNames
        let names = plan.selectors.moves[value.move].names(undone: plan.isInverse)
        var parent = value.anchor
        for name in names.dropLast() {
            guard takesMembers(parent) else { return false }
            let known = index.member(named: name, wanted, of: parent, in: self)
            guard known < 0 else {
                parent = known
                continue
            }
            let child = make(named: name, in: parent)
            nodes[child].kind = .object
            index.note(child, named: name, wanted, in: parent)
            parent = child
        }
        guard takesMembers(parent), let last = names.last else { return false }
        if nodes[value.node].index >= 0 { keepIndex(of: value.node) }
        if let namesake {
            let known = nodes[namesake]
            nodes[value.node].setName(start: known.nameStart, count: known.nameCount, hasEscape: known.nameHasEscape)
        } else {
            setName(of: value.node, to: last)
        }
        link(value.node, into: parent)
        index.note(value.node, named: last, wanted, in: parent)
        return true
    }

    func takesMembers(_ node: Int) -> Bool { nodes[node].kind == .object && !nodes[node][.isStringified] }
}
