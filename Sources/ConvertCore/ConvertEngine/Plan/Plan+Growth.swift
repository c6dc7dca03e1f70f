import ConvertText

extension Plan {
    /// How many bytes of output one byte of a payload can become, which bounds the output of a piece beforehand. It sums what the profile
    /// can write, each divided by the bytes of the shortest input that causes it.
    ///
    /// The bound does not cover buffered objects and records, which are written when they end, and indentation.
    package var maxGrowth: Int {
        // `1,` causes a value, `"":1,` a key. With ASCII escapes, a character of two bytes becomes six. A 32-bit `Int` may not hold the sum.
        let written = structureBytes + Int64(longestValueBytes / 2) + longestNameBytes / 5
        // Escapes and case mappings turn a byte of the payload into nine at most.
        return Int(clamping: 9 + written * (output.escapes == .ascii ? 3 : 1))
    }

    /// The same for output that is indented and cannot be taken in pieces: any byte of a payload or of an addition can begin a line.
    package var maxIndentedGrowth: Int {
        let lineBytes = Int64(output.indent * min(limits.maxDepth, Limits.depths.upperBound))
        return Int(clamping: Int64(maxGrowth) + (1 + structureBytes) * lineBytes)
    }

    /// Bytes that the profile can add around values for each byte of a payload: `{},` causes all additions, `"":1,` a move.
    private var structureBytes: Int64 {
        Int64(wrapText.beginning.count + wrapText.end.count) + additionBytes / 3
            + (longestMoveBytes + flattenedNameBytes) / 5
    }

    /// How many parts of selectors are tried on a new key, and how many forms on a date, at about 100 ns each. This bounds the time for a
    /// piece of a payload.
    package var maxTries: Int {
        // If members may be buffered or removed again, noting a new key takes as long as some tries.
        let notingTries = isStaged && tracksNames ? 16 : 0
        let flattened = selectors.moves.count { $0.flattening != nil }
        return rules.reduce(selectors.triedParts + notingTries + flattened) { most, rule in
            if case .date(let shared) = rule.action { max(most, shared.rule.from.count) } else { most }
        }
    }

    private var longestValueBytes: Int {
        rules.reduce(0) { longest, rule in
            switch rule.action {
            case .date(let shared): max(longest, shared.rule.maxOutputBytes)
            case .conversion(.absoluteURL(let base)): max(longest, base.count)
            case .conversion(.table(let table)): table.rows.reduce(longest) { max($0, spelledBytes($1.target.text)) }
            case .conversion(.reverseTable(let table)): table.rows.reduce(longest) { max($0, spelledBytes($1.key)) }
            case .conversion(.mask(let mask)):
                // A byte that is covered becomes one cover character.
                max(longest, spelledBytes(mask.text), 2 * spelledBytes(mask.cover))
            case .conversion(.names): max(longest, Int(clamping: longestNameBytes))
            case .conversion(.hash): max(longest, ValueHash.maxOutputBytes)
            case .conversion: longest
            }
        }
    }

    /// Bytes that additions can give one object, including what rules add to the containers that other rules add. The depths alone decide
    /// here which containers a rule may match.
    private var additionBytes: Int64 {
        let deepest = selectors.defaults.rules.reduce(0) { max($0, $1.segments.count + $1.value.nodes.count) }
        var added = [Double](repeating: 0, count: deepest + 1)
        let bytes = selectors.defaults.rules.reduce(0.0) { total, rule in
            let named = (rule.segments.lastIndex(of: .anyOne) ?? -1) + 1
            let times = 1 + added[named]
            for depth in rule.segments.indices where depth > named { added[depth] += times }
            var depths = [rule.segments.count]
            for node in rule.value.nodes {
                if let parent = node.parent { depths.append(depths[parent.index] + 1) }
                if node.kind == .object || node.kind == .array { added[depths[depths.count - 1]] += times }
            }
            let names = rule.segments.reduce(0) { $0 + (memberBytes(of: $1) ?? 0) }
            return total + times * Double(names + Int64(rule.value.text.count))
        }
        return Int64(min(bytes, Double(1 << 40)))
    }

    private var longestNameBytes: Int64 {
        // The case rule may put a separator before each letter of a pattern.
        let targets = selectors.renames.reduce(0) { longest, rename in
            max(longest, Int64(spelledBytes(rename.target.fixedText)) * (rename.target.literal == nil ? 2 : 1))
        }
        guard isInverse else { return targets }
        let sources = selectors.namesRenamed.values.joined().reduce(targets) { max($0, Int64(spelledBytes($1))) }
        return selectors.pointers.reduce(sources) { longest, pattern in
            guard case .rename = pattern.action, let segment = pattern.segments.last else { return longest }
            return max(longest, memberBytes(of: segment) ?? 0)
        }
    }

    /// Bytes of keys and parents that a move can give a value.
    private var longestMoveBytes: Int64 {
        selectors.moves.reduce(0) { longest, move in
            max(longest, move.names(undone: isInverse).reduce(0) { $0 + memberBytes(named: $1) })
        }
    }

    /// Bytes of prefixes that a key can get: one for each flattened object around it.
    private var flattenedNameBytes: Int64 {
        let prefixes = selectors.moves.compactMap { $0.flattening }.map { spelledBytes($0.prefix) }
        let levels = selectors.pointers.reduce(0) { max($0, $1.segments.count) }
        return Int64(prefixes.max() ?? 0) * Int64(min(prefixes.count, levels))
    }

    private func memberBytes(of segment: Selector.Segment) -> Int64? {
        segment.name.map { memberBytes(named: $0) }
    }

    /// Bytes of a member's key with quotes, colon, space and comma, and of the braces of an object that may be its value.
    private func memberBytes(named name: [UInt8]) -> Int64 { Int64(spelledBytes(name) + 7) }

    private func spelledBytes(_ content: [UInt8]) -> Int {
        var spelling = ByteBuffer(capacity: content.count)
        JSONText.appendSpelling(of: content.span, to: &spelling)
        return spelling.count
    }
}
