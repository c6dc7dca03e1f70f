/// The keys that open objects have had. If the key cache knows a key, a tag there holds the last object that had it; otherwise `seen` does.
extension KeyMapper {
    /// An earlier member of the same object with the same key.
    struct EarlierKey {
        /// Whether a collision removed the member.
        let hasCollided: Bool
        /// Whether the member was written, but removed again.
        let isRemoved: Bool
    }

    /// The earlier member of the innermost object with this key; nil if there is none.
    @inline(__always)
    mutating func earlier(_ entry: Int, _ containers: inout Containers) -> EarlierKey? {
        let canonical = Int(cache.entries[entry].canonical)
        let last = cache.entries[canonical].tag
        if last.isSameObject(as: containers.top.tag) {
            return EarlierKey(hasCollided: last.hasCollided, isRemoved: last.isRemoved)
        }
        return containers.top.hasSeenKeys ? seenKey(canonical, &containers) : nil
    }

    /// The earlier member, if it came before the key cache was emptied, or if its key bypassed the cache.
    @inline(never)
    private mutating func seenKey(_ canonical: Int, _ containers: inout Containers) -> EarlierKey? {
        let input = hashedInput(of: canonical)
        let marks = seen.marks(of: input, in: containers.top.tag)
        guard marks.contains(.seen) else {
            let output = Int(cache.entries[canonical].output)
            guard output >= 0,
                seen.isKnown(cache.hashedName(of: output, seenSeed), from: input, in: containers.top.tag)
            else { return nil }
            return EarlierKey(hasCollided: false, isRemoved: false)
        }
        return EarlierKey(hasCollided: marks.contains(.collided), isRemoved: marks.contains(.removed))
    }

    /// The hashes of an input key. Flattened objects have the tag of the object around them, so the hashes also tell them apart.
    mutating func hashedInput(of canonical: Int) -> SeenKeys.Name {
        var name = cache.hashedName(of: canonical, seenSeed)
        guard plan.streamsFlattened else { return name }
        let salt = UInt64(truncatingIfNeeded: paths[cache.entries[canonical].state].flattenings.hashValue)
        name.first ^= salt
        name.second ^= salt
        return name
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
        return cache.presentSibling(of: canonical, in: containers.top.tag) >= 0
    }

    /// Notes that the innermost object has the key, and whether a collision leaves its member out.
    @inline(__always)
    mutating func note(_ entry: Int, hasCollided: Bool, _ containers: inout Containers) {
        let canonical = Int(cache.entries[entry].canonical)
        let last = cache.entries[canonical].tag
        // If the last object with this key is still open, its tag is restored when this object ends.
        if last.isOutside(of: containers.top.tag), !last.isNone, containers.isOpen(last) {
            keepTag(last, of: canonical)
        }
        cache.entries[canonical].tag = hasCollided ? containers.top.tag.collided : containers.top.tag
    }

    /// Saves a tag that is about to be overwritten, until the innermost object ends.
    @inline(never)
    mutating func keepTag(_ tag: ObjectTag, of canonical: Int) {
        if !tag.isNone { undo.append(TagUndo(entry: Int32(canonical), tag: tag)) }
    }

    /// Notes that the current members of the objects at these depths stay, although they were read as members that are removed.
    mutating func restoreMembers(at depths: Range<Int>, _ containers: borrowing Containers) {
        guard let first = depths.first(where: { containers[$0].kind == .object }) else { return }
        for depth in depths where containers[depth].entry >= 0 {
            let (entry, tag) = (Int(containers[depth].entry), containers[depth].tag)
            if cache.entries[entry].tag.isSameObject(as: tag) { cache.entries[entry].tag = tag }
        }
        // An object inside of such a member may have the same key.
        let deeper = (first + 1)..<(containers.depth + 1)
        guard let inner = deeper.first(where: { containers[$0].kind == .object }) else { return }
        for index in Int(containers[inner].undoStart)..<undo.count {
            let tag = undo[index].tag
            guard depths.contains(tag.depth), containers.isOpen(tag), containers[tag.depth].entry == undo[index].entry
            else { continue }
            undo[index].tag = containers[tag.depth].tag
        }
    }

    /// Notes that the current member of the innermost object is removed. If it `hasKey`, others may have its output key from now on.
    mutating func forgetMember(hasKey: Bool, _ containers: inout Containers) {
        let canonical = Int(cache.entries[Int(containers.top.entry)].canonical)
        let tag = cache.entries[canonical].tag
        if tag.isSameObject(as: containers.top.tag) {
            cache.entries[canonical].tag = tag.removed
        } else if containers.top.hasSeenKeys {
            forgetSeenMember(canonical, hasKey: hasKey, &containers)
        }
    }

    private mutating func forgetSeenMember(_ canonical: Int, hasKey: Bool, _ containers: inout Containers) {
        let input = hashedInput(of: canonical)
        let marks = seen.marks(of: input, in: containers.top.tag)
        seen.note(marks.union([.seen, .removed]), of: input, in: containers.top.tag, open: containers)
        let output = Int(cache.entries[canonical].output)
        guard output >= 0, !marks.contains(.collided), hasKey else { return }
        let name = cache.hashedName(of: output, seenSeed)
        let known = seen.marks(of: name, in: containers.top.tag)
        seen.note(known.subtracting(.taken), of: name, in: containers.top.tag, open: containers)
    }
}
