/// Which positions go on with a name, where there are many of them.
extension PathStates {
    /// Fewer positions are tried one by one.
    private static let minIndexedItems = 32

    /// The positions of a state by the segment that they wait for.
    struct Steps: Sendable {
        var literals: [[UInt8]: [Item]] = [:]
        var wildcards: [Item] = []
    }

    /// The positions that may go on with this segment; some of a few may not.
    mutating func itemsThatMatch(_ segment: [UInt8], of container: Int32) -> [Item] {
        let items = self[container].items
        guard items.count >= Self.minIndexedItems else { return items }
        let steps = steps(of: container, items)
        guard let literals = steps.literals[segment] else { return steps.wildcards }
        return steps.wildcards + literals
    }

    /// Worked out once per state, so that a profile of many rules costs each name no more than one of few.
    private mutating func steps(of container: Int32, _ items: [Item]) -> Steps {
        if let known = steps[Int(container)] { return known }
        var fresh = Steps()
        for item in items {
            if case .literal(let text) = table.pointers[item.pattern].segments[item.segment] {
                fresh.literals[text, default: []].append(item)
            } else {
                fresh.wildcards.append(item)
            }
        }
        steps[Int(container)] = fresh
        return fresh
    }
}
