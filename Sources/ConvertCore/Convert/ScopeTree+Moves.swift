/// Taking out and putting in: `move`, and its way back.
extension ScopeTree {
    /// Why a value cannot be put where its move says.
    struct MoveFault {
        var node: Int
        var move: Int
    }

    /// Takes out all values that are moved, then puts them in, in input order, at the end of their new parents.
    ///
    /// Undoing takes parents that it empties with it. Answers the values whose parent is no object.
    mutating func move(
        by moves: [SelectorTable.Move], undoing: Bool, _ escapes: OutputOptions.Escapes
    ) -> [MoveFault] {
        var jobs: [(node: Int, anchor: Int)] = []
        for node in 1..<max(nodes.count, 1) where nodes[node].move >= 0 && stands(node) {
            let move = moves[Int(nodes[node].move)]
            var anchor = node
            for _ in 0..<(undoing ? move.targetNames : move.sourceNames).count {
                anchor = Int(nodes[anchor].inputParent)
            }
            jobs.append((node, anchor))
        }
        for job in jobs { nodes[job.node].isGone = true }
        for parent in Set(jobs.map { nodes[$0.node].parent }) { unlinkGone(in: Int(parent)) }
        if undoing {
            for job in jobs { removeEmptied(from: Int(nodes[job.node].parent), upTo: job.anchor) }
        }
        var faults: [MoveFault] = []
        var index = MemberIndex(forRules: jobs.count)
        for job in jobs {
            let move = Int(nodes[job.node].move)
            let names = undoing ? moves[move].sourceNames : moves[move].targetNames
            if !put(job.node, at: names, from: job.anchor, escapes, &index) {
                faults.append(MoveFault(node: job.node, move: move))
            }
            nodes[job.node].move = -1
        }
        return faults
    }

    /// Whether neither the node nor anything around it was taken out.
    func stands(_ node: Int) -> Bool {
        var current = Int32(node)
        while current >= 0 {
            if nodes[Int(current)].isGone { return false }
            current = nodes[Int(current)].parent
        }
        return true
    }

    private mutating func removeEmptied(from container: Int, upTo anchor: Int) {
        var current = container
        while current != anchor, current > Self.root, isEmpty(current), !nodes[current].isGone {
            let parent = Int(nodes[current].parent)
            remove(current)
            current = parent
        }
    }

    private func takesMembers(_ node: Int) -> Bool { nodes[node].kind == .object && !nodes[node].isQuoted }

    /// False when something that is no object stands in the way.
    private mutating func put(
        _ node: Int, at names: [[UInt8]], from anchor: Int, _ escapes: OutputOptions.Escapes,
        _ index: inout MemberIndex
    ) -> Bool {
        var parent = anchor
        for name in names.dropLast() {
            guard takesMembers(parent) else { return false }
            if let child = index.members(named: name, of: parent, in: self).first {
                parent = child
                continue
            }
            let child = make(named: name, in: parent, escapes)
            nodes[child].kind = .object
            index.note(child, named: name, in: parent)
            parent = child
        }
        guard takesMembers(parent), let last = names.last else { return false }
        setName(of: node, to: last, escapes)
        link(node, into: parent)
        index.note(node, named: last, in: parent)
        return true
    }
}
