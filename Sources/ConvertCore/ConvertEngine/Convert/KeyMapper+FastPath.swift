import ConvertText

/// How the fast path takes keys.
///
/// What becomes of known keys is in the key cache, and mostly predicted. When the cache has many, unknown keys pass without being
/// learned until they come again: an object of a million keys would otherwise drive out what others need.
extension KeyMapper {
    /// The entry of the next key if the key cache knows it and nothing is to be judged about it, or -1.
    ///
    /// `predicted` is the key's `likelyEntry`.
    @inline(always)
    mutating func nextEntry(
        _ predicted: Int, _ cursor: borrowing TokenCursor, _ containers: inout Containers
    ) -> Int {
        guard predictor.last >= 0 else { return -1 }
        var entry = predicted
        if !isNext(entry, cursor, state: containers.top.state) {
            entry = unpredictedEntry(predicted, cursor, &containers)
            guard entry >= 0 else { return -1 }
        }
        if tracksNames {
            let last = cache.entries[entry].tag
            guard entry < Int(containers.top.firstDoubtful), !last.isSameObject(as: containers.top.tag) else {
                lookup = KeyCache.Lookup()
                blanksBeforeColon = 0
                return -1
            }
            if last.isOutside(of: containers.top.tag), containers.isOpen(last) { keepTag(last, of: entry) }
        }
        return entry
    }

    /// Takes the next key, which is that of an entry, and its colon; returns what acts on its value.
    ///
    /// `predicted` becomes the `likelyEntry` of the key behind it: sought before the value is read, it is there when it is asked for,
    /// whatever the processor guessed wrong about the value.
    @inline(always) @_lifetime(cursor: copy cursor)
    mutating func take(
        _ entry: Int, _ cursor: inout TokenCursor, _ containers: inout Containers, predicted: inout Int
    ) -> (state: Int32, rule: Int32) {
        predictor.pass(entry)
        let own = Int32(truncatingIfNeeded: entry)
        containers.top.entry = own
        // Read before the tag is written, it is looked up once.
        let found = cache.entries[entry]
        predicted = likelyEntry(after: own, next: found.next)
        if tracksNames { cache.entries[entry].tag = containers.top.tag }
        cursor.takeName(found.pattern, textAt: found.textStart, of: cache.arena, isFirst: containers.top.isEmpty)
        if blanksBeforeColon > 0 {
            cursor.skip(blanksBeforeColon)
            blanksBeforeColon = 0
        }
        containers.top.isEmpty = false
        return (found.valueState, found.valueRule)
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

    /// Whether the next key is that of an entry, or of -1 for none, and the fast path may take it. Its colon follows at once.
    @inline(__always)
    private func isNext(_ entry: Int, _ cursor: borrowing TokenCursor, state: Int32) -> Bool {
        entry >= 0 && cache.entries[entry].fastPathState == state
            && cursor.matches(cache.entries[entry].pattern, at: cache.entries[entry].keyStart, of: cache.arena)
    }

    /// The same with white space before the colon, which `take` then steps over.
    @inline(__always)
    private mutating func isSpaced(_ entry: Int, _ cursor: borrowing TokenCursor, state: Int32) -> Bool {
        guard entry >= 0, cache.entries[entry].fastPathState == state,
            let blanks = cursor.blanks(
                after: cache.entries[entry].pattern, at: cache.entries[entry].keyStart, of: cache.arena)
        else { return false }
        blanksBeforeColon = blanks
        return true
    }

    /// The entry of a key that the first guess was wrong about, or that has white space before its colon; or -1.
    @inline(never)
    private mutating func unpredictedEntry(
        _ predicted: Int, _ cursor: borrowing TokenCursor, _ containers: inout Containers
    ) -> Int {
        if isSpaced(predicted, cursor, state: containers.top.state) { return predicted }
        if containers.top.entry < 0, containers.top.place >= 0 {
            // The object is one of those whose names pass.
            return found(cursor, state: containers.top.state)
        }
        let place = predictor.place(own: containers.top.entry)
        var entry = predictor.leads ? Int(cache.entries[predictor.last].next) : cache.follower(at: place)
        if !predictor.leads { predictor.noteSurprise(objects: serial) }
        let state = containers.top.state
        if !isNext(entry, cursor, state: state), !isSpaced(entry, cursor, state: state) {
            entry = found(cursor, state: containers.top.state)
            guard entry >= 0 else { return -1 }
        }
        cache.predict(entry, after: predictor.last, at: place)
        return entry
    }

    /// The entry of the next key, as the key cache has it, or -1.
    private mutating func found(_ cursor: borrowing TokenCursor, state: Int32) -> Int {
        lookup = cache.find(cursor, state: state)
        if lookup.entry >= 0 { blanksBeforeColon = lookup.blanks }
        return lookup.entry
    }

    /// Takes the next key and its colon, which `nextEntry` did not find, if it is better not learned and nothing but the case rule acts
    /// on it. Of its name only what finds repetitions and collisions stays.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func takeUnknownKey(
        _ cursor: inout TokenCursor, _ reader: borrowing ChunkReader, _ containers: inout Containers,
        _ valueState: inout Int32, _ valueRule: inout Int32
    ) -> Bool {
        guard
            let name = writeUnknownKey(cursor, at: cursor.place(in: reader), &containers, &valueState, &valueRule)
        else { return false }
        cursor.move(read: name.read, written: name.written)
        return true
    }

    /// Writes what becomes of the key ahead of the cursor, which is not moved, as `writeDate` does of a date.
    @inline(never)
    private mutating func writeUnknownKey(
        _ cursor: borrowing TokenCursor, at place: Int, _ containers: inout Containers, _ valueState: inout Int32,
        _ valueRule: inout Int32
    ) -> (read: Int, written: Int)? {
        let length = lookup.unknownCount
        guard passesNames, predictor.last >= 0, length > 0,
            length <= min(maxKeyBytes, TokenCursor.maxRewrittenBytes)
        else { return nil }
        let members = paths.plainMembers(of: containers.top.state)
        guard members.arePlain,
            !members.named.mayHold(count: length, first: cursor.byte(1))
                || paths.isUnnamed(cursor.name(length: length), isMember: true, in: containers.top.state),
            cache.letsPass(lookup.hash)
        else { return nil }
        let target = members.areRecased ? caseTarget : nil
        // Behind the comma and the quote.
        let start = containers.top.isEmpty ? 1 : 2
        guard let written = cursor.rewriteName(length: length, to: start, in: target),
            !tracksNames || notePassing(cursor, length: length, start: start, written: written, &containers)
        else { return nil }
        (containers.top.entry, containers.top.place) = (-1, place)
        hasPlaces = true
        cursor.write(ASCII.comma, at: 0)
        cursor.write(ASCII.quote, at: start - 1)
        cursor.write(ASCII.quote, at: start + written)
        cursor.write(ASCII.colon, at: start + written + 1)
        containers.top.isEmpty = false
        (valueState, valueRule) = (members.state, members.rule)
        return (length + 3 + lookup.blanks, start + written + 2)
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
