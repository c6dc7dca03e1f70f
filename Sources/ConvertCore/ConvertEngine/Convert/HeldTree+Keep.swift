/// What other rules have left out of a held object: it goes late, since what is at fault in it counts, and so does what `keep` finds.
///
/// A place that `keep` names in what is left out holds the containers around that: they stay, even with nothing in them.
extension HeldTree {
    /// Counts the places that `keep` names for what is left out around each; returns the containers that such a place would have held.
    ///
    /// Repetitions must be out.
    mutating func countFoundPlaces() -> [Int] {
        var doubtful: [Int] = []
        var around = Surroundings(container: -1)
        for node in 0..<nodes.count where nodes[node].isFoundPlace {
            let container = nodes[node].parent
            if around.container != container { around = surroundings(of: container) }
            countFoundPlace(node, in: around, doubtful: &doubtful)
        }
        return doubtful
    }

    /// What is around the members of a container, itself included.
    private struct Surroundings {
        let container: Int32
        /// The outermost node that was left out, and the outermost record, or -1.
        var leftOut: Int32 = -1
        var record: Int32 = -1
        var stands = true
    }

    private func surroundings(of container: Int32) -> Surroundings {
        var around = Surroundings(container: container)
        var current = container
        while current >= 0 {
            let node = nodes[Int(current)]
            if node.isLeftOut { around.leftOut = current }
            if node.isRecord { around.record = current }
            if node.isGone { around.stands = false }
            current = node.parent
        }
        return around
    }

    private mutating func countFoundPlace(_ place: Int, in around: Surroundings, doubtful: inout [Int]) {
        let node = nodes[place]
        let leftOut = around.leftOut >= 0 ? Int(around.leftOut) : node.isLeftOut ? place : -1
        guard leftOut >= 0 else { return }
        guard around.stands, !node.isGone else { return doubtful.append(Int(nodes[leftOut].parent)) }
        self[note: leftOut].foundPlaces += 1
        let record = around.record >= 0 ? Int(around.record) : node.isRecord ? place : -1
        if record > leftOut { self[note: record].foundPlaces += 1 }
    }

    /// Has the places that `keep` names in a record count no more, which has gone, or has become null: that is where it was.
    mutating func forgetFoundPlaces(of record: Int) {
        let staysFound = !nodes[record].isGone && nodes[record].isFoundPlace
        let places = self[note: record].foundPlaces - (staysFound ? 1 : 0)
        guard places > 0 else { return }
        var leftOut = record
        var current = record
        while current >= 0 {
            if nodes[current].isLeftOut { leftOut = current }
            current = Int(nodes[current].parent)
        }
        self[note: leftOut].foundPlaces -= places
        guard self[note: leftOut].foundPlaces == 0 else { return }
        unlink(leftOut)
        removeIfNothingFound(from: Int(nodes[leftOut].parent))
    }

    /// Unlinks what was left out, so that containers hold what `keep` finds in them.
    ///
    /// It is not gone yet: what is at fault in it counts.
    mutating func unlinkLeftOut() {
        for node in 0..<nodes.count where nodes[node].isLeftOut && self[note: node].foundPlaces == 0 { unlink(node) }
    }

    /// Takes out what was left out.
    package mutating func removeLeftOut() {
        for node in 0..<nodes.count where nodes[node].isLeftOut {
            if self[note: node].foundPlaces > 0, stands(node) { holdPlace(of: node) }
            remove(node)
        }
    }

    /// Has the containers around a node stay without it.
    private mutating func holdPlace(of node: Int) {
        var current = Int(nodes[node].parent)
        while current >= 0, nodes[current].isSearched {
            nodes[current].isSearched = false
            current = Int(nodes[current].parent)
        }
    }
}
