import ConvertText

extension Engine {
    /// Reads the beginning of a key, or the end of an empty object.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func beginKey(
        _ byte: UInt8, _ reader: inout ChunkReader, _ output: inout ByteBuffer
    ) throws(EngineError) {
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
        if let entry = keys.predictedEntry(reader, containers) {
            reader.advance(Int(keys[entry].keyCount))
            try acceptKey(entry, at: start, &output)
            if !reader.isAtEnd, reader.next == ASCII.colon {
                reader.advance()
                lexerState = .value
            }
        } else {
            keys.beginKey()
            tokenBegins(.keyText, at: start)
        }
    }

    /// Reads the rest of a key that was not predicted; false at the end of the chunk.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func continueKey(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) -> Bool {
        let start = position.token
        guard try keys.readKey(&reader, from: start) else { return false }
        let (entry, isRefused) = try keys.entryOfKey(from: start, &containers, &valueState)
        try acceptKey(entry, at: start, isRefused: isRefused, &output)
        return true
    }

    /// Writes the key of `entry`, unless a policy leaves its member out.
    @inline(__always)
    private mutating func acceptKey(
        _ entry: Int, at position: Int, isRefused: Bool = false, _ output: inout ByteBuffer
    ) throws(EngineError) {
        keys.accept(entry, &containers)
        valueState = keys[entry].valueState
        valueRule = keys[entry].valueRule
        lexerState = .colon
        if isStaged { valueTraits = keys[entry].traits }
        if decidesMembers {
            let hasNode = hold.isActive && needsNode(valueTraits)
            if hasNode { takeText(upTo: output.count, &output) }
            memberBegins(
                mark: output.count, offset: self.position.offset(of: position), wasEmpty: containers.top.isEmpty)
            if streamsFlattened, valueTraits.contains(.moved) { pendingErrors.noteToFlatten(at: containers.depth) }
            counters.meet(requirement: keys[entry].requirement, in: containers.depth)
            if hasNode { addNode(valueTraits, move: keys[entry].move, isDiscarded: keys[entry].isDropped) }
        }
        if isRefused {
            let error = EngineError(kind: keys.lossKind(of: entry), position: position, entry: Int32(entry))
            if valueTraits.contains(.trail), hold.isActive {
                try deferUntilMoved(error)
            } else {
                try reportName(error, output.count)
            }
        }
        if keys.tracksNames, payload.checksKeys {
            switch try checkDuplicate(entry, at: position, output.count) {
            case .stays: break
            case .collides:
                let isFound = valueTraits.isDisjoint(with: [.searched, .passed])
                if decidesMembers, isFound { keepContainersOfListed() }
                // Moves and `keep` come before collisions, so they also apply inside a member that a collision discards.
                guard decidesMembers, !isFound || !plan.selectors.moves.isEmpty else {
                    return discard(from: output.count)
                }
                savepoints[containers.depth].isRemoved = !payload.discard.isActive
                if payload.collidedDepth < 0 { payload.collidedDepth = containers.depth }
            case .repeats:
                // Duplicates are removed before any rule applies, so no rule looks at the value.
                valueState = PathAutomaton.inert
                valueRule = -1
                valueTraits = []
                if decidesMembers { forgetRepetition() }
                return discard(from: output.count)
            }
        }
        if keys[entry].isDropped { return discard(from: output.count) }
        if containers.depth <= documentDepth {
            // Around the document nothing is written. If a key occurs twice there, the first one leads to the document.
            if containers.top.index > 0 {
                (valueState, valueRule, valueTraits) = (PathAutomaton.inert, -1, [])
                return discard(from: output.count)
            }
            containers.top.index = 1
            return
        }
        if !payload.discard.isActive { counters.hold(addition: keys[entry].addition, in: containers.depth) }
        if sortsText { sortedMemberBegins(at: output.count) }
        if streamsMoves, !valueTraits.isDisjoint(with: [.moved, .route]), !payload.discard.isActive,
            try memberMoves(entry, at: position, output)
        {
            return
        }
        keys.append(entry, withoutComma: containers.top.isEmpty, to: &output)
        containers.top.isEmpty = false
    }

    /// Discards the member or element whose output begins at `mark`. Its value is still checked as JSON.
    @inline(never)
    mutating func discard(from mark: Int) { payload.discard.begin(at: containers.depth, mark: mark) }

    /// Begins a token that is used only when it is complete.
    @inline(__always)
    mutating func tokenBegins(_ state: LexerState, at start: Int) {
        position.tokenBegins(at: start)
        lexerState = state
    }

    // MARK: Keys of open objects

    /// The decision about a member that depends on the members before it.
    private enum Verdict {
        case stays
        /// The member is discarded, because an earlier member has the same output key.
        case collides
        /// The member is discarded, because an earlier member has the same input key.
        case repeats
    }

    /// Compares the key of `entry` with the earlier keys of the object.
    @inline(__always)
    private mutating func checkDuplicate(_ entry: Int, at position: Int, _ mark: Int) throws(EngineError) -> Verdict {
        if let earlier = keys.earlier(entry, &containers) {
            let verdict = try resolveDuplicate(hasCollided: earlier.hasCollided, entry, at: position, mark)
            // If the earlier members were removed again, this one counts as the first, unless it is discarded itself.
            let isFirst = earlier.isRemoved && verdict == .stays && !payload.records.isBad
            if decidesMembers { savepoints[containers.depth].isFirst = isFirst }
            guard isFirst else { return verdict }
        }
        // Collisions of members with nodes are found when the held object ends.
        var hasCollided = false
        if !holdsNodes, keys.collides(entry, &containers) { hasCollided = try losesCollision(entry, at: position) }
        keys.note(entry, hasCollided: hasCollided, &containers)
        return hasCollided ? .collides : .stays
    }

    @inline(never)
    private mutating func resolveDuplicate(
        hasCollided: Bool, _ entry: Int, at position: Int, _ mark: Int
    ) throws(EngineError) -> Verdict {
        switch plan.policies.duplicateKey {
        case .error:
            try reportName(EngineError(kind: .duplicateKey, position: position, entry: Int32(entry)), mark)
            return .stays
        case .first: return .repeats
        case .keep: return hasCollided ? .collides : .stays
        case .last:
            hold.noteRepetition(in: containers.depth)
            return .stays
        }
    }

    /// Whether the member is discarded because another has its output key.
    @inline(never)
    private mutating func losesCollision(_ entry: Int, at position: Int) throws(EngineError) -> Bool {
        switch plan.policies.collision {
        case .error:
            // Decided after `prune` and `keep`: if one of them removes the member, nothing collides.
            guard decidesMembers else { throw EngineError(kind: .collision, position: position, entry: Int32(entry)) }
            if !payload.discard.isActive { pendingErrors.noteCollision(at: containers.depth) }
            return false
        case .first: return true
        case .keep, .last: return false
        }
    }
}
