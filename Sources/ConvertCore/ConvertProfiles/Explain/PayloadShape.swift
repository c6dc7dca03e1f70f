import ConvertEngine

/// The paths of payloads, with all elements of an array taken as one: `/items/*/id`.
///
/// Nodes refer to each other by index. The root is node 0, and a parent always comes before its children.
struct PayloadShape {
    struct Node {
        let parent: Int
        /// The key that leads here; nil for the root and for an array's elements.
        let name: [UInt8]?
        /// The members by their keys; `children` has all child nodes in the order in which they were added.
        fileprivate(set) var members: [[UInt8]: Int] = [:]
        fileprivate(set) var children: [Int] = []
        /// The common node of all elements of arrays; -1 if there are none.
        fileprivate(set) var elements = -1
        /// The most elements of one array.
        fileprivate(set) var elementCount = 0
        /// Whether every value here is null, so far.
        fileprivate(set) var isNull = true
    }

    static let root = 0

    private(set) var nodes = [Node(parent: -1, name: nil)]
    /// The nodes that each key leads to.
    private(set) var named: [[UInt8]: [Int]] = [:]

    // MARK: Making

    /// The node of a member, which is created if it is new.
    mutating func member(_ name: [UInt8], of parent: Int) -> Int {
        if let known = nodes[parent].members[name] { return known }
        let node = append(Node(parent: parent, name: name))
        nodes[parent].members[name] = node
        named[name, default: []].append(node)
        return node
    }

    /// The node of an array's elements, which is created if it is new.
    mutating func element(_ index: Int, of parent: Int) -> Int {
        nodes[parent].elementCount = max(nodes[parent].elementCount, index + 1)
        if nodes[parent].elements < 0 { nodes[parent].elements = append(Node(parent: parent, name: nil)) }
        return nodes[parent].elements
    }

    /// Records whether a value at a node is null.
    mutating func note(_ node: Int, isNull: Bool) {
        if !isNull { nodes[node].isNull = false }
    }

    private mutating func append(_ node: Node) -> Int {
        nodes.append(node)
        nodes[node.parent].children.append(nodes.count - 1)
        return nodes.count - 1
    }

    // MARK: Finding

    /// The path to a node as a selector: `/items/*/id`.
    func path(to node: Int) -> String {
        var segments: [Selector.Segment] = []
        var current = node
        while current != Self.root {
            segments.append(nodes[current].name.map { .literal($0) } ?? .anyOne)
            current = nodes[current].parent
        }
        return segments.isEmpty ? "" : Selector(segments: segments.reversed()).description
    }

    /// The child that a literal segment leads to: a member with this key, or the elements if it is an index of one.
    func child(_ name: [UInt8], of node: Int) -> Int? {
        if let member = nodes[node].members[name] { return member }
        guard nodes[node].elements >= 0, Selector.isIndex(name),
            let index = Int(String(decoding: name, as: UTF8.self)), index < nodes[node].elementCount
        else { return nil }
        return nodes[node].elements
    }

    /// The nodes that a selector matches, each once.
    func indices(of selector: Selector) -> [Int] {
        switch selector.form {
        case .pointer(let segments):
            var indices = [Self.root]
            for segment in segments where !indices.isEmpty { indices = step(segment, from: indices) }
            return indices
        case .name:
            if let name = selector.literalName { return named[name] ?? [] }
            return named.filter { selector.matchesName($0.key) }.flatMap { $0.value }.sorted()
        }
    }

    /// The nodes that a segment leads to from any of these.
    func step(_ segment: Selector.Segment, from indices: [Int]) -> [Int] {
        switch segment {
        case .literal(let name): return indices.compactMap { child(name, of: $0) }
        case .anyOne: return indices.flatMap { nodes[$0].children }
        case .anyDepth:
            var found = Set(indices)
            // A child comes after its parent.
            for node in nodes.indices where found.contains(nodes[node].parent) { found.insert(node) }
            return found.sorted()
        }
    }
}
