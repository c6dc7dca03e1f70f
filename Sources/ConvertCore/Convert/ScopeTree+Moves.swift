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
        for node in nodes(where: { $0.move >= 0 }) where stands(node) {
            let move = moves[Int(self[note: node].move)]
            var anchor = node
            for _ in 0..<(undoing ? move.targetNames : move.sourceNames).count {
                anchor = Int(nodes[anchor].inputParent)
            }
            jobs.append((node, anchor))
        }
        for job in jobs { remove(job.node) }
        if undoing {
            for job in jobs { removeEmptied(from: Int(nodes[job.node].parent), upTo: job.anchor) }
        }
        var faults: [MoveFault] = []
        // The node that has got the name of each move already: a name stands in the text once.
        var named: [Int: Int] = [:]
        var index = MemberIndex(of: moves.lazy.flatMap { undoing ? $0.sourceNames : $0.targetNames })
        for job in jobs {
            let move = Int(self[note: job.node].move)
            let names = undoing ? moves[move].sourceNames : moves[move].targetNames
            if put(job.node, at: names, from: job.anchor, escapes, alike: named[move], &index) {
                named[move] = job.node
            } else {
                faults.append(MoveFault(node: job.node, move: move))
            }
            self[note: job.node].move = -1
        }
        return faults
    }

    /// Whether neither the node nor anything around it was taken out.
    func stands(_ node: Int) -> Bool {
        var current = Int32(node)
        while current >= 0 {
            // What has become null holds nothing any more.
            if nodes[Int(current)].isGone || (current != node && nodes[Int(current)].kind == .scalar) { return false }
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

    /// Puts a value where its move says, named as the node `alike`, if there is one.
    ///
    /// False when something that is no object stands in the way.
    private mutating func put(
        _ node: Int, at names: [[UInt8]], from anchor: Int, _ escapes: OutputOptions.Escapes, alike: Int?,
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
        if let alike {
            let namesake = nodes[alike]
            nodes[node].setName(
                start: namesake.nameStart, count: namesake.nameCount, hasEscape: namesake.nameHasEscape)
        } else {
            setName(of: node, to: last, escapes)
        }
        link(node, into: parent)
        index.note(node, named: last, in: parent)
        return true
    }
}
