/// Finds members of objects by the output keys that rules ask for. The rules tell it which members they add.
///
/// Objects with few members are searched each time. Those of larger objects are indexed before the first lookup.
struct MemberIndex: Sendable {
    private struct Key: Hashable {
        let object: Int32
        let name: Int32
    }

    private static let maxScannedMembers = 16

    private var members: [Key: [Int32]] = [:]
    private var entered: Set<Int> = []

    /// The members of an object that have this output key, in their order.
    mutating func members(
        named name: [UInt8], _ names: MemberNames, of object: Int, in tree: borrowing HeldTree
    ) -> [Int32] {
        guard tree.holds(moreThan: Self.maxScannedMembers, in: object) else {
            return tree.members(of: object) { tree.bears($0, name) }
        }
        if entered.insert(object).inserted { enterMembers(of: object, names, in: tree) }
        guard let number = names[name] else { return [] }
        return members[Key(object: Int32(object), name: number)] ?? []
    }

    /// Notes that a member with this key was added at the end of an object.
    mutating func note(_ member: Int, named name: [UInt8], _ names: MemberNames, in object: Int) {
        guard entered.contains(object), let number = names[name] else { return }
        members[Key(object: Int32(object), name: number), default: []].append(Int32(member))
    }

    private mutating func enterMembers(of object: Int, _ names: MemberNames, in tree: borrowing HeldTree) {
        for member in tree.members(of: object, where: { names.mayHold(nameOf: $0, in: tree) }) {
            note(Int(member), named: tree.name(of: Int(member)), names, in: object)
        }
    }
}

extension MemberNames {
    /// Whether a rule may ask for this member by its output key.
    func mayHold(nameOf member: Int, in tree: borrowing HeldTree) -> Bool {
        guard !tree.nodes[member].nameHasEscape else { return true }
        let count = tree.nodes[member].nameCount
        return mayHold(count: count, first: count == 0 ? 0 : tree.text[tree.nodes[member].nameStart])
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

    fileprivate func members(of object: Int, where isMeant: (Int) -> Bool) -> [Int32] {
        var members: [Int32] = []
        var child = nodes[object].firstChild
        while child >= 0 {
            if isMeant(Int(child)) { members.append(child) }
            child = nodes[Int(child)].next
        }
        return members
    }
}
