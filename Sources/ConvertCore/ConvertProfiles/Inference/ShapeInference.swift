import ConvertEngine

/// Finds the rules that drop, keep, move, prune or add values.
struct ShapeInference {
    /// A value of one sample, as a node of its input or output.
    private struct SampleNode: Hashable {
        let sample: Int
        let node: Int
    }

    private let alignments: [SampleAlignment]
    /// Values of the input that are missing in the output, although their container is there.
    private var removed: Set<SampleNode> = []
    /// Values of the output without a source in the input, although their container has one, or a move created it.
    private var new: Set<SampleNode> = []

    private let moves: [MoveInference.Route]
    /// Missing objects from which values are moved. Only what is left in them is dropped, and `prune` removes them.
    private var emptied: Set<SampleNode> = []
    /// Targets of defaults whose value disappeared elsewhere from each sample that needs it.
    private(set) var uncertain: Set<[UInt8]> = []

    init(_ found: MoveInference) {
        alignments = found.alignments
        moves = found.routes
        for (sample, alignment) in alignments.enumerated() {
            removed.formUnion(alignment.removed.map { SampleNode(sample: sample, node: $0) })
            new.formUnion(alignment.new.map { SampleNode(sample: sample, node: $0) })
            for node in alignment.emptied {
                emptied.insert(SampleNode(sample: sample, node: node))
                let rest = alignment.input.children(node).filter { alignment.target[$0] == nil }
                removed.formUnion(rest.map { SampleNode(sample: sample, node: $0) })
            }
        }
        // A missing value at the source of a move lost its target to another value, unless it was pruned.
        let sources = Set(moves.map(\.source))
        removed = removed.filter {
            !sources.contains(SampleTree.pointer(path($0))) || alignments[$0.sample].input.kind($0.node).mayBeEmpty
        }
    }

    /// The draft with the rules added, once for each way that may explain the missing values, then the order of keys.
    mutating func drafts(from draft: ProfileDraft) -> [ProfileDraft] {
        let drafts = shapes(from: draft)
        guard alignments.allSatisfy(\.output.isSorted) else { return drafts }
        // An added or moved member comes last in its object, unless the output is sorted.
        return drafts
            + drafts.map { draft in
                var other = draft
                other.sortsKeys.toggle()
                return other
            }
    }

    private mutating func shapes(from draft: ProfileDraft) -> [ProfileDraft] {
        var draft = draft
        draft.moves = moves.map { ($0.source, $0.target) }
        let unpruned = (draft, removed)
        inferPruning(into: &draft)
        inferDefaults(into: &draft)
        draft.sortsKeys = isSorted
        let drafts = droppedOrKept(draft)
        guard !draft.pruned.isEmpty else { return drafts }
        // Empty values may have been removed by `drop` instead.
        removed = unpruned.1
        draft.pruned = []
        return (drafts + droppedOrKept(draft)).sorted { $0.shapeRules < $1.shapeRules }
    }

    private func path(_ node: SampleNode) -> SampleTree.Path { alignments[node.sample].input.paths[node.node] }

    // MARK: Pruning

    private mutating func inferPruning(into draft: inout ProfileDraft) {
        let kinds: [(String, (JSONDocument.Kind) -> Bool)] = [
            ("null", { $0 == .null }), ("emptyString", { $0 == .string([]) }), ("emptyArray", { $0 == .array }),
            ("emptyObject", { $0 == .object }),
        ]
        var pruned: Set<SampleNode> = []
        for _ in 0..<2 {
            for (name, isOfKind) in kinds {
                var (went, stayed): (Set<SampleNode>, Int) = ([], 0)
                for (sample, alignment) in alignments.enumerated() {
                    for node in 0..<alignment.input.count where isOfKind(alignment.input.kind(node)) {
                        guard alignment.input.name(node) != nil else { continue }
                        let value = SampleNode(sample: sample, node: node)
                        let isEmpty = alignment.input.children(node).allSatisfy {
                            pruned.contains(SampleNode(sample: sample, node: $0))
                        }
                        guard isEmpty || emptied.contains(value) else { continue }
                        if removed.contains(value) {
                            went.insert(value)
                        } else if alignment.target[node] != nil {
                            stayed += 1
                        }
                    }
                }
                guard !went.isEmpty, stayed == 0 else { continue }
                draft.pruned.insert(name)
                pruned.formUnion(went)
            }
        }
        removed.subtract(pruned)
        let elements = removed.filter { node in
            let input = alignments[node.sample].input
            return input.name(node.node) == nil && input.kind(node.node).mayBeEmpty
                && input.children(node.node).isEmpty
        }
        guard !elements.isEmpty else { return }
        if draft.pruned.isEmpty {
            // No value with a key shows what is pruned.
            let found = Set(elements.map { alignments[$0.sample].input.kind($0.node) })
            draft.pruned.formUnion(kinds.filter { found.contains(where: $0.1) }.map { $0.0 })
        }
        draft.pruned.insert("inArrays")
        removed.subtract(elements)
    }

    // MARK: Drop and keep

    private func droppedOrKept(_ draft: ProfileDraft) -> [ProfileDraft] {
        var kept: Set<SampleTree.Path> = []
        for alignment in alignments {
            for node in 0..<alignment.input.count where alignment.target[node] != nil {
                kept.insert(alignment.input.paths[node])
            }
        }
        let dropped = Set(removed.map(path)).subtracting(kept)
        guard !dropped.isEmpty else { return [draft] }
        var (dropping, keeping) = (draft, draft)
        dropping.drops = SelectorLearner().cover(dropped, without: kept) ?? []
        keeping.keeps = keeps(dropped) ?? []
        guard !keeping.keeps.isEmpty else { return [dropping] }
        return keeping.keeps.count < dropping.drops.count ? [keeping, dropping] : [dropping, keeping]
    }

    /// Selectors of values that stay complete while values beside them are removed; nil if there are none that select only these.
    private func keeps(_ dropped: Set<SampleTree.Path>) -> [Selector]? {
        var chosen: Set<SampleTree.Path> = []
        var others = dropped
        for (sample, alignment) in alignments.enumerated() {
            var isWhole = Array(repeating: true, count: alignment.input.count)
            for node in (0..<alignment.input.count).reversed() {
                if removed.contains(SampleNode(sample: sample, node: node)) { isWhole[node] = false }
                if !isWhole[node], let parent = alignment.input.parent(node) { isWhole[parent] = false }
            }
            for node in 0..<alignment.input.count where alignment.target[node] != nil {
                let path = alignment.input.paths[node]
                if !isWhole[node] {
                    others.insert(path)
                } else if let parent = alignment.input.parent(node), !isWhole[parent],
                    !alignment.input.kind(node).isContainer || !alignment.input.children(node).isEmpty
                {
                    // An empty container is not chosen: `keep` may only lead through it.
                    chosen.insert(path)
                }
            }
        }
        return SelectorLearner().cover(chosen.subtracting(others), without: others)
    }

    // MARK: Defaults and order

    private mutating func inferDefaults(into draft: inout ProfileDraft) {
        let members = new.filter { alignments[$0.sample].output.name($0.node) != nil }
        let groups = Dictionary(grouping: members) {
            SampleTree.pointer(alignments[$0.sample].output.paths[$0.node])
        }
        for (target, nodes) in groups.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            let texts = Set(nodes.map { alignments[$0.sample].output.text($0.node) })
            guard texts.count == 1, alignments.allSatisfy({ $0.output.hasEverywhere(target) }) else { continue }
            draft.defaults += texts.map { (target, $0) }
            if nodes.allSatisfy({ mayBeRemoved($0) }) { uncertain.insert(target) }
        }
    }

    /// Whether a new value may be one that disappeared from the input.
    private func mayBeRemoved(_ node: SampleNode) -> Bool {
        let alignment = alignments[node.sample]
        return removed.contains {
            $0.sample == node.sample && alignment.input.likeness($0.node, to: node.node, in: alignment.output) > 0
        }
    }

    /// Whether all objects of the outputs are sorted, and at least one has another order than in its input.
    private var isSorted: Bool {
        alignments.allSatisfy(\.output.isSorted)
            && alignments.contains { alignment in
                (0..<alignment.output.count).contains { node in
                    guard alignment.output.kind(node) == .object else { return false }
                    let origins = alignment.output.children(node).compactMap { alignment.source[$0] }
                    return zip(origins, origins.dropFirst()).contains(where: >)
                }
            }
    }
}
