/// Deciding on a key that the memo does not know, and emptying the memo when it is full.
extension Converter {
    /// Decides what becomes of the key in `held` and remembers it.
    @inline(never)
    mutating func rememberHeldKey(at position: Int) throws(Fault) -> Int {
        if memo.isFull || paths.isFull || !memo.hasRoom(for: held.count) {
            emptyMemo()
            // It is there again if an object around this one is at a key of this name.
            let known = knownEntryOfHeldKey(state: frames.top.state)
            guard known < 0 else { return known }
        }
        guard memo.hasRoom(for: held.count) else { throw Fault(kind: .namesLength, position: position) }
        return insertHeldKey(state: frames.top.state)
    }

    /// Enters the names of open members that the fast lane only copied or let pass, and that are needed where a fault is met.
    mutating func rememberPlaces(in chunk: Span<UInt8>) {
        guard payload.hasPlaces else { return }
        payload.hasPlaces = false
        var key = ByteBuffer()
        swap(&key, &held)
        for index in 0...frames.depth {
            let open = frames[index]
            // It says nothing of the next chunk.
            frames[index].place = -1
            guard open.entry < 0, open.place >= 0 else { continue }
            held.removeAll()
            var end = open.place + 1
            while chunk[end] != ASCII.quote { end += 1 }
            held.append(chunk.extracting((open.place + 1)...end))
            held.padWithSlack()
            let known = knownEntryOfHeldKey(state: open.state)
            frames[index].entry = Int32(known >= 0 ? known : insertHeldKey(state: open.state))
        }
        swap(&key, &held)
    }

    /// The entry for the spelling in `held`, or -1.
    private mutating func knownEntryOfHeldKey(state: Int32) -> Int {
        let hash = memo.hash(held, from: 0, length: held.count - 1, state: state, kind: .spelling)
        return memo.find(held, from: 0, length: held.count, state: state, kind: .spelling, hash: hash)
    }

    /// Adds an entry for the spelling in `held`, closing quote included, in an object of path state `state`.
    private mutating func insertHeldKey(state: Int32) -> Int {
        let (hasEscape, holdsLoneSurrogate) = readContent()
        let hash = memo.hash(held, from: 0, length: held.count - 1, state: state, kind: .spelling)
        let entry = memo.insert(held, from: 0, length: held.count, state: state, kind: .spelling, hash: hash)
        let canonical = canonicalEntry(of: entry, state: state, hasEscape: hasEscape)
        // A name has many spellings, and to decide on it may take as long as the profile has rules below it.
        let known = hasEscape ? escapedFates[canonical] : nil
        let fate = known ?? fateOfContent(state, holdsLoneSurrogate: holdsLoneSurrogate)
        if hasEscape { escapedFates[canonical] = fate }
        memo.entries[entry].decide(fate)
        memo.entries[entry].canonical = Int32(canonical)
        if plan.canRename, tracksNames, !fate.match.isDropped {
            linkOutput(fate.output ?? [UInt8](content), of: canonical, state)
        }
        writeText(of: entry, renamed: fate.output)
        return entry
    }

    /// What becomes of the name in `content` in an object of path state `state`.
    private mutating func fateOfContent(_ state: Int32, holdsLoneSurrogate: Bool) -> Fate {
        let name = [UInt8](content)
        return plan.isInverse
            ? inverseFate(of: name, state, holdsLoneSurrogate) : guardedFate(of: name, state, holdsLoneSurrogate)
    }

    /// Puts the name that `held` spells into `content`.
    private mutating func readContent() -> (hasEscape: Bool, holdsLoneSurrogate: Bool) {
        let length = held.count - 1
        content.removeAll()
        guard held.contains(ASCII.backslash) else {
            content.append(first: length, of: held)
            return (false, false)
        }
        return (true, JSONText.appendContent(of: held, count: length, to: &content))
    }

    /// The entry that stands for the name of `entry` however it is spelled; `content` holds the name.
    private mutating func canonicalEntry(of entry: Int, state: Int32, hasEscape: Bool) -> Int {
        guard hasEscape || memo.holdsNames else { return entry }
        content.padWithSlack()
        let nameHash = memo.hash(content, from: 0, length: content.count, state: state, kind: .name)
        let known = memo.find(content, from: 0, length: content.count, state: state, kind: .name, hash: nameHash)
        if known >= 0 { return known }
        guard hasEscape else { return entry }
        // The plain spelling, where it was seen, stands for itself. Content with a backslash or quote has no plain one.
        if !content.contains(ASCII.backslash), !content.contains(ASCII.quote) {
            var plain = ByteBuffer(capacity: content.count + 1 + 2 * ByteBuffer.slackBytes)
            plain.append(content.bytes)
            plain.append(ASCII.quote)
            plain.padWithSlack()
            let hash = memo.hash(plain, from: 0, length: plain.count - 1, state: state, kind: .spelling)
            let found = memo.find(plain, from: 0, length: plain.count, state: state, kind: .spelling, hash: hash)
            if found >= 0 { return found }
        }
        return memo.insert(content, from: 0, length: content.count, state: state, kind: .name, hash: nameHash)
    }

    /// Enters a name into the chain of those with the same output name.
    private mutating func linkOutput(_ output: [UInt8], of canonical: Int, _ state: Int32) {
        guard memo.entries[canonical].output < 0 else { return }
        text.removeAll()
        text.append(output)
        text.padWithSlack()
        let hash = memo.hash(text, from: 0, length: text.count, state: state, kind: .output)
        var entry = memo.find(text, from: 0, length: text.count, state: state, kind: .output, hash: hash)
        if entry < 0 {
            entry = memo.insert(text, from: 0, length: text.count, state: state, kind: .output, hash: hash)
        }
        memo.link(canonical, toOutput: entry)
    }

    /// Stores comma, quoted output name and colon; `held` is the input's spelling and `content` its name.
    private mutating func writeText(of entry: Int, renamed output: [UInt8]?) {
        // What no rule looks into is written nowhere, or as it stands in a string.
        let escapes = memo.entries[entry].state == PathStates.inert ? .preserve : plan.output.escapes
        text.removeAll()
        text.append(ASCII.comma)
        text.append(ASCII.quote)
        if let output {
            JSONText.appendSpelling(of: output.span, to: &text, escapes)
        } else if escapes == .preserve {
            text.append(first: held.count - 1, of: held)
        } else {
            JSONText.appendSpelling(of: content, to: &text, escapes)
        }
        text.append(ASCII.quote)
        text.append(ASCII.colon)
        memo.setText(text, for: entry)
    }

    // MARK: Emptying the memo

    /// A key that an open object is at, and what was decided on it.
    private struct OpenKey {
        let frame: Int
        let entry: KeyMemo.Entry
        /// The spelling, closing quote included, what is written for it, and the output name if it can collide.
        let spelling, text: [UInt8]
        let output: [UInt8]?
    }

    /// Starts memo and path states anew, keeping what open containers need of them.
    mutating func emptyMemo() {
        if tracksNames { noteStampedNames() }
        let keys = openKeys()
        var states: [Int32] = []
        for index in 0...frames.depth { states += [frames[index].state, frames[index].elementState] }
        states.append(valueState)
        states += keys.map(\.entry.valueState)
        paths.removeAll(keeping: &states)
        for index in 0...frames.depth {
            (frames[index].state, frames[index].elementState) = (states[2 * index], states[2 * index + 1])
            frames[index].undoStart = 0
        }
        let frameStates = 2 * (frames.depth + 1)
        valueState = states[frameStates]
        let valueStates = states[(frameStates + 1)...]
        memo.removeAll()
        escapedFates.removeAll()
        undo.removeAll()
        context = KeyMemo.Context()

        var key = ByteBuffer()
        swap(&key, &held)
        for (key, valueState) in zip(keys, valueStates) {
            frames[key.frame].entry = Int32(enter(key, valueState, state: frames[key.frame].state))
        }
        swap(&key, &held)
        memo.settle()
        paths.settle()
    }

    private func openKeys() -> [OpenKey] {
        var keys: [OpenKey] = []
        for index in 0...frames.depth where frames[index].entry >= 0 {
            let entry = memo.entries[Int(frames[index].entry)]
            let output = Int(memo.entries[Int(entry.canonical)].output)
            keys.append(
                OpenKey(
                    frame: index, entry: entry, spelling: memo.bytes(from: entry.keyStart, count: entry.keyCount),
                    text: memo.bytes(from: entry.textStart, count: entry.textCount),
                    output: output < 0 ? nil : nameBytes(of: output)))
        }
        return keys
    }

    /// Enters a key into the memo that was emptied; the same may stand in several objects of one state.
    private mutating func enter(_ key: OpenKey, _ valueState: Int32, state: Int32) -> Int {
        held.removeAll()
        held.append(key.spelling)
        held.padWithSlack()
        let known = knownEntryOfHeldKey(state: state)
        guard known < 0 else { return known }
        let hash = memo.hash(held, from: 0, length: held.count - 1, state: state, kind: .spelling)
        let entry = memo.insert(held, from: 0, length: held.count, state: state, kind: .spelling, hash: hash)
        memo.entries[entry].decide(as: key.entry, valueState: valueState)
        let (hasEscape, _) = readContent()
        memo.entries[entry].canonical = Int32(canonicalEntry(of: entry, state: state, hasEscape: hasEscape))
        if let output = key.output { linkOutput(output, of: Int(memo.entries[entry].canonical), state) }
        text.removeAll()
        text.append(key.text)
        memo.setText(text, for: entry)
        return entry
    }

    /// Moves the names that open objects have shown from the memo's stamps to where names without one are.
    private mutating func noteStampedNames() {
        for index in 0...frames.depth where frames[index].kind == .object {
            if !frames[index].hasShownNames { frames[index].passedStart = Int32(passed.count) }
            frames[index].firstDoubtful = 0
        }
        for index in 0..<memo.entries.count { noteName(of: index, memo.entries[index].stamp) }
        for index in 0..<undo.count { noteName(of: Int(undo[index].entry), undo[index].stamp) }
    }

    private mutating func noteName(of entry: Int, _ stamp: ObjectStamp) {
        guard !stamp.isNone, stamp.depth <= frames.depth else { return }
        let object = frames[stamp.depth].stamp
        guard object.isSameObject(as: stamp) else { return }
        let input = memo.hashedName(of: entry, shownSeed)
        // What became of an earlier member of the name no longer counts.
        let known = shown.marks(of: input, in: object).subtracting([.fallen, .gone])
        shown.note(known.union(stamp.marks), of: input, in: object, open: frames)
        let output = Int(memo.entries[entry].output)
        guard output >= 0, stamp.stands else { return }
        let name = memo.hashedName(of: output, shownSeed)
        let marks = shown.marks(of: name, in: object).union(.taken)
        shown.note(marks, of: name, in: object, open: frames)
    }
}

extension KeyMemo.Entry {
    fileprivate mutating func decide(_ fate: Converter.Fate) {
        valueState = fate.match.state
        valueRule = fate.match.rule
        isLossy = fate.loss != nil
        isDropped = fate.match.isDropped
        traits = fate.match.traits
        move = fate.match.move
        requirement = fate.match.requirement
        addition = fate.match.addition
    }
}

extension [UInt8] {
    /// A copy of the bytes of a span.
    init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in 0..<span.count { append(span[index]) }
    }
}
