/// Steps from a container to a member or element, where all selectors that may still match are combined.
extension PathAutomaton {
    mutating func step(_ container: Int32, segment: [UInt8], name: [UInt8]?) -> Match {
        if container == Self.inert { return Match(state: Self.inert) }
        if isUnwrapped(container) { return unwrapped(segment, of: container) }
        let patterns = patterns(of: name)
        let isNamed = table.tree.names(segment, from: self[container].items)
        // A rename changes no more than the key.
        let rename = patterns.count == 1 ? patterns[0].action.rename : nil
        if !isNamed, var known = unnamed[Int(container)], patterns.isEmpty || (rename != nil && known.rename == nil) {
            if let rename, !known.isDropped, !self[container].isOpaque { known.rename = rename }
            known.requirement = requirement(named: name, of: container)
            return known
        }
        let match = matchAnew(segment, name: name, patterns, in: container)
        if !isNamed, patterns.isEmpty { unnamed[Int(container)] = match }
        return match
    }

    private mutating func matchAnew(
        _ segment: [UInt8], name: [UInt8]?, _ patterns: [SelectorTable.NamePattern], in container: Int32
    ) -> Match {
        let state = self[container]
        // No selector matches here, and none can match further down.
        if state.items.isEmpty, state.isKept, patterns.isEmpty, state.trails.isEmpty, state.flattenings == nil {
            var same = Match(state: container)
            if !state.defaultItems.isEmpty {
                same.state = identifier(of: State(isOpaque: state.isOpaque))
            }
            return same
        }
        var items: [Int32] = []
        var accepted: [Int] = []
        table.tree.step(from: state.items, by: segment) { arrive(at: $0, &items, &accepted) }
        return match(items: items, accepted: accepted, name: name, patterns, below: state, container)
    }

    /// The index of the container's requirement that a member with this key meets, or -1.
    private mutating func requirement(named name: [UInt8]?, of container: Int32) -> Int32 {
        guard let name, !table.requirements.isEmpty else { return -1 }
        return Int32(contract(of: container).requirement(named: name) ?? -1)
    }

    /// The match of a member, element or document: `items` are its positions, `accepted` the pointers that end there, and `patterns` the
    /// bare keys that match it.
    mutating func match(
        items: [Int32], accepted: [Int], name: [UInt8]?, _ patterns: [SelectorTable.NamePattern], below state: State,
        _ container: Int32, stays: Bool = false
    ) -> Match {
        var found = Findings(accepted.sorted(), of: table.pointers, patterns, below: state)
        // The document is never removed.
        if stays { found.match.isDropped = false }
        if !state.isInert, !found.isKept {
            let keeps = items.filter { table.purpose(of: $0) == .keep }
            // A position that is not after a `**`: `keep` names the whole path up to here.
            if keeps.contains(where: { !table.tree.nodes[Int($0)].isBehindAnyDepth }) {
                found.match.traits.insert(.passed)
            } else if !keeps.isEmpty || table.keepsNames {
                found.match.traits.insert(.searched)
            } else {
                found.match.isDropped = !stays
            }
        }
        if state.isOpaque { found.match.rename = nil }
        var next = State(items: items.sortedOnce(), isOpaque: found.isOpaque, isKept: found.isKept)
        if found.match.isDropped || state.isInert {
            let isFound = found.isKept && !state.isKept
            next = State(
                items: next.items.filter { item in
                    switch table.purpose(of: item) {
                    case .input: true
                    case .keep: !found.isKept
                    default: false
                    }
                },
                isOpaque: true, isKept: found.isKept, isInert: true)
            found.match = Match(
                state: 0, isDropped: found.match.isDropped, traits: found.match.traits.intersection(.record))
            if isFound { found.match.traits.insert(.found) }
        } else if !table.replacingRules.isEmpty, table.replacingRules.contains(found.match.rule) {
            // A rule replaces the value. It stays unless `keep` searches for something in it and finds nothing.
            let isSought = found.match.traits.contains(.searched)
            next.items.removeAll { !isSought || table.purpose(of: $0) != .keep }
            (next.isOpaque, next.isKept, next.isInert) = (true, !isSought, true)
        } else if table.followsTrails, !found.anchors.isEmpty {
            let anchor = Anchor(State(items: next.items, isOpaque: next.isOpaque))
            next.trails = found.anchors.map { Trail(move: $0, position: 0, anchor: anchor) }
        }
        if !next.isInert { next.flattenings = flattenings(by: found, below: state) }
        if next.items.contains(where: { table.routes.contains($0) }) { found.match.traits.insert(.route) }
        if let scope = found.scope, !next.isInert {
            next.items.removeAll { table.purpose(of: $0) == .keep }
            table.tree.arrive(at: table.scopeRoots[scope]) { next.items.append($0) }
            next.items = next.items.sortedOnce()
            next.isKept = false
        }
        found.match.state = next == state ? container : identifier(of: next)
        found.match.traits.formUnion(contractTrait(of: found.match.state))
        found.match.requirement = requirement(named: name, of: container)
        return found.match
    }

    /// Whether a move starts and ends inside the containers of this state.
    func isAnchor(_ container: Int32) -> Bool {
        self[container].items.contains { table.anchors.contains($0) }
    }

    /// See `State.flattenings`.
    private func flattenings(by found: Findings, below state: State) -> [Int32]? {
        if found.match.move >= 0, table.moves[Int(found.match.move)].flattening != nil {
            return (state.flattenings ?? []) + [found.match.move]
        }
        return found.anchors.contains { table.moves[$0].flattening != nil } ? [] : nil
    }

    /// The combined actions of all selectors that match one member, element or document.
    private struct Findings {
        var match = Match(state: 0)
        var isOpaque: Bool
        var isKept: Bool
        var anchors: [Int] = []
        private var renameRank = Int.min
        private var ruleRank = Int.min
        private var moveRank = Int.min
        /// The scope of `keep` that applies to the members of the value.
        private(set) var scope: Int?
        private var scopeRank = Int.min

        // It is not given the whole table, because that would be copied.
        init(
            _ accepted: [Int], of pointers: [SelectorTable.PointerPattern], _ patterns: [SelectorTable.NamePattern],
            below state: State
        ) {
            isOpaque = state.isOpaque
            isKept = state.isKept
            for pattern in accepted { consider(pointers[pattern].action, pointers[pattern].rank) }
            for pattern in patterns where !state.isInert || pattern.action == .keep {
                consider(pattern.action, pattern.rank)
            }
        }

        private mutating func consider(_ action: SelectorTable.Action, _ rank: Int) {
            switch action {
            case .rename(let target):
                if rank > renameRank { (match.rename, renameRank) = (target, rank) }
            case .rule(let rule):
                if rank > ruleRank { (match.rule, ruleRank) = (Int32(rule), rank) }
            case .moveSource(let move):
                if rank > moveRank { (match.move, moveRank) = (Int32(move), rank) }
                match.traits.insert(.moved)
            case .anchor(let move):
                anchors.append(move)
                match.traits.insert(.anchor)
            case .scope(let index):
                if rank > scopeRank { (scope, scopeRank) = (index, rank) }
            case .except: match.isExcept = true
            case .opaque: isOpaque = true
            case .keep: isKept = true
            case .drop: match.isDropped = true
            case .record: match.traits.insert(.record)
            case .require: break
            }
        }
    }
}

extension [Int32] {
    /// The positions in ascending order, without duplicates.
    func sortedOnce() -> [Int32] {
        guard count > 1 else { return self }
        var last: Int32?
        return sorted().filter { item in
            defer { last = item }
            return item != last
        }
    }
}
