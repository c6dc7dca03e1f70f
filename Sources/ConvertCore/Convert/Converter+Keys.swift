extension Converter {
    /// At a key or at the end of an empty object.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func beginKey(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(Fault) {
        guard byte == ASCII.quote else {
            if byte == ASCII.closeBrace, expectation == .firstKey {
                reader.advance()
                try closeContainer(&output, at: reader.position - 1)
                return
            }
            throw unexpected(expectation == .firstKey ? .expectedKeyOrEnd : .expectedKey, byte, reader)
        }
        let start = reader.position
        reader.advance()
        if let entry = predictedEntry(reader) {
            reader.advance(Int(memo.entries[entry].keyCount))
            try acceptKey(entry, at: start, &output)
            if !reader.isAtEnd, reader.next == ASCII.colon {
                reader.advance()
                expectation = .value
            }
        } else {
            holdToken(.keyText, start)
        }
    }

    /// The entry that followed the last key before, if the same key comes again in an object of the same path state.
    @inline(__always)
    private func predictedEntry(_ reader: borrowing ChunkReader) -> Int? {
        guard context.last >= 0 else { return nil }
        let predicted = Int(memo.entries[context.last].next)
        guard predicted >= 0, memo.entries[predicted].state == frames.top.state else { return nil }
        let start = Int(memo.entries[predicted].keyStart)
        let length = Int(memo.entries[predicted].keyCount)
        return reader.matches(memo.arena, from: start, length: length) ? predicted : nil
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
        let hash = memo.hash(held, from: 0, length: held.count - 1, state: frames.top.state, kind: .spelling)
        var entry = memo.find(held, from: 0, length: held.count, state: frames.top.state, kind: .spelling, hash: hash)
        if entry < 0 { entry = try rememberHeldKey(at: start) }
        // A lossy name is never predicted, so that every such key comes by here.
        let isRefused = memo.entries[entry].isLossy && plan.refusesLossyNames
        if !isRefused, context.last >= 0 {
            memo.predict(entry, after: context.last, at: context.place(own: frames.top.entry))
        }
        try acceptKey(entry, at: start, isRefused: isRefused, &output)
        return true
    }

    /// Writes the key of `entry`, unless a policy leaves its member out.
    @inline(__always)
    private mutating func acceptKey(
        _ entry: Int, at position: Int, isRefused: Bool = false, _ output: inout ByteBuffer
    ) throws(Fault) {
        context.pass(entry)
        frames.top.entry = Int32(entry)
        valueState = memo.entries[entry].valueState
        valueRule = memo.entries[entry].valueRule
        expectation = .colon
        if elaborates {
            valueTraits = memo.entries[entry].traits
            beginMember(mark: output.count, offset: payload.chunkOffset + position)
            let requirement = memo.entries[entry].requirement
            if requirement >= 0 {
                levels[frames.depth].requirement = requirement
                counters.change(requirement: Int(requirement), in: frames.depth, by: 1)
            }
            if hold.isActive {
                addNode(valueTraits, move: memo.entries[entry].move, isVoid: memo.entries[entry].isDropped)
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
            switch try admitName(entry, at: position, output.count) {
            case .stands: break
            case .falls:
                let isFound = valueTraits.isDisjoint(with: [.searched, .passed])
                if elaborates, isFound { holdFoundPlace() }
                // Moves and `keep` come before collisions, so that they are judged in what falls, too.
                guard elaborates, !isFound || !plan.selectors.moves.isEmpty else { return discard(from: output.count) }
                levels[frames.depth].isRemoved = !payload.discard.isActive
                if payload.fallenDepth < 0 { payload.fallenDepth = frames.depth }
            case .repeats:
                // Duplicates are judged before any rule, so none looks at the value.
                valueState = PathStates.inert
                valueRule = -1
                valueTraits = []
                if elaborates { forgetRepetition() }
                return discard(from: output.count)
            }
        }
        if memo.entries[entry].isDropped { return discard(from: output.count) }
        let addition = memo.entries[entry].addition
        if addition >= 0, !payload.discard.isActive {
            levels[frames.depth].addition = addition
            counters.change(addition: Int(addition), in: frames.depth, by: 1)
        }
        if sortsText { sorting.memberBegins(at: output.count, in: frames.depth) }
        let start = Int(memo.entries[entry].textStart)
        let length = Int(memo.entries[entry].textCount)
        if indent > 0 {
            writeIndentedKey(start, length, &output)
            return
        }
        // The text begins with the comma that the first member does not have.
        let skipped = frames.top.isEmpty ? 1 : 0
        frames.top.isEmpty = false
        output.append(memo.arena, from: start &+ skipped, length: length &- skipped)
    }

    @inline(never)
    private mutating func writeIndentedKey(_ start: Int, _ length: Int, _ output: inout ByteBuffer) {
        if !frames.top.isEmpty { output.append(ASCII.comma) }
        frames.top.isEmpty = false
        appendNewLine(&output, level: frames.depth)
        output.append(memo.arena, from: start + 1, length: length - 1)
        if !hold.isActive, !payload.stringify.isActive { output.append(ASCII.space) }
    }

    /// Leaves out the value that comes next: it is checked as JSON and written nowhere.
    @inline(never)
    mutating func discard(from mark: Int) { payload.discard.begin(at: frames.depth, mark: mark) }

    /// Begins to hold a token that is needed whole.
    @inline(__always)
    mutating func holdToken(_ kind: Expectation, _ start: Int) {
        held.removeAll()
        payload.heldOffset = payload.chunkOffset + start
        expectation = kind
    }

    // MARK: Names of open objects

    /// What becomes of a member because of those before it.
    private enum Admission {
        case stands
        /// It is left out, since another name was first to be written as this one is.
        case falls
        /// It is left out, since its name was there before.
        case repeats
    }

    /// Judges the name of `entry` against those that the object showed before.
    @inline(__always)
    private mutating func admitName(_ entry: Int, at position: Int, _ mark: Int) throws(Fault) -> Admission {
        let canonical = Int(memo.entries[entry].canonical)
        let last = memo.entries[canonical].stamp
        var earlier: EarlierName?
        if last.isSameObject(as: frames.top.stamp) {
            earlier = EarlierName(hasFallen: last.hasFallen, isGone: last.isGone)
        } else if frames.top.hasShownNames {
            earlier = shownName(canonical)
        }
        if let earlier {
            let admission = try admitDuplicate(hasFallen: earlier.hasFallen, entry, at: position, mark)
            // If the earlier ones were taken back, this one counts as the first, unless it falls itself.
            let isFirst = earlier.isGone && admission == .stands && !payload.records.isBad
            if elaborates { levels[frames.depth].isFirst = isFirst }
            guard isFirst else { return admission }
        }
        var stamp = frames.top.stamp
        if frames.top.hasShownNames || memo.entries[canonical].isShared, try collides(entry, canonical, at: position) {
            stamp = stamp.fallen
        }
        noteStamp(canonical, over: last)
        memo.entries[canonical].stamp = stamp
        return stamp.hasFallen ? .falls : .stands
    }

    /// Notes a name's stamp that is about to be written over, if its object is still open: when this one ends, it comes back.
    @inline(__always)
    mutating func noteStamp(_ canonical: Int, over last: ObjectStamp) {
        guard last.depth < frames.depth, !last.isNone, isOpen(last) else { return }
        undo.append(StampUndo(entry: Int32(canonical), stamp: last))
    }

    /// Whether the object is open, or it is none.
    @inline(__always)
    func isOpen(_ stamp: ObjectStamp) -> Bool { frames[stamp.depth].stamp.isSameObject(as: stamp) }

    @inline(never)
    private mutating func admitDuplicate(
        hasFallen: Bool, _ entry: Int, at position: Int, _ mark: Int
    ) throws(Fault) -> Admission {
        switch plan.policies.duplicateKey {
        case .error:
            try reportName(Fault(kind: .duplicateKey, position: position, entry: Int32(entry)), mark)
            return .stands
        case .first: return .repeats
        case .keep: return hasFallen ? .falls : .stands
        case .last:
            if elaborates { noteRepetition() }
            return .stands
        }
    }

    /// What is known of a name that the object showed before.
    private struct EarlierName {
        /// Whether a collision left it out.
        let hasFallen: Bool
        /// Whether its member was taken back.
        let isGone: Bool
    }

    /// What the object showed of the name before the memo was emptied, or where it passed.
    @inline(never)
    private mutating func shownName(_ canonical: Int) -> EarlierName? {
        let input = memo.hashedName(of: canonical, shownSeed)
        let marks = shown.marks(of: input, in: frames.top.stamp)
        guard marks.contains(.shown) else {
            let output = Int(memo.entries[canonical].output)
            guard output >= 0,
                shown.isBorne(memo.hashedName(of: output, shownSeed), by: input, in: frames.top.stamp)
            else { return nil }
            return EarlierName(hasFallen: false, isGone: false)
        }
        return EarlierName(hasFallen: marks.contains(.fallen), isGone: marks.contains(.gone))
    }

    /// Whether a member bears this output name of which the memo knows nothing.
    private mutating func isTakenUnknown(_ canonical: Int) -> Bool {
        let output = Int(memo.entries[canonical].output)
        guard frames.top.hasShownNames, output >= 0 else { return false }
        return shown.marks(of: memo.hashedName(of: output, shownSeed), in: frames.top.stamp).contains(.taken)
    }

    /// Whether the member falls to another with its output name, which the stamp alone does not tell.
    @inline(never)
    private mutating func collides(_ entry: Int, _ canonical: Int, at position: Int) throws(Fault) -> Bool {
        // In a scope that shows at its end.
        guard !hold.isActive else { return false }
        guard isTakenUnknown(canonical) || memo.standingSibling(of: canonical, in: frames.top.stamp) >= 0 else {
            return false
        }
        switch plan.policies.collision {
        case .error:
            // Judged after `prune` and `keep`: if the member is taken back, nothing collides.
            guard elaborates else { throw Fault(kind: .collision, position: position, entry: Int32(entry)) }
            levels[frames.depth].collides = !payload.discard.isActive
            if !payload.discard.isActive { noteOpenFault(at: levels[frames.depth].offset) }
            return false
        case .first: return true
        case .keep, .last: return false
        }
    }

    /// The member just read was taken back: its name stands in no one's way.
    mutating func forgetMember() {
        let canonical = Int(memo.entries[Int(frames.top.entry)].canonical)
        let stamp = memo.entries[canonical].stamp
        if stamp.isSameObject(as: frames.top.stamp) {
            memo.entries[canonical].stamp = stamp.gone
        } else if frames.top.hasShownNames {
            forgetShownMember(canonical)
        }
    }

    private mutating func forgetShownMember(_ canonical: Int) {
        let input = memo.hashedName(of: canonical, shownSeed)
        let marks = shown.marks(of: input, in: frames.top.stamp)
        shown.note(marks.union([.shown, .gone]), of: input, in: frames.top.stamp, open: frames)
        let output = Int(memo.entries[canonical].output)
        // What collides has not got the name.
        guard output >= 0, !marks.contains(.fallen), !levels[frames.depth].collides else { return }
        let name = memo.hashedName(of: output, shownSeed)
        let known = shown.marks(of: name, in: frames.top.stamp)
        shown.note(known.subtracting(.taken), of: name, in: frames.top.stamp, open: frames)
    }

    /// The innermost object ends: stamps that it wrote over come back.
    @inline(__always)
    mutating func forgetNames() {
        while undo.count > Int(frames.top.undoStart) {
            let last = undo.removeLast()
            memo.entries[Int(last.entry)].stamp = last.stamp
        }
        if frames.top.hasShownNames { passed.truncate(to: min(passed.count, Int(frames.top.passedStart))) }
    }
}
