/// How the fast path takes names.
///
/// Those that the key cache knows are taken over from it, mostly by prediction. Where it knows many already, those that it does not know pass
/// without being learned until they come again: an object of a million names would otherwise drive out what others need.
extension Engine {
    /// Takes the next key and its colon if the key cache knows it and nothing is to be judged about it.
    ///
    /// `predicted` is the key's `likelyEntry` and becomes that of the one behind it, or -1: sought before the value is read, it is there
    /// when it is asked for, whatever the processor guessed wrong about the value.
    @inline(always) @_lifetime(cursor: copy cursor)
    mutating func takeKey(
        _ cursor: inout TokenCursor, predicted: inout Int, _ place: MemberPlace?, mark: Int?
    ) -> Bool {
        guard predictor.last >= 0 else { return false }
        var entry = predicted
        predicted = -1
        if !isNext(entry, cursor) {
            entry = unpredictedEntry(cursor)
            guard entry >= 0 else { return false }
        }
        if tracksNames {
            let last = keyCache.entries[entry].tag
            guard entry < Int(containers.top.firstDoubtful), !last.isSameObject(as: containers.top.tag) else {
                lookup = KeyCache.Lookup()
                return false
            }
            if last.isOutside(of: containers.top.tag), isOpen(last) { keepTag(last, of: entry) }
        }
        if let place {
            plainMemberBegins(place)
            if sortsText { sorting.memberBegins(at: place.mark, in: containers.depth) }
        }
        if let mark { markMember(mark) }
        predictor.pass(entry)
        let own = Int32(truncatingIfNeeded: entry)
        containers.top.entry = own
        // Read before the tag is written, it is looked up once.
        let found = keyCache.entries[entry]
        predicted = likelyEntry(after: own, next: found.next)
        if tracksNames { keyCache.entries[entry].tag = containers.top.tag }
        valueState = found.valueState
        valueRule = found.valueRule
        cursor.takeName(
            found.pattern, textAt: found.textStart, of: keyCache.arena, isFirst: containers.top.isEmpty)
        containers.top.isEmpty = false
        return true
    }

    /// The entry of the next key of the innermost object, as far as the context or the last key tell, or -1.
    @inline(__always)
    var likelyEntry: Int {
        guard predictor.last >= 0 else { return -1 }
        return likelyEntry(after: containers.top.entry, next: keyCache.entries[predictor.last].next)
    }

    /// The same where the last key of the object and the key that followed the last one of all are at hand.
    @inline(__always)
    private func likelyEntry(after own: Int32, next: Int32) -> Int {
        predictor.leads ? keyCache.follower(at: predictor.place(own: own)) : Int(next)
    }

    /// Whether the next key is that of an entry, or of -1 for none, and the fast path may take it.
    @inline(__always)
    private func isNext(_ entry: Int, _ cursor: borrowing TokenCursor) -> Bool {
        entry >= 0 && keyCache.entries[entry].fastPathState == containers.top.state
            && cursor.matches(keyCache.entries[entry].pattern, at: keyCache.entries[entry].keyStart, of: keyCache.arena)
    }

    /// The entry of a key that the first guess was wrong about, or -1.
    @inline(never)
    private mutating func unpredictedEntry(_ cursor: borrowing TokenCursor) -> Int {
        if containers.top.entry < 0, containers.top.place >= 0 {
            // The object is one of those whose names pass.
            lookup = keyCache.find(cursor, state: containers.top.state)
            return lookup.entry
        }
        let place = predictor.place(own: containers.top.entry)
        var entry = predictor.leads ? Int(keyCache.entries[predictor.last].next) : keyCache.follower(at: place)
        if !predictor.leads { predictor.noteSurprise(objects: serial) }
        if !isNext(entry, cursor) {
            lookup = keyCache.find(cursor, state: containers.top.state)
            entry = lookup.entry
            guard entry >= 0 else { return -1 }
        }
        keyCache.predict(entry, after: predictor.last, at: place)
        return entry
    }

    /// Notes the tag of a name that is about to be tagged anew, if the tag's object is still open.
    @inline(never)
    private mutating func keepTag(_ tag: ObjectTag, of entry: Int) { noteTag(entry, over: tag) }

    /// Takes the next key and its colon, which `takeKey` has just sought and not taken, if it is better not learned and nothing but the
    /// case rule acts on it. Of its name only what finds repetitions and collisions stays.
    @inline(__always) @_lifetime(cursor: copy cursor)
    mutating func takeUnknownKey(_ cursor: inout TokenCursor, _ reader: borrowing ChunkReader) -> Bool {
        guard let name = writeUnknownKey(cursor, at: cursor.place(in: reader)) else { return false }
        cursor.move(read: name.read, written: name.written)
        return true
    }

    /// Writes what becomes of the key ahead of the cursor, which is not moved, as `writeDate` does of a date.
    @inline(never)
    private mutating func writeUnknownKey(_ cursor: borrowing TokenCursor, at place: Int) -> (read: Int, written: Int)?
    {
        let length = lookup.unknownCount - 3
        guard passesNames, predictor.last >= 0, length > 0,
            length <= min(maxKeyBytes, TokenCursor.maxRewrittenBytes)
        else { return nil }
        let members = paths.plainMembers(of: containers.top.state)
        guard members.arePlain,
            !members.named.mayHold(count: length, first: cursor.byte(1))
                || paths.isUnnamed(cursor.name(length: length), isMember: true, in: containers.top.state),
            keyCache.letsPass(lookup.hash)
        else { return nil }
        let target = members.areRecased ? caseTarget : nil
        // Behind the comma and the quote.
        let start = containers.top.isEmpty ? 1 : 2
        guard let written = cursor.rewriteName(length: length, to: start, in: target),
            !tracksNames || notePassing(cursor, length: length, start: start, written: written)
        else { return nil }
        (containers.top.entry, containers.top.place) = (-1, place)
        payload.hasPlaces = true
        valueState = members.state
        valueRule = members.rule
        cursor.write(ASCII.comma, at: 0)
        cursor.write(ASCII.quote, at: start - 1)
        cursor.write(ASCII.quote, at: start + written)
        cursor.write(ASCII.colon, at: start + written + 1)
        containers.top.isEmpty = false
        return (length + 3, start + written + 2)
    }

    /// Notes a name that passes, which is written to `start` ahead; false where there may be more to be judged about it.
    private mutating func notePassing(
        _ cursor: borrowing TokenCursor, length: Int, start: Int, written: Int
    ) -> Bool {
        // Where it was spelled with an escape it is known by its content.
        guard !keyCache.holdsNames || !keyCache.mayKnow(lookup.hash, state: containers.top.state, as: .name) else {
            return false
        }
        var hashes = (lookup.hash, UInt64(0))
        if canRename {
            hashes = cursor.hashes(writtenAt: start, length: written, seeds: (keyCache.seed, seenSeed))
            guard !keyCache.mayKnow(hashes.0, state: containers.top.state, as: .output) else { return false }
        } else {
            hashes.1 = cursor.hash(from: 1, length: length, seed: seenSeed)
        }
        // Where no member is written so, none had this name.
        let name = SeenKeys.Name(first: hashes.0, second: hashes.1)
        guard seen.noteNew(name, of: canRename ? lookup.hash : nil, in: containers.top.tag, open: containers) else {
            return false
        }
        if !containers.top.hasSeenKeys {
            containers.top.firstDoubtful = Int32(keyCache.entries.count)
            containers.top.passedStart = Int32(passed.count)
        }
        if passed.count < Self.maxPassedBytes { cursor.appendName(length: length, to: &passed) }
        return true
    }
}
