/// Steps in the tree of pointers.
extension PathAutomaton {
    /// Adds the node to `items` if pointers go on from it, and the pointers that end at it to `accepted`.
    func arrive(at node: Int32, _ items: inout [Int32], _ accepted: inout [Int]) {
        if let ends = table.ends[node] { accepted += ends }
        if table.tree.isPosition(node) { items.append(node) }
    }

    /// The bare keys that match a member with this key; none for nil.
    func patterns(of name: [UInt8]?) -> [SelectorTable.NamePattern] { name.map { table.patterns(of: $0) } ?? [] }

    /// Whether no selector names a member with this key in this state. All such members have the same match there.
    func isUnnamed(_ name: [UInt8], in container: Int32) -> Bool {
        !table.tree.names(name, from: self[container].items) && !table.matches(name)
    }
}
