/// Finds members of objects by the output keys that rules ask for. The rules tell it which members they add.
///
/// Objects with few members are searched each time. Those of larger objects are indexed before the first lookup.
struct MemberIndex: Sendable {
    private struct Key: Hashable {
        let object: Int32
        let name: Int32
    }

    private static let maxScannedMembers = 16

    /// The first member with each key.
    private var members: [Key: Int] = [:]
    private var entered: Set<Int> = []

    /// The first member of an object that has this output key; -1 for none.
    mutating func member(
        named name: [UInt8], _ names: MemberNames, of object: Int, in tree: borrowing HeldTree
    ) -> Int {
        guard tree.holds(moreThan: Self.maxScannedMembers, in: object) else {
            return tree.member(named: name, of: object)
        }
        if entered.insert(object).inserted { enterMembers(of: object, names, in: tree) }
        guard let number = names[name] else { return -1 }
        return members[Key(object: Int32(object), name: number)] ?? -1
    }

    /// Notes that a member with this key was added at the end of an object.
    mutating func note(_ member: Int, named name: [UInt8], _ names: MemberNames, in object: Int) {
        guard entered.contains(object), let number = names[name] else { return }
        let key = Key(object: Int32(object), name: number)
        if members[key] == nil { members[key] = member }
    }

    private mutating func enterMembers(of object: Int, _ names: MemberNames, in tree: borrowing HeldTree) {
        var child = Int(tree.nodes[object].firstChild)
        while child >= 0 {
            if names.mayHold(nameOf: child, in: tree) { note(child, named: tree.name(of: child), names, in: object) }
            child = Int(tree.nodes[child].next)
        }
    }
}

extension MemberNames {
    /// Whether a rule may ask for this member by its output key.
    func mayHold(nameOf member: Int, in tree: borrowing HeldTree) -> Bool {
        guard !tree.nodes[member][.isText] else { return false }
        guard !tree.nodes[member].nameHasEscape else { return true }
        let count = tree.nodes[member].nameCount
        return filter.mayHold(count: count, first: count == 0 ? 0 : tree.text[tree.nodes[member].nameStart])
    }
}

extension HeldTree {
    fileprivate func holds(moreThan count: Int, in container: Int) -> Bool {
        var child = nodes[container].firstChild
        for _ in 0..<count {
            guard child >= 0 else { return false }
            child = nodes[Int(child)].next
        }
        return child >= 0
    }
}
