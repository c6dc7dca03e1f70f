import ConvertEngine
import ConvertText

/// The selectors of a draft, which are matched with paths of samples.
extension Selector {
    /// A key at any depth: `before`, or with `isGlob` a key that begins with it and ends with `after`.
    static func name(before: [UInt8], after: [UInt8] = [], isGlob: Bool) -> Selector {
        var pieces: [Piece] = before.isEmpty ? [] : [.literal(before)]
        if isGlob { pieces.append(.anyRun) }
        if !after.isEmpty { pieces.append(.literal(after)) }
        return Selector(pieces: pieces)
    }

    func matches(_ path: SampleTree.Path) -> Bool {
        switch form {
        case .name: path.last.map { !$0.isIndex && matchesName($0.text) } ?? false
        case .pointer(let segments):
            Self.fits(segments[...], path[...]) { segment, step in segment == .anyOne || segment.name == step.text }
        }
    }

    /// Whether both are paths with `*` that can match the same path, so that neither is more specific.
    func isRival(of other: Selector) -> Bool {
        let (mine, others) = (pointerSegments, other.pointerSegments)
        guard mine.count == others.count, mine.contains(.anyOne), others.contains(.anyOne) else { return false }
        return zip(mine, others).allSatisfy { $0 == $1 || $0 == .anyOne || $1 == .anyOne }
    }
}

extension SampleTree {
    /// A path as a pointer of a profile, with `*` for the indices.
    static func pointer(_ path: Path) -> [UInt8] {
        path.flatMap { [ASCII.slash] + ($0.isIndex ? [ASCII.asterisk] : Selector.escaped($0.text)) }
    }
}
