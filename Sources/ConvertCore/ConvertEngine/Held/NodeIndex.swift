/// Finds nodes of a held object by their object and output key while the object is read. At each lookup, the nodes that came since the last
/// one are entered.
struct NodeIndex: Sendable {
    private struct Key: Hashable {
        let object: Int32
        let name: [UInt8]
    }

    /// The first node with each key.
    private var nodes: [Key: Int] = [:]
    /// Nodes before this one were entered; the root has no key.
    private var next = 1

    /// Bytes that the entries take, approximately.
    var storedBytes: Int { nodes.count * 4 * MemoryLayout<Key>.stride }

    /// The first member of an object that has this output key and that no move takes away; nil for none.
    mutating func member(named name: [UInt8], of object: Int, in tree: borrowing HeldTree) -> Int? {
        while next < tree.nodes.count {
            if tree.nodes[next].isOfInput, tree[note: next].move < 0 {
                let key = Key(object: tree.nodes[next].parent, name: tree.name(of: next))
                if nodes[key] == nil { nodes[key] = next }
            }
            next += 1
        }
        return nodes[Key(object: Int32(object), name: name)]
    }
}
