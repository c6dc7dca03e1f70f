/// Matches for the elements of arrays.
extension PathAutomaton {
    /// The rules that act on the elements of an array.
    package struct Elements: Sendable {
        /// The match of elements whose index no pattern names.
        package var match: Match
        /// The positions at which a pattern names indices; elements with such an index need a match of their own.
        var namingIndices: [Int32]
        /// The matches of such elements that were computed so far.
        var namedMatches: [Int: Match] = [:]

        /// See `PlainMembers.areSearched`.
        var areSearched: Bool { namingIndices.isEmpty && match.isSearched }
    }

    /// The rules for every element of an array in which all elements are alike.
    struct PlainElements: BitwiseCopyable, Sendable {
        /// The elements' state, or -1 if elements differ or nothing was computed yet.
        var state: Int32 = -1
        var rule: Int32 = -1
        /// See `PlainMembers.areSearched`.
        var areSearched = false
    }

    /// The rules for the elements of an array, computed once per state.
    package mutating func elements(of container: Int32) -> Elements {
        if let known = elements[Int(container)] { return known }
        // In an array around the document, one index leads to the document. It belongs to no position, so -1 represents it.
        let named = table.passesArrays ? [] : self[container].items.filter { table.indicesBehind[$0] != nil }
        let naming = isUnwrapped(container) ? [-1] : named
        // No key is spelled like this, because it is not UTF-8. Only wildcards match it.
        let fresh = Elements(match: element([UInt8.max], of: container), namingIndices: naming)
        elements[Int(container)] = fresh
        if naming.isEmpty, !fresh.match.isDropped, fresh.match.traits.isEmpty || fresh.match.isSearched {
            plainElements[Int(container)] = PlainElements(
                state: fresh.match.state, rule: fresh.match.rule, areSearched: fresh.match.isSearched)
        }
        return fresh
    }

    /// The match of an element whose index a pattern names, computed once per state and index; nil for any other.
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
        if table.passesArrays { return Match(state: container, traits: self[container].isKept ? [] : .passed) }
        var match = step(container, segment: index, name: nil)
        followDefaults(from: container, name: nil, in: &match)
        return match
    }
}
