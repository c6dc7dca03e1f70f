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
