/// Finds the members of objects by some output names, those that rules ask for, which tell it what they add.
///
/// Objects of few members are looked through each time, others once.
struct MemberIndex {
    private static let maxScannedMembers = 16

    private let wanted: Set<[UInt8]>
    /// How long the names are, and what they begin with, as bits: of most members that tells that nobody asks for them.
    private var lengths: UInt64 = 0
    private var beginnings = InlineArray<4, UInt64>(repeating: 0)
    /// By the node of the object, then by name.
    private var members: [Int: [[UInt8]: [Int]]] = [:]

    init(of names: some Sequence<[UInt8]>) {
        wanted = Set(names)
        for name in wanted {
            lengths |= Self.bit(name.count)
            if let first = name.first { beginnings[Int(first) / UInt64.bitWidth] |= Self.bit(Int(first)) }
        }
    }

    /// The members of `object` that bear one of the names, in their order.
    mutating func members(named name: [UInt8], of object: Int, in tree: borrowing ScopeTree) -> [Int] {
        if let known = members[object] { return known[name] ?? [] }
        guard tree.hasMore(than: Self.maxScannedMembers, in: object) else {
            return tree.members(named: name, of: object)
        }
        var fresh: [[UInt8]: [Int]] = [:]
        var child = Int(tree.nodes[object].firstChild)
        while child >= 0 {
            if mayBeWanted(child, in: tree) {
                let name = tree.name(of: child)
                if wanted.contains(name) { fresh[name, default: []].append(child) }
            }
            child = Int(tree.nodes[child].next)
        }
        members[object] = fresh
        return fresh[name] ?? []
    }

    /// Notes that `object` has got a member of this name as its last.
    mutating func note(_ member: Int, named name: [UInt8], in object: Int) {
        // Told of an object that is not in the table, this does nothing.
        members[object]?[name, default: []].append(member)
    }

    private func mayBeWanted(_ member: Int, in tree: borrowing ScopeTree) -> Bool {
        guard !tree.nodes[member].nameHasEscape else { return true }
        let count = tree.nodes[member].nameCount
        guard lengths & Self.bit(count) != 0 else { return false }
        guard count > 0 else { return true }
        let first = Int(tree.text[tree.nodes[member].nameStart])
        return beginnings[first / UInt64.bitWidth] & Self.bit(first) != 0
    }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number % UInt64.bitWidth) }
}

extension ScopeTree {
    fileprivate func hasMore(than count: Int, in container: Int) -> Bool {
        var child = nodes[container].firstChild
        for _ in 0..<count {
            guard child >= 0 else { return false }
            child = nodes[Int(child)].next
        }
        return child >= 0
    }
}
