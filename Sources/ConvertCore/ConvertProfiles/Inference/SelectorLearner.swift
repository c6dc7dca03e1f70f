import ConvertEngine

/// Finds the selectors that match some paths and not others.
struct SelectorLearner {
    /// The most paths to match, and a quarter of the paths to avoid that are used. More do not help to tell selectors apart.
    private static let maxPaths = 3_000
    /// Every combination of `*` is tried only in paths that have at most one level more than this.
    private static let maxStars = 5

    /// Selectors of rules that would contradict one of the same rank that matches the same paths.
    var rivals: [Selector] = []

    /// A few selectors that match all of `chosen` and none of `others`; nil if none are found, or a path is in both.
    func cover(_ chosen: Set<SampleTree.Path>, without others: Set<SampleTree.Path>) -> [Selector]? {
        guard chosen.isDisjoint(with: others) else { return nil }
        var rest = Array(chosen.sorted { Self.isBefore($0, $1) }.prefix(Self.maxPaths))
        let rejected = Array(others.prefix(Self.maxPaths * 4))
        var found: [Selector] = []
        var cache: [Selector: Bool] = [:]
        while let first = rest.first {
            var best: (pattern: Selector, count: Int)?
            for pattern in candidates(first, among: rest) {
                let isFree: Bool
                if let known = cache[pattern] {
                    isFree = known
                } else {
                    isFree = !rejected.contains { pattern.matches($0) } && !rivals.contains { pattern.isRival(of: $0) }
                    cache[pattern] = isFree
                }
                guard isFree else { continue }
                let count = rest.count { pattern.matches($0) }
                if count > best?.count ?? 0 { best = (pattern, count) }
                if count == rest.count { break }
            }
            guard let best else { return nil }
            found.append(best.pattern)
            rest.removeAll { best.pattern.matches($0) }
        }
        return found
    }

    /// Selectors that match one path, the preferred ones first.
    private func candidates(_ path: SampleTree.Path, among rest: [SampleTree.Path]) -> [Selector] {
        guard let last = path.last else { return [] }
        let starred = Self.starred(path)
        let names = Set(rest.compactMap { $0.last.flatMap { $0.isIndex ? nil : $0.text } })
        let isAtOnePath = rest.allSatisfy { $0.last?.text != last.text || Self.starred($0) == starred }
        var found: [Selector] = []
        let byName: [Selector] =
            !last.isIndex && !last.text.isEmpty ? [.name(before: last.text, isGlob: false)] : []
        if !isAtOnePath { found += byName }
        found.append(Selector(segments: starred))
        found += byName
        if !last.isIndex, names.count > 1 { found += globs(last.text, names) }
        func add(_ segments: [Selector.Segment]) { found.append(Selector(segments: segments)) }
        let levels = path.count
        guard levels <= Self.maxStars + 1 else {
            add(path.map { .literal($0.text) })
            return found
        }
        for stars in 1..<max(2, 1 << levels) {
            add(path.indices.map { stars >> $0 & 1 == 1 || path[$0].isIndex ? .anyOne : .literal(path[$0].text) })
        }
        for cut in 0..<levels {
            for start in cut..<levels {
                let tail = starred[start...]
                add(Array(starred[..<cut]) + [.anyDepth] + tail)
                add(Array(starred[..<cut].map { _ in .anyOne }) + [.anyDepth] + tail)
            }
        }
        for cut in 0..<levels { add(Array(starred[..<cut]) + [.anyDepth, .anyOne]) }
        for stars in 0..<(1 << levels) {
            add(path.indices.map { stars >> $0 & 1 == 1 ? .anyOne : .literal(path[$0].text) })
        }
        return found
    }

    private func globs(_ name: [UInt8], _ names: Set<[UInt8]>) -> [Selector] {
        guard !name.isEmpty else { return [] }
        var found: [Selector] = []
        for length in stride(from: name.count - 1, through: 1, by: -1) {
            let (head, tail) = (Array(name.prefix(length)), Array(name.suffix(length)))
            if names.count(where: { $0.starts(with: head) }) > 1, Self.isWhole(head) {
                found.append(.name(before: head, isGlob: true))
            }
            if names.count(where: { $0.suffix(length).elementsEqual(tail) }) > 1, Self.isWhole(tail) {
                found.append(.name(before: [], after: tail, isGlob: true))
            }
        }
        found.append(.name(before: [], isGlob: true))
        return found
    }

    private static func isWhole(_ part: [UInt8]) -> Bool {
        String(validating: part, as: UTF8.self) != nil
    }

    static func starred(_ path: SampleTree.Path) -> [Selector.Segment] {
        path.map { $0.isIndex ? .anyOne : .literal($0.text) }
    }

    static func isBefore(_ left: SampleTree.Path, _ right: SampleTree.Path) -> Bool {
        left.count != right.count
            ? left.count < right.count
            : left.lexicographicallyPrecedes(right) { $0.text.lexicographicallyPrecedes($1.text) }
    }
}
