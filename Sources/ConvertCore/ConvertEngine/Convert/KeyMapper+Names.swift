import ConvertText

/// Deciding on a key that the key cache does not know, and emptying the key cache when it is full.
extension KeyMapper {
    /// Decides what becomes of the key that was read, which the key cache does not know, and remembers it.
    @inline(never)
    mutating func remember(
        at position: Int, _ containers: inout Containers, _ valueState: inout Int32
    ) throws(Fault) -> Int {
        if cache.isFull || paths.isFull || !cache.hasRoom(for: spelling.count) {
            empty(&containers, &valueState)
            // It is there again if an object around this one is at a key of this name.
            let known = knownEntry(state: containers.top.state)
            guard known < 0 else { return known }
        }
        guard cache.hasRoom(for: spelling.count) else { throw Fault(kind: .namesLength, position: position) }
        return insertKey(state: containers.top.state)
    }

    /// Enters the names of open members that the fast path only copied or let pass, and that are needed where a fault is met.
    mutating func rememberPlaces(
        in chunk: Span<UInt8>, _ containers: inout Containers, _ valueState: inout Int32
    ) {
        guard hasPlaces else { return }
        hasPlaces = false
        // Where names are ignored, nothing else is learned.
        if plan.ignoresNames, cache.isFull { empty(&containers, &valueState) }
        var key = ByteBuffer()
        swap(&key, &spelling)
        for index in 0...containers.depth {
            let open = containers[index]
            // It says nothing of the next chunk.
            containers[index].place = -1
            guard open.entry < 0, open.place >= 0 else { continue }
            spelling.removeAll()
            var end = open.place + 1
            while chunk[end] != ASCII.quote { end += 1 }
            spelling.append(chunk.extracting((open.place + 1)...end))
            spelling.padWithSlack()
            let known = knownEntry(state: open.state)
            containers[index].entry = Int32(known >= 0 ? known : insertKey(state: open.state))
        }
        swap(&key, &spelling)
    }

    /// The entry for `spelling`, or -1.
    mutating func knownEntry(state: Int32) -> Int {
        let hash = cache.hash(spelling, from: 0, length: spelling.count - 1, state: state, kind: .spelling)
        return cache.find(spelling, from: 0, length: spelling.count, state: state, kind: .spelling, hash: hash)
    }

    /// Adds an entry for `spelling` in an object of path state `state`.
    private mutating func insertKey(state: Int32) -> Int {
        let (hasEscape, holdsLoneSurrogate) = readContent()
        let hash = cache.hash(spelling, from: 0, length: spelling.count - 1, state: state, kind: .spelling)
        let entry = cache.insert(spelling, from: 0, length: spelling.count, state: state, kind: .spelling, hash: hash)
        let canonical = canonicalEntry(of: entry, state: state, hasEscape: hasEscape)
        // A name has many spellings, and to decide on it may take as long as the profile has rules below it.
        let known = hasEscape ? escapedResolutions[canonical] : nil
        let resolution = known ?? resolveContent(state, holdsLoneSurrogate: holdsLoneSurrogate)
        if hasEscape { escapedResolutions[canonical] = resolution }
        cache.entries[entry].decide(resolution)
        cache.entries[entry].canonical = Int32(canonical)
        if canRename, tracksNames, !resolution.match.isDropped {
            linkOutput(resolution.output ?? [UInt8](content), of: canonical, state)
        }
        writeText(of: entry, renamed: resolution.output)
        return entry
    }

    /// What becomes of the name in `content` in an object of path state `state`.
    private mutating func resolveContent(_ state: Int32, holdsLoneSurrogate: Bool) -> NameResolution {
        let name = [UInt8](content)
        return plan.isInverse
            ? inverseResolution(of: name, state, holdsLoneSurrogate)
            : guardedResolution(of: name, state, holdsLoneSurrogate)
    }

    /// Puts the name that `spelling` spells into `content`.
    private mutating func readContent() -> (hasEscape: Bool, holdsLoneSurrogate: Bool) {
        let length = spelling.count - 1
        content.removeAll()
        guard spelling.contains(ASCII.backslash) else {
            content.append(first: length, of: spelling)
            return (false, false)
        }
        return (true, JSONText.appendContent(of: spelling, count: length, to: &content))
    }

    /// The one entry for the name of `entry`, however it is spelled; `content` holds the name.
    private mutating func canonicalEntry(of entry: Int, state: Int32, hasEscape: Bool) -> Int {
        guard hasEscape || cache.holdsNames else { return entry }
        content.padWithSlack()
        let nameHash = cache.hash(content, from: 0, length: content.count, state: state, kind: .name)
        let known = cache.find(content, from: 0, length: content.count, state: state, kind: .name, hash: nameHash)
        if known >= 0 { return known }
        guard hasEscape else { return entry }
        // The plain spelling, where it was seen, stands for itself. Content with a backslash or quote has no plain one.
        if !content.contains(ASCII.backslash), !content.contains(ASCII.quote) {
            var plain = ByteBuffer(capacity: content.count + 1 + 2 * ByteBuffer.slackBytes)
            plain.append(content.bytes)
            plain.append(ASCII.quote)
            plain.padWithSlack()
            let hash = cache.hash(plain, from: 0, length: plain.count - 1, state: state, kind: .spelling)
            let found = cache.find(plain, from: 0, length: plain.count, state: state, kind: .spelling, hash: hash)
            if found >= 0 { return found }
        }
        return cache.insert(content, from: 0, length: content.count, state: state, kind: .name, hash: nameHash)
    }

    /// Enters a name into the chain of those with the same output name.
    private mutating func linkOutput(_ output: [UInt8], of canonical: Int, _ state: Int32) {
        guard cache.entries[canonical].output < 0 else { return }
        text.removeAll()
        text.append(output)
        text.padWithSlack()
        let hash = cache.hash(text, from: 0, length: text.count, state: state, kind: .output)
        var entry = cache.find(text, from: 0, length: text.count, state: state, kind: .output, hash: hash)
        if entry < 0 {
            entry = cache.insert(text, from: 0, length: text.count, state: state, kind: .output, hash: hash)
        }
        cache.link(canonical, toOutput: entry)
    }

    /// Stores comma, quoted output name and colon; `spelling` is the input's spelling and `content` its name.
    private mutating func writeText(of entry: Int, renamed output: [UInt8]?) {
        // What no rule looks into is written nowhere, or as it is, in a string.
        let escapes = cache.entries[entry].state == PathAutomaton.inert ? .preserve : plan.output.escapes
        text.removeAll()
        text.append(ASCII.comma)
        text.append(ASCII.quote)
        if let output {
            JSONText.appendSpelling(of: output.span, to: &text, escapes)
        } else if escapes == .preserve {
            text.append(first: spelling.count - 1, of: spelling)
        } else {
            JSONText.appendSpelling(of: content, to: &text, escapes)
        }
        text.append(ASCII.quote)
        text.append(ASCII.colon)
        cache.setText(text, for: entry)
    }

    // MARK: Emptying the key cache

    /// A key that an open object is at, and what was decided on it.
    private struct OpenKey {
        /// The depth of the object.
        let depth: Int
        let entry: KeyCache.Entry
        /// The spelling, closing quote included, what is written for it, and the output name if it can collide.
        let spelling, text: [UInt8]
        let output: [UInt8]?
    }

    /// Sees to it that the path automaton has room for the states of a container.
    mutating func makeRoom(_ containers: inout Containers, _ valueState: inout Int32) {
        if paths.isFull { empty(&containers, &valueState) }
    }

    /// Starts key cache and path automaton anew, keeping what open containers need of them.
    private mutating func empty(_ containers: inout Containers, _ valueState: inout Int32) {
        if tracksNames { noteTaggedNames(&containers) }
        let keys = openKeys(containers)
        var states: [Int32] = []
        for index in 0...containers.depth { states += [containers[index].state, containers[index].elementState] }
        states.append(valueState)
        states += keys.map { $0.entry.valueState }
        paths.removeAll(keeping: &states)
        for index in 0...containers.depth {
            (containers[index].state, containers[index].elementState) = (states[2 * index], states[2 * index + 1])
            containers[index].undoStart = 0
        }
        let ownStates = 2 * (containers.depth + 1)
        valueState = states[ownStates]
        let valueStates = states[(ownStates + 1)...]
        cache.removeAll()
        escapedResolutions.removeAll()
        undo.removeAll()
        predictor = KeyCache.Predictor()

        var key = ByteBuffer()
        swap(&key, &spelling)
        for (key, valueState) in zip(keys, valueStates) {
            containers[key.depth].entry = Int32(enter(key, valueState, state: containers[key.depth].state))
        }
        swap(&key, &spelling)
        cache.settle()
        paths.settle()
    }

    private func openKeys(_ containers: borrowing Containers) -> [OpenKey] {
        var keys: [OpenKey] = []
        for index in 0...containers.depth where containers[index].entry >= 0 {
            let entry = cache.entries[Int(containers[index].entry)]
            let output = Int(cache.entries[Int(entry.canonical)].output)
            keys.append(
                OpenKey(
                    depth: index, entry: entry, spelling: cache.bytes(from: entry.keyStart, count: entry.keyCount),
                    text: cache.bytes(from: entry.textStart, count: entry.textCount),
                    output: output < 0 ? nil : nameBytes(of: output)))
        }
        return keys
    }

    /// Enters a key into the key cache that was emptied; the same may stand in several objects of one state.
    private mutating func enter(_ key: OpenKey, _ valueState: Int32, state: Int32) -> Int {
        spelling.removeAll()
        spelling.append(key.spelling)
        spelling.padWithSlack()
        let known = knownEntry(state: state)
        guard known < 0 else { return known }
        let hash = cache.hash(spelling, from: 0, length: spelling.count - 1, state: state, kind: .spelling)
        let entry = cache.insert(spelling, from: 0, length: spelling.count, state: state, kind: .spelling, hash: hash)
        cache.entries[entry].decide(as: key.entry, valueState: valueState)
        let (hasEscape, _) = readContent()
        cache.entries[entry].canonical = Int32(canonicalEntry(of: entry, state: state, hasEscape: hasEscape))
        if let output = key.output { linkOutput(output, of: Int(cache.entries[entry].canonical), state) }
        text.removeAll()
        text.append(key.text)
        cache.setText(text, for: entry)
        return entry
    }

    /// Moves the names that open objects have shown from the key cache's tags to where names without one are.
    private mutating func noteTaggedNames(_ containers: inout Containers) {
        for index in 0...containers.depth where containers[index].kind == .object {
            if !containers[index].hasSeenKeys { containers[index].passedStart = Int32(passed.count) }
            containers[index].firstDoubtful = 0
        }
        for index in 0..<cache.entries.count {
            noteName(of: index, cache.entries[index].tag, containers)
        }
        for index in 0..<undo.count {
            noteName(of: Int(undo[index].entry), undo[index].tag, containers)
        }
    }

    private mutating func noteName(of entry: Int, _ tag: ObjectTag, _ containers: borrowing Containers) {
        guard !tag.isNone, tag.depth <= containers.depth else { return }
        let object = containers[tag.depth].tag
        guard object.isSameObject(as: tag) else { return }
        let input = cache.hashedName(of: entry, seenSeed)
        // What became of an earlier member of the name no longer counts.
        let known = seen.marks(of: input, in: object).subtracting([.fallen, .gone])
        seen.note(known.union(tag.marks), of: input, in: object, open: containers)
        let output = Int(cache.entries[entry].output)
        guard output >= 0, tag.stands else { return }
        let name = cache.hashedName(of: output, seenSeed)
        let marks = seen.marks(of: name, in: object).union(.taken)
        seen.note(marks, of: name, in: object, open: containers)
    }
}

extension KeyCache.Entry {
    fileprivate mutating func decide(_ resolution: KeyMapper.NameResolution) {
        valueState = resolution.match.state
        valueRule = resolution.match.rule
        isLossy = resolution.loss != nil
        isDropped = resolution.match.isDropped
        traits = resolution.match.traits
        move = resolution.match.move
        requirement = resolution.match.requirement
        addition = resolution.match.addition
    }
}

extension [UInt8] {
    /// A copy of the bytes of a span.
    package init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in 0..<span.count { append(span[index]) }
    }
}
