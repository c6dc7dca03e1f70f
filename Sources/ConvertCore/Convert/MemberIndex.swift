/// Finds the members of objects by their output names while many rules ask for some, which tell it what they add.
///
/// Objects of few members are looked through, and so is every object where few rules ask.
struct MemberIndex {
    private static let maxScannedMembers = 16
    private static let maxScanningRules = 16

    private let isUsed: Bool
    /// By the node of the object.
    private var members: [Int: [[UInt8]: [Int]]] = [:]

    init(forRules count: Int) { isUsed = count > Self.maxScanningRules }

    /// The members of `object` that bear this name, in their order.
    mutating func members(named name: [UInt8], of object: Int, in tree: borrowing ScopeTree) -> [Int] {
        if let known = members[object] { return known[name] ?? [] }
        guard isUsed, tree.hasMore(than: Self.maxScannedMembers, in: object) else {
            return tree.members(named: name, of: object)
        }
        var fresh: [[UInt8]: [Int]] = [:]
        for member in tree.children(of: object) { fresh[tree.name(of: member), default: []].append(member) }
        members[object] = fresh
        return fresh[name] ?? []
    }

    /// Notes that `object` has got a member of this name as its last.
    mutating func note(_ member: Int, named name: [UInt8], in object: Int) {
        // Told of an object that is not in the table, this does nothing.
        members[object]?[name, default: []].append(member)
    }
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
