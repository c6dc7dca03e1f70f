/// Matches for members of objects that no pattern names.
extension PathAutomaton {
    /// The rules for every member of an object whose key no selector names.
    struct PlainMembers: BitwiseCopyable, Sendable {
        fileprivate var isKnown = false
        /// Whether only the case rule and a rule for the value act on them.
        var arePlain = false
        /// Whether the case rule applies to them.
        var areRecased = false
        var state: Int32 = -1
        var rule: Int32 = -1
        /// Whether `keep` looks for something in each of them, and in each element of an array of this state, and no other rule acts on them.
        var areSearched = false
        /// A filter for the keys that selectors name here.
        var named = NameFilter()
    }

    /// The rules for the members of an object that no selector names, computed once per state.
    mutating func plainMembers(of container: Int32) -> PlainMembers {
        if !plainMembers[Int(container)].isKnown { plainMembers[Int(container)] = foundPlainMembers(of: container) }
        return plainMembers[Int(container)]
    }

    private mutating func foundPlainMembers(of container: Int32) -> PlainMembers {
        // No key is spelled like this, because it is not UTF-8.
        let unnamed = [UInt8.max]
        let match = step(container, segment: unnamed, name: unnamed)
        var fresh = PlainMembers(isKnown: true, state: match.state, rule: match.rule)
        fresh.arePlain =
            !match.isDropped && match.rename == nil && match.move < 0 && match.requirement < 0 && match.addition < 0
            && match.traits.isEmpty && self[container].defaultItems.isEmpty && table.wildNames.isEmpty
        fresh.areRecased = !self[container].isOpaque && !match.isExcept
        fresh.areSearched = match.isSearched && elements(of: container).areSearched
        for item in self[container].items {
            if let names = table.namesBehind[item] { fresh.named.formUnion(names) }
        }
        fresh.named.formUnion(table.nameFilter)
        return fresh
    }
}
