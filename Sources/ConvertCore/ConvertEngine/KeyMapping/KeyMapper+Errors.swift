import ConvertText

/// Keys and rules in error messages, computed only after an error has occurred; keys also where a value may move to one.
extension KeyMapper {
    /// The unescaped key of an entry.
    func nameBytes(of index: Int) -> [UInt8] {
        let entry = cache.entries[index]
        let isSpelling = entry.kind == .spelling
        let start = Int(entry.keyStart)
        let bytes = cache.arena.bytes.extracting(start..<(start + Int(entry.keyCount) - (isSpelling ? 1 : 0)))
        return isSpelling ? JSONText.content(of: bytes) : [UInt8](copying: bytes)
    }

    /// The unescaped output key of an entry whose member stays where it is.
    func outputName(of entry: Int) -> [UInt8] {
        let output = Int(cache.entries[Int(cache.entries[entry].canonical)].output)
        return nameBytes(of: output >= 0 ? output : entry)
    }

    /// The key of an entry in quotes, for a message; shortened if it is long.
    func quotedName(of entry: Int) -> String { Self.quoted(nameBytes(of: entry)) }

    /// A key or a pointer in quotes; if it is long, only its beginning and end.
    static func quoted(_ bytes: [UInt8]) -> String {
        let halfScalars = 40
        let name = String(decoding: bytes, as: Unicode.UTF8.self)
        let scalars = name.unicodeScalars
        guard scalars.count > 2 * halfScalars else { return "\"\(name)\"" }
        return "\"\(String(scalars.prefix(halfScalars)))…\(String(scalars.suffix(halfScalars)))\""
    }

    // MARK: Collisions

    mutating func collisionMessage(_ entry: Int, _ containers: borrowing Containers) -> String {
        let canonical = Int(cache.entries[entry].canonical)
        let name = earlierName(collidingWith: entry, containers)
        let earlier = if let name { Self.quoted(name) } else { "an earlier key" }
        let output = Int(cache.entries[canonical].output)
        let target = output >= 0 ? quotedName(of: output) : "the same key"
        return Self.collisionMessage(quotedName(of: entry), earlier, target)
    }

    /// The message about two keys or pointers and the output key that both would get, all in quotes.
    static func collisionMessage(_ later: String, _ earlier: String, _ target: String) -> String {
        "\(later) and \(earlier) would both be written as \(target); to accept this, set `on.collision` in the profile"
    }

    /// The rule that gave one of two colliding members its output key.
    mutating func collidingRule(of later: Int, _ containers: borrowing Containers) -> String? {
        let state = cache.entries[later].state
        let earlier = presentSibling(of: later, containers)
        return namingRule(of: nameBytes(of: later), state)
            ?? earlierName(collidingWith: later, containers).flatMap {
                namingRule(of: $0, earlier < 0 ? state : cache.entries[earlier].state)
            }
    }

    /// The entry of the earlier member with the same output key, or -1 if it is no longer known.
    func presentSibling(of later: Int, _ containers: borrowing Containers) -> Int {
        cache.presentSibling(of: Int(cache.entries[later].canonical), in: containers.top.tag)
    }

    /// The key of an earlier member of the innermost object with the same output key; nil if it is no longer known.
    private mutating func earlierName(collidingWith entry: Int, _ containers: borrowing Containers) -> [UInt8]? {
        let canonical = Int(cache.entries[entry].canonical)
        let sibling = presentSibling(of: entry, containers)
        if sibling >= 0 { return nameBytes(of: sibling) }
        let output = Int(cache.entries[canonical].output)
        guard output >= 0, containers.top.hasSeenKeys, Int(containers.top.passedStart) < passed.count else {
            return nil
        }
        let target = nameBytes(of: output)
        let state = cache.entries[entry].state
        for name in [UInt8](passed)[Int(containers.top.passedStart)...].split(separator: ASCII.quote).map(Array.init)
        where (forwardResolution(of: name, state, false).output ?? name) == target { return name }
        return nil
    }

    private mutating func namingRule(of name: [UInt8], _ state: Int32) -> String? {
        if plan.streamsFlattened, let move = paths[state].flattenings?.last {
            return plan.selectors.moves[Int(move)].pointer
        }
        let resolution = resolution(of: name, state)
        if let rename = resolution.match.rename { return plan.selectors.renames[rename].pointer }
        return resolution.output == nil ? nil : "/keys"
    }

    // MARK: Keys that the inverse cannot restore

    /// Why the key of an entry is lossy. The entry does not store this, so it is decided again.
    mutating func lossKind(of entry: Int) -> EngineError.Kind {
        guard !plan.isInverse else { return .lossyKey }
        return resolution(of: nameBytes(of: entry), cache.entries[entry].state).loss ?? .renamedName
    }

    /// The rename or the move that also writes the output key of this entry, as a JSON Pointer into the profile.
    mutating func claimingRule(of entry: Int) -> String? {
        let name = nameBytes(of: entry)
        let state = cache.entries[entry].state
        let output = forwardResolution(of: name, state, false).output ?? name
        if let rename = renamesTo(output, in: state).first?.match.rename {
            return plan.selectors.renames[rename].pointer
        }
        return paths.move(to: output, in: state).map { plan.selectors.moves[$0].pointer }
    }
}
