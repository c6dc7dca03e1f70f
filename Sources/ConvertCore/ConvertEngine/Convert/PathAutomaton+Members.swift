/// What patterns say of the members of objects that they do not name.
extension PathAutomaton {
    /// What acts on every member of an object whose name no selector says.
    struct PlainMembers: BitwiseCopyable, Sendable {
        fileprivate var isKnown = false
        /// Whether nothing does but the case rule and a rule for the value.
        var arePlain = false
        /// Whether the case rule has a say.
        var areRecased = false
        var state: Int32 = -1
        var rule: Int32 = -1
        /// The names that selectors say here.
        var named = NameFilter()
    }

    /// What acts on the members of an object that no selector names, worked out once per state.
    mutating func plainMembers(of container: Int32) -> PlainMembers {
        if !plainMembers[Int(container)].isKnown { plainMembers[Int(container)] = foundPlainMembers(of: container) }
        return plainMembers[Int(container)]
    }

    private mutating func foundPlainMembers(of container: Int32) -> PlainMembers {
        // No name is spelled so, since this is not UTF-8.
        let unnamed = [UInt8.max]
        let match = member(unnamed, of: container)
        var fresh = PlainMembers(isKnown: true, state: match.state, rule: match.rule)
        fresh.arePlain =
            !match.isDropped && match.rename == nil && match.move < 0 && match.requirement < 0 && match.addition < 0
            && match.traits.isEmpty && self[container].defaultItems.isEmpty && table.wildNames.isEmpty
        fresh.areRecased = !self[container].isOpaque && !match.isExcept
        for item in self[container].items {
            if let names = table.namesBehind[item] { fresh.named.formUnion(names) }
        }
        fresh.named.formUnion(table.nameFilter)
        return fresh
    }
}
