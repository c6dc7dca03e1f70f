import ConvertEngine
import ConvertText

/// Finds the rules that drop, keep, move, prune or add values.
struct ShapeInference {
    /// A value of one sample, as a node of its input or output.
    private struct Place: Hashable {
        let sample: Int
        let node: Int
    }

    private let alignments: [SampleAlignment]
    /// Values of the input that are missing in the output, although their container is there.
    private var gone: Set<Place> = []
    /// Values of the output without a source in the input, although their container has one.
    private var new: Set<Place> = []

    init(_ alignments: [SampleAlignment]) {
        self.alignments = alignments
        for (sample, alignment) in alignments.enumerated() {
            for node in 0..<alignment.input.count where alignment.target[node] == nil {
                guard let parent = alignment.input.parent(node), let holder = alignment.target[parent],
                    alignment.output.kind(holder).isContainer
                else { continue }
                gone.insert(Place(sample: sample, node: node))
            }
            for node in 0..<alignment.output.count where alignment.source[node] == nil {
                guard let parent = alignment.output.parent(node), let origin = alignment.source[parent],
                    alignment.input.kind(origin).isContainer
                else { continue }
                new.insert(Place(sample: sample, node: node))
            }
        }
    }

    /// The draft with the rules added, once for each way that may explain the missing values.
    mutating func drafts(from draft: ProfileDraft) -> [ProfileDraft] {
        var draft = draft
        inferMoves(into: &draft)
        let unpruned = (draft, gone)
        inferPruning(into: &draft)
        inferDefaults(into: &draft)
        draft.sortsKeys = isSorted
        var drafts = droppedOrKept(draft)
        guard !draft.pruned.isEmpty else { return drafts }
        // Empty values may have been removed by `drop` instead.
        gone = unpruned.1
        draft.pruned = []
        drafts += droppedOrKept(draft)
        return drafts
    }

    private func path(_ place: Place) -> SampleTree.Path { alignments[place.sample].input.paths[place.node] }

    // MARK: Moves

    private mutating func inferMoves(into draft: inout ProfileDraft) {
        struct Route: Hashable {
            let source: [UInt8]
            let target: [UInt8]
        }
        var routes: [Route: [(Place, Place)]] = [:]
        let ends = new.flatMap(chain)
        for from in gone {
            let alignment = alignments[from.sample]
            let kind = alignment.input.kind(from.node)
            for to in ends where to.sample == from.sample {
                let result = alignment.output.kind(to.node)
                guard kind.isContainer == result.isContainer,
                    kind == result && !kind.isContainer
                        || kind.isContainer && kind == result
                            && alignment.input.likeness(from.node, to: to.node, in: alignment.output) >= 0.99
                else { continue }
                guard let (source, target) = route(from, to) else { continue }
                routes[Route(source: source, target: target), default: []].append((from, to))
            }
        }
        let telling = { [alignments] (pairs: [(Place, Place)]) -> Int in
            pairs.count { pair in
                let kind = alignments[pair.0.sample].input.kind(pair.0.node)
                return kind.isTelling || kind.isContainer
            }
        }
        let ranked = routes.map { (route: $0.key, pairs: $0.value, weight: 10 * telling($0.value) + $0.value.count) }
            .sorted { ($1.weight, $0.route.target.count) < ($0.weight, $1.route.target.count) }
        var sources: Set<[UInt8]> = []
        var targets: Set<[UInt8]> = []
        for (route, pairs, _) in ranked {
            let free = pairs.filter { gone.contains($0.0) && new.contains(top($0.1)) }
            guard telling(free) > 0 || free.count > 1, sources.insert(route.source).inserted,
                targets.insert(route.target).inserted
            else { continue }
            draft.moves.append((route.source, route.target))
            for (from, to) in free {
                gone.remove(from)
                new.remove(top(to))
            }
        }
        // A missing value at the source of a move lost its target to another value.
        gone = gone.filter { !sources.contains(Self.pointer(path($0))) }
    }

    /// A new value and its only descendants: a move of the innermost one may have created the others as its parents.
    private func chain(_ place: Place) -> [Place] {
        let output = alignments[place.sample].output
        var places = [place]
        while let last = places.last, output.kind(last.node) == .object, output.children(last.node).count == 1 {
            places.append(Place(sample: place.sample, node: output.children(last.node)[0]))
        }
        return places
    }

    /// The outermost new value around one.
    private func top(_ place: Place) -> Place {
        let alignment = alignments[place.sample]
        var node = place.node
        while let parent = alignment.output.parent(node), alignment.source[parent] == nil { node = parent }
        return Place(sample: place.sample, node: node)
    }

    /// The source and target of a move, as a profile writes them; nil if no move leads from one value to the other.
    private func route(_ from: Place, _ to: Place) -> (source: [UInt8], target: [UInt8])? {
        let alignment = alignments[from.sample]
        let source = alignment.input.paths[from.node]
        var ancestor = to.node
        var rest: [SampleTree.Step] = []
        while let parent = alignment.output.parent(ancestor) {
            guard let step = alignment.output.paths[ancestor].last, !step.isIndex else { return nil }
            rest.insert(step, at: 0)
            ancestor = parent
            guard let origin = alignment.source[ancestor] else { continue }
            let common = alignment.input.paths[origin]
            guard source.starts(with: common) else { continue }
            let tail = source[common.count...]
            guard !tail.contains(where: \.isIndex), !rest.isEmpty else { return nil }
            return (Self.pointer(common) + Self.pointer(Array(tail)), Self.pointer(common) + Self.pointer(rest))
        }
        return nil
    }

    private static func pointer(_ path: SampleTree.Path) -> [UInt8] {
        path.flatMap { [ASCII.slash] + ($0.isIndex ? [ASCII.asterisk] : SelectorPattern.escaped($0.text)) }
    }

    // MARK: Pruning

    private mutating func inferPruning(into draft: inout ProfileDraft) {
        let kinds: [(String, (JSONDocument.Kind) -> Bool)] = [
            ("null", { $0 == .null }), ("emptyString", { $0 == .string([]) }), ("emptyArray", { $0 == .array }),
            ("emptyObject", { $0 == .object }),
        ]
        var pruned: Set<Place> = []
        for _ in 0..<2 {
            for (name, isOfKind) in kinds {
                var (went, stayed): (Set<Place>, Int) = ([], 0)
                for (sample, alignment) in alignments.enumerated() {
                    for node in 0..<alignment.input.count where isOfKind(alignment.input.kind(node)) {
                        guard alignment.input.name(node) != nil else { continue }
                        let place = Place(sample: sample, node: node)
                        let isEmpty = alignment.input.children(node).allSatisfy {
                            pruned.contains(Place(sample: sample, node: $0))
                        }
                        guard isEmpty else { continue }
                        if gone.contains(place) {
                            went.insert(place)
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
        gone.subtract(pruned)
        guard !draft.pruned.isEmpty else { return }
        let elements = gone.filter { place in
            let input = alignments[place.sample].input
            return input.name(place.node) == nil && input.kind(place.node).mayBeEmpty
                && input.children(place.node).isEmpty
        }
        guard !elements.isEmpty else { return }
        draft.pruned.insert("inArrays")
        gone.subtract(elements)
    }

    // MARK: Drop and keep

    private func droppedOrKept(_ draft: ProfileDraft) -> [ProfileDraft] {
        var kept: Set<SampleTree.Path> = []
        for alignment in alignments {
            for node in 0..<alignment.input.count where alignment.target[node] != nil {
                kept.insert(alignment.input.paths[node])
            }
        }
        let dropped = Set(gone.map(path)).subtracting(kept)
        guard !dropped.isEmpty else { return [draft] }
        var (dropping, keeping) = (draft, draft)
        dropping.drops = SelectorLearner().cover(dropped, without: kept) ?? []
        keeping.keeps = keeps(dropped) ?? []
        guard !keeping.keeps.isEmpty else { return [dropping] }
        return keeping.keeps.count < dropping.drops.count ? [keeping, dropping] : [dropping, keeping]
    }

    /// Selectors of values that stay complete while values beside them are removed; nil if there are none that select only these.
    private func keeps(_ dropped: Set<SampleTree.Path>) -> [SelectorPattern]? {
        var chosen: Set<SampleTree.Path> = []
        var others = dropped
        for (sample, alignment) in alignments.enumerated() {
            var isWhole = Array(repeating: true, count: alignment.input.count)
            for node in (0..<alignment.input.count).reversed() {
                if gone.contains(Place(sample: sample, node: node)) { isWhole[node] = false }
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

    private func inferDefaults(into draft: inout ProfileDraft) {
        var values: [[UInt8]: Set<[UInt8]>] = [:]
        for place in new {
            let output = alignments[place.sample].output
            guard output.name(place.node) != nil else { continue }
            values[Self.pointer(output.paths[place.node]), default: []].insert(output.text(place.node))
        }
        for (target, texts) in values.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) })
        where texts.count == 1 && isEverywhere(target) {
            draft.defaults += texts.map { (target, $0) }
        }
    }

    /// Whether the outputs have a value at the pointer in every place where a default would add one.
    private func isEverywhere(_ pointer: [UInt8]) -> Bool {
        let levels = pointer.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst()
        return alignments.allSatisfy { alignment in
            guard alignment.output.kind(0) == .object || levels.first?.elementsEqual([ASCII.asterisk]) == true else {
                return true
            }
            var open = [(0, levels)]
            while let (node, rest) = open.popLast() {
                guard let level = rest.first else { continue }
                let children = alignment.output.children(node)
                if level.elementsEqual([ASCII.asterisk]) {
                    open += children.map { ($0, rest.dropFirst()) }
                } else if let child = children.first(where: {
                    alignment.output.name($0).map(SelectorPattern.escaped) == Array(level)
                }) {
                    open.append((child, rest.dropFirst()))
                } else if alignment.output.kind(node) == .object {
                    return false
                }
            }
            return true
        }
    }

    /// Whether every object of the outputs is sorted, and at least one has another order than in its input.
    private var isSorted: Bool {
        var isChanged = false
        for alignment in alignments {
            for node in 0..<alignment.output.count where alignment.output.kind(node) == .object {
                let members = alignment.output.children(node)
                let names = members.compactMap { alignment.output.name($0) }
                guard !zip(names, names.dropFirst()).contains(where: { $1.lexicographicallyPrecedes($0) }) else {
                    return false
                }
                let origins = members.compactMap { alignment.source[$0] }
                if zip(origins, origins.dropFirst()).contains(where: >) { isChanged = true }
            }
        }
        return isChanged
    }
}
