import ConvertText

/// Keys on the fast path.
///
/// Decisions on known keys are in the key cache, and usually predicted. When the cache is half full, unknown keys bypass it until they come
/// again. Otherwise an object with a million keys would evict the keys that other objects need.
extension KeyMapper {
    /// Takes the next key and its colon if it is the predicted key and needs no check. Returns the state and the rule of its value.
    ///
    /// `predicted` is the `likelyEntry` of the key, and becomes that of the key after it. The lookup happens before the value is read, so
    /// its result is ready in time even if the processor mispredicts a branch in the value.
    @inline(always) @_lifetime(cursor: copy cursor)
    mutating func takePredictedKey(
        _ cursor: inout TokenCursor, _ containers: inout Containers, _ predicted: inout Int
    ) -> (state: Int32, rule: Int32)? {
        guard predicted >= 0, cache.entries[predicted].fastPathState == containers.top.state,
            cursor.matches(cache.entries[predicted].pattern)
        else { return nil }
        let found = cache.entries[predicted]
        guard !tracksNames || tag(predicted, after: found.tag, containers) else { return nil }
        predicted = pass(predicted, next: found.next, &containers)
        cursor.takeName(found.pattern, isFirst: containers.top.isEmpty)
        containers.top.isEmpty = false
        return (found.valueState, found.valueRule)
    }

    /// A key that was written ahead of the cursor. The cursor is not moved, as with dates in `writeDate`.
    struct WrittenKey {
        /// Bytes of the key and its colon in the payload (0 if none was written), and in the output, where a comma may precede them.
        var read = 0
        var written = 0
        /// The `likelyEntry` of the key after it.
        var predicted = -1
        /// Whether the key was read, but its member is dropped.
        @inline(__always)
        var isDropped: Bool { read > 0 && written == 0 }
    }

    /// Writes the output of the next key, which `takePredictedKey` did not take, if it needs no check. A key that the key cache does not
    /// know is added to it, or bypasses it if only the case rule acts on the key.
    @inline(never)
    mutating func writeOtherKey(
        _ predicted: Int, _ cursor: borrowing TokenCursor, at position: Int, _ containers: inout Containers,
        _ valueState: inout Int32, _ valueRule: inout Int32
    ) -> WrittenKey {
        guard predictor.last >= 0 else { return WrittenKey() }
        let state = containers.top.pathState
        var (entry, blanks) = knownEntry(predicted, cursor, &containers)
        if entry < 0 {
            let members = plainMembers(cursor, state)
            if let members, !isSearching, cache.letsPass(lookup.hash) {
                (valueState, valueRule) = (members.state, members.rule)
                return passUnknownKey(cursor, at: position, isRecased: members.areRecased, &containers)
            }
            (entry, blanks) = (learn(cursor, members, state: state), lookup.blanks)
            guard entry >= 0, cache.entries[entry].isForFastPath(in: state) else { return WrittenKey() }
            cache.predict(entry, after: predictor.last, at: predictor.context(own: containers.top.entry))
        }
        let read = cache.quotedCount(of: entry) &+ 1 &+ blanks
        let isSearched = isSearching && cache.entries[entry].fastPathState == containers.top.state
        let dropsScalar = cache.entries[entry].dropsScalars && !isSearched
        guard isSearched || !isSearching, !dropsScalar || cursor.hasScalar(at: read),
            !tracksNames || tag(entry, after: cache.entries[entry].tag, containers)
        else { return WrittenKey() }
        (valueState, valueRule) = (cache.entries[entry].valueState, cache.entries[entry].valueRule)
        if read != Int(cache.entries[entry].pattern.count) {
            cache.entries[entry].pattern.expect(cursor.leadingLanes, count: read)
        }
        if dropsScalar {
            // The member has an output key, which another one may have now.
            cache.entries[entry].tag = cache.entries[entry].tag.removed
            (valueState, valueRule) = (PathAutomaton.inert, -1)
        }
        if !isSearched, cache.entries[entry].isDropped || dropsScalar {
            return WrittenKey(read: read, predicted: pass(entry, next: cache.entries[entry].next, &containers))
        }
        let written = cache.entries[entry].pattern.textCount
        // The text begins after the comma.
        let start = containers.top.isEmpty ? 0 : 1
        cursor.write(ASCII.comma, at: 0)
        cursor.writeText(to: start, at: cache.entries[entry].textStart, length: written, of: cache.arena)
        containers.top.isEmpty = false
        return WrittenKey(
            read: read, written: start + Int(written),
            predicted: pass(entry, next: cache.entries[entry].next, &containers))
    }

    /// Moves on past the key of an entry; `next` is the entry that followed it last time. Returns the `likelyEntry` of the key after it.
    @inline(__always)
    private mutating func pass(_ entry: Int, next: Int32, _ containers: inout Containers) -> Int {
        predictor.pass(entry)
        let own = Int32(truncatingIfNeeded: entry)
        containers.top.entry = own
        return likelyEntry(after: own, next: next)
    }

    /// Marks the key of an entry, whose tag is `last`, as a key of the innermost object. Returns false if the object has had the key, or
    /// may have. If the object of `last` is open, that tag is restored when this object ends.
    @inline(__always)
    private mutating func tag(_ entry: Int, after last: ObjectTag, _ containers: borrowing Containers) -> Bool {
        guard entry < Int(containers.top.firstSeenEntry), !last.isSameObject(as: containers.top.tag) else {
            return false
        }
        if last.isOutside(of: containers.top.tag), containers.isOpen(last) { keepTag(last, of: entry) }
        cache.entries[entry].tag = containers.top.tag
        return true
    }

    /// The entry that the context or the last key predicts for the next key of an object whose last key was `own`, or -1.
    @inline(__always)
    func likelyEntry(after own: Int32) -> Int {
        guard predictor.last >= 0 else { return -1 }
        return likelyEntry(after: own, next: cache.entries[predictor.last].next)
    }

    /// The same, for a caller that has already read the entry that last followed the payload's last key.
    @inline(__always)
    private func likelyEntry(after own: Int32, next: Int32) -> Int {
        predictor.leads ? cache.follower(at: predictor.context(own: own)) : Int(next)
    }

    /// Whether a search is likely to stop at one of the next keys of the innermost object, such as those that `keep` names.
    @inline(__always)
    func endsSearch(within count: Int, _ containers: borrowing Containers) -> Bool {
        var entry = likelyEntry(after: containers.top.entry)
        for _ in 0..<count where entry >= 0 {
            if cache.entries[entry].fastPathState >= -1 { return true }
            entry = Int(cache.entries[entry].next)
        }
        return false
    }

    /// Bytes of white space between the next key and its colon; nil if it is not the key of this entry, or not for the fast path.
    @inline(__always)
    private func blanks(after entry: Int, _ cursor: borrowing TokenCursor, state: Int32) -> Int? {
        guard entry >= 0, cache.entries[entry].isForFastPath(in: state) else { return nil }
        let length = cache.quotedCount(of: entry)
        if cursor.matches(cache.entries[entry].pattern) {
            return Int(cache.entries[entry].pattern.count) &- length &- 1
        }
        return cursor.blanks(afterName: length, at: cache.entries[entry].keyStart, of: cache.arena)
    }

    /// The entry of the next key, or -1, and the white space between the key and its colon. The prediction was wrong, or the key is too
    /// long or too unusual for `takePredictedKey`.
    private mutating func knownEntry(
        _ predicted: Int, _ cursor: borrowing TokenCursor, _ containers: inout Containers
    ) -> (entry: Int, blanks: Int) {
        let state = containers.top.pathState
        if let blanks = blanks(after: predicted, cursor, state: state) { return (predicted, blanks) }
        if containers.top.entry < 0, containers.top.keyPosition >= 0 {
            // The object's last key bypassed the cache, so there is no prediction.
            lookup = cache.find(cursor, state: state)
            return (lookup.entry, lookup.blanks)
        }
        let context = predictor.context(own: containers.top.entry)
        var entry = predictor.leads ? Int(cache.entries[predictor.last].next) : cache.follower(at: context)
        if !predictor.leads { predictor.noteSurprise(objects: serial) }
        var blanks = blanks(after: entry, cursor, state: state)
        if blanks == nil {
            lookup = cache.find(cursor, state: state)
            guard lookup.entry >= 0 else { return (-1, 0) }
            (entry, blanks) = (lookup.entry, lookup.blanks)
        }
        cache.predict(entry, after: predictor.last, at: context)
        return (entry, blanks ?? 0)
    }

    /// The rules for the member with the next key, which `knownEntry` did not find; nil if more than the case rule may act on the key.
    private mutating func plainMembers(
        _ cursor: borrowing TokenCursor, _ state: Int32
    ) -> PathAutomaton.PlainMembers? {
        let length = lookup.unknownCount
        guard passesNames, length > 0, length <= min(maxKeyBytes, TokenCursor.maxRewrittenBytes) else { return nil }
        let members = paths.plainMembers(of: state)
        let isUnnamed =
            !members.named.mayHold(count: length, first: cursor.byte(1))
            || paths.isUnnamed(cursor.name(length: length), in: state)
        return members.arePlain && isUnnamed ? members : nil
    }

    /// Adds the next key, which `knownEntry` did not find, to the cache. Returns its entry; -1 if the key is too long or unusual, or there
    /// is no room.
    ///
    /// - Parameter members: the rules for its member, if only the case rule acts on the key.
    private mutating func learn(
        _ cursor: borrowing TokenCursor, _ members: PathAutomaton.PlainMembers?, state: Int32
    ) -> Int {
        let length = lookup.unknownCount
        guard length > 0, length <= min(maxKeyBytes, TokenCursor.maxRewrittenBytes),
            !cache.isFull, !paths.isFull, cache.hasRoom(for: length)
        else { return -1 }
        spelling.removeAll()
        cursor.appendName(length: length, to: &spelling)
        spelling.padWithSlack()
        guard let members, !cache.holdsNames,
            let written = cursor.rewriteName(length: length, to: 2, by: members.areRecased ? caseRule : nil),
            written <= TokenCursor.maxRewrittenBytes
        else { return insertKey(state: state) }
        let entry = cache.insert(spelling, state: state, kind: .spelling)
        (cache.entries[entry].valueState, cache.entries[entry].valueRule) = (members.state, members.rule)
        if canRename, tracksNames {
            text.removeAll()
            cursor.append(writtenAt: 2, length: written, to: &text)
            linkText(of: entry, state)
        }
        writeAround(cursor, start: 2, written: written)
        text.removeAll()
        cursor.append(writtenAt: 0, length: written + 4, to: &text)
        storeText(of: entry)
        return entry
    }

    /// Writes comma, quotes and colon around a key that was written `start` bytes ahead.
    private func writeAround(_ cursor: borrowing TokenCursor, start: Int, written: Int) {
        cursor.write(ASCII.comma, at: 0)
        cursor.write(ASCII.quote, at: start - 1)
        cursor.write(ASCII.quote, at: start + written)
        cursor.write(ASCII.colon, at: start + written + 1)
    }

    /// Writes the output of an unknown key that bypasses the cache. Only what finds duplicates and collisions is stored of it.
    private mutating func passUnknownKey(
        _ cursor: borrowing TokenCursor, at position: Int, isRecased: Bool, _ containers: inout Containers
    ) -> WrittenKey {
        let length = lookup.unknownCount
        // The key begins after the comma and the quote.
        let start = containers.top.isEmpty ? 1 : 2
        guard let written = cursor.rewriteName(length: length, to: start, by: isRecased ? caseRule : nil),
            !tracksNames || notePassing(cursor, length: length, start: start, written: written, &containers)
        else { return WrittenKey() }
        (containers.top.entry, containers.top.keyPosition) = (-1, position)
        (hasUnstoredKeys, hasForgottenKeys) = (true, true)
        writeAround(cursor, start: start, written: written)
        containers.top.isEmpty = false
        return WrittenKey(read: length + 3 + lookup.blanks, written: start + written + 2)
    }

    /// Notes a key that bypasses the cache and is written `start` bytes ahead. Returns false if it may need further checks.
    private mutating func notePassing(
        _ cursor: borrowing TokenCursor, length: Int, start: Int, written: Int, _ containers: inout Containers
    ) -> Bool {
        // The cache knows a key that was spelled with an escape by its content.
        guard !cache.holdsNames || !cache.mayKnow(lookup.hash, state: containers.top.state, as: .name) else {
            return false
        }
        var hashes = (lookup.hash, UInt64(0))
        if canRename {
            hashes = cursor.hashes(writtenAt: start, length: written, seeds: (cache.seed, seenSeed))
            guard !cache.mayKnow(hashes.0, state: containers.top.state, as: .output) else { return false }
        } else {
            hashes.1 = cursor.hash(from: 1, length: length, seed: seenSeed)
        }
        // If no member is written with this output key, then none had this input key. So one lookup finds both errors.
        let name = SeenKeys.Name(first: hashes.0, second: hashes.1)
        guard seen.noteNew(name, of: canRename ? lookup.hash : nil, in: containers.top.tag, open: containers) else {
            return false
        }
        if !containers.top.hasSeenKeys {
            containers.top.firstSeenEntry = Int32(cache.entries.count)
            containers.top.passedStart = Int32(passed.count)
        }
        if passed.count < Self.maxPassedBytes { cursor.appendName(length: length, to: &passed) }
        return true
    }
}
