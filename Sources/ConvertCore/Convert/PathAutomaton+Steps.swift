/// Which positions go on with a name, where there are many of them.
extension PathAutomaton {
    /// Fewer positions are tried one by one.
    private static let minIndexedItems = 32

    /// The positions of a state by the segment that they wait for.
    struct Steps: Sendable {
        var literals: [[UInt8]: [Item]] = [:]
        var wildcards: [Item] = []

        /// What a segment takes beside its positions.
        private static let literalBytes = 128

        /// Bytes of memory, approximately.
        var storedBytes: Int {
            let count = literals.values.reduce(wildcards.count) { $0 + $1.count }
            return literals.count * Self.literalBytes + count * MemoryLayout<Item>.stride
        }
    }

    /// States that are worked out beforehand, the positions of all of them but the last, and the least of one: fewer are soon gone
    /// through when they are met, and what comes with a request is not to wait for them.
    private static let maxForeseenStates = 256
    private static let maxForeseenItems = 131_072
    private static let minForeseenItems = 1024

    /// Works out beforehand, from the root on, the states of many positions: with tens of thousands of them one alone would take
    /// a large part of a second, in the middle of a payload.
    mutating func foresee() {
        var waiting = [rootMatch.state]
        var known = Set(waiting)
        var foreseenItems = 0
        while let state = waiting.popLast(), known.count <= Self.maxForeseenStates,
            foreseenItems <= Self.maxForeseenItems
        {
            guard self[state].items.count >= Self.minForeseenItems else { continue }
            foreseenItems += self[state].items.count
            if table.hasContracts { _ = contract(of: state) }
            wasAsked[Int(state)] = true
            // No name is spelled so, since this is not UTF-8.
            _ = (itemsThatMatch([UInt8.max], of: state), defaultItemsThatMatch(nil, of: state))
            var next = [elements(of: state).match.state]
            for (name, items) in steps[Int(state)]?.literals ?? [:] where items.count >= Self.minForeseenItems {
                var match = member(name, of: state)
                followDefaults(from: state, name: name, in: &match)
                next.append(match.state)
            }
            waiting += next.filter { known.insert($0).inserted }
        }
    }

    /// The positions that may go on with this segment; some of a few may not, nor some of a state that is asked for the first time:
    /// where states multiply, most are asked once.
    mutating func itemsThatMatch(_ segment: [UInt8], of container: Int32) -> [Item] {
        let items = self[container].items
        guard items.count >= Self.minIndexedItems, wasAsked[Int(container)] else {
            wasAsked[Int(container)] = true
            return items
        }
        if let known = steps[Int(container)] { return known.items(matching: segment) }
        let fresh = Steps(items) { table.pointers[$0.pattern].segments[$0.segment] }
        noteStored(fresh.storedBytes)
        steps[Int(container)] = fresh
        return fresh.items(matching: segment)
    }

    /// Whether no selector says this segment in this state: then all that do not are like each other there.
    ///
    /// Of a state of many positions that is not told before they are sorted by their segments.
    func isUnnamed(_ segment: [UInt8], isMember: Bool, in container: Int32) -> Bool {
        if let steps = steps[Int(container)] {
            guard steps.literals[segment] == nil else { return false }
        } else {
            let items = self[container].items
            guard items.count < Self.minIndexedItems, !items.contains(where: { isSaid(segment, by: $0) }) else {
                return false
            }
        }
        return !isMember || !table.matches(segment)
    }

    private func isSaid(_ segment: [UInt8], by item: Item) -> Bool {
        guard case .literal(let text) = table.pointers[item.pattern].segments[item.segment] else { return false }
        return text == segment
    }

    /// As `itemsThatMatch`, of the patterns of defaults, in their order; without a name, of an element.
    mutating func defaultItemsThatMatch(_ name: [UInt8]?, of container: Int32) -> [Item] {
        let items = self[container].defaultItems
        guard items.count >= Self.minIndexedItems else { return items }
        if defaultSteps[Int(container)] == nil {
            let fresh = Steps(items) { table.defaults[$0.pattern].segments[$0.segment] }
            noteStored(fresh.storedBytes)
            defaultSteps[Int(container)] = fresh
        }
        guard let steps = defaultSteps[Int(container)] else { return items }
        guard let name, steps.literals[name] != nil else { return steps.wildcards }
        return steps.items(matching: name).sorted()
    }
}

/// What defaults add to a container that has none of it.
extension PathAutomaton {
    /// Values whose text a state keeps, in bytes: thousands of states may add the same.
    private static let maxAddedBytes = 4096

    /// The members that defaults add, from the segments on that come next.
    func additions(by items: [Item]) -> [ObjectContract.Addition] {
        guard !items.isEmpty else { return [] }
        let bytes = items.reduce(0) { $0 + table.defaults[$1.pattern].sourceBytes }
        guard bytes > Self.maxAddedBytes else { return HeldTree.additions(by: items, of: table, output) }
        var names: Set<[UInt8]> = []
        return items.compactMap { item in
            let segments = table.defaults[item.pattern].segments[item.segment...]
            guard case .literal(let name)? = segments.first, Selector.names(segments) != nil,
                names.insert(name).inserted
            else { return nil }
            return ObjectContract.Addition(name: name)
        }
    }

    /// The same with their texts, of these names alone.
    func spelledAdditions(_ names: Set<[UInt8]>, of container: Int32) -> [ObjectContract.Addition] {
        let items = self[container].defaultItems.filter { item in
            switch table.defaults[item.pattern].segments[item.segment] {
            case .literal(let name): names.contains(name)
            default: true
            }
        }
        return HeldTree.additions(by: items, of: table, output)
    }
}

extension PathAutomaton.Steps {
    /// Worked out once per state, so that a profile of many rules costs each name no more than one of few.
    fileprivate init(_ items: [PathAutomaton.Item], segment: (PathAutomaton.Item) -> Selector.Segment) {
        for item in items {
            if case .literal(let text) = segment(item) {
                literals[text, default: []].append(item)
            } else {
                wildcards.append(item)
            }
        }
    }

    fileprivate func items(matching segment: [UInt8]) -> [PathAutomaton.Item] {
        guard let literals = literals[segment] else { return wildcards }
        return wildcards + literals
    }
}
