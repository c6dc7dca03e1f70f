/// Decides the output key and the rules for the value of each key, once per path and spelling, and remembers that (`KeyCache`). For
/// duplicates and collisions it also knows which keys the open objects have had.
///
/// The state of one object (`entry`, `keyPosition`, `tag` and others) is in its container, so every call is given the containers.
package struct KeyMapper: ~Copyable, Sendable {
    typealias Containers = UniqueStack<Container>

    /// The most bytes of keys that are kept as text after they bypassed the key cache, for error messages.
    static let maxPassedBytes = 64 * 1024
    /// The path state under which the key cache has the output keys of objects that write into one (`writesBeside`), instead of their own.
    static let sharedState: Int32 = -2

    let plan: Plan
    /// Settings that are read for each key.
    let tracksNames: Bool
    let canRename: Bool
    /// Whether keys that the key cache does not know may bypass it on the fast path, and the case rule for them.
    let passesNames: Bool
    let caseRule: KeyCaseRule?
    let maxKeyBytes: Int
    let searches: Bool

    package var paths: PathAutomaton
    var cache: KeyCache
    /// The predictor of the next key; its `last` is -1 before the very first one.
    var predictor = KeyCache.Predictor()
    /// The result of the fast path's lookup of the next key in the key cache.
    var lookup = KeyCache.Lookup()
    /// Decisions on keys that were spelled with an escape, by their canonical entry in the key cache.
    var escapedResolutions: [Int: NameResolution] = [:]
    var undo = UniqueArray<TagUndo>()
    var seen = SeenKeys()
    let seenSeed = HashSeeds.second
    /// Keys of open objects that bypassed the key cache, each followed by a quote, as far as there is room.
    var passed = ByteBuffer()
    /// Objects that have begun so far.
    var serial: UInt64 = 0
    /// Whether the fast path searches for what `keep` names: members of objects that begin now do not stay.
    var isSearching = false
    /// Whether the fast path noted the positions of keys in the chunk instead of their entries.
    var hasUnstoredKeys = false
    /// Whether the key cache lacks keys of this payload.
    var hasForgottenKeys = false
    /// How often the key cache was emptied.
    var emptyings = 0

    var strings = StringCopier()
    /// The key being read, as it is spelled with its closing quote; its unescaped content; and the text that is written for it.
    var spelling = ByteBuffer()
    var content = ByteBuffer()
    package var text = ByteBuffer()

    package init(_ plan: Plan, lettingKeysPass passes: Bool) {
        self.init(plan, lettingKeysPass: passes, nil)
    }

    /// - Parameter learned: what an earlier key mapper of the plan learned.
    init(_ plan: Plan, lettingKeysPass passes: Bool, _ learned: consuming LearnedKeys?) {
        self.plan = plan
        tracksNames = plan.tracksNames
        canRename = plan.canRename
        passesNames = passes && plan.passesNames
        caseRule = plan.caseRule
        maxKeyBytes = plan.limits.maxKeyBytes
        searches = plan.searches
        guard let learned else {
            paths = plan.paths
            cache = KeyCache(seed: HashSeeds.first)
            return
        }
        paths = learned.paths
        cache = learned.cache
        predictor = learned.predictor
        serial = learned.serial
        predictor.beginPayload(objects: serial)
    }

    /// What was learned, for another key mapper of the plan.
    consuming func takeLearned() -> LearnedKeys {
        LearnedKeys(paths: paths, cache: cache, predictor: predictor, serial: serial)
    }

    /// Begins another payload, and keeps what was learned.
    mutating func beginPayload() {
        undo.removeAll()
        seen.removeAll()
        passed.removeAll()
        hasUnstoredKeys = false
        hasForgottenKeys = false
        predictor.beginPayload(objects: serial)
    }

    @inline(__always) var storedBytes: Int {
        let learned = cache.storedBytes + paths.storedBytes
        let escaped = escapedResolutions.count * MemoryLayout<NameResolution>.stride
        let buffers = spelling.capacity + content.capacity + text.capacity + passed.capacity
        return learned + escaped + buffers + undo.storedBytes + seen.storedBytes
    }

    // MARK: Containers

    /// The object that begins at this path state, with `depth` containers around it.
    @inline(__always)
    mutating func object(_ state: Int32, depth: Int) -> Container {
        serial &+= 1
        let tag = tracksNames ? ObjectTag(serial: serial, depth: depth &+ 1, isRemoved: isSearching) : .none
        let state = isSearching ? -2 &- state : state
        return Container(kind: .object, state: state, undoStart: Int32(undo.count), tag: tag)
    }

    /// Ends the innermost object and restores the tags of outer objects that it overwrote.
    @inline(__always)
    mutating func objectEnds(_ containers: inout Containers) {
        while undo.count > Int(containers.top.undoStart) {
            let last = undo.removeLast()
            cache.entries[Int(last.entry)].tag = last.tag
        }
        if containers.top.hasSeenKeys { passed.truncate(to: min(passed.count, Int(containers.top.passedStart))) }
    }

    /// Sets the rules for the elements of the array that has just begun. With `mayBePlain`, they are all alike if no path distinguishes
    /// them.
    @inline(__always)
    mutating func arrayBegins(_ containers: inout Containers, _ valueState: inout Int32, mayBePlain: Bool) {
        let plain = paths.plainElements[Int(containers.top.state)]
        guard plain.state >= 0 else { return findElements(&containers, &valueState, mayBePlain: mayBePlain) }
        containers.top.elementState = plain.state
        containers.top.elementRule = plain.rule
        containers.top.isPlainArray = mayBePlain
        if plain.areSearched { searchedArrayBegins(&containers) }
    }

    @inline(never)
    private mutating func searchedArrayBegins(_ containers: inout Containers) {
        containers.top.elementTraits = .searched
        containers.top.isSearched =
            searches && !containers.top.endsSlowly && paths.plainMembers(of: containers.top.elementState).areSearched
        containers.top.isPlainArray = isSearching && containers.top.isSearched
    }

    /// Notes whether `keep` looks for something in all members of the object that has just begun. A search enters no other objects.
    @inline(__always)
    mutating func searchedObjectBegins(_ containers: inout Containers) {
        containers.top.isSearched = isSearching || paths.plainMembers(of: containers.top.state).areSearched
    }

    @inline(never)
    private mutating func findElements(
        _ containers: inout Containers, _ valueState: inout Int32, mayBePlain: Bool
    ) {
        // Arrays make path states even if no key is read.
        makeRoom(&containers, &valueState)
        let elements = paths.elements(of: containers.top.state)
        containers.top.elementState = elements.match.state
        containers.top.elementRule = elements.match.rule
        containers.top.elementTraits = elements.match.traits
        containers.top.namesIndices = !elements.namingIndices.isEmpty
        containers.top.dropsElements = elements.match.isDropped
        containers.top.isPlainArray =
            mayBePlain && !containers.top.namesIndices && !containers.top.dropsElements
            && containers.top.elementTraits.isEmpty
    }

    // MARK: Keys that the fast path does not take

    /// The entry of a key, with the decision on it.
    subscript(entry: Int) -> KeyCache.Entry {
        @inline(__always) _read { yield cache.entries[entry] }
    }

    /// The entry that followed the last key before, if the same key comes next in an object of the same path state; otherwise nil.
    @inline(__always)
    func predictedEntry(_ reader: borrowing ChunkReader, _ containers: borrowing Containers) -> Int? {
        guard predictor.last >= 0 else { return nil }
        let predicted = Int(cache.entries[predictor.last].next)
        guard predicted >= 0, cache.entries[predicted].state == containers.top.state else { return nil }
        let start = Int(cache.entries[predicted].keyStart)
        let length = Int(cache.entries[predicted].keyCount)
        return reader.matches(cache.arena, from: start, length: length) ? predicted : nil
    }

    /// Begins to read a key that was not predicted.
    mutating func beginKey() {
        spelling.removeAll()
        strings.reset()
    }

    /// Reads more of the key, which began at `start`. Returns false at the end of the chunk.
    @_lifetime(reader: copy reader)
    mutating func readKey(_ reader: inout ChunkReader, from start: Int) throws(EngineError) -> Bool {
        let isWhole: Bool
        do throws(EngineError) {
            isWhole = try strings.copy(&reader, into: &spelling)
        } catch {
            // With smaller chunks, the limit would have been checked before this error was found.
            throw spelling.count > maxKeyBytes ? EngineError(kind: .keyLength, position: start) : error
        }
        guard spelling.count - (isWhole ? 1 : 0) <= maxKeyBytes else {
            throw EngineError(kind: .keyLength, position: start)
        }
        return isWhole
    }

    /// The entry of the key that was read, and whether the key is an error because it could not be restored.
    mutating func entryOfKey(
        from start: Int, _ containers: inout Containers, _ valueState: inout Int32
    ) throws(EngineError) -> (entry: Int, isRefused: Bool) {
        // The closing quote is included, because a predicted key is compared together with it.
        spelling.padWithSlack()
        var entry = knownEntry(state: containers.top.state)
        if entry < 0 { entry = try remember(at: start, &containers, &valueState) }
        // A key that is refused is never predicted, so each occurrence comes here.
        let isRefused = cache.entries[entry].isLossy && plan.refusesLossyNames
        if !isRefused, predictor.last >= 0 {
            cache.predict(entry, after: predictor.last, at: predictor.context(own: containers.top.entry))
        }
        return (entry, isRefused)
    }

    /// Makes the member with this key the current one of the innermost object.
    @inline(__always)
    mutating func accept(_ entry: Int, _ containers: inout Containers) {
        predictor.pass(entry)
        containers.top.entry = Int32(entry)
    }

    /// Appends comma, output key and colon; the first member of an object has no comma.
    @inline(__always)
    func append(_ entry: Int, withoutComma: Bool, to output: inout ByteBuffer) {
        let skipped = withoutComma ? 1 : 0
        output.append(
            cache.arena, from: Int(cache.entries[entry].textStart) &+ skipped,
            length: Int(cache.entries[entry].textCount) &- skipped)
    }
}

extension UniqueStack<Container> {
    /// Whether the object of a tag is open; also true for the tag `none`.
    @inline(__always)
    func isOpen(_ tag: ObjectTag) -> Bool { self[tag.depth].tag.isSameObject(as: tag) }
}
