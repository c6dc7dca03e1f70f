extension Engine {
    /// At a key or at the end of an empty object.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func beginKey(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) {
        guard byte == ASCII.quote else {
            if byte == ASCII.closeBrace, lexerState == .firstKey {
                reader.advance()
                try closeContainer(&output, at: reader.position - 1)
                return
            }
            throw unexpected(lexerState == .firstKey ? .expectedKeyOrEnd : .expectedKey, byte, reader)
        }
        let start = reader.position
        reader.advance()
        if let entry = predictedEntry(reader) {
            reader.advance(Int(keyCache.entries[entry].keyCount))
            try acceptKey(entry, at: start, &output)
            if !reader.isAtEnd, reader.next == ASCII.colon {
                reader.advance()
                lexerState = .value
            }
        } else {
            holdToken(.keyText, start)
        }
    }

    /// The entry that followed the last key before, if the same key comes again in an object of the same path state.
    @inline(__always)
    private func predictedEntry(_ reader: borrowing ChunkReader) -> Int? {
        guard predictor.last >= 0 else { return nil }
        let predicted = Int(keyCache.entries[predictor.last].next)
        guard predicted >= 0, keyCache.entries[predicted].state == containers.top.state else { return nil }
        let start = Int(keyCache.entries[predicted].keyStart)
        let length = Int(keyCache.entries[predicted].keyCount)
        return reader.matches(keyCache.arena, from: start, length: length) ? predicted : nil
    }

    /// Reads the rest of a key that was not predicted; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueKey(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(Fault) -> Bool {
        let start = payload.heldOffset - payload.chunkOffset
        let isWhole: Bool
        do throws(Fault) {
            isWhole = try strings.copyVerbatim(&reader, into: &held)
        } catch {
            // In smaller chunks the limit would have been judged before this fault was met.
            throw held.count > maxKeyBytes ? Fault(kind: .keyLength, position: start) : error
        }
        // The closing quote is held too, since a predicted key is compared with it.
        guard held.count - (isWhole ? 1 : 0) <= maxKeyBytes else { throw Fault(kind: .keyLength, position: start) }
        guard isWhole else { return false }
        held.padWithSlack()
        let hash = keyCache.hash(held, from: 0, length: held.count - 1, state: containers.top.state, kind: .spelling)
        var entry = keyCache.find(
            held, from: 0, length: held.count, state: containers.top.state, kind: .spelling, hash: hash)
        if entry < 0 { entry = try rememberHeldKey(at: start) }
        // A lossy name is never predicted, so that every such key comes by here.
        let isRefused = keyCache.entries[entry].isLossy && plan.refusesLossyNames
        if !isRefused, predictor.last >= 0 {
            keyCache.predict(entry, after: predictor.last, at: predictor.place(own: containers.top.entry))
        }
        try acceptKey(entry, at: start, isRefused: isRefused, &output)
        return true
    }

    /// Writes the key of `entry`, unless a policy leaves its member out.
    @inline(__always)
    private mutating func acceptKey(
        _ entry: Int, at position: Int, isRefused: Bool = false, _ output: inout ByteBuffer
    ) throws(Fault) {
        predictor.pass(entry)
        containers.top.entry = Int32(entry)
        valueState = keyCache.entries[entry].valueState
        valueRule = keyCache.entries[entry].valueRule
        lexerState = .colon
        if isStaged {
            valueTraits = keyCache.entries[entry].traits
            memberBegins(mark: output.count, offset: payload.chunkOffset + position)
            let requirement = keyCache.entries[entry].requirement
            if requirement >= 0 {
                savepoints[containers.depth].requirement = requirement
                counters.change(requirement: Int(requirement), in: containers.depth, by: 1)
            }
            if hold.isActive {
                addNode(valueTraits, move: keyCache.entries[entry].move, isLeftOut: keyCache.entries[entry].isDropped)
            }
        }
        if isRefused {
            let fault = Fault(kind: lossKind(of: entry), position: position, entry: Int32(entry))
            if valueTraits.contains(.trail), hold.isActive {
                try deferUntilMoved(fault)
            } else {
                try reportName(fault, output.count)
            }
        }
        if tracksNames, !payload.records.isBad {
            switch try checkDuplicate(entry, at: position, output.count) {
            case .stands: break
            case .falls:
                let isFound = valueTraits.isDisjoint(with: [.searched, .passed])
                if isStaged, isFound { holdFoundPlace() }
                // Moves and `keep` come before collisions, so that they are judged in what falls, too.
                guard isStaged, !isFound || !plan.selectors.moves.isEmpty else { return discard(from: output.count) }
                savepoints[containers.depth].isRemoved = !payload.discard.isActive
                if payload.fallenDepth < 0 { payload.fallenDepth = containers.depth }
            case .repeats:
                // Duplicates are judged before any rule, so none looks at the value.
                valueState = PathAutomaton.inert
                valueRule = -1
                valueTraits = []
                if isStaged { forgetRepetition() }
                return discard(from: output.count)
            }
        }
        if keyCache.entries[entry].isDropped { return discard(from: output.count) }
        let addition = keyCache.entries[entry].addition
        if addition >= 0, !payload.discard.isActive {
            savepoints[containers.depth].addition = addition
            counters.change(addition: Int(addition), in: containers.depth, by: 1)
        }
        if sortsText { sorting.memberBegins(at: output.count, in: containers.depth) }
        let start = Int(keyCache.entries[entry].textStart)
        let length = Int(keyCache.entries[entry].textCount)
        if indent > 0 {
            writeIndentedKey(start, length, &output)
            return
        }
        // The text begins with the comma that the first member does not have.
        let skipped = containers.top.isEmpty ? 1 : 0
        containers.top.isEmpty = false
        output.append(keyCache.arena, from: start &+ skipped, length: length &- skipped)
    }

    @inline(never)
    private mutating func writeIndentedKey(_ start: Int, _ length: Int, _ output: inout ByteBuffer) {
        if !containers.top.isEmpty { output.append(ASCII.comma) }
        containers.top.isEmpty = false
        appendNewLine(&output, level: containers.depth)
        output.append(keyCache.arena, from: start + 1, length: length - 1)
        if !hold.isActive, !payload.stringify.isActive { output.append(ASCII.space) }
    }

    /// Leaves out the value that comes next: it is checked as JSON and written nowhere.
    @inline(never)
    mutating func discard(from mark: Int) { payload.discard.begin(at: containers.depth, mark: mark) }

    /// Begins to hold a token that is needed whole.
    @inline(__always)
    mutating func holdToken(_ kind: LexerState, _ start: Int) {
        held.removeAll()
        payload.heldOffset = payload.chunkOffset + start
        lexerState = kind
    }

    // MARK: Names of open objects

    /// What becomes of a member because of those before it.
    private enum Verdict {
        case stands
        /// It is left out, since another name was first to be written as this one is.
        case falls
        /// It is left out, since its name was there before.
        case repeats
    }

    /// Judges the name of `entry` against those that the object had before.
    @inline(__always)
    private mutating func checkDuplicate(_ entry: Int, at position: Int, _ mark: Int) throws(Fault) -> Verdict {
        let canonical = Int(keyCache.entries[entry].canonical)
        let last = keyCache.entries[canonical].tag
        var earlier: EarlierName?
        if last.isSameObject(as: containers.top.tag) {
            earlier = EarlierName(hasFallen: last.hasFallen, isGone: last.isGone)
        } else if containers.top.hasSeenKeys {
            earlier = seenName(canonical)
        }
        if let earlier {
            let verdict = try settleDuplicate(hasFallen: earlier.hasFallen, entry, at: position, mark)
            // If the earlier ones were taken back, this one counts as the first, unless it falls itself.
            let isFirst = earlier.isGone && verdict == .stands && !payload.records.isBad
            if isStaged { savepoints[containers.depth].isFirst = isFirst }
            guard isFirst else { return verdict }
        }
        var tag = containers.top.tag
        if containers.top.hasSeenKeys || keyCache.entries[canonical].isShared,
            try collides(entry, canonical, at: position)
        {
            tag = tag.fallen
        }
        noteTag(canonical, over: last)
        keyCache.entries[canonical].tag = tag
        return tag.hasFallen ? .falls : .stands
    }

    /// Notes a name's tag that is about to be written over, if its object is still open: when this one ends, it comes back.
    @inline(__always)
    mutating func noteTag(_ canonical: Int, over last: ObjectTag) {
        guard last.depth < containers.depth, !last.isNone, isOpen(last) else { return }
        undo.append(TagUndo(entry: Int32(canonical), tag: last))
    }

    /// Whether the object is open, or it is none.
    @inline(__always)
    func isOpen(_ tag: ObjectTag) -> Bool { containers[tag.depth].tag.isSameObject(as: tag) }

    @inline(never)
    private mutating func settleDuplicate(
        hasFallen: Bool, _ entry: Int, at position: Int, _ mark: Int
    ) throws(Fault) -> Verdict {
        switch plan.policies.duplicateKey {
        case .error:
            try reportName(Fault(kind: .duplicateKey, position: position, entry: Int32(entry)), mark)
            return .stands
        case .first: return .repeats
        case .keep: return hasFallen ? .falls : .stands
        case .last:
            if isStaged { noteRepetition() }
            return .stands
        }
    }

    /// What is known of a name that the object had before.
    private struct EarlierName {
        /// Whether a collision left it out.
        let hasFallen: Bool
        /// Whether its member was taken back.
        let isGone: Bool
    }

    /// What the object had of the name before the key cache was emptied, or where it passed.
    @inline(never)
    private mutating func seenName(_ canonical: Int) -> EarlierName? {
        let input = keyCache.hashedName(of: canonical, seenSeed)
        let marks = seen.marks(of: input, in: containers.top.tag)
        guard marks.contains(.seen) else {
            let output = Int(keyCache.entries[canonical].output)
            guard output >= 0,
                seen.isBorne(keyCache.hashedName(of: output, seenSeed), by: input, in: containers.top.tag)
            else { return nil }
            return EarlierName(hasFallen: false, isGone: false)
        }
        return EarlierName(hasFallen: marks.contains(.fallen), isGone: marks.contains(.gone))
    }

    /// Whether a member has this output name without an entry in the key cache.
    private mutating func isTakenUnknown(_ canonical: Int) -> Bool {
        let output = Int(keyCache.entries[canonical].output)
        guard containers.top.hasSeenKeys, output >= 0 else { return false }
        return seen.marks(of: keyCache.hashedName(of: output, seenSeed), in: containers.top.tag).contains(.taken)
    }

    /// Whether the member falls to another with its output name, which the tag alone does not tell.
    @inline(never)
    private mutating func collides(_ entry: Int, _ canonical: Int, at position: Int) throws(Fault) -> Bool {
        // In a held object that shows at its end.
        guard !hold.isActive else { return false }
        guard isTakenUnknown(canonical) || keyCache.standingSibling(of: canonical, in: containers.top.tag) >= 0 else {
            return false
        }
        switch plan.policies.collision {
        case .error:
            // Judged after `prune` and `keep`: if the member is taken back, nothing collides.
            guard isStaged else { throw Fault(kind: .collision, position: position, entry: Int32(entry)) }
            savepoints[containers.depth].collides = !payload.discard.isActive
            if !payload.discard.isActive { noteOpenFault(at: savepoints[containers.depth].offset) }
            return false
        case .first: return true
        case .keep, .last: return false
        }
    }

    /// The member just read was taken back: another one may have its name.
    mutating func forgetMember() {
        let canonical = Int(keyCache.entries[Int(containers.top.entry)].canonical)
        let tag = keyCache.entries[canonical].tag
        if tag.isSameObject(as: containers.top.tag) {
            keyCache.entries[canonical].tag = tag.gone
        } else if containers.top.hasSeenKeys {
            forgetSeenMember(canonical)
        }
    }

    private mutating func forgetSeenMember(_ canonical: Int) {
        let input = keyCache.hashedName(of: canonical, seenSeed)
        let marks = seen.marks(of: input, in: containers.top.tag)
        seen.note(marks.union([.seen, .gone]), of: input, in: containers.top.tag, open: containers)
        let output = Int(keyCache.entries[canonical].output)
        // What collides has not got the name.
        guard output >= 0, !marks.contains(.fallen), !savepoints[containers.depth].collides else { return }
        let name = keyCache.hashedName(of: output, seenSeed)
        let known = seen.marks(of: name, in: containers.top.tag)
        seen.note(known.subtracting(.taken), of: name, in: containers.top.tag, open: containers)
    }

    /// The innermost object ends: tags that it wrote over come back.
    @inline(__always)
    mutating func forgetNames() {
        while undo.count > Int(containers.top.undoStart) {
            let last = undo.removeLast()
            keyCache.entries[Int(last.entry)].tag = last.tag
        }
        if containers.top.hasSeenKeys { passed.truncate(to: min(passed.count, Int(containers.top.passedStart))) }
    }
}
