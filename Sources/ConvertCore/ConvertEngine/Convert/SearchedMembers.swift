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
        defer { keys.isSearching = false }
        try runMapping(&reader, &output)
        _ = payload.discard.memberEnds(at: outermost - 1, &output)
        payload.uncommittedDepth = uncommittedDepth

        if containers.depth >= outermost {
            containers[outermost].isEmpty = wasEmpty
            searchStops(inside: outermost, &output)
        } else if wasEmpty, savepoints[outermost - 1].isSearched {
            savepoints[outermost - 1].isRemoved = true
        } else {
            output.append(bracket)
        }
    }

    /// Makes the members that are open what they are to the resumable lexer, from those of the container at this depth on.
    private mutating func searchStops(inside outermost: Int, _ output: inout ByteBuffer) {
        let depth = containers.depth
        for level in outermost...depth {
            containers[level].endSearch()
            if level > outermost {
                beginSearchedMember(at: level - 1, &output)
                output.append(containers[level].kind == .object ? ASCII.openBrace : ASCII.openBracket)
                containers[level].isEmpty = true
            }
        }
        switch lexerState {
        case .afterValue:
            savepoints[depth] = Savepoint(
                mark: output.count, valueMark: output.count, wasEmpty: containers.top.isEmpty, isRemoved: true)
        case .value:
            beginSearchedMember(at: depth, &output)
            valueTraits = .searched
        case .string:
            beginSearchedMember(at: depth, &output)
            savepoints[depth].isRemoved = true
            discard(from: savepoints[depth].mark)
        default: break
        }
        keys.restoreMembers(at: outermost..<(lexerState == .value ? depth + 1 : depth), containers)
    }

    /// Writes the beginning of the current member of the container at a depth.
    private mutating func beginSearchedMember(at depth: Int, _ output: inout ByteBuffer) {
        let isFirst = containers[depth].isEmpty
        savepoints[depth] = Savepoint(
            mark: output.count, wasEmpty: isFirst, mustHold: true, isSearched: true, isFirst: true)
        if containers[depth].kind == .object {
            keys.append(Int(containers[depth].entry), withoutComma: isFirst, to: &output)
        } else if !isFirst {
            output.append(ASCII.comma)
        }
        containers[depth].isEmpty = false
        savepoints[depth].valueMark = output.count
        payload.uncommittedDepth = min(payload.uncommittedDepth, depth)
    }
}
