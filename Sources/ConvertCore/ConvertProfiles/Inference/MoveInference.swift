import ConvertEngine
import ConvertText

/// Finds the moves that explain new values of the outputs, and adds them to the alignments.
struct MoveInference {
    /// The source and target of a move, as a profile writes them.
    struct Route: Hashable {
        let source: [UInt8]
        let target: [UInt8]

        /// The last level of the target.
        var last: [UInt8] { Self.last(of: target) }

        var keepsKey: Bool { Self.last(of: source) == last }

        private static func last(of pointer: [UInt8]) -> [UInt8] {
            pointer.split(separator: ASCII.slash, omittingEmptySubsequences: false).last.map(Array.init) ?? []
        }
    }

    /// A value that disappeared, a new value that may be the same one, and how likely that is.
    private struct Pair {
        let sample: Int
        let from: Int
        let to: Int
        let weight: Double
    }

    /// The most missing and the most new values of a sample that are compared.
    private static let maxEnds = 100

    private(set) var alignments: [SampleAlignment]
    private(set) var routes: [Route] = []
    /// The nodes of each sample that have a move.
    private var taken: [(from: Set<Int>, to: Set<Int>)]

    init(_ alignments: [SampleAlignment]) {
        self.alignments = alignments
        taken = alignments.map { _ in ([], []) }
        addMoves(minWeight: 1) { $0.removed }
        // An object that as a whole went nowhere may have been taken apart.
        addMoves(minWeight: 1) { Self.parts(of: $0.removed, in: $0.input) }
        // Last come values that a rule changed. Before, they could take the targets of equal values.
        addMoves { $0.removed }
    }

    /// Adds the most likely moves of some values of the inputs.
    private mutating func addMoves(minWeight: Double = 0, of sources: (SampleAlignment) -> [Int]) {
        guard alignments.contains(where: { !sources($0).isEmpty }) else { return }
        var pairs: [Route: [Pair]] = [:]
        // For each source, how many values are there, and how many of them have each key in the output.
        var keyChanges: [[UInt8]: [[UInt8]?: Int]] = [:]
        for (sample, alignment) in alignments.enumerated() {
            for (node, target) in alignment.target.enumerated() {
                // A null that is missing may have been pruned after the move.
                if target == nil, alignment.input.kind(node) == .null { continue }
                let source = SampleTree.pointer(alignment.input.paths[node])
                keyChanges[source, default: [:]][target.flatMap { alignment.output.name($0) }, default: 0] += 1
            }
            let ends = Self.ends(alignment)
            for from in sources(alignment).prefix(Self.maxEnds) {
                for to in ends {
                    guard let weight = Self.weight(from, to, alignment), weight >= minWeight,
                        let route = Self.route(from, to, alignment)
                    else { continue }
                    pairs[route, default: []].append(Pair(sample: sample, from: from, to: to, weight: weight))
                }
            }
        }
        // Most values at the source must be moved.
        pairs = pairs.filter { route, pairs in
            let others = (keyChanges[route.source] ?? [:]).filter { $0.key.map(Selector.escaped) != route.last }
            return 2 * Set(pairs.map { [$0.sample, $0.from] }).count >= others.values.reduce(0, +)
        }
        var weights = pairs.mapValues { $0.reduce(0) { $0 + $1.weight } }
        while let (route, _) = weights.max(by: { Self.isWeaker($0, $1) }) {
            weights[route] = nil
            let free = (pairs[route] ?? []).filter { pair in
                let (froms, tos) = taken[pair.sample]
                return froms.isDisjoint(with: alignments[pair.sample].input.family(pair.from))
                    && tos.isDisjoint(with: alignments[pair.sample].output.family(pair.to))
            }
            guard !free.isEmpty, !routes.contains(where: { $0.source == route.source || $0.target == route.target }),
                !isDefault(route.target, free)
            else { continue }
            routes.append(route)
            for pair in free {
                taken[pair.sample].from.insert(pair.from)
                taken[pair.sample].to.insert(pair.to)
                alignments[pair.sample].move(pair.from, pair.to)
            }
        }
    }

    /// The values below some objects that only keys lead to.
    private static func parts(of nodes: [Int], in input: SampleTree) -> [Int] {
        var found: [Int] = []
        var open = nodes
        while let node = open.popLast(), found.count < maxEnds {
            guard input.kind(node) == .object else { continue }
            found += input.children(node)
            open += input.children(node)
        }
        return found
    }

    /// The new values of an output that a move may have written: those that only keys lead to.
    private static func ends(_ alignment: SampleAlignment) -> [Int] {
        var found: [Int] = []
        var open = alignment.new
        while let node = open.popLast(), found.count < maxEnds {
            guard alignment.output.name(node) != nil else { continue }
            found.append(node)
            // The move may have created the objects around its target.
            if alignment.output.kind(node) == .object { open += alignment.output.children(node) }
        }
        return found
    }

    /// How likely two values are the same one; nil if they cannot be. Rules may have changed the value.
    private static func weight(_ from: Int, _ to: Int, _ alignment: SampleAlignment) -> Double? {
        let (before, after) = (alignment.input.kind(from), alignment.output.kind(to))
        switch (before.isContainer, after.isContainer) {
        case (false, false):
            // No rule changes null.
            if before == .null, after != .null { return nil }
            return before == after ? (before.isDistinctive ? 10 : 1) : 0.5
        case (true, true):
            guard before == after else { return nil }
            switch (alignment.input.children(from).isEmpty, alignment.output.children(to).isEmpty) {
            case (true, true): return 1
            case (false, false): return max(0.5, 10 * alignment.input.likeness(from, to: to, in: alignment.output))
            default: return 0.5
            }
        case (true, false): return after == .null ? 0.5 : nil
        case (false, true): return nil
        }
    }

    /// The route from one value to the other; nil if no move leads there.
    private static func route(_ from: Int, _ to: Int, _ alignment: SampleAlignment) -> Route? {
        let source = alignment.input.paths[from]
        var ancestor = to
        var rest: [SampleTree.Step] = []
        while let parent = alignment.output.parent(ancestor) {
            guard let step = alignment.output.paths[ancestor].last, !step.isIndex else { return nil }
            rest.insert(step, at: 0)
            ancestor = parent
            guard let origin = alignment.source[ancestor] else { continue }
            let common = alignment.input.paths[origin]
            guard source.starts(with: common) else { continue }
            let tail = source[common.count...]
            guard !tail.contains(where: \.isIndex) else { return nil }
            let start = SampleTree.pointer(common)
            return Route(
                source: start + SampleTree.pointer(Array(tail)), target: start + SampleTree.pointer(rest))
        }
        return nil
    }

    private static func isWeaker(
        _ left: (key: Route, value: Double), _ right: (key: Route, value: Double)
    ) -> Bool {
        if left.value != right.value { return left.value < right.value }
        if left.key.keepsKey != right.key.keepsKey { return right.key.keepsKey }
        if left.key.target.count != right.key.target.count { return left.key.target.count > right.key.target.count }
        return (right.key.target + right.key.source).lexicographicallyPrecedes(left.key.target + left.key.source)
    }

    /// Whether the new values come from a default: all are equal, no output lacks the value, but some input does.
    private func isDefault(_ target: [UInt8], _ pairs: [Pair]) -> Bool {
        pairs.contains { $0.weight < 1 }
            && Set(pairs.map { alignments[$0.sample].output.text($0.to) }).count == 1
            && alignments.allSatisfy { $0.output.hasEverywhere(target) }
    }
}
