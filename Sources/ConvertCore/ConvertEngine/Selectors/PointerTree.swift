/// Pointers in one tree: those that begin alike share its nodes, so that a path is followed for all of them at once.
///
/// A path is at several nodes at a time, its positions: a name and `*` may both go on, and a `**` is never left.
package struct PointerTree: Sendable {
    struct Node: BitwiseCopyable, Sendable {
        /// The root of the tree that it is in.
        let root: Int32
        /// How many segments lead here.
        let depth: Int32
        /// Whether it is `**`, and whether one is on the way here.
        let isAnyDepth: Bool
        let isBehindAnyDepth: Bool
        /// Where `*` and `**` lead, or -1.
        fileprivate(set) var anyOne: Int32 = -1
        fileprivate(set) var anyDepth: Int32 = -1
        /// Whether no pointer goes on from here.
        fileprivate(set) var isLeaf = true
    }

    private struct Edge: Hashable {
        let node: Int32
        /// The name's number.
        let name: Int32
    }

    private(set) var nodes: [Node] = []
    /// The names in all pointers.
    private(set) var names = MemberNames()
    private var edges: [Edge: Int32] = [:]

    package init() {}

    /// Adds the root of another tree, which shares the names.
    package mutating func addRoot() -> Int32 {
        nodes.append(Node(root: Int32(nodes.count), depth: 0, isAnyDepth: false, isBehindAnyDepth: false))
        return Int32(nodes.count - 1)
    }

    /// The node that a segment leads to, which is made where there is none.
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

    /// The node that a name leads to, by the name's number.
    func child(of node: Int32, named name: Int32) -> Int32? { edges[Edge(node: node, name: name)] }

    // MARK: Following

    /// Whether a path that has come to a node stays there, for something further on.
    package func isPosition(_ node: Int32) -> Bool { !nodes[Int(node)].isLeaf || nodes[Int(node)].isAnyDepth }

    /// Comes to a node, and to the `**` behind it, which may stand for nothing.
    package func arrive(at node: Int32, _ reached: (Int32) -> Void) {
        reached(node)
        if nodes[Int(node)].anyDepth >= 0 { reached(nodes[Int(node)].anyDepth) }
    }

    /// Comes to all nodes that one step leads to; without a name, by `*` and `**` alone.
    package func step(from positions: [Int32], by name: [UInt8]?, _ reached: (Int32) -> Void) {
        let name = name.flatMap { names[$0] }
        for position in positions {
            if let name, let child = child(of: position, named: name) { arrive(at: child, reached) }
            let node = nodes[Int(position)]
            if node.anyOne >= 0 { arrive(at: node.anyOne, reached) }
            if node.isAnyDepth { reached(position) }
        }
    }

    /// Whether a name leads on from one of these.
    func names(_ name: [UInt8], from positions: [Int32]) -> Bool {
        guard let name = names[name] else { return false }
        return positions.contains { child(of: $0, named: name) != nil }
    }
}
