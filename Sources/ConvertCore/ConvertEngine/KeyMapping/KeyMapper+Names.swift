import ConvertText

/// Decisions on keys that the key cache does not know, and emptying the cache when it is full.
extension KeyMapper {
    /// Decides on the key that was read, which the key cache does not know, and adds it to the cache.
    @inline(never)
    mutating func remember(
        at position: Int, _ containers: inout Containers, _ valueState: inout Int32
    ) throws(EngineError) -> Int {
        if cache.isFull || paths.isFull || !cache.hasRoom(for: spelling.count) {
            empty(&containers, &valueState)
            // The emptied cache has the current keys of open objects, so it may have this one again.
            let known = knownEntry(state: containers.top.state)
            guard known < 0 else { return known }
        }
        guard cache.hasRoom(for: spelling.count) else { throw EngineError(kind: .namesLength, position: position) }
        return insertKey(state: containers.top.state)
    }

    /// Adds the keys of open members that the fast path only copied, or that bypassed the cache: pointers of errors need them.
    mutating func storeOpenKeys(
        in chunk: Span<UInt8>, _ containers: inout Containers, _ valueState: inout Int32
    ) {
        guard hasUnstoredKeys else { return }
        hasUnstoredKeys = false
        // The payload itself has no key.
        guard containers.depth > 0 else { return }
        // If keys are ignored, the cache gets keys only here.
        if plan.ignoresNames, cache.isFull { empty(&containers, &valueState) }
        var key = ByteBuffer()
        swap(&key, &spelling)
        for index in 1...containers.depth {
            let open = containers[index]
            // A position in this chunk means nothing in the next one.
            containers[index].keyPosition = -1
            guard open.entry < 0, open.keyPosition >= 0 else { continue }
            spelling.removeAll()
            var end = open.keyPosition + 1
            while chunk[end] != ASCII.quote { end += chunk[end] == ASCII.backslash ? 2 : 1 }
            spelling.append(chunk.extracting((open.keyPosition + 1)...end))
            spelling.padWithSlack()
            if !cache.hasRoom(for: spelling.count) { empty(&containers, &valueState) }
            let known = knownEntry(state: containers[index].state)
            containers[index].entry = Int32(known >= 0 ? known : insertKey(state: containers[index].state))
        }
        swap(&key, &spelling)
    }

    /// The entry for `spelling`, or -1.
    mutating func knownEntry(state: Int32) -> Int { cache.find(spelling, state: state, kind: .spelling) }

    /// Adds an entry for `spelling` in an object of path state `state`.
    mutating func insertKey(state: Int32) -> Int {
        let (hasEscape, holdsLoneSurrogate) = readContent()
        let entry = cache.insert(spelling, state: state, kind: .spelling)
        let canonical = canonicalEntry(of: entry, state: state, hasEscape: hasEscape)
        // A key can be spelled in many ways with escapes, and a decision takes longer the more rules are below the key. So it is made once.
        let known = hasEscape ? escapedResolutions[canonical] : nil
        let name = [UInt8](content)
        var resolution = known ?? resolution(of: name, state, holdsLoneSurrogate: holdsLoneSurrogate)
        if plan.streamsMoves {
            // Only members with which a value that moves may collide are looked at.
            resolution.match.traits.remove(.route)
            let findsCollisions = plan.policies.collision == .error && paths.isAnchor(state)
            if findsCollisions, plan.selectors.movedNames[resolution.output ?? name] != nil {
                resolution.match.traits.insert(.route)
            }
        } else if plan.holdsText, plan.selectors.placesMember(named: resolution.output ?? name) {
            resolution.match.traits.insert(.route)
        }
        if hasEscape { escapedResolutions[canonical] = resolution }
        cache.entries[entry].decide(resolution)
        cache.entries[entry].canonical = Int32(canonical)
        let output = prefixed(resolution.output, name, state)
        let isMovedAway = plan.holdsText && resolution.match.move >= 0
        if canRename || writesBeside(state), tracksNames, !resolution.match.isDropped, !isMovedAway {
            linkOutput(output ?? name, of: canonical, state)
        }
        writeText(of: entry, renamed: output)
        return entry
    }

    /// Whether objects of this path state write into one object with others, because some of them are flattened.
    private func writesBeside(_ state: Int32) -> Bool {
        plan.streamsFlattened && paths[state].flattenings != nil
    }

    /// The output key with the prefixes of the flattened objects around it; nil if the key `name` stays unchanged.
    private func prefixed(_ output: [UInt8]?, _ name: [UInt8], _ state: Int32) -> [UInt8]? {
        guard plan.streamsFlattened, let flattenings = paths[state].flattenings else { return output }
        let prefix = flattenings.flatMap { plan.selectors.moves[Int($0)].flattening?.prefix ?? [] }
        return prefix.isEmpty ? output : prefix + (output ?? name)
    }

    /// Puts the unescaped key of `spelling` into `content`.
    private mutating func readContent() -> (hasEscape: Bool, holdsLoneSurrogate: Bool) {
        let length = spelling.count - 1
        content.removeAll()
        guard spelling.contains(ASCII.backslash) else {
            content.append(first: length, of: spelling)
            return (false, false)
        }
        return (true, JSONText.appendContent(of: spelling, count: length, to: &content))
    }

    /// The one entry for the key of `entry`, however it is spelled; `content` holds the key.
    private mutating func canonicalEntry(of entry: Int, state: Int32, hasEscape: Bool) -> Int {
        guard hasEscape || cache.holdsNames else { return entry }
        content.padWithSlack()
        let known = cache.find(content, state: state, kind: .name)
        if known >= 0 { return known }
        guard hasEscape else { return entry }
        // If the plain spelling has an entry, that represents the key. A key with a backslash or quote has no plain spelling.
        if !content.contains(ASCII.backslash), !content.contains(ASCII.quote) {
            var plain = ByteBuffer(capacity: content.count + 1 + 2 * ByteBuffer.slackBytes)
            plain.append(content.bytes)
            plain.append(ASCII.quote)
            plain.padWithSlack()
            let found = cache.find(plain, state: state, kind: .spelling)
            if found >= 0 { return found }
        }
        return cache.insert(content, state: state, kind: .name)
    }

    /// Adds a key to the chain of those with the same output key.
    private mutating func linkOutput(_ output: [UInt8], of canonical: Int, _ state: Int32) {
        guard cache.entries[canonical].output < 0 else { return }
        text.removeAll()
        text.append(output)
        linkText(of: canonical, state)
    }

    /// Adds a key to the chain of those whose output key is `text`.
    mutating func linkText(of canonical: Int, _ state: Int32) {
        text.padWithSlack()
        // Keys of objects that write into one object collide with each other, so their output keys are in one chain.
        let scope = writesBeside(state) ? Self.sharedState : state
        cache.link(canonical, toOutput: cache.outputEntry(text, state: scope))
    }

    /// Stores comma, quoted output key and colon. `spelling` holds the input key.
    private mutating func writeText(of entry: Int, renamed output: [UInt8]?) {
        text.removeAll()
        text.append(ASCII.comma)
        text.append(ASCII.quote)
        if let output {
            JSONText.appendSpelling(of: output.span, to: &text)
        } else {
            text.append(first: spelling.count - 1, of: spelling)
        }
        text.append(ASCII.quote)
        text.append(ASCII.colon)
        storeText(of: entry)
    }

    /// Stores `text` as the text of an entry, which must be complete otherwise.
    mutating func storeText(of entry: Int) {
        cache.setText(text, for: entry)
        guard searches, cache.entries[entry].fastPathState < -1, searchStops(at: entry) else { return }
        cache.entries[entry].fastPathState = -1
    }

    /// Whether a search must stop at a key that is not kept, because `keep` looks for something else in its value, or another rule acts on it.
    private mutating func searchStops(at entry: Int) -> Bool {
        let (state, value) = (cache.entries[entry].state, cache.entries[entry].valueState)
        let members = paths.plainMembers(of: state)
        guard members.areSearched else { return false }
        // Objects in a dropped value have other keys, so that the search stops in them.
        guard !cache.entries[entry].isDropped else { return false }
        guard cache.entries[entry].traits == .searched, cache.entries[entry].valueRule < 0 else { return true }
        // No more states are made for keys whose values are searched for something else.
        return value != state && !(value == members.state && paths.plainMembers(of: value).areSearched)
    }

    // MARK: Emptying the key cache

    /// The current key of an open object, with the decision on it.
    private struct OpenKey {
        let depth: Int
        let entry: KeyCache.Entry
        /// The spelling with its closing quote, the text that is written for it, and the output key if it can collide.
        let spelling, text: [UInt8]
        let output: [UInt8]?
    }

    /// Makes sure that the path automaton has room for the states of a container. A search makes few states; the automaton cannot be emptied
    /// in it, because searched objects have other states.
    mutating func makeRoom(_ containers: inout Containers, _ valueState: inout Int32) {
        if paths.isFull, !isSearching { empty(&containers, &valueState) }
    }

    /// Empties key cache and path automaton, except for the keys and states that open containers need.
    private mutating func empty(_ containers: inout Containers, _ valueState: inout Int32) {
        hasForgottenKeys = true
        emptyings += 1
        if tracksNames { noteTaggedNames(&containers) }
        let keys = openKeys(containers)
        var states: [Int32] = []
        for index in 0...containers.depth { states += [containers[index].state, containers[index].elementState] }
        states.append(valueState)
        states += keys.map { $0.entry.valueState }
        paths.removeAll(keeping: &states, plan.paths)
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
        cache.resetLimits()
        paths.resetLimits()
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

    /// Adds a key to the emptied key cache. Several objects of one state may be at the same key, which has one entry.
    private mutating func enter(_ key: OpenKey, _ valueState: Int32, state: Int32) -> Int {
        spelling.removeAll()
        spelling.append(key.spelling)
        spelling.padWithSlack()
        let known = knownEntry(state: state)
        guard known < 0 else { return known }
        let entry = cache.insert(spelling, state: state, kind: .spelling)
        cache.entries[entry].decide(as: key.entry, valueState: valueState)
        let (hasEscape, _) = readContent()
        cache.entries[entry].canonical = Int32(canonicalEntry(of: entry, state: state, hasEscape: hasEscape))
        if let output = key.output { linkOutput(output, of: Int(cache.entries[entry].canonical), state) }
        text.removeAll()
        text.append(key.text)
        storeText(of: entry)
        return entry
    }

    /// Copies the keys that open objects have had from the tags of the key cache to `seen`, which needs no tags.
    private mutating func noteTaggedNames(_ containers: inout Containers) {
        for index in 0...containers.depth where containers[index].kind == .object {
            if !containers[index].hasSeenKeys { containers[index].passedStart = Int32(passed.count) }
            containers[index].firstSeenEntry = 0
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
        let input = hashedInput(of: entry)
        // The marks of an earlier member with this key no longer count.
        let known = seen.marks(of: input, in: object).subtracting([.collided, .removed])
        seen.note(known.union(tag.marks), of: input, in: object, open: containers)
        let output = Int(cache.entries[entry].output)
        guard output >= 0, tag.isPresent else { return }
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
