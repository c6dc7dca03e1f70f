import ConvertEngine

/// What a plan may change at a path, whatever the schemas say about it.
extension SchemaRewriter {
    /// The most paths that are tried below one path. If there are more, something is taken to change.
    private static let maxTriedPaths = 64

    /// Whether values of these kinds stay as they are, with all that is in them.
    func stays(_ kinds: Kinds, _ side: DescriptionSide, _ path: Path) -> Bool {
        if kinds.isDisjoint(with: [.array, .object]) { return keepsValue(kinds, side, path) }
        let described = DescribedPath(side, path)
        if let known = knownToStay[described] { return known }
        let stays = keepsAll(side, path)
        knownToStay[described] = stays
        return stays
    }

    private func keepsAll(_ side: DescriptionSide, _ path: Path) -> Bool {
        var tried: Set<Path> = [path]
        var waiting = [path]
        while let next = waiting.popLast() {
            guard tried.count <= Self.maxTriedPaths, keepsValue(.any, side, next), side.paths.keepsKeys(of: next),
                !mayLoseOrGainMembers([], side, next)
            else { return false }
            let (others, named) = side.paths.elements(of: next)
            let elements = [others] + named.map(\.element)
            guard elements.allSatisfy({ !$0.isDropped }) else { return false }
            for member in elements + side.paths.others(of: next, without: []).map(\.member)
            where tried.insert(member.path).inserted {
                waiting.append(member.path)
            }
        }
        return true
    }

    private func keepsValue(_ kinds: Kinds, _ side: DescriptionSide, _ path: Path) -> Bool {
        guard path.rule < 0, !path.isRecord, side.plan.scanRule < 0 || !kinds.contains(.string) else { return false }
        return kinds.isDisjoint(with: [.array, .object])
            || (!side.plan.prune.isActive && !path.keepsContainersOnly && !path.isRemovedIfEmpty)
    }

    /// Whether no other values of these kinds become equal to one that a schema names, where no rule acts on the value itself.
    func staysApart(_ kinds: Kinds, _ side: DescriptionSide, _ path: Path) -> Bool {
        kinds.isDisjoint(with: [.array, .object]) || stays(kinds, side, path)
    }

    /// Whether an object may have fewer or more members than before, apart from those with these keys.
    func mayLoseOrGainMembers(_ known: Set<[UInt8]>, _ side: DescriptionSide, _ path: Path) -> Bool {
        side.plan.prune.isActive || path.isAnchor || !side.paths.additions(to: path).isEmpty
            || side.plan.policies.collision != .error
            || side.paths.others(of: path, without: known).contains { _, member in
                member.isDropped || member.move >= 0 || mayVanish(nil, member.path, side)
            }
    }
}
