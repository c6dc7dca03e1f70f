import ConvertText

extension Selector {
    /// Whether a segment can be an index of an array: `0`, or digits without a leading zero (RFC 6901 section 4).
    package static func isIndex(_ text: [UInt8]) -> Bool {
        !text.isEmpty && text.allSatisfy(ASCII.isDigit) && (text.count == 1 || text[0] != ASCII.zero)
    }

    /// Whether the selector matches this key at every depth. A pointer never does.
    ///
    /// The time is linear in the lengths of key and selector, for any number of `*`.
    package func matchesName(_ name: Span<UInt8>) -> Bool {
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
        // The leftmost match of every piece leaves the most room for the next one, so no backtracking is needed.
        for piece in middle {
            guard case .literal(let literal) = piece else { continue }
            guard let found = Self.end(ofFirst: literal, in: name, from: start, to: end) else { return false }
            start = found
        }
        return true
    }

    /// Whether the selector matches this key at every depth.
    package func matchesName(_ name: [UInt8]) -> Bool { matchesName(name.span) }

    /// The only key that a key selector without wildcards matches; nil for all other selectors.
    package var literalName: [UInt8]? {
        guard case .name(let pieces) = form, pieces.count == 1, case .literal(let name) = pieces[0] else { return nil }
        return name
    }

    /// Whether both selectors can match the same path of a payload. The result is exact and symmetric.
    package func canMatchSamePath(as other: Selector) -> Bool {
        switch (form, other.form) {
        case (.pointer(let mine), .pointer(let others)): return Self.canMeet(mine[...], others[...])
        case (.name(let mine), .name(let others)):
            if !other.hasWildcard, case .literal(let name) = others[0] { return matchesName(name) }
            if !hasWildcard, case .literal(let name) = mine[0] { return other.matchesName(name) }
            return Self.canMeet(mine, others)
        case (.pointer(let segments), .name): return other.canMatchEnd(of: segments)
        case (.name, .pointer(let segments)): return canMatchEnd(of: segments)
        }
    }

    /// Whether paths that the two selectors match can be members of one object.
    package func canStandBeside(_ other: Selector) -> Bool {
        guard case .pointer(let mine) = form, case .pointer(let others) = other.form else { return true }
        return Self.canMeet(mine.dropLast(), others.dropLast())
    }

    /// Whether this selector matches every path that `segments` matches.
    ///
    /// True is always correct; false may also mean that the segments alone do not show it.
    package func covers(_ segments: ArraySlice<Segment>) -> Bool {
        switch form {
        case .pointer(let mine):
            return Self.fits(mine[...], segments) { pattern, segment in
                segment != .anyDepth && (pattern == .anyOne || pattern == segment)
            }
        case .name:
            // A literal that looks like an array index may be one, and an index has no key.
            guard let name = segments.last?.name, !Self.isIndex(name) else { return false }
            return matchesName(name)
        }
    }

    private func canMatchEnd(of segments: [Segment]) -> Bool {
        guard let name = segments.last?.name else { return true }
        return matchesName(name)
    }
}

// MARK: - Runs of bytes

extension Selector {
    private static func occurs(_ literal: [UInt8], in name: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, start + literal.count <= name.count else { return false }
        for index in literal.indices where literal[index] != name[start + index] { return false }
        return true
    }

    /// The index after the leftmost occurrence of `literal` in the given part of `name`.
    ///
    /// The search of Knuth, Morris and Pratt: it never goes back in the key.
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

// MARK: - Two patterns

extension Selector {
    /// Whether some key matches both patterns, each of which has a `*`.
    ///
    /// Only the beginnings and the ends of the two can contradict each other. A long enough key has room between them for the inner
    /// literals of both.
    private static func canMeet(_ left: [Piece], _ right: [Piece]) -> Bool {
        if case .literal(let mine) = left[0], case .literal(let other) = right[0] {
            guard zip(mine, other).allSatisfy(==) else { return false }
        }
        if case .literal(let mine) = left[left.count - 1], case .literal(let other) = right[right.count - 1] {
            return zip(mine.reversed(), other.reversed()).allSatisfy(==)
        }
        return true
    }

    /// Whether some path matches both patterns; if both have a `**`, the same argument holds as for two keys.
    package static func canMeet(_ left: ArraySlice<Segment>, _ right: ArraySlice<Segment>) -> Bool {
        guard beginningsMeet(left, right), beginningsMeet(left.reversed(), right.reversed()) else { return false }
        switch (left.contains(.anyDepth), right.contains(.anyDepth)) {
        case (false, false): return left.count == right.count
        case (true, true): return true
        case (true, false): return fits(left, right, where: meet)
        case (false, true): return fits(right, left, where: meet)
        }
    }

    /// Whether the segments before the first `**` of either can match the same steps, pair by pair.
    private static func beginningsMeet(_ left: some Sequence<Segment>, _ right: some Sequence<Segment>) -> Bool {
        for (mine, other) in zip(left, right) {
            if mine == .anyDepth || other == .anyDepth { return true }
            guard meet(mine, other) else { return false }
        }
        return true
    }

    private static func meet(_ left: Segment, _ right: Segment) -> Bool {
        left == right || left == .anyOne || right == .anyOne
    }

    /// Whether the pattern matches a path, given by its steps.
    ///
    /// A `**` first matches the shortest run, and a longer one if the following segments do not match. Once the next `**` is reached,
    /// the earlier one is not tried again. The time is at most the product of the lengths.
    package static func fits<Step>(
        _ pattern: ArraySlice<Segment>, _ steps: ArraySlice<Step>, where meet: (Segment, Step) -> Bool
    ) -> Bool {
        var (next, step) = (pattern.startIndex, steps.startIndex)
        // The position after the last `**` of the pattern, and the step from which the segments after it are tried.
        var (afterRun, runEnd) = (-1, step)
        while step < steps.endIndex {
            if next < pattern.endIndex, pattern[next] == .anyDepth {
                next += 1
                (afterRun, runEnd) = (next, step)
            } else if next < pattern.endIndex, meet(pattern[next], steps[step]) {
                next += 1
                step += 1
            } else if afterRun >= 0 {
                runEnd += 1
                (next, step) = (afterRun, runEnd)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == .anyDepth }
    }
}
