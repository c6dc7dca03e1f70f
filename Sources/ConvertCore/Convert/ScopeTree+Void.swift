/// What other rules have left out of a scope: it goes late, since what is at fault in it counts, and so does what `keep` finds.
///
/// A place that `keep` names in what is left out holds the containers around that: they stay, were it with nothing in them.
extension ScopeTree {
    /// Counts the places that `keep` names for what is left out around each, as far as `steps` go; true once all are.
    ///
    /// Repetitions must be out. `doubtful` gets the containers that such a place would have held.
    mutating func countFoundPlaces(
        from next: inout Int, doubtful: inout TrivialArray<Int32>, _ steps: inout Int
    ) -> Bool {
        var around = Surroundings(container: -1)
        while next < nodes.count, steps > 0 {
            if nodes[next].isFoundPlace {
                let container = nodes[next].parent
                if around.container != container { around = surroundings(of: container, &steps) }
                countFoundPlace(next, in: around, doubtful: &doubtful)
            }
            next += 1
            steps -= 1
        }
        return next == nodes.count
    }

    /// What is around the members of a container, itself included.
    private struct Surroundings {
        let container: Int32
        /// The outermost node that was left out, and the outermost record, or -1.
        var leftOut: Int32 = -1
        var record: Int32 = -1
        var stands = true
    }

    private func surroundings(of container: Int32, _ steps: inout Int) -> Surroundings {
        var around = Surroundings(container: container)
        var current = container
        while current >= 0 {
            let node = nodes[Int(current)]
            if node.isVoid { around.leftOut = current }
            if node.isRecord { around.record = current }
            if node.isGone { around.stands = false }
            current = node.parent
            steps -= 1
        }
        return around
    }

    private mutating func countFoundPlace(_ place: Int, in around: Surroundings, doubtful: inout TrivialArray<Int32>) {
        let node = nodes[place]
        let leftOut = around.leftOut >= 0 ? Int(around.leftOut) : node.isVoid ? place : -1
        guard leftOut >= 0 else { return }
        guard around.stands, !node.isGone else { return doubtful.append(nodes[leftOut].parent) }
        self[note: leftOut].foundPlaces += 1
        let record = around.record >= 0 ? Int(around.record) : node.isRecord ? place : -1
        if record > leftOut { self[note: record].foundPlaces += 1 }
    }

    /// Has the places that `keep` names in a record count no more, which has gone, or has become null: that is where it was.
    mutating func forgetFoundPlaces(of record: Int, _ steps: inout Int) {
        let staysFound = !nodes[record].isGone && nodes[record].isFoundPlace
        let places = self[note: record].foundPlaces - (staysFound ? 1 : 0)
        guard places > 0 else { return }
        var leftOut = record
        var current = record
        while current >= 0 {
            if nodes[current].isVoid { leftOut = current }
            current = Int(nodes[current].parent)
            steps -= 1
        }
        self[note: leftOut].foundPlaces -= places
        guard self[note: leftOut].foundPlaces == 0 else { return }
        unlink(leftOut)
        removeIfNothingFound(from: Int(nodes[leftOut].parent), &steps)
    }

    /// Unlinks what was left out, as far as `steps` go, so that containers hold what `keep` finds in them; true once all is.
    ///
    /// It is not gone yet: what is at fault in it counts.
    mutating func unlinkVoid(from next: inout Int, _ steps: inout Int) -> Bool {
        while next < nodes.count, steps > 0 {
            if nodes[next].isVoid, self[note: next].foundPlaces == 0 { unlink(next) }
            next += 1
            steps -= 1
        }
        return next == nodes.count
    }

    /// Takes out what was left out, as far as `steps` go; true once all is.
    mutating func removeVoid(from next: inout Int, _ steps: inout Int) -> Bool {
        while next < nodes.count, steps > 0 {
            if nodes[next].isVoid {
                if self[note: next].foundPlaces > 0, stands(next, &steps) { holdPlace(of: next, &steps) }
                remove(next)
            }
            next += 1
            steps -= 1
        }
        return next == nodes.count
    }

    /// Has the containers around a node stay without it.
    private mutating func holdPlace(of node: Int, _ steps: inout Int) {
        var current = Int(nodes[node].parent)
        while current >= 0, nodes[current].isSearched {
            nodes[current].isSearched = false
            current = Int(nodes[current].parent)
            steps -= 1
        }
    }
}
