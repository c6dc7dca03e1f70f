import ConvertEngine
import ConvertText

// Likely meanings of a selector that matches nothing, the most certain first:
//
// 1. the same selector matches the other side: it names an output key;
// 2. it is in the syntax of jq or JSONPath;
// 3. its path exists with `*` for the elements of arrays, or with keys in other upper or lower case;
// 4. its last key is at another path;
// 5. its path exists with keys that differ in some letters.
//
// Otherwise the reason says how much of the path exists.

/// Finds the path that a selector without a match most probably means.
struct NearestPath {
    /// A walk along the segments: the node it has reached, the corrected path, and the reasons for the corrections.
    private struct Way {
        var index = PayloadShape.root
        var segments: [Selector.Segment] = []
        var reasons: [String] = []
    }

    /// The most ways that are followed at a time, and the most keys that are compared letter by letter.
    private static let maxWays = 64
    private static let maxComparedKeys = 10_000
    /// The most steps of all walks together. A `**` may lead from each way to every node.
    private static let maxSteps = 1_000_000
    /// The most paths that a reason names.
    private static let maxShownPaths = 2

    private let named: PayloadShape
    private let other: PayloadShape
    private let counterparts: [Int: Int]
    private let isInverse: Bool
    private var steps = 0

    init(_ tally: ExplanationTally) {
        named = tally.named
        other = tally.other
        counterparts = tally.counterparts
        isInverse = tally.direction == .inverse
    }

    /// The reason why a selector matches nothing, if it names no output key.
    ///
    /// - Parameter isLoose: whether keys that differ in some letters are tried.
    mutating func reason(for selector: Selector, isLoose: Bool) -> String {
        habit(selector) ?? way(selector, isLoose: false) ?? elsewhere(selector)
            ?? (isLoose ? way(selector, isLoose: true) : nil) ?? missing(selector)
    }

    private static func quoted(_ segments: [Selector.Segment]) -> String {
        RuleLabels.quoted(Selector(segments: segments))
    }

    // MARK: The steps

    /// The reason for a selector that names an output key, with the path to write instead; nil for other selectors.
    func outputKey(_ selector: Selector) -> String? {
        let indices = other.indices(of: selector).compactMap { counterparts[$0] }.filter { $0 != PayloadShape.root }
        guard let index = indices.first else { return nil }
        let side = isInverse ? "the input of the forward direction" : "the input"
        return "selectors name \(side): write \(RuleLabels.quoted(named.path(to: index)))"
    }

    private mutating func habit(_ selector: Selector) -> String? {
        guard let habit = SelectorHabit(selector, isLenient: true) else { return nil }
        let meant = named.indices(of: habit.selector).first.map { _ in habit.selector } ?? found(habit.selector)?.0
        guard let meant else { return SelectorHabit(selector).map { _ in habit.message } }
        return "\(habit.message): write \(RuleLabels.quoted(meant))"
    }

    private mutating func way(_ selector: Selector, isLoose: Bool) -> String? {
        guard case .pointer = selector.form else { return similarKey(selector, isLoose: isLoose) }
        guard let (path, reasons) = found(selector, isLoose: isLoose) else { return nil }
        return reasons.isEmpty
            ? "nothing is there; did you mean \(RuleLabels.quoted(path))?"
            : "\(reasons.joined(separator: ", ")): write \(RuleLabels.quoted(path))"
    }

    private func elsewhere(_ selector: Selector) -> String? {
        guard let name = selector.pointerSegments.last?.name, let indices = named.named[name] else { return nil }
        let paths = indices.prefix(Self.maxShownPaths).map { named.path(to: $0) }
        let more = indices.count > paths.count ? " and \(indices.count - paths.count) more" : ""
        return "`\(ExplainedPayload.spelled(name))` is at \(paths.joined(separator: ", "))\(more)"
    }

    /// The reason for a plain key that exists in another spelling; nil if there is no similar key.
    private func similarKey(_ selector: Selector, isLoose: Bool) -> String? {
        guard let name = selector.literalName,
            let similar = similar(name, among: Array(named.named.keys), isLoose: isLoose)
        else { return nil }
        let shown = "`\(ExplainedPayload.spelled(similar))`"
        return isLoose ? "no key of this name; did you mean \(shown)?" : "keys are case-sensitive: write \(shown)"
    }

    private func missing(_ selector: Selector) -> String {
        guard case .pointer(let segments) = selector.form else { return "no key of this name is in the payload" }
        var indices = [PayloadShape.root]
        var path: [Selector.Segment] = []
        for segment in segments {
            let next = named.step(segment, from: indices)
            guard next.isEmpty else {
                (indices, path) = (next, path + [segment])
                continue
            }
            let container = path.isEmpty ? "the payload" : Self.quoted(path)
            guard case .literal(let name) = segment else { return "\(container) has nothing in it" }
            return "\(container) has no key `\(ExplainedPayload.spelled(name))`"
        }
        return "nothing is there"
    }

    // MARK: A path with changes

    /// The existing path that is most like the selector, and the reasons for the changes. Nil also after too many steps.
    private mutating func found(_ selector: Selector, isLoose: Bool = false) -> (Selector, [String])? {
        var ways = [Way()]
        for segment in selector.pointerSegments where !ways.isEmpty {
            guard steps <= Self.maxSteps else { return nil }
            var next = ways.flatMap { exact($0, segment) }
            if next.isEmpty { next = ways.flatMap { changed($0, segment, isLoose: isLoose) } }
            ways = Array(next.prefix(Self.maxWays))
        }
        guard let way = ways.first, !way.segments.isEmpty else { return nil }
        return (Selector(segments: way.segments), way.reasons)
    }

    private mutating func exact(_ way: Way, _ segment: Selector.Segment) -> [Way] {
        let next = named.step(segment, from: [way.index])
        steps += segment == .anyDepth ? named.nodes.count : 1 + next.count
        return next.prefix(Self.maxWays).map { index in
            var way = way
            way.index = index
            way.segments.append(segment)
            return way
        }
    }

    /// The next steps that need a change: through the elements of arrays, or by a key in another spelling.
    private mutating func changed(_ way: Way, _ segment: Selector.Segment, isLoose: Bool) -> [Way] {
        guard case .literal(let name) = segment else { return [] }
        var way = way
        while true {
            let node = named.nodes[way.index]
            if let similar = similar(name, among: Array(node.members.keys), isLoose: isLoose),
                let index = node.members[similar]
            {
                if Self.isSameButCase(similar, name), !isLoose { way.reasons.append("keys are case-sensitive") }
                way.index = index
                way.segments.append(.literal(similar))
                return [way]
            }
            guard node.elements >= 0, !Selector.isIndex(name) else { return [] }
            let array = way.segments.isEmpty ? "the payload" : Self.quoted(way.segments)
            way.reasons.append("\(array) is an array")
            way.index = node.elements
            way.segments.append(.anyOne)
            if let found = exact(way, segment).first { return [found] }
        }
    }

    private func similar(_ name: [UInt8], among names: [[UInt8]], isLoose: Bool) -> [UInt8]? {
        let same = names.filter { Self.isSameButCase($0, name) }
        if let first = same.min(by: { $0.lexicographicallyPrecedes($1) }) { return first }
        guard isLoose, names.count <= Self.maxComparedKeys else { return nil }
        let texts = names.map { String(decoding: $0, as: UTF8.self) }.sorted()
        return NearestName.nearest(to: name, among: texts).map { Array($0.utf8) }
    }

    private static func isSameButCase(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { $0 == $1 || (ASCII.isLetter($0) && $0 ^ $1 == ASCII.caseBit) }
    }
}
