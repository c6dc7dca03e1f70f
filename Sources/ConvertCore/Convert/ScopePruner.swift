/// Takes out of a scope what `prune` names, bottom up; in pieces.
///
/// The way leads from node to node by their neighbours: no list of them is kept.
struct ScopePruner: BitwiseCopyable, Sendable {
    private var top = ScopeTree.root
    private var node = ScopeTree.root
    /// Whether what the node holds was gone through.
    private var isBehindChildren = false

    /// Stands before what is below a node, which itself stays.
    mutating func begin(below top: Int) { (self.top, node, isBehindChildren) = (top, top, false) }

    /// Goes on as far as `steps` go; true once nothing is left to be looked at.
    mutating func work(on tree: inout ScopeTree, _ options: PruneOptions, _ steps: inout Int) -> Bool {
        while steps > 0 {
            steps -= 1
            if !isBehindChildren, tree.isOpen(node), !tree.isEmpty(node) {
                node = Int(tree.nodes[node].firstChild)
                continue
            }
            guard node != top else { return true }
            let (next, parent) = (tree.nodes[node].next, Int(tree.nodes[node].parent))
            if options.inArrays || tree.nodes[parent].kind == .object, tree.isPruned(node, options) {
                tree.remove(node)
            }
            isBehindChildren = next < 0
            node = next < 0 ? parent : Int(next)
        }
        return false
    }
}

extension ScopeTree {
    /// Whether there are nodes for what a node holds, and not its text alone.
    func isOpen(_ node: Int) -> Bool { nodes[node].kind != .scalar && !nodes[node].isQuoted }

    fileprivate func isPruned(_ node: Int, _ options: PruneOptions) -> Bool {
        switch nodes[node].kind {
        case .object: options.emptyObject && isEmpty(node)
        case .array: options.emptyArray && isEmpty(node)
        case .scalar:
            options.prunes(
                text.bytes.extracting(nodes[node].valueStart..<(nodes[node].valueStart + nodes[node].valueCount)))
        }
    }
}

extension PruneOptions {
    /// Whether a scalar's text is one that is taken out.
    func prunes(_ value: Span<UInt8>) -> Bool {
        switch value.count {
        case 2: emptyString && value[0] == ASCII.quote
        case 4: null && value[0] == ASCII.n
        default: false
        }
    }
}
