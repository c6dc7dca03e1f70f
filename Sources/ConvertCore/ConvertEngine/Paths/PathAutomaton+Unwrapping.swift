/// The containers around the value that becomes the document. In each, one member leads to the document and the others are removed.
extension PathAutomaton {
    /// The path of the document, at which the profile's pointers begin.
    package struct DocumentPath: Sendable {
        /// The keys that lead to the document in the forward input.
        package var names: [[UInt8]] = []
        /// The keys that lead to it in the payload: those of `unwrap` in the forward direction, those of `wrap` in the inverse.
        package var payloadNames: [[UInt8]] = []
        /// JSON Pointer into the profile, to the rule that sets this path.
        package var rule = ""
    }

    /// Whether a container is around the document.
    package func isUnwrapped(_ container: Int32) -> Bool { self[container].wrapperDepth >= 0 }

    /// The match of the container around the document with this number of containers around it.
    mutating func wrapperMatch(depth: Int) -> Match {
        var match = Match(state: identifier(of: State(isOpaque: true, wrapperDepth: Int32(depth))))
        match.traits = .hasContract
        return match
    }

    /// The match of a member or element of a container around the document.
    mutating func unwrapped(_ segment: [UInt8], of container: Int32) -> Match {
        let depth = Int(self[container].wrapperDepth)
        guard segment == table.document.payloadNames[depth] else {
            return Match(state: Self.inert, isDropped: true)
        }
        var match = depth + 1 < table.document.payloadNames.count ? wrapperMatch(depth: depth + 1) : documentMatch
        match.requirement = 0
        return match
    }

    /// The contract of a container around the document, which must have the member that leads there; nil for any other container.
    func wrapperContract(of container: Int32) -> ObjectContract? {
        let depth = Int(self[container].wrapperDepth)
        guard depth >= 0 else { return nil }
        let names = table.document.payloadNames[depth...]
        let pointer = names.map(PayloadPointer.step).joined()
        let requirement = ObjectContract.Requirement(name: names[depth], pointer: pointer, rule: table.document.rule)
        return ObjectContract(requirements: [requirement], additions: [])
    }
}
