import ConvertText

/// `prune`: nulls and empty values are removed, from the inside out.
extension HeldTree {
    /// Removes the values that `options` select below a node. The node itself stays.
    mutating func prune(below top: Int, _ options: PruneOptions) {
        var node = top
        // Whether the children of the node are done. The walk needs no list of nodes.
        var isBehindChildren = false
        while true {
            if !isBehindChildren, isOpen(node), !isEmpty(node) {
                node = Int(nodes[node].firstChild)
                continue
            }
            guard node != top else { return }
            let (next, parent) = (Int(nodes[node].next), Int(nodes[node].parent))
            if options.inArrays || nodes[parent].kind == .object, isPruned(node, options) { remove(node, for: .prune) }
            isBehindChildren = next < 0
            node = next < 0 ? parent : next
        }
    }

    private func isPruned(_ node: Int, _ options: PruneOptions) -> Bool {
        switch nodes[node].kind {
        case .object: options.emptyObject && isEmpty(node)
        case .array: options.emptyArray && isEmpty(node)
        case .scalar: options.prunes(text.bytes.extracting(nodes[node].valueRange))
        }
    }
}

extension PruneOptions {
    /// Whether a scalar with this text is removed.
    func prunes(_ value: Span<UInt8>) -> Bool {
        switch value.count {
        case 2: emptyString && value[0] == ASCII.quote
        case 4: null && value[0] == ASCII.n
        default: false
        }
    }
}
