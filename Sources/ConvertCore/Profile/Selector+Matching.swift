extension Selector {
    /// Whether a member of this name is meant, wherever it stands; a pointer means no name by itself.
    ///
    /// Takes time linear in the name and the selector, however many `*` there are.
    public func matchesName(_ name: Span<UInt8>) -> Bool {
        guard case .name(let pieces) = form else { return false }
        guard pieces.contains(.anyRun) else {
            guard case .literal(let literal) = pieces[0] else { return false }
            return literal.count == name.count && Self.occurs(literal, in: name, at: 0)
        }
        var middle = pieces[...]
        var start = 0
        var end = name.count
        if case .literal(let prefix) = pieces[0] {
            guard Self.occurs(prefix, in: name, at: 0) else { return false }
            start = prefix.count
            middle = middle.dropFirst()
        }
        if case .literal(let suffix) = pieces[pieces.count - 1] {
            guard Self.occurs(suffix, in: name, at: end - suffix.count) else { return false }
            end -= suffix.count
            middle = middle.dropLast()
        }
        guard start <= end else { return false }
        // Taking the leftmost place for every run in turn leaves the most room for the next: no backtracking.
        for piece in middle {
            guard case .literal(let literal) = piece else { continue }
            guard let found = Self.end(ofFirst: literal, in: name, from: start, to: end) else { return false }
            start = found
        }
        return true
    }

    /// Whether a member of this name is meant, wherever it stands.
    public func matchesName(_ name: [UInt8]) -> Bool { matchesName(name.span) }

    /// Whether some place of some payload is matched by both selectors. Exact, and symmetric.
    public func canMatchSamePlace(as other: Selector) -> Bool {
        switch (form, other.form) {
        case (.pointer(let mine), .pointer(let others)):
            return Self.canMeet(Self.blocks(of: mine), Self.blocks(of: others), where: Self.meet)
        case (.name(let mine), .name(let others)):
            return Self.canMeet(Self.blocks(of: mine), Self.blocks(of: others), where: ==)
        case (.pointer(let segments), .name): return other.canMatchEnd(of: segments)
        case (.name, .pointer(let segments)): return canMatchEnd(of: segments)
        }
    }

    /// Whether every place that `segments` matches is matched by this selector.
    ///
    /// Never wrong when true; false may also mean that it cannot be told segment by segment.
    func covers(_ segments: ArraySlice<Segment>) -> Bool {
        switch form {
        case .pointer(let mine):
            return Self.fits(Self.blocks(of: mine), Array(segments)) { pattern, segment in
                segment != .anyDepth && (pattern == .anyOne || pattern == segment)
            }
        case .name:
            // A literal that spells an array index may be one, and an index has no name.
            guard case .literal(let name)? = segments.last, !Self.spellsIndex(name) else { return false }
            return matchesName(name)
        }
    }

    private func canMatchEnd(of segments: [Segment]) -> Bool {
        guard case .literal(let name)? = segments.last else { return true }
        return matchesName(name)
    }

    /// Array indices are `0` or digits without a leading zero (RFC 6901 section 4).
    private static func spellsIndex(_ name: [UInt8]) -> Bool {
        guard let first = name.first, name.allSatisfy(ASCII.isDigit) else { return false }
        return first != ASCII.zero || name.count == 1
    }
}

// MARK: - Runs of bytes

extension Selector {
    private static func occurs(_ literal: [UInt8], in name: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, start + literal.count <= name.count else { return false }
        for index in literal.indices where literal[index] != name[start + index] { return false }
        return true
    }

    /// The index behind the leftmost occurrence of `literal` in the given part of `name`.
    ///
    /// Knuth, Morris and Pratt's search: a byte of the name is never looked at again after a mismatch further on.
    private static func end(ofFirst literal: [UInt8], in name: Span<UInt8>, from start: Int, to end: Int) -> Int? {
        let borders = borders(of: literal)
        var matched = 0
        for index in start..<end {
            while matched > 0, literal[matched] != name[index] { matched = borders[matched - 1] }
            if literal[matched] == name[index] { matched += 1 }
            if matched == literal.count { return index + 1 }
        }
        return nil
    }

    /// For every prefix of `literal`, the length of its longest proper prefix that is also its suffix.
    private static func borders(of literal: [UInt8]) -> [Int] {
        var borders = [Int](repeating: 0, count: literal.count)
        var length = 0
        for index in literal.indices.dropFirst() {
            while length > 0, literal[length] != literal[index] { length = borders[length - 1] }
            if literal[length] == literal[index] { length += 1 }
            borders[index] = length
        }
        return borders
    }
}

// MARK: - Patterns as blocks

/// A pattern is cut at its many-wildcards (`*` in a name, `**` in a pointer) into blocks of symbols, one more than
/// there were wildcards; each symbol stands for exactly one byte or level.
extension Selector {
    private static func blocks(of segments: [Segment]) -> [[Segment]] {
        segments.split(separator: .anyDepth, omittingEmptySubsequences: false).map(Array.init)
    }

    private static func blocks(of pieces: [Piece]) -> [[UInt8]] {
        var blocks: [[UInt8]] = [[]]
        for piece in pieces {
            switch piece {
            case .literal(let literal): blocks[blocks.count - 1] += literal
            case .anyRun: blocks.append([])
            }
        }
        return blocks
    }

    private static func meet(_ left: Segment, _ right: Segment) -> Bool {
        left == right || left == .anyOne || right == .anyOne
    }

    /// Whether one sequence fits both patterns.
    ///
    /// With a many-wildcard on either side only the two beginnings and the two ends can disagree: the inner blocks of
    /// the one and then of the other fit between them.
    private static func canMeet<Symbol>(
        _ left: [[Symbol]], _ right: [[Symbol]], where meet: (Symbol, Symbol) -> Bool
    ) -> Bool {
        if right.count == 1 { return fits(left, right[0], where: meet) }
        if left.count == 1 { return fits(right, left[0], where: meet) }
        let beginningsMeet = zip(left[0], right[0]).allSatisfy(meet)
        let endsMeet = zip(left[left.count - 1].reversed(), right[right.count - 1].reversed()).allSatisfy(meet)
        return beginningsMeet && endsMeet
    }

    /// Whether the pattern fits `sequence`, whose symbols are compared one by one.
    private static func fits<Symbol>(
        _ pattern: [[Symbol]], _ sequence: [Symbol], where meet: (Symbol, Symbol) -> Bool
    ) -> Bool {
        let prefix = pattern[0]
        guard pattern.count > 1 else {
            return prefix.count == sequence.count && zip(prefix, sequence).allSatisfy(meet)
        }
        let suffix = pattern[pattern.count - 1]
        guard prefix.count + suffix.count <= sequence.count,
            zip(prefix, sequence).allSatisfy(meet),
            zip(suffix, sequence.suffix(suffix.count)).allSatisfy(meet)
        else { return false }
        var rest = sequence[prefix.count..<sequence.count - suffix.count]
        for block in pattern.dropFirst().dropLast() {
            while block.count <= rest.count, !zip(block, rest).allSatisfy(meet) { rest = rest.dropFirst() }
            guard block.count <= rest.count else { return false }
            rest = rest.dropFirst(block.count)
        }
        return true
    }
}
