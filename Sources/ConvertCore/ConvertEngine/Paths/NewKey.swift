/// The new key of a rename. With a pattern, a part of the input key stays in it.
package struct NewKey: Sendable, Hashable {
    /// The pattern's text before and after its `*`, and how many bytes of the input key come before and after the part that stays.
    private struct Pattern: Hashable {
        var before: [UInt8]
        var after: [UInt8]
        var cutBefore: Int
        var cutAfter: Int
    }

    private enum Form: Hashable {
        case literal([UInt8])
        case pattern(Pattern)
    }

    private let form: Form

    /// A key that is the same for every input key: UTF-8, unescaped.
    package init(_ literal: [UInt8]) { form = .literal(literal) }

    /// A pattern such as `x_*`, for the keys that `source` matches. Nil unless each has exactly one `*` in its last key.
    package init?(pattern: Selector, of source: Selector) {
        guard case .name = pattern.form, let written = pattern.textAroundWildcard, let cut = source.textAroundWildcard
        else { return nil }
        form = .pattern(
            Pattern(
                before: written.before, after: written.after, cutBefore: cut.before.count, cutAfter: cut.after.count))
    }

    /// The new key if it is the same for every input key; nil for a pattern.
    package var literal: [UInt8]? { if case .literal(let key) = form { key } else { nil } }

    /// The new key of `name`. The case rule applies to it if it is from a pattern.
    package func written(for name: [UInt8]) -> [UInt8] {
        switch form {
        case .literal(let key): return key
        case .pattern(let pattern):
            guard name.count >= pattern.cutBefore + pattern.cutAfter else { return name }
            return pattern.before + name[pattern.cutBefore..<(name.count - pattern.cutAfter)] + pattern.after
        }
    }

    /// Whether the rename may write this key.
    package func mayBe(_ name: [UInt8]) -> Bool {
        switch form {
        case .literal(let key): key == name
        case .pattern(let pattern):
            name.count >= pattern.before.count + pattern.after.count && name.starts(with: pattern.before)
                && name.suffix(pattern.after.count).elementsEqual(pattern.after)
        }
    }

    /// The text that is the same for every input key.
    var fixedText: [UInt8] {
        switch form {
        case .literal(let key): key
        case .pattern(let pattern): pattern.before + pattern.after
        }
    }
}

extension Selector {
    /// The text before and after the one `*` in the last key; nil if it has none or several.
    fileprivate var textAroundWildcard: (before: [UInt8], after: [UInt8])? {
        guard case .name(let pieces) = form else { return pointerSegments.last == .anyOne ? ([], []) : nil }
        guard let star = pieces.firstIndex(of: .anyRun), star == pieces.lastIndex(of: .anyRun) else { return nil }
        return (Self.literalText(of: pieces[..<star]), Self.literalText(of: pieces[(star + 1)...]))
    }

    /// The text of at most one piece; two literals never follow each other.
    private static func literalText(of pieces: ArraySlice<Piece>) -> [UInt8] {
        if case .literal(let text)? = pieces.first { text } else { [] }
    }
}
