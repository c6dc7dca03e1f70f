import ConvertEngine
import ConvertText

/// A selector of a draft, which can be matched with paths of samples.
enum SelectorPattern: Hashable {
    /// A key at any depth. If `isGlob`, there is a `*` between `before` and `after`.
    case name(before: [UInt8], after: [UInt8], isGlob: Bool)
    case path([Selector.Segment])

    func matches(_ path: SampleTree.Path) -> Bool {
        switch self {
        case .name(let before, let after, let isGlob):
            guard let last = path.last, !last.isIndex else { return false }
            guard isGlob else { return last.text == before }
            return last.text.count >= before.count + after.count && last.text.starts(with: before)
                && last.text.suffix(after.count).elementsEqual(after)
        case .path(let levels): return Self.matches(levels[...], path[...])
        }
    }

    /// Whether both are paths with `*` that can match the same path, so that neither is more specific.
    func isRival(of other: SelectorPattern) -> Bool {
        guard case .path(let levels) = self, case .path(let others) = other, levels.count == others.count,
            levels.contains(.anyOne), others.contains(.anyOne)
        else { return false }
        return zip(levels, others).allSatisfy { $0 == $1 || $0 == .anyOne || $1 == .anyOne }
    }

    private static func matches(
        _ levels: ArraySlice<Selector.Segment>, _ path: ArraySlice<SampleTree.Step>
    ) -> Bool {
        guard let level = levels.first else { return path.isEmpty }
        switch level {
        case .anyDepth:
            return matches(levels.dropFirst(), path) || !path.isEmpty && matches(levels, path.dropFirst())
        case .anyOne: return !path.isEmpty && matches(levels.dropFirst(), path.dropFirst())
        case .literal(let text): return path.first?.text == text && matches(levels.dropFirst(), path.dropFirst())
        }
    }

    /// The text of the selector in a profile.
    var text: [UInt8] {
        switch self {
        case .name(let before, let after, let isGlob):
            let star = isGlob ? [ASCII.asterisk] : []
            return Selector.escaped(before) + star + Selector.escaped(after)
        case .path(let levels):
            return levels.flatMap { level -> [UInt8] in
                switch level {
                case .literal(let text): [ASCII.slash] + Selector.escaped(text)
                case .anyOne: Array("/*".utf8)
                case .anyDepth: Array("/**".utf8)
                }
            }
        }
    }

    /// A path as a pointer of a profile, with `*` for the indices.
    static func pointer(_ path: SampleTree.Path) -> [UInt8] {
        path.flatMap { [ASCII.slash] + ($0.isIndex ? [ASCII.asterisk] : Selector.escaped($0.text)) }
    }
}
