import ConvertText

extension Plan {
    /// How many bytes of output one byte of a payload can become, so that the output of a piece of it can be bounded
    /// beforehand: each thing that a profile writes, over the bytes of the shortest input that brings it about.
    ///
    /// Objects and records that are held until they end are written at their end all the same.
    package var maxGrowth: Int {
        // `1,` brings about a value, `{},` all additions, `"":1,` a name. Escapes and case mappings make a byte nine at most.
        // An `Int` of 32 bits may not hold the sum.
        let once = Int64(9 + envelope.beginning.count + envelope.end.count + longestValueBytes / 2)
        return Int(
            clamping: once + lineBytes + additionBytes / 3
                + (longestNameBytes + longestMoveBytes + flattenedNameBytes) / 5)
    }

    /// How many parts of selectors are tried on a name that is met first, and how many forms on a date, at about 100 ns each: what
    /// bounds the time that a piece of a payload can take.
    package var maxTries: Int {
        // Where members may be held or taken back, to note a new name takes as long as some tries.
        let notingTries = isStaged && tracksNames ? 16 : 0
        let flattened = selectors.moves.count { $0.flattening != nil }
        return rules.reduce(selectors.triedParts + notingTries + flattened) { most, rule in
            if case .date(let shared) = rule.action { max(most, shared.rule.readableForms) } else { most }
        }
    }

    /// A line feed and the indentation of the deepest level.
    private var lineBytes: Int64 {
        output.indent > 0 ? 1 + Int64(output.indent * min(limits.maxDepth, ObjectTag.maxDepth)) : 0
    }

    private var longestValueBytes: Int {
        rules.reduce(0) { longest, rule in
            switch rule.action {
            case .date(let shared): max(longest, shared.rule.maxOutputBytes)
            case .conversion(.absoluteURL(let base)): max(longest, base.count)
            case .conversion(.table(let table)): table.rows.reduce(longest) { max($0, spelledBytes($1.target.bytes)) }
            case .conversion(.reverseTable(let table)): table.rows.reduce(longest) { max($0, spelledBytes($1.key)) }
            case .conversion(.mask(let mask)):
                // A byte that is covered becomes a character.
                max(longest, spelledBytes(mask.text), 2 * spelledBytes(mask.cover))
            case .conversion(.names): max(longest, Int(clamping: longestNameBytes))
            case .conversion(.hash): max(longest, ValueHash.maxOutputBytes)
            case .conversion: longest
            }
        }
    }

    /// What one object can be given, its members' members included.
    private var additionBytes: Int64 {
        selectors.defaults.rules.reduce(0) { total, rule in
            let names = rule.segments.reduce(0) { $0 + (memberBytes(of: $1) ?? 0) }
            let text = rule.value.text
            // A raw character of two bytes becomes six in ASCII.
            let value = Int64((output.escapes == .ascii ? 3 : 1) * text.count)
            let lines = lineBytes > 0 ? Int64(text.count(where: Self.beginsLine)) * lineBytes : 0
            return total + names + value + lines
        }
    }

    private var longestNameBytes: Int64 {
        let targets = selectors.renames.reduce(0) { max($0, Int64(spelledBytes($1.target))) }
        guard isInverse else { return targets }
        let sources = selectors.namesRenamed.values.joined().reduce(targets) { max($0, Int64(spelledBytes($1))) }
        return selectors.pointers.reduce(sources) { longest, pattern in
            guard case .rename = pattern.action, let segment = pattern.segments.last else { return longest }
            return max(longest, memberBytes(of: segment) ?? 0)
        }
    }

    /// What a moved value can be given in names and parents.
    private var longestMoveBytes: Int64 {
        selectors.moves.reduce(0) { longest, move in
            let names = isInverse ? move.sourceNames : move.targetNames
            return max(longest, names.reduce(0) { $0 + memberBytes(named: $1) })
        }
    }

    /// What a name can be given in prefixes: one for each object around it that is flattened.
    private var flattenedNameBytes: Int64 {
        let prefixes = selectors.moves.compactMap { $0.flattening }.map { spelledBytes($0.prefix) }
        let levels = selectors.pointers.reduce(0) { max($0, $1.segments.count) }
        return Int64(prefixes.max() ?? 0) * Int64(min(prefixes.count, levels))
    }

    private func memberBytes(of segment: Selector.Segment) -> Int64? {
        if case .literal(let name) = segment { memberBytes(named: name) } else { nil }
    }

    /// A member's name with quotes, colon, space and comma, and the braces of an object that may be its value.
    private func memberBytes(named name: [UInt8]) -> Int64 { Int64(spelledBytes(name) + 7) + 2 * lineBytes }

    private func spelledBytes(_ content: [UInt8]) -> Int {
        var spelling = ByteBuffer(capacity: content.count)
        JSONText.appendSpelling(of: content.span, to: &spelling, output.escapes)
        return spelling.count
    }

    private static func beginsLine(_ byte: UInt8) -> Bool {
        switch byte {
        case ASCII.comma, ASCII.openBrace, ASCII.openBracket, ASCII.closeBrace, ASCII.closeBracket: true
        default: false
        }
    }
}

extension ValueTable.Target {
    fileprivate var bytes: [UInt8] {
        switch self {
        case .string(let content): content
        case .token(let token): token
        }
    }
}
