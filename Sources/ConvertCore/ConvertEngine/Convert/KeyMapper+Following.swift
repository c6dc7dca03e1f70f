/// Following names and paths that texts have, key by key.
extension KeyMapper {
    /// Looks up the keys of a text one by one, from a place in the document. `paths` must not be full.
    ///
    /// - Parameter maxKeys: further keys are not looked up.
    /// - Returns: what acts on the value that the last path leads to; nil if it is left out or not known.
    mutating func follow(
        _ parts: [NamePart], of base: [Selector.Segment], maxKeys: Int, _ body: (NamePart, NameFinding) -> Void
    ) -> PathAutomaton.Match? {
        let start = match(of: base)
        var match = start
        var count = 0
        for part in parts {
            var finding = NameFinding.unknown
            switch part {
            case .text: break
            case .restart: match = start
            case .index(let text): match = match.flatMap { element(text, of: $0.state) }
            case .key(let name):
                count += 1
                if count <= maxKeys, let container = match { finding = member(name, of: container.state) }
                if case .member(let resolution) = finding { match = resolution.match } else { match = nil }
            }
            body(part, finding)
        }
        return match
    }

    private mutating func match(of base: [Selector.Segment]) -> PathAutomaton.Match? {
        var match: PathAutomaton.Match? = paths.documentMatch
        for segment in base {
            guard let container = match else { return nil }
            switch segment {
            case .literal(let name): match = paths.member(name, of: container.state)
            case .anyOne, .anyDepth: match = paths.elements(of: container.state).match
            }
            if match?.isDropped == true { return nil }
        }
        return match
    }

    /// What acts on an element; nil where it is left out.
    private mutating func element(_ index: [UInt8], of container: Int32) -> PathAutomaton.Match? {
        let position = Int(String(decoding: index, as: UTF8.self))
        let named = position.flatMap { paths.namedElement($0, of: container) }
        let match = named ?? paths.elements(of: container).match
        return match.isDropped ? nil : match
    }

    private mutating func member(_ name: [UInt8], of container: Int32) -> NameFinding {
        let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
        let resolution =
            plan.isInverse
            ? inverseResolution(of: name, container, holdsLoneSurrogate)
            : forwardResolution(of: name, container, holdsLoneSurrogate)
        return resolution.match.isDropped ? .dropped : .member(resolution)
    }
}

/// What the profile says of a key that a text names.
enum NameFinding {
    /// Nobody asked, or a key before it is not followed.
    case unknown
    /// The profile leaves the key out.
    case dropped
    case member(KeyMapper.NameResolution)

    /// What is written for the key; nil if it stays.
    var output: [UInt8]? { if case .member(let resolution) = self { resolution.output } else { nil } }
}
