/// Lookup of the keys and paths in texts, key by key.
extension KeyMapper {
    /// Looks up the keys of a text one by one, starting at a path of the document. `paths` must not be full.
    ///
    /// - Parameter maxKeys: keys beyond this number are not looked up.
    /// - Returns: the match of the value that the last path leads to; nil if the value is removed or not known.
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

    /// The match of an element; nil if it is removed.
    private mutating func element(_ index: [UInt8], of container: Int32) -> PathAutomaton.Match? {
        let position = Int(String(decoding: index, as: UTF8.self))
        let named = position.flatMap { paths.namedElement($0, of: container) }
        let match = named ?? paths.elements(of: container).match
        return match.isDropped ? nil : match
    }

    private mutating func member(_ name: [UInt8], of container: Int32) -> NameFinding {
        let resolution = resolution(of: name, container)
        return resolution.match.isDropped ? .dropped : .member(resolution)
    }
}

/// The profile's decision on a key in a text.
enum NameFinding {
    /// The key was not looked up: it is beyond the limit, or follows a key that is removed or unknown.
    case unknown
    /// The profile removes the key.
    case dropped
    case member(KeyMapper.NameResolution)

    /// The output key; nil if the key stays unchanged.
    var output: [UInt8]? { if case .member(let resolution) = self { resolution.output } else { nil } }
}
