/// Which keys open objects had: the last object of each key is in the key cache's tags, as far as the cache knows the key, else in `seen`.
extension KeyMapper {
    /// What is known of a key that the object had before.
    struct EarlierKey {
        /// Whether a collision left its member out.
        let hasFallen: Bool
        /// Whether its member was taken back.
        let isGone: Bool
    }

    /// What the innermost object had of a key before; nil if it did not have it.
    @inline(__always)
    mutating func earlier(_ entry: Int, _ containers: inout Containers) -> EarlierKey? {
        let canonical = Int(cache.entries[entry].canonical)
        let last = cache.entries[canonical].tag
        if last.isSameObject(as: containers.top.tag) {
            return EarlierKey(hasFallen: last.hasFallen, isGone: last.isGone)
        }
        return containers.top.hasSeenKeys ? seenKey(canonical, &containers) : nil
    }

    /// What the object had of the key before the key cache was emptied, or where it passed.
    @inline(never)
    private mutating func seenKey(_ canonical: Int, _ containers: inout Containers) -> EarlierKey? {
        let input = cache.hashedName(of: canonical, seenSeed)
        let marks = seen.marks(of: input, in: containers.top.tag)
        guard marks.contains(.seen) else {
            let output = Int(cache.entries[canonical].output)
            guard output >= 0,
                seen.isBorne(cache.hashedName(of: output, seenSeed), by: input, in: containers.top.tag)
            else { return nil }
            return EarlierKey(hasFallen: false, isGone: false)
        }
        return EarlierKey(hasFallen: marks.contains(.fallen), isGone: marks.contains(.gone))
    }

    /// Whether another member of the innermost object has the output key of this entry.
    @inline(__always)
    mutating func collides(_ entry: Int, _ containers: inout Containers) -> Bool {
        let canonical = Int(cache.entries[entry].canonical)
        guard containers.top.hasSeenKeys || cache.entries[canonical].isShared else { return false }
        return isTaken(canonical, &containers)
    }

    @inline(never)
    private mutating func isTaken(_ canonical: Int, _ containers: inout Containers) -> Bool {
        let output = Int(cache.entries[canonical].output)
        if containers.top.hasSeenKeys, output >= 0,
            seen.marks(of: cache.hashedName(of: output, seenSeed), in: containers.top.tag).contains(.taken)
        {
            return true
        }
        return cache.standingSibling(of: canonical, in: containers.top.tag) >= 0
    }

    /// Notes that the innermost object has the key, and whether a collision leaves its member out.
    @inline(__always)
    mutating func note(_ entry: Int, hasFallen: Bool, _ containers: inout Containers) {
        let canonical = Int(cache.entries[entry].canonical)
        let last = cache.entries[canonical].tag
        // If the last object of the key is still open, its tag comes back when this one ends.
        if last.depth < containers.depth, !last.isNone, containers.isOpen(last) { keepTag(last, of: canonical) }
        cache.entries[canonical].tag = hasFallen ? containers.top.tag.fallen : containers.top.tag
    }

    /// Keeps a tag that is about to be written over until the innermost object ends.
    @inline(never)
    mutating func keepTag(_ tag: ObjectTag, of canonical: Int) {
        if !tag.isNone { undo.append(TagUndo(entry: Int32(canonical), tag: tag)) }
    }

    /// The member that the innermost object is at is taken back: other members may have its output key, if it `hasKey`.
    mutating func forgetMember(hasKey: Bool, _ containers: inout Containers) {
        let canonical = Int(cache.entries[Int(containers.top.entry)].canonical)
        let tag = cache.entries[canonical].tag
        if tag.isSameObject(as: containers.top.tag) {
            cache.entries[canonical].tag = tag.gone
        } else if containers.top.hasSeenKeys {
            forgetSeenMember(canonical, hasKey: hasKey, &containers)
        }
    }

    private mutating func forgetSeenMember(_ canonical: Int, hasKey: Bool, _ containers: inout Containers) {
        let input = cache.hashedName(of: canonical, seenSeed)
        let marks = seen.marks(of: input, in: containers.top.tag)
        seen.note(marks.union([.seen, .gone]), of: input, in: containers.top.tag, open: containers)
        let output = Int(cache.entries[canonical].output)
        guard output >= 0, !marks.contains(.fallen), hasKey else { return }
        let name = cache.hashedName(of: output, seenSeed)
        let known = seen.marks(of: name, in: containers.top.tag)
        seen.note(known.subtracting(.taken), of: name, in: containers.top.tag, open: containers)
    }
}
