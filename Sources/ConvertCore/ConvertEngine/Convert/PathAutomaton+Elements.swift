/// What patterns say of the elements of arrays.
extension PathAutomaton {
    /// What acts on the elements of an array.
    package struct Elements: Sendable {
        /// What acts on those whose index no pattern names.
        package var match: Match
        /// The positions at which a pattern names indices, which need a step of their own.
        var namingIndices: [Int32]
        /// What acts on those of them that were met.
        var namedMatches: [Int: Match] = [:]
    }

    /// What acts on every element of an array in which one is like another, once that is known.
    struct PlainElements: BitwiseCopyable, Sendable {
        /// The elements' state, or -1: elements differ, or nobody has asked yet.
        var state: Int32 = -1
        var rule: Int32 = -1
    }

    /// What acts on the elements of an array, worked out once per state.
    package mutating func elements(of container: Int32) -> Elements {
        if let known = elements[Int(container)] { return known }
        // In an array around the document one index leads on, whichever position that may be.
        let naming = isUnwrapped(container) ? [-1] : self[container].items.filter { table.indicesBehind[$0] != nil }
        // No name is spelled so, since this is not UTF-8; only the wildcards match it.
        let fresh = Elements(match: element([UInt8.max], of: container), namingIndices: naming)
        elements[Int(container)] = fresh
        if naming.isEmpty, !fresh.match.isDropped, fresh.match.traits.isEmpty {
            plainElements[Int(container)] = PlainElements(state: fresh.match.state, rule: fresh.match.rule)
        }
        return fresh
    }

    /// The match of an element whose index a pattern names, worked out once per state and index; nil for any other.
    package mutating func namedElement(_ index: Int, of container: Int32) -> Match? {
        let naming = elements(of: container).namingIndices
        guard isUnwrapped(container) || naming.contains(where: { table.indicesBehind[$0]?.contains(index) == true })
        else {
            return nil
        }
        if let known = elements[Int(container)]?.namedMatches[index] { return known }
        let match = element(Array(String(index).utf8), of: container)
        elements[Int(container)]?.namedMatches[index] = match
        noteStored(0, names: 1)
        return match
    }

    private mutating func element(_ index: [UInt8], of container: Int32) -> Match {
        var match = step(container, segment: index, name: nil)
        followDefaults(from: container, name: nil, in: &match)
        return match
    }
}
