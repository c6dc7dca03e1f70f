import ConvertEngine
import ConvertText

// What a selector that matches nothing may have meant, most certain first:
//
// 1. the same selector matches the other side: an output key was written;
// 2. it is written as jq or JSONPath would have it;
// 3. with `*` for the elements of arrays, or in other letters' case, its path is there;
// 4. its last key is somewhere else;
// 5. its path is there but for some letters.
//
// Otherwise it is said how far the path leads.

/// Finds the path that a selector without a match most probably means.
struct NearestPath {
    /// A way along the segments: where it leads, its spelling, and what had to be changed.
    private struct Way {
        var place = PayloadShape.root
        var segments: [Selector.Segment] = []
        var reasons: [String] = []
    }

    /// The most ways that are followed at a time, and the most keys that are compared letter by letter.
    private static let maxWays = 64
    private static let maxComparedKeys = 10_000
    /// The most paths that a reason names.
    private static let maxShownPaths = 2

    private let named: PayloadShape
    private let other: PayloadShape
    private let counterparts: [Int: Int]
    private let isInverse: Bool

    init(_ tally: ExplanationTally) {
        named = tally.named
        other = tally.other
        counterparts = tally.counterparts
        isInverse = tally.direction == .inverse
    }

    /// Why a selector that names no output key matches nothing.
    ///
    /// - Parameter isLoose: whether keys are looked for that differ in some letters.
    func reason(for selector: Selector, isLoose: Bool = true) -> String {
        habit(selector) ?? way(selector, isLoose: false) ?? elsewhere(selector)
            ?? (isLoose ? way(selector, isLoose: true) : nil) ?? missing(selector)
    }

    private static func quoted(_ segments: [Selector.Segment]) -> String {
        RuleLabels.quoted(Selector(segments: segments))
    }

    private func quotedPath(_ place: Int) -> String { RuleLabels.quoted(named.path(to: place)) }

    // MARK: The steps

    /// What to write instead of a selector that names an output key.
    func outputKey(_ selector: Selector) -> String? {
        let places = other.places(of: selector).compactMap { counterparts[$0] }.filter { $0 != PayloadShape.root }
        guard let place = places.first else { return nil }
        let side = isInverse ? "the input of the forward direction" : "the input"
        return "selectors name \(side): write \(quotedPath(place))"
    }

    private func habit(_ selector: Selector) -> String? {
        guard let habit = SelectorHabit(selector, isLenient: true) else { return nil }
        let meant = named.places(of: habit.selector).first.map { _ in habit.selector } ?? found(habit.selector)?.0
        guard let meant else { return SelectorHabit(selector).map { _ in habit.message } }
        return "\(habit.message): write \(RuleLabels.quoted(meant))"
    }

    private func way(_ selector: Selector, isLoose: Bool) -> String? {
        guard case .pointer = selector.form else { return similarKey(selector, isLoose: isLoose) }
        guard let (path, reasons) = found(selector, isLoose: isLoose) else { return nil }
        return reasons.isEmpty
            ? "nothing is there; did you mean \(RuleLabels.quoted(path))?"
            : "\(reasons.joined(separator: ", ")): write \(RuleLabels.quoted(path))"
    }

    private func elsewhere(_ selector: Selector) -> String? {
        guard case .literal(let name)? = selector.pointerSegments.last, let places = named.named[name] else {
            return nil
        }
        let paths = places.prefix(Self.maxShownPaths).map { named.path(to: $0) }
        let more = places.count > paths.count ? " and \(places.count - paths.count) more" : ""
        return "`\(ExplainedPayload.spelled(name))` is at \(paths.joined(separator: ", "))\(more)"
    }

    /// A key that is spelled otherwise, for a selector that is a key.
    private func similarKey(_ selector: Selector, isLoose: Bool) -> String? {
        guard let name = selector.literalName,
            let similar = similar(name, among: Array(named.named.keys), isLoose: isLoose)
        else { return nil }
        let shown = "`\(ExplainedPayload.spelled(similar))`"
        return isLoose ? "no key of this name; did you mean \(shown)?" : "keys are case-sensitive: write \(shown)"
    }

    private func missing(_ selector: Selector) -> String {
        guard case .pointer(let segments) = selector.form else { return "no key of this name is in the payload" }
        var places = [PayloadShape.root]
        var path: [Selector.Segment] = []
        for segment in segments {
            let next = named.step(segment, from: places)
            guard next.isEmpty else {
                (places, path) = (next, path + [segment])
                continue
            }
            let place = path.isEmpty ? "the payload" : Self.quoted(path)
            guard case .literal(let name) = segment else { return "\(place) has nothing in it" }
            return "\(place) has no key `\(ExplainedPayload.spelled(name))`"
        }
        return "nothing is there"
    }

    // MARK: A path with changes

    /// The path that is there, and what is changed in it.
    private func found(_ selector: Selector, isLoose: Bool = false) -> (Selector, [String])? {
        var ways = [Way()]
        for segment in selector.pointerSegments {
            let next = ways.flatMap { exact($0, segment) }
            ways = next.isEmpty ? ways.flatMap { changed($0, segment, isLoose: isLoose) } : next
            ways = Array(ways.prefix(Self.maxWays))
        }
        guard let way = ways.first, !way.segments.isEmpty else { return nil }
        return (Selector(segments: way.segments), way.reasons)
    }

    private func exact(_ way: Way, _ segment: Selector.Segment) -> [Way] {
        named.step(segment, from: [way.place]).prefix(Self.maxWays).map { place in
            var way = way
            way.place = place
            way.segments.append(segment)
            return way
        }
    }

    /// The ways on over the elements of arrays, and by keys that are spelled otherwise.
    private func changed(_ way: Way, _ segment: Selector.Segment, isLoose: Bool) -> [Way] {
        guard case .literal(let name) = segment else { return [] }
        var way = way
        while true {
            let node = named.nodes[way.place]
            if let similar = similar(name, among: Array(node.members.keys), isLoose: isLoose),
                let place = node.members[similar]
            {
                if Self.isSameButCase(similar, name), !isLoose { way.reasons.append("keys are case-sensitive") }
                way.place = place
                way.segments.append(.literal(similar))
                return [way]
            }
            guard node.elements >= 0, !Selector.isIndex(name) else { return [] }
            let array = way.segments.isEmpty ? "the payload" : Self.quoted(way.segments)
            way.reasons.append("\(array) is an array")
            way.place = node.elements
            way.segments.append(.anyOne)
            if let found = exact(way, segment).first { return [found] }
        }
    }

    private func similar(_ name: [UInt8], among names: [[UInt8]], isLoose: Bool) -> [UInt8]? {
        if let found = names.first(where: { Self.isSameButCase($0, name) }) { return found }
        guard isLoose, names.count <= Self.maxComparedKeys else { return nil }
        let texts = names.map { String(decoding: $0, as: UTF8.self) }.sorted()
        return NearestName.nearest(to: name, among: texts).map { Array($0.utf8) }
    }

    private static func isSameButCase(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { $0 == $1 || (ASCII.isLetter($0) && $0 ^ $1 == ASCII.caseBit) }
    }
}
