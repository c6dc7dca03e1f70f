/// Which positions a step leads to.
extension PathAutomaton {
    /// The positions and the ends of pointers that a node is.
    func arrive(at node: Int32, _ items: inout [Int32], _ accepted: inout [Int]) {
        if let ends = table.ends[node] { accepted += ends }
        if table.tree.isPosition(node) { items.append(node) }
    }

    /// Whether no selector says this segment in this state: then all that do not are like each other there.
    func isUnnamed(_ segment: [UInt8], isMember: Bool, in container: Int32) -> Bool {
        guard !table.tree.names(segment, from: self[container].items) else { return false }
        return !isMember || !table.matches(segment)
    }
}

/// What defaults add to a container that has none of it.
extension PathAutomaton {
    /// Values whose text a state keeps, in bytes: thousands of states may add the same.
    private static let maxAddedBytes = 4096

    /// The members that defaults add at these positions.
    func additions(at positions: [Int32]) -> [ObjectContract.Addition] {
        guard !positions.isEmpty else { return [] }
        guard table.defaults.sourceBytes(at: positions) > Self.maxAddedBytes else {
            return HeldTree.additions(by: table.defaults, at: positions, output)
        }
        return table.defaults.additions(at: positions).map {
            ObjectContract.Addition(name: table.defaults.names(of: $0)[0])
        }
    }

    /// The same with their texts, of these names alone.
    func spelledAdditions(_ names: Set<[UInt8]>, of container: Int32) -> [ObjectContract.Addition] {
        let positions = self[container].defaultItems
        let others = table.defaults.additions(at: positions).filter { !names.contains(table.defaults.names(of: $0)[0]) }
        return HeldTree.additions(by: table.defaults, at: positions, without: Set(others.map { $0.name }), output)
    }
}
