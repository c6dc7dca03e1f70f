import ConvertText

/// How the fast path takes keys.
///
/// What becomes of known keys is in the key cache, and mostly predicted. When the cache has many, unknown keys pass without being
/// learned until they come again: an object of a million keys would otherwise drive out what others need.
extension KeyMapper {
    /// Takes the next key and its colon if it is the predicted one and nothing is to be judged about it; returns what acts on its value.
    ///
    /// `predicted` is the `likelyEntry` of the key, and becomes that of the key behind it: sought before the value is read, it is there
    /// when it is asked for, whatever the processor guessed wrong about the value.
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

    /// A key that was written ahead of the cursor, which is not moved, as `writeDate` does of a date.
    struct WrittenKey {
        /// Bytes of the key and its colon in the payload, 0 if none was written; and in the output, with a comma before it.
        var read = 0
        var written = 0
        /// The `likelyEntry` of the key behind it.
        var predicted = -1
    }

    /// Writes what becomes of the next key, which `takePredictedKey` did not take, if the key cache knows it and nothing is to be judged
    /// about it; or else, if keys may pass, if it is better not learned and nothing but the case rule acts on it.
    @inline(never)
    mutating func writeOtherKey(
        _ predicted: Int, _ cursor: borrowing TokenCursor, at place: Int, mayPass: Bool, _ containers: inout Containers,
        _ valueState: inout Int32, _ valueRule: inout Int32
    ) -> WrittenKey {
        guard predictor.last >= 0 else { return WrittenKey() }
        let (entry, blanks) = knownEntry(predicted, cursor, &containers)
        guard entry >= 0 else {
            return mayPass
                ? writeUnknownKey(cursor, at: place, &containers, &valueState, &valueRule) : WrittenKey()
        }
        guard !tracksNames || tag(entry, after: cache.entries[entry].tag, containers) else { return WrittenKey() }
        (valueState, valueRule) = (cache.entries[entry].valueState, cache.entries[entry].valueRule)
        let (read, written) = (cache.entries[entry].pattern.count, cache.entries[entry].pattern.textCount)
        // Behind the comma.
        let start = containers.top.isEmpty ? 0 : 1
        cursor.write(ASCII.comma, at: 0)
        cursor.writeText(to: start, at: cache.entries[entry].textStart, length: written, of: cache.arena)
        containers.top.isEmpty = false
        return WrittenKey(
            read: Int(read) + blanks, written: start + Int(written),
            predicted: pass(entry, next: cache.entries[entry].next, &containers))
    }

    /// Goes on behind the key of an entry, which `next` followed last; returns the `likelyEntry` of the key behind it.
    @inline(__always)
    private mutating func pass(_ entry: Int, next: Int32, _ containers: inout Containers) -> Int {
        predictor.pass(entry)
        let own = Int32(truncatingIfNeeded: entry)
        containers.top.entry = own
        return likelyEntry(after: own, next: next)
    }

    /// Marks the key of an entry, which was last seen in the object of a tag, as one of the innermost object; false if that has had it.
    /// The last tag comes back with this object's end if its own is open.
    @inline(__always)
    private mutating func tag(_ entry: Int, after last: ObjectTag, _ containers: borrowing Containers) -> Bool {
        guard entry < Int(containers.top.firstDoubtful), !last.isSameObject(as: containers.top.tag) else {
            return false
        }
        if last.isOutside(of: containers.top.tag), containers.isOpen(last) { keepTag(last, of: entry) }
        cache.entries[entry].tag = containers.top.tag
        return true
    }

    /// The entry of the next key of an object whose last one was `own`, as far as the context or the last key tell, or -1.
    @inline(__always)
    func likelyEntry(after own: Int32) -> Int {
        guard predictor.last >= 0 else { return -1 }
        return likelyEntry(after: own, next: cache.entries[predictor.last].next)
    }

    /// The same where the last key of the object and the key that followed the last one of all are at hand.
    @inline(__always)
    private func likelyEntry(after own: Int32, next: Int32) -> Int {
        predictor.leads ? cache.follower(at: predictor.place(own: own)) : Int(next)
    }

    /// How much white space is between the next key and its colon, if it is the key of an entry and the fast path may take it; else nil.
    @inline(__always)
    private func blanks(after entry: Int, _ cursor: borrowing TokenCursor, state: Int32) -> Int? {
        guard entry >= 0, cache.entries[entry].fastPathState == state else { return nil }
        // What follows its key at once is what mostly comes.
        if cursor.matches(cache.entries[entry].pattern) { return 0 }
        return cursor.blanks(
            afterName: cache.entries[entry].pattern.count, at: cache.entries[entry].keyStart, of: cache.arena)
    }

    /// The entry of the next key, or -1, and the white space between it and its colon. The first guess was wrong, or the key is not as
    /// simple as `takePredictedKey` has it.
    private mutating func knownEntry(
        _ predicted: Int, _ cursor: borrowing TokenCursor, _ containers: inout Containers
    ) -> (entry: Int, blanks: Int) {
        let state = containers.top.state
        if let blanks = blanks(after: predicted, cursor, state: state) { return (predicted, blanks) }
        if containers.top.entry < 0, containers.top.place >= 0 {
            // The object is one of those whose names pass.
            lookup = cache.find(cursor, state: state)
            return (lookup.entry, lookup.blanks)
        }
        let place = predictor.place(own: containers.top.entry)
        var entry = predictor.leads ? Int(cache.entries[predictor.last].next) : cache.follower(at: place)
        if !predictor.leads { predictor.noteSurprise(objects: serial) }
        var blanks = blanks(after: entry, cursor, state: state)
        if blanks == nil {
            lookup = cache.find(cursor, state: state)
            guard lookup.entry >= 0 else { return (-1, 0) }
            (entry, blanks) = (lookup.entry, lookup.blanks)
        }
        cache.predict(entry, after: predictor.last, at: place)
        return (entry, blanks ?? 0)
    }

    /// Writes what becomes of the next key, which `knownEntry` did not find. Of its name only what finds repetitions and collisions stays.
    private mutating func writeUnknownKey(
        _ cursor: borrowing TokenCursor, at place: Int, _ containers: inout Containers, _ valueState: inout Int32,
        _ valueRule: inout Int32
    ) -> WrittenKey {
        let length = lookup.unknownCount
        guard passesNames, length > 0, length <= min(maxKeyBytes, TokenCursor.maxRewrittenBytes) else {
            return WrittenKey()
        }
        let members = paths.plainMembers(of: containers.top.state)
        guard members.arePlain,
            !members.named.mayHold(count: length, first: cursor.byte(1))
                || paths.isUnnamed(cursor.name(length: length), isMember: true, in: containers.top.state),
            cache.letsPass(lookup.hash)
        else { return WrittenKey() }
        let target = members.areRecased ? caseTarget : nil
        // Behind the comma and the quote.
        let start = containers.top.isEmpty ? 1 : 2
        guard let written = cursor.rewriteName(length: length, to: start, in: target),
            !tracksNames || notePassing(cursor, length: length, start: start, written: written, &containers)
        else { return WrittenKey() }
        (containers.top.entry, containers.top.place) = (-1, place)
        hasPlaces = true
        cursor.write(ASCII.comma, at: 0)
        cursor.write(ASCII.quote, at: start - 1)
        cursor.write(ASCII.quote, at: start + written)
        cursor.write(ASCII.colon, at: start + written + 1)
        containers.top.isEmpty = false
        (valueState, valueRule) = (members.state, members.rule)
        return WrittenKey(read: length + 3 + lookup.blanks, written: start + written + 2)
    }

    /// Notes a name that passes, which is written to `start` ahead; false where there may be more to be judged about it.
    private mutating func notePassing(
        _ cursor: borrowing TokenCursor, length: Int, start: Int, written: Int, _ containers: inout Containers
    ) -> Bool {
        // Where it was spelled with an escape it is known by its content.
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
        // Where no member is written so, none had this name.
        let name = SeenKeys.Name(first: hashes.0, second: hashes.1)
        guard seen.noteNew(name, of: canRename ? lookup.hash : nil, in: containers.top.tag, open: containers) else {
            return false
        }
        if !containers.top.hasSeenKeys {
            containers.top.firstDoubtful = Int32(cache.entries.count)
            containers.top.passedStart = Int32(passed.count)
        }
        if passed.count < Self.maxPassedBytes { cursor.appendName(length: length, to: &passed) }
        return true
    }
}
