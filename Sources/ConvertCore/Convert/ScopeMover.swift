// First all values that move are found (`collecting`), then all are taken out (`removing`), and with undoing the containers that
// this leaves empty (`removingEmptied`). Only then they are put in one after another (`putting`): where one goes may be where
// another was.

/// Takes moved values out of their places in a scope and puts them, in input order, at the end of their new parents: `move`, and
/// its way back; in pieces.
struct ScopeMover: ~Copyable {
    /// A value that moves.
    struct Job: BitwiseCopyable, Sendable {
        var node: Int32
        var move: Int32
        /// The container around both places.
        var anchor: Int32
    }

    private enum Phase: BitwiseCopyable, Sendable {
        case collecting, removing, removingEmptied, putting
    }

    private enum Placement {
        case done, refused, unfinished
    }

    /// Values that are moved whose storage is kept.
    private static let maxKeptJobs = 1024

    private var phase = Phase.collecting
    private var next = 0
    private var jobs = TrivialArray<Job>()
    /// The node that has got the name of each move already: a name stands in the text once.
    private var named: [Int32: Int] = [:]
    private var index = MemberIndex()
    /// The values whose new parent is no object.
    private(set) var misplaced = TrivialArray<Job>()

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { jobs.storedBytes + index.storedBytes + misplaced.storedBytes }

    /// Stands before the first value, and forgets what was done.
    mutating func removeAll() {
        (phase, next) = (.collecting, 0)
        jobs.removeAll(keepingAtMost: Self.maxKeptJobs)
        misplaced.removeAll(keepingAtMost: Self.maxKeptJobs)
        named.removeAll(keepingCapacity: true)
        index.removeAll()
    }

    /// Goes on as far as `steps` go; true once all values are where they go, or misplaced.
    mutating func work(on tree: inout ScopeTree, _ plan: Plan, _ steps: inout Int) -> Bool {
        while steps > 0 {
            switch phase {
            case .collecting:
                if let node = tree.nextStanding(from: &next, &steps, where: { $0.move >= 0 }) {
                    jobs.append(job(node, in: tree, plan))
                } else if next == tree.nodes.count {
                    enter(.removing)
                }
            case .removing:
                takeEach(&steps) { tree.remove(Int($0.node)) }
                if next == jobs.count { enter(plan.isInverse ? .removingEmptied : .putting) }
            case .removingEmptied:
                takeEach(&steps) { Self.removeEmptied(around: $0, in: &tree) }
                if next == jobs.count { enter(.putting) }
            case .putting:
                guard next < jobs.count else { return true }
                putNext(in: &tree, plan, &steps)
            }
        }
        return false
    }

    private mutating func enter(_ phase: Phase) { (self.phase, next) = (phase, 0) }

    private func job(_ node: Int, in tree: borrowing ScopeTree, _ plan: Plan) -> Job {
        let move = tree[note: node].move
        var anchor = Int32(node)
        for _ in Self.names(of: plan.selectors.moves[Int(move)], undone: !plan.isInverse) {
            anchor = tree.nodes[Int(anchor)].inputParent
        }
        return Job(node: Int32(node), move: move, anchor: anchor)
    }

    /// The names that lead from the anchor to where a move puts something, or to where it took it from.
    private static func names(of move: SelectorTable.Move, undone: Bool) -> [[UInt8]] {
        undone ? move.sourceNames : move.targetNames
    }

    private mutating func takeEach(_ steps: inout Int, _ take: (Job) -> Void) {
        while next < jobs.count, steps > 0 {
            take(jobs[next])
            next += 1
            steps -= 1
        }
    }

    private static func removeEmptied(around job: Job, in tree: inout ScopeTree) {
        var current = Int(tree.nodes[Int(job.node)].parent)
        while current != job.anchor, current > ScopeTree.root, tree.isEmpty(current), !tree.nodes[current].isGone {
            let parent = Int(tree.nodes[current].parent)
            tree.remove(current)
            current = parent
        }
    }

    private mutating func putNext(in tree: inout ScopeTree, _ plan: Plan, _ steps: inout Int) {
        let job = jobs[next]
        switch put(job, in: &tree, plan, &steps) {
        case .unfinished: return
        case .done: named[job.move] = Int(job.node)
        case .refused: misplaced.append(job)
        }
        tree[note: Int(job.node)].move = -1
        next += 1
    }

    /// Puts a value where its move says; refused when something that is no object stands in the way.
    private mutating func put(
        _ job: Job, in tree: inout ScopeTree, _ plan: Plan, _ steps: inout Int
    ) -> Placement {
        let (wanted, escapes) = (plan.selectors.movedNames, plan.output.escapes)
        let names = Self.names(of: plan.selectors.moves[Int(job.move)], undone: plan.isInverse)
        let node = Int(job.node)
        var parent = Int(job.anchor)
        for name in names.dropLast() {
            steps -= 1
            guard tree.takesMembers(parent) else { return .refused }
            guard index.prepare(parent, wanted, in: tree, &steps) else { return .unfinished }
            var child = index.firstMember(named: name, wanted, of: parent, in: tree)
            if child < 0 {
                child = tree.make(named: name, in: parent, escapes)
                tree.nodes[child].kind = .object
                index.note(child, named: name, wanted, in: parent)
            }
            parent = child
        }
        guard tree.takesMembers(parent), let last = names.last else { return .refused }
        guard index.makeRoom(&steps) else { return .unfinished }
        if let alike = named[job.move] {
            let namesake = tree.nodes[alike]
            tree.nodes[node].setName(
                start: namesake.nameStart, count: namesake.nameCount, hasEscape: namesake.nameHasEscape)
        } else {
            tree.setName(of: node, to: last, escapes)
        }
        tree.link(node, into: parent)
        index.note(node, named: last, wanted, in: parent)
        steps -= 1
        return .done
    }
}

extension ScopeTree {
    fileprivate func takesMembers(_ node: Int) -> Bool { nodes[node].kind == .object && !nodes[node].isQuoted }
}
