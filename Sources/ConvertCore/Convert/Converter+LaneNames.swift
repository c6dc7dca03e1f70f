/// How the fast lane takes names.
///
/// Those that the memo knows are taken over from it, mostly by prediction. Where it knows many already, those that it does not know pass
/// without being learned until they come again: an object of a million names would otherwise drive out what others need.
extension Converter {
    /// Takes the next key and its colon if the memo knows it and nothing is to be judged about it.
    ///
    /// `predicted` is the key's `likelyEntry` and becomes that of the one behind it, or -1: sought before the value is read, it is there
    /// when it is asked for, whatever the processor guessed wrong about the value.
    @inline(always) @_lifetime(cursor: copy cursor)
    mutating func takeKey(
        _ cursor: inout TokenCursor, predicted: inout Int, _ place: MemberPlace?, mark: Int?
    ) -> Bool {
        guard context.last >= 0 else { return false }
        var entry = predicted
        predicted = -1
        if !isNext(entry, cursor) {
            entry = unpredictedEntry(cursor)
            guard entry >= 0 else { return false }
        }
        if tracksNames {
            let last = memo.entries[entry].stamp
            guard entry < Int(frames.top.firstDoubtful), !last.isSameObject(as: frames.top.stamp) else {
                sought = KeyMemo.Sought()
                return false
            }
            if last.isOutside(of: frames.top.stamp), isOpen(last) { keepStamp(last, of: entry) }
        }
        if let place {
            beginPlainMember(place)
            if sortsText { sorting.memberBegins(at: place.mark, in: frames.depth) }
        }
        if let mark { markMember(mark) }
        context.pass(entry)
        let own = Int32(truncatingIfNeeded: entry)
        frames.top.entry = own
        // Read before the stamp is written, it is looked up once.
        let found = memo.entries[entry]
        predicted = likelyEntry(after: own, next: found.next)
        if tracksNames { memo.entries[entry].stamp = frames.top.stamp }
        valueState = found.valueState
        valueRule = found.valueRule
        cursor.takeName(
            found.pattern, textAt: found.textStart, of: memo.arena, isFirst: frames.top.isEmpty)
        frames.top.isEmpty = false
        return true
    }

    /// The entry of the next key of the innermost object, as far as the context or the last key tell, or -1.
    @inline(__always)
    var likelyEntry: Int {
        guard context.last >= 0 else { return -1 }
        return likelyEntry(after: frames.top.entry, next: memo.entries[context.last].next)
    }

    /// The same where the last key of the object and the key that followed the last one of all are at hand.
    @inline(__always)
    private func likelyEntry(after own: Int32, next: Int32) -> Int {
        context.leads ? memo.follower(at: context.place(own: own)) : Int(next)
    }

    /// Whether the next key is that of an entry, or of -1 for none, and the lane may take it.
    @inline(__always)
    private func isNext(_ entry: Int, _ cursor: borrowing TokenCursor) -> Bool {
        entry >= 0 && memo.entries[entry].laneState == frames.top.state
            && cursor.matches(memo.entries[entry].pattern, at: memo.entries[entry].keyStart, of: memo.arena)
    }

    /// The entry of a key that the first guess was wrong about, or -1.
    @inline(never)
    private mutating func unpredictedEntry(_ cursor: borrowing TokenCursor) -> Int {
        if frames.top.entry < 0, frames.top.place >= 0 {
            // The object is one of those whose names pass.
            sought = memo.find(cursor, state: frames.top.state)
            return sought.entry
        }
        let place = context.place(own: frames.top.entry)
        var entry = context.leads ? Int(memo.entries[context.last].next) : memo.follower(at: place)
        if !context.leads { context.noteSurprise(objects: serial) }
        if !isNext(entry, cursor) {
            sought = memo.find(cursor, state: frames.top.state)
            entry = sought.entry
            guard entry >= 0 else { return -1 }
        }
        memo.predict(entry, after: context.last, at: place)
        return entry
    }

    /// Notes the stamp of a name that is about to be stamped anew, if the object it stands for is still open.
    @inline(never)
    private mutating func keepStamp(_ stamp: ObjectStamp, of entry: Int) { noteStamp(entry, over: stamp) }

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
        let length = sought.unknownCount - 3
        guard passesNames, context.last >= 0, length > 0,
            length <= min(maxKeyBytes, TokenCursor.maxRewrittenBytes)
        else { return nil }
        let members = paths.plainMembers(of: frames.top.state)
        guard members.arePlain,
            !members.named.mayHold(count: length, first: cursor.byte(1))
                || paths.isUnnamed(cursor.name(length: length), isMember: true, in: frames.top.state),
            memo.letsPass(sought.hash)
        else { return nil }
        let target = members.areRecased ? caseTarget : nil
        // Behind the comma and the quote.
        let start = frames.top.isEmpty ? 1 : 2
        guard let written = cursor.rewriteName(length: length, to: start, in: target),
            !tracksNames || notePassing(cursor, length: length, start: start, written: written)
        else { return nil }
        (frames.top.entry, frames.top.place) = (-1, place)
        payload.hasPlaces = true
        valueState = members.state
        valueRule = members.rule
        cursor.write(ASCII.comma, at: 0)
        cursor.write(ASCII.quote, at: start - 1)
        cursor.write(ASCII.quote, at: start + written)
        cursor.write(ASCII.colon, at: start + written + 1)
        frames.top.isEmpty = false
        return (length + 3, start + written + 2)
    }

    /// Notes a name that passes, which is written to `start` ahead; false where there may be more to be judged about it.
    private mutating func notePassing(
        _ cursor: borrowing TokenCursor, length: Int, start: Int, written: Int
    ) -> Bool {
        // Where it was spelled with an escape it is known by its content.
        guard !memo.holdsNames || !memo.mayKnow(sought.hash, state: frames.top.state, as: .name) else { return false }
        var hashes = (sought.hash, UInt64(0))
        if canRename {
            hashes = cursor.hashes(writtenAt: start, length: written, seeds: (memo.seed, shownSeed))
            guard !memo.mayKnow(hashes.0, state: frames.top.state, as: .output) else { return false }
        } else {
            hashes.1 = cursor.hash(from: 1, length: length, seed: shownSeed)
        }
        // Where no member is written so, none had this name.
        let name = ShownNames.Name(first: hashes.0, second: hashes.1)
        guard shown.noteNew(name, of: canRename ? sought.hash : nil, in: frames.top.stamp, open: frames) else {
            return false
        }
        if !frames.top.hasShownNames {
            frames.top.firstDoubtful = Int32(memo.entries.count)
            frames.top.passedStart = Int32(passed.count)
        }
        if passed.count < Self.maxPassedBytes { cursor.appendName(length: length, to: &passed) }
        return true
    }
}
