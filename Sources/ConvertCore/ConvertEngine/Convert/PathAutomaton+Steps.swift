/// Steps in the tree of pointers.
extension PathAutomaton {
    /// Adds the node to `items` if pointers go on from it, and the pointers that end at it to `accepted`.
    func arrive(at node: Int32, _ items: inout [Int32], _ accepted: inout [Int]) {
        if let ends = table.ends[node] { accepted += ends }
        if table.tree.isPosition(node) { items.append(node) }
    }

    /// Whether no selector names this segment in this state. All such segments have the same match there.
    func isUnnamed(_ segment: [UInt8], isMember: Bool, in container: Int32) -> Bool {
        guard !table.tree.names(segment, from: self[container].items) else { return false }
        return !isMember || !table.matches(segment)
    }
}

/// The members that defaults add to containers that lack them.
extension PathAutomaton {
    /// The most bytes of values whose text a state keeps. Thousands of states may add the same members.
    private static let maxAddedBytes = 4096

    /// The members that defaults add at these positions; without their texts if these are too long to keep.
    func additions(at positions: [Int32]) -> [ObjectContract.Addition] {
        guard !positions.isEmpty else { return [] }
        guard table.defaults.sourceBytes(at: positions) > Self.maxAddedBytes else {
            return HeldTree.additions(by: table.defaults, at: positions, output)
        }
        return table.defaults.additions(at: positions).map {
            ObjectContract.Addition(name: table.defaults.names(of: $0)[0])
        }
    }

    /// The additions with these keys, with their texts.
    func spelledAdditions(_ names: Set<[UInt8]>, of container: Int32) -> [ObjectContract.Addition] {
        let positions = self[container].defaultItems
        let others = table.defaults.additions(at: positions).filter { !names.contains(table.defaults.names(of: $0)[0]) }
        return HeldTree.additions(by: table.defaults, at: positions, without: Set(others.map { $0.name }), output)
    }
}
