/// How the fast lane takes names.
///
/// Those that the memo knows are taken over from it, mostly by prediction. Where it knows many already, those that it does not know pass
/// without being learned until they come again: an object of a million names would otherwise drive out what others need.
extension Converter {
    /// Takes the next key and its colon if the memo knows it and nothing is to be judged about it.
    @inline(always) @_lifetime(cursor: copy cursor)
    mutating func takeKey(_ cursor: inout TokenCursor, _ place: MemberPlace?, mark: Int?) -> Bool {
        guard context.last >= 0 else { return false }
        var entry =
            context.leads ? memo.follower(at: context.place(own: frame.entry)) : Int(memo.entries[context.last].next)
        if entry < 0 || memo.entries[entry].laneState != frame.state || !cursor.matches(memo.entries[entry], memo.arena)
        {
            entry = unpredictedEntry(cursor)
            guard entry >= 0 else { return false }
        }
        if tracksNames {
            let last = memo.entries[entry].stamp
            guard entry < Int(frame.firstDoubtful), !last.isSameObject(as: frame.stamp) else {
                sought = KeyMemo.Sought()
                return false
            }
            if last.isOutside(of: frame.stamp) { keepStamp(last, of: entry) }
        }
        if let place {
            beginPlainMember(place)
            if sortsText { noteMember(at: place.mark) }
        }
        if let mark { markMember(mark) }
        context.pass(entry)
        frame.entry = Int32(truncatingIfNeeded: entry)
        // Read before the stamp is written, it is looked up once.
        let found = memo.entries[entry]
        if tracksNames { memo.entries[entry].stamp = frame.stamp }
        valueState = found.valueState
        valueRule = found.valueRule
        cursor.takeName(of: found, isFirst: frame.isEmpty, memo.arena)
        frame.isEmpty = false
        return true
    }

    /// The entry of a key that the first guess was wrong about, or -1.
    @inline(never)
    private mutating func unpredictedEntry(_ cursor: borrowing TokenCursor) -> Int {
        if frame.entry < 0, frame.place >= 0 {
            // The object is one of those whose names pass.
            sought = memo.find(cursor, state: frame.state)
            return sought.entry
        }
        let place = context.place(own: frame.entry)
        var entry = context.leads ? Int(memo.entries[context.last].next) : memo.follower(at: place)
        if !context.leads { context.noteSurprise(objects: serial) }
        if entry < 0 || memo.entries[entry].laneState != frame.state || !cursor.matches(memo.entries[entry], memo.arena)
        {
            sought = memo.find(cursor, state: frame.state)
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
        let members = paths.plainMembers(of: frame.state)
        guard members.arePlain, !members.named.mayHold(count: length, first: cursor.byte(1)),
            memo.letsPass(sought.hash)
        else { return nil }
        let target = members.areRecased ? caseTarget : nil
        // Behind the comma and the quote.
        let start = frame.isEmpty ? 1 : 2
        guard let written = cursor.rewriteName(length: length, to: start, in: target),
            !tracksNames || notePassing(cursor, length: length, start: start, written: written)
        else { return nil }
        (frame.entry, frame.place) = (-1, place)
        hasPlaces = true
        valueState = members.state
        valueRule = members.rule
        cursor.write(ASCII.comma, at: 0)
        cursor.write(ASCII.quote, at: start - 1)
        cursor.write(ASCII.quote, at: start + written)
        cursor.write(ASCII.colon, at: start + written + 1)
        frame.isEmpty = false
        return (length + 3, start + written + 2)
    }

    /// Notes a name that passes, which is written to `start` ahead; false where there may be more to be judged about it.
    private mutating func notePassing(
        _ cursor: borrowing TokenCursor, length: Int, start: Int, written: Int
    ) -> Bool {
        // It may be known by its content.
        guard !memo.holdsNames else { return false }
        var hashes = (sought.hash, UInt64(0))
        if canRename {
            hashes = cursor.hashes(writtenAt: start, length: written, seeds: (memo.seed, shownSeed))
            guard !memo.mayKnowOutput(hashes.0, state: frame.state) else { return false }
        } else {
            hashes.1 = cursor.hash(from: 1, length: length, seed: shownSeed)
        }
        // Where no member is written so, none had this name.
        let name = ShownNames.Name(first: hashes.0, second: hashes.1)
        guard shown.noteNew(name, of: canRename ? sought.hash : nil, in: frame.stamp, open: outer, frame) else {
            return false
        }
        if !frame.hasShownNames {
            frame.firstDoubtful = Int32(memo.entries.count)
            frame.passedStart = Int32(passed.count)
        }
        if passed.count < Self.maxPassedBytes { cursor.appendName(length: length, to: &passed) }
        return true
    }
}
