import ConvertEngine

/// What a plan may change at a path, whatever the schemas say about it.
extension SchemaRewriter {
    /// The most paths that are tried below one path. If there are more, something is taken to change.
    private static let maxTriedPaths = 64

    /// Whether values of these kinds stay as they are, with all that is in them.
    func stays(_ kinds: Kinds, _ path: DescribedPath) -> Bool {
        if kinds.isDisjoint(with: [.array, .object]) { return keepsValue(kinds, path) }
        if let known = knownToStay[path] { return known }
        let stays = keepsAll(path)
        knownToStay[path] = stays
        return stays
    }

    private func keepsAll(_ path: DescribedPath) -> Bool {
        var tried: Set = [path]
        var waiting = [path]
        while let next = waiting.popLast() {
            guard tried.count <= Self.maxTriedPaths, keepsValue(.any, next), next.keepsKeys,
                !mayLoseOrGainMembers([], next)
            else { return false }
            let elements = next.allElements
            guard elements.allSatisfy({ !$0.isDropped }) else { return false }
            let paths = (elements + next.others(without: []).map(\.member)).map { path.at($0.path) }
            waiting += paths.filter { tried.insert($0).inserted }
        }
        return true
    }

    private func keepsValue(_ kinds: Kinds, _ path: DescribedPath) -> Bool {
        guard path.rule < 0, !path.isRecord, path.plan.scanRule < 0 || !kinds.contains(.string) else { return false }
        return kinds.isDisjoint(with: [.array, .object])
            || (!path.plan.prune.isActive && !path.keepsContainersOnly && !path.isRemovedIfEmpty)
    }

    /// Whether no other values of these kinds become equal to one that a schema names, where no rule acts on the value itself.
    func staysApart(_ kinds: Kinds, _ path: DescribedPath) -> Bool {
        kinds.isDisjoint(with: [.array, .object]) || stays(kinds, path)
    }

    /// Whether an object may have fewer or more members than before, apart from those with these keys.
    func mayLoseOrGainMembers(_ known: Set<[UInt8]>, _ path: DescribedPath) -> Bool {
        path.plan.prune.isActive || path.isAnchor || !path.additions.isEmpty
            || path.plan.policies.collision != .error
            || path.others(without: known).contains { _, member in
                member.isDropped || member.move >= 0 || mayVanish(nil, path.at(member.path))
            }
    }
}
