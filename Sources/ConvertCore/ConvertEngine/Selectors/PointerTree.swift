/// Pointers in one tree. Pointers with the same beginning share its nodes, so a path is followed for all of them at once.
///
/// A path can be at several nodes at the same time, its positions: a key and `*` may both match, and a `**` stays a position.
package struct PointerTree: Sendable {
    struct Node: BitwiseCopyable, Sendable {
        /// The root of the node's tree.
        let root: Int32
        /// The number of segments from the root to this node.
        let depth: Int32
        /// Whether the node is a `**`, and whether this or an earlier node of its path is one.
        let isAnyDepth: Bool
        let isBehindAnyDepth: Bool
        /// The nodes after `*` and after `**`, or -1.
        fileprivate(set) var anyOne: Int32 = -1
        fileprivate(set) var anyDepth: Int32 = -1
        /// Whether no pointer continues from here.
        fileprivate(set) var isLeaf = true
    }

    private struct Edge: Hashable {
        let node: Int32
        /// The number of the key.
        let name: Int32
    }

    private(set) var nodes: [Node] = []
    /// The keys in all pointers.
    private(set) var names = MemberNames()
    private var edges: [Edge: Int32] = [:]

    package init() {}

    /// Adds the root of another tree, which shares the keys.
    package mutating func addRoot() -> Int32 {
        nodes.append(Node(root: Int32(nodes.count), depth: 0, isAnyDepth: false, isBehindAnyDepth: false))
        return Int32(nodes.count - 1)
    }

    /// The node after a segment, which is added if there is none.
    package mutating func extend(_ node: Int32, by segment: Selector.Segment) -> Int32 {
        let from = nodes[Int(node)]
        let next = Int32(nodes.count)
        switch segment {
        case .literal(let name):
            let edge = Edge(node: node, name: names.insert(name))
            if let known = edges[edge] { return known }
            edges[edge] = next
        case .anyOne:
            if from.anyOne >= 0 { return from.anyOne }
            nodes[Int(node)].anyOne = next
        case .anyDepth:
            if from.anyDepth >= 0 { return from.anyDepth }
            nodes[Int(node)].anyDepth = next
        }
        nodes[Int(node)].isLeaf = false
        nodes.append(
            Node(
                root: from.root, depth: from.depth + 1, isAnyDepth: segment == .anyDepth,
                isBehindAnyDepth: from.isBehindAnyDepth || segment == .anyDepth))
        return next
    }

    /// The node after a key, given by the key's number; nil if there is none.
    func child(of node: Int32, named name: Int32) -> Int32? { edges[Edge(node: node, name: name)] }

    // MARK: Following

    /// Whether a path that has reached this node keeps it as a position, because a pointer may continue from it.
    package func isPosition(_ node: Int32) -> Bool { !nodes[Int(node)].isLeaf || nodes[Int(node)].isAnyDepth }

    /// Reports a node as reached, and also the `**` after it, because that may match no levels.
    package func arrive(at node: Int32, _ reached: (Int32) -> Void) {
        reached(node)
        if nodes[Int(node)].anyDepth >= 0 { reached(nodes[Int(node)].anyDepth) }
    }

    /// Reports all nodes that one step reaches. Without a name, only `*` and `**` can match.
    package func step(from positions: [Int32], by name: [UInt8]?, _ reached: (Int32) -> Void) {
        let name = name.flatMap { names[$0] }
        for position in positions {
            if let name, let child = child(of: position, named: name) { arrive(at: child, reached) }
            let node = nodes[Int(position)]
            if node.anyOne >= 0 { arrive(at: node.anyOne, reached) }
            if node.isAnyDepth { reached(position) }
        }
    }

    /// Whether a key continues from one of these positions.
    func names(_ name: [UInt8], from positions: [Int32]) -> Bool {
        guard let name = names[name] else { return false }
        return positions.contains { child(of: $0, named: name) != nil }
    }
}
