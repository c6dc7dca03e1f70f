import ConvertText

/// Containers in which `keep` looks for something in every member and element: see `Container.isSearched`.
///
/// The fast path searches them like a discarded value, without a savepoint and a decision for each member. It stops at keys that `keep`
/// names. Then only the keys and brackets of the members that are still open are written.
///
/// While an object is searched, its path state is subtracted from -2. So the fast path takes the keys that it otherwise leaves alone or drops
/// (`KeyCache.Entry.fastPathState`), and no others.
extension Engine {
    /// Whether the fast path can search what comes next.
    @inline(__always)
    private var canSearch: Bool {
        containers.top.isSearched && !payload.discard.isActive && !pendingErrors.hasMember(at: containers.depth)
            && (lexerState == .afterValue || beginsMemberOrValue && lexerState != .value)
    }

    /// How many members a search must be likely to take, because taking them one by one is faster otherwise. (At the end of an object, those
    /// of the next one count.)
    static var searchedMembers: Int { 3 }

    /// Takes members one by one as long as a search is likely to stop soon, and searches the others.
    @inline(never) @_lifetime(reader: copy reader)
    mutating func runKeeping(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        var position: Int
        repeat {
            position = reader.position
            if containers.top.kind == .object, !canSearch || keys.endsSearch(within: Self.searchedMembers, containers) {
                try runStaged(&reader, &output)
            }
            guard canSearch, containers.top.kind == .array || !keys.endsSearch(within: 1, containers),
                TokenCursor.fits(reader)
            else { return }
            output.reserve(fastPathBytes(for: reader))
            try runSearch(&reader, &output)
        } while containers.top.isSearched && !payload.discard.isActive && reader.position > position
            && TokenCursor.fits(reader)
    }

    /// Reads on in the innermost container, until it ends or something stops the fast path.
    @_lifetime(reader: copy reader)
    private mutating func runSearch(_ reader: inout ChunkReader, _ output: inout ByteBuffer) throws(EngineError) {
        if lexerState == .afterValue { try valueEnds(&output) }
        let outermost = containers.depth
        let (wasEmpty, bracket) = (containers.top.isEmpty, containers.top.closingBracket)
        let uncommittedDepth = payload.uncommittedDepth
        payload.discard.begin(at: outermost - 1, mark: output.count)
        containers.top.isPlainArray = containers.top.kind == .array
        if containers.top.kind == .object { containers.top.beginSearch() }
        valueTraits = []
        keys.isSearching = true
        scanRule = -1
        defer {
            keys.isSearching = false
            scanRule = Int32(plan.scanRule)
        }
        try runMapping(&reader, &output)
        _ = payload.discard.memberEnds(at: outermost - 1, &output)
        payload.uncommittedDepth = uncommittedDepth

        if containers.depth >= outermost {
            containers[outermost].isEmpty = wasEmpty
            searchStops(inside: outermost, &output)
        } else if wasEmpty, savepoints[outermost - 1].isSearched || savepoints[outermost - 1].isTentative {
            savepoints[outermost - 1].isRemoved = true
            if !savepoints[outermost - 1].isSearched { keepContainersOfListed() }
        } else {
            output.append(bracket)
        }
    }

    /// Makes the members that are open what they are to the resumable lexer, from those of the container at this depth on.
    private mutating func searchStops(inside outermost: Int, _ output: inout ByteBuffer) {
        let depth = containers.depth
        // Inside of a member that is dropped, nothing is written.
        let innermost = (outermost..<depth).first { isMemberDropped(in: $0) } ?? depth
        for level in outermost...depth { containers[level].endSearch() }
        counters.memberBegins(in: outermost)
        for level in outermost..<innermost {
            beginSearchedMember(at: level, &output)
            openSearched(at: level + 1, &output)
        }
        var stays = outermost..<innermost
        if innermost < depth || lexerState == .string || lexerState == .value && isMemberDropped(in: depth) {
            beginSearchedMember(at: innermost, &output)
            payload.discard.begin(at: innermost, mark: savepoints[innermost].mark)
        } else if lexerState == .value {
            beginSearchedMember(at: depth, &output)
            valueTraits = .searched
            stays = outermost..<(depth + 1)
        } else if lexerState == .afterValue {
            savepoints[depth] = Savepoint(
                mark: output.count, valueMark: output.count, wasEmpty: containers.top.isEmpty, isRemoved: true)
        }
        keys.restoreMembers(at: stays, containers)
    }

    @inline(__always)
    private func isMemberDropped(in depth: Int) -> Bool {
        containers[depth].entry >= 0 && keys[Int(containers[depth].entry)].isDropped
    }

    /// Writes the beginning of the container at a depth, which is open.
    private mutating func openSearched(at depth: Int, _ output: inout ByteBuffer) {
        let isObject = containers[depth].kind == .object
        savepoints[depth - 1].isTentative =
            mayPrune(in: containers[depth - 1].kind) && (isObject ? prune.emptyObject : prune.emptyArray)
        output.append(isObject ? ASCII.openBrace : ASCII.openBracket)
        containers[depth].isEmpty = true
        guard sortsText, isObject else { return }
        sorting.begin(at: depth)
        containers[depth].endsSlowly = true
    }

    /// Writes the beginning of the current member of the container at a depth.
    private mutating func beginSearchedMember(at depth: Int, _ output: inout ByteBuffer) {
        let isFirst = containers[depth].isEmpty
        savepoints[depth] = Savepoint(
            mark: output.count, wasEmpty: isFirst, mustHold: true, isSearched: true, isFirst: true)
        if containers[depth].kind == .object {
            if sortsText { sortedMemberBegins(at: output.count, in: depth) }
            keys.append(Int(containers[depth].entry), withoutComma: isFirst, to: &output)
        } else if !isFirst {
            output.append(ASCII.comma)
        }
        containers[depth].isEmpty = false
        savepoints[depth].valueMark = output.count
        payload.uncommittedDepth = min(payload.uncommittedDepth, depth)
    }
}
