/// Nodes that other rules discard. They are removed late, because errors in them count, and so do the values that `keep` finds in them.
///
/// If `keep` lists a value in a discarded node, the containers around this node stay, even if they are empty.
extension HeldTree {
    /// Counts, for each discarded node, the values in it that `keep` lists. Returns the containers around discarded nodes
    /// where such a value was removed. `keep` may find nothing in these containers.
    ///
    /// Repeated members must have been removed.
    mutating func countListedValues() -> [Int] {
        var candidates: [Int] = []
        var around = Surroundings(container: -1)
        for node in 0..<nodes.count where nodes[node][.isListed] {
            let container = nodes[node].parent
            if around.container != container { around = surroundings(of: container) }
            countListedValue(node, in: around, candidates: &candidates)
        }
        return candidates
    }

    /// A summary of a container and all containers around it.
    private struct Surroundings {
        let container: Int32
        /// The outermost node that was discarded, and the outermost record, or -1.
        var discarded: Int32 = -1
        var record: Int32 = -1
        var isPresent = true
    }

    private func surroundings(of container: Int32) -> Surroundings {
        var around = Surroundings(container: container)
        var current = container
        while current >= 0 {
            let node = nodes[Int(current)]
            if node[.isDiscarded] { around.discarded = current }
            if node[.isRecord] { around.record = current }
            if node[.isRemoved] { around.isPresent = false }
            current = node.parent
        }
        return around
    }

    private mutating func countListedValue(_ index: Int, in around: Surroundings, candidates: inout [Int]) {
        let node = nodes[index]
        let discarded = around.discarded >= 0 ? Int(around.discarded) : node[.isDiscarded] ? index : -1
        guard discarded >= 0 else { return }
        guard around.isPresent, !node[.isRemoved] else { return candidates.append(Int(nodes[discarded].parent)) }
        self[note: discarded].listedValues += 1
        let record = around.record >= 0 ? Int(around.record) : node[.isRecord] ? index : -1
        if record > discarded { self[note: record].listedValues += 1 }
    }

    /// Stops counting the values that `keep` lists in a record that was removed or became null. A null counts if `keep`
    /// lists the record itself.
    mutating func forgetListedValues(of record: Int) {
        let staysFound = !nodes[record][.isRemoved] && nodes[record][.isListed]
        let count = self[note: record].listedValues - (staysFound ? 1 : 0)
        guard count > 0 else { return }
        var discarded = record
        var current = record
        while current >= 0 {
            if nodes[current][.isDiscarded] { discarded = current }
            current = Int(nodes[current].parent)
        }
        self[note: discarded].listedValues -= count
        guard self[note: discarded].listedValues == 0 else { return }
        unlink(discarded)
        removeIfNothingFound(from: Int(nodes[discarded].parent))
    }

    /// Unlinks the discarded nodes in which `keep` finds nothing. After that, a container has children if `keep` finds something in it.
    ///
    /// The nodes are not removed yet, because errors in them count.
    mutating func unlinkDiscarded() {
        for node in 0..<nodes.count where nodes[node][.isDiscarded] && self[note: node].listedValues == 0 {
            unlink(node)
        }
    }

    /// Removes the discarded nodes.
    mutating func removeDiscarded() {
        for node in 0..<nodes.count where nodes[node][.isDiscarded] {
            if self[note: node].listedValues > 0, isPresent(node) { keepContainers(of: node) }
            remove(node, for: nodes[node].removal)
        }
    }

    /// Makes the containers around a node stay without it.
    private mutating func keepContainers(of node: Int) {
        var current = Int(nodes[node].parent)
        while current >= 0, nodes[current][.isSearched] {
            nodes[current][.isSearched] = false
            current = Int(nodes[current].parent)
        }
    }
}
