/// The parts of a profile whose rules have selectors with input keys, in the order of reports.
package enum SelectorSection: String, CaseIterable {
    case rename, except, opaque, dates, values, drop, keep, require, move, flatten, records
}

extension Profile {
    /// The rules of a section: the position of each, and its selectors, of which a rule that scans all strings has none.
    func rules(in section: SelectorSection) -> [(location: DocumentLocation, at: [LocatedSelector])] {
        let single: [LocatedSelector]
        switch section {
        case .dates: return dates.map { ($0.location, $0.at) }
        case .values: return values.map { ($0.location, $0.at) }
        case .rename: single = renames.located
        case .except: single = keys?.except ?? []
        case .opaque: single = keys?.opaque ?? []
        case .drop: single = drops
        case .keep: single = keeps + scopes.located
        case .require: single = requires
        case .move: single = moves.located
        case .flatten: single = flattens.located
        case .records: single = records?.at.map { [$0] } ?? []
        }
        return single.map { ($0.location, [$0]) }
    }

    /// The selectors with input keys that a direction applies. The inverse never applies `drop`, `keep` and `require`.
    package func inputSelectors(_ direction: Direction) -> [LocatedSelector] {
        let forwardOnly: [SelectorSection] = [.drop, .keep, .require]
        return SelectorSection.allCases.filter { direction == .forward || !forwardOnly.contains($0) }
            .flatMap { rules(in: $0).flatMap { $0.at } }
    }
}
