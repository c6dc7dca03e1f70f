import ConvertEngine

/// What a plan may change at a place, whatever the schemas say about it.
extension SchemaRewriter {
    /// The most places that are tried below one place. If there are more, something is taken to change.
    private static let maxTriedPlaces = 64

    /// Whether values of these kinds stay as they are, with all that is in them.
    func stays(_ kinds: Kinds, _ side: DescriptionSide, _ place: Place) -> Bool {
        if kinds.isDisjoint(with: [.array, .object]) { return keepsValue(kinds, side, place) }
        let described = DescribedPlace(side, place)
        if let known = knownToStay[described] { return known }
        let stays = keepsAll(side, place)
        knownToStay[described] = stays
        return stays
    }

    private func keepsAll(_ side: DescriptionSide, _ place: Place) -> Bool {
        var tried: Set<Place> = [place]
        var waiting = [place]
        while let next = waiting.popLast() {
            guard tried.count <= Self.maxTriedPlaces, keepsValue(.any, side, next), side.places.keepsKeys(of: next),
                !mayLoseOrGainMembers([], side, next)
            else { return false }
            let (others, named) = side.places.elements(of: next)
            let elements = [others] + named.map(\.element)
            guard elements.allSatisfy({ !$0.isDropped }) else { return false }
            for member in elements + side.places.others(of: next, without: []).map(\.member)
            where tried.insert(member.place).inserted {
                waiting.append(member.place)
            }
        }
        return true
    }

    private func keepsValue(_ kinds: Kinds, _ side: DescriptionSide, _ place: Place) -> Bool {
        guard place.rule < 0, !place.isRecord, side.plan.scanRule < 0 || !kinds.contains(.string) else { return false }
        return kinds.isDisjoint(with: [.array, .object])
            || (!side.plan.prune.isActive && !place.keepsContainersOnly && !place.isRemovedIfEmpty)
    }

    /// Whether no other values of these kinds become equal to one that a schema names, where no rule acts on the value itself.
    func staysApart(_ kinds: Kinds, _ side: DescriptionSide, _ place: Place) -> Bool {
        kinds.isDisjoint(with: [.array, .object]) || stays(kinds, side, place)
    }

    /// Whether an object may have fewer or more members than before, apart from those with these keys.
    func mayLoseOrGainMembers(_ known: Set<[UInt8]>, _ side: DescriptionSide, _ place: Place) -> Bool {
        side.plan.prune.isActive || place.isAnchor || !side.places.additions(to: place).isEmpty
            || side.plan.policies.collision != .error
            || side.places.others(of: place, without: known).contains { _, member in
                member.isDropped || member.move >= 0 || mayVanish(nil, member.place, side)
            }
    }
}
