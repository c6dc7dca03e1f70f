import ConvertText

/// The keys of payloads, by the output keys that a converter writes for them. It grows with the converter's key cache.
package struct KeyOrigins: Sendable {
    /// Where an output key came from.
    package enum Origin: Equatable, Sendable {
        /// Only from the same key.
        case same
        /// Only from the key with this entry in the key cache.
        case entry(Int)
        /// From several keys, from one that the key cache does not have, or perhaps by a rename.
        case unknown
    }

    /// The entries of the key cache by the seeded hash of the output key; -1 if keys with several spellings have it.
    fileprivate var entries: [UInt64: Int32] = [:]
    /// How many entries of the key cache are in `entries`, and how often the cache was emptied before.
    fileprivate var count = 0
    fileprivate var emptyings = 0

    package init() {}
}

extension KeyMapper {
    /// Adds what the key cache learned since the last call. Returns false if the cache lacks keys of this payload.
    package func update(_ origins: inout KeyOrigins) -> Bool {
        // The key of a member that is flattened, or around the document, is not in the cache.
        guard !hasForgottenKeys, plan.selectors.moves.isEmpty, plan.wrapText.names.isEmpty else { return false }
        if origins.emptyings != emptyings { origins = KeyOrigins() }
        origins.emptyings = emptyings
        for index in origins.count..<max(origins.count, cache.entries.count)
        where cache.entries[index].kind == .spelling {
            let output = outputKey(of: index)
            let hash = cache.arena.hash(from: output.lowerBound, length: output.count, seed: cache.seed)
            guard let known = origins.entries.updateValue(Int32(index), forKey: hash) else { continue }
            // One key has an entry for each path state.
            let isOne = known >= 0 && areEqual(inputKey(of: Int(known)), inputKey(of: index))
            if !isOne { origins.entries[hash] = -1 }
        }
        origins.count = cache.entries.count
        return true
    }

    /// Where the output key between `start` and `end` of a text came from. The text needs slack after its last byte.
    package func origin(
        of text: borrowing ByteBuffer, from start: Int, to end: Int, _ origins: borrowing KeyOrigins
    ) -> KeyOrigins.Origin {
        let hash = text.hash(from: start, length: end - start, seed: cache.seed)
        guard let entry = origins.entries[hash].map(Int.init), entry >= 0 else { return .unknown }
        let output = outputKey(of: entry)
        guard text.equals(from: start, length: end - start, cache.arena, from: output.lowerBound),
            output.count == end - start
        else { return .unknown }
        if mayBeAdded(output) { return .unknown }
        if areEqual(output, inputKey(of: entry)) { return .same }
        // A rename would not be undone.
        return plan.selectors.hasRenames ? .unknown : .entry(entry)
    }

    /// Appends the key of an entry, as the payload spells it.
    package func appendInputKey(of entry: Int, to text: inout ByteBuffer) {
        text.append(cache.arena.bytes.extracting(inputKey(of: entry)))
    }

    private func inputKey(of entry: Int) -> Range<Int> {
        let start = Int(cache.entries[entry].keyStart)
        // A quote follows.
        return start..<(start + Int(cache.entries[entry].keyCount) - 1)
    }

    private func outputKey(of entry: Int) -> Range<Int> {
        let start = Int(cache.entries[entry].textStart)
        // The text is a comma, the quoted key and a colon.
        return (start + 2)..<(start + Int(cache.entries[entry].textCount) - 2)
    }

    /// Whether a rule may have added a member with this key. A key with an escape counts as one.
    private func mayBeAdded(_ name: Range<Int>) -> Bool {
        let added = plan.selectors.defaults.addedNames
        guard !added.isEmpty else { return false }
        let bytes = [UInt8](copying: cache.arena.bytes.extracting(name))
        return bytes.contains(ASCII.backslash) || added.contains(bytes)
    }

    private func areEqual(_ first: Range<Int>, _ second: Range<Int>) -> Bool {
        first.count == second.count
            && cache.arena.equals(
                from: first.lowerBound, length: first.count, cache.arena, from: second.lowerBound)
    }
}
