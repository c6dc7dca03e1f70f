/// The containers around the value that becomes the document: one member of each leads on, the others are left out.
extension PathAutomaton {
    /// Where the pointers of the profile begin, and the names in the payload that lead to the document.
    package struct DocumentPlace: Sendable {
        /// The names that lead to the document in the forward input.
        package var names: [[UInt8]] = []
        /// The names that lead to it in the payload: those of the forward input, or where the forward direction wraps its output.
        package var payloadNames: [[UInt8]] = []
        /// JSON Pointer into the profile, to what says so.
        package var rule = ""
    }

    /// Whether a container is around the document.
    package func isUnwrapped(_ container: Int32) -> Bool { self[container].wrapperDepth >= 0 }

    /// The match of the payload's root: a container around the document, if there is one.
    mutating func payloadMatch(of document: Match) -> Match {
        table.document.payloadNames.isEmpty ? document : wrapperMatch(depth: 0)
    }

    private mutating func wrapperMatch(depth: Int) -> Match {
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

    /// What a container around the document must hold.
    func wrapperContract(of container: Int32) -> ObjectContract? {
        let depth = Int(self[container].wrapperDepth)
        guard depth >= 0 else { return nil }
        let names = table.document.payloadNames[depth...]
        let place = names.map(PayloadPointer.step).joined()
        let requirement = ObjectContract.Requirement(name: names[depth], place: place, rule: table.document.rule)
        return ObjectContract(requirements: [requirement], additions: [])
    }
}
