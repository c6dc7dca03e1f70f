import ConvertText

/// The members that defaults add to containers that lack them.
extension PathAutomaton {
    /// The most bytes of values whose text a state keeps. Thousands of states may add the same members.
    private static let maxAddedBytes = 64 * 1024
    /// The most bytes of memory for the members that one object gets, for each byte of them in the profile: `0,` takes a whole node. Rules
    /// that add to what other rules add could make far more.
    private static let maxGrowth = 64

    /// The members that defaults add at these positions; without their texts if these are too long to keep.
    func additions(at positions: [Int32]) -> [ObjectContract.Addition] {
        guard !positions.isEmpty else { return [] }
        if table.defaults.sourceBytes(at: positions) <= Self.maxAddedBytes,
            let spelled = spelledAdditions(at: positions)
        {
            return spelled
        }
        return table.defaults.additions(at: positions).map {
            ObjectContract.Addition(name: table.defaults.names(of: $0)[0])
        }
    }

    /// The additions with these keys, with their texts; nil if they need too much memory.
    func spelledAdditions(_ names: Set<[UInt8]>, of container: Int32) -> [ObjectContract.Addition]? {
        let positions = self[container].defaultItems
        let others = table.defaults.additions(at: positions).filter { !names.contains(table.defaults.names(of: $0)[0]) }
        return spelledAdditions(at: positions, without: Set(others.map { $0.name }))
    }

    /// The members that defaults add at these positions to an object that has none of them, except for the keys with these numbers.
    private func spelledAdditions(at positions: [Int32], without names: Set<Int32> = []) -> [ObjectContract.Addition]? {
        let maxBytes = Self.maxGrowth * max(Self.maxAddedBytes, table.defaults.sourceBytes(at: positions))
        var tree = HeldTree()
        let root = tree.append(to: -1)
        tree.nodes[root].kind = .object
        tree.addDefaults(table.defaults, at: positions, without: names, maxBytes: maxBytes)
        guard tree.grownBytes <= maxBytes else { return nil }
        return tree.children(of: root).map { child in
            var text = ByteBuffer()
            text.append(ASCII.comma)
            tree.writeMember(child, sortsKeys: sortsKeys, into: &text)
            return ObjectContract.Addition(name: tree.name(of: child), text: Array(text))
        }
    }
}
