/// What becomes of keys, and of the values behind them: what the profile says of a key is decided once for each place and spelling, and
/// remembered (`KeyCache`); what open objects had of keys is known, for duplicates and collisions.
///
/// Containers carry what is known of one object (`entry`, `place`, `tag` and the rest) and are handed to every call.
package struct KeyMapper: ~Copyable, Sendable {
    typealias Containers = UniqueStack<Container>

    /// How much is kept of the names that passed, for the words of errors.
    static let maxPassedBytes = 64 * 1024

    let plan: Plan
    /// Settings that are asked for at every key.
    let tracksNames: Bool
    let canRename: Bool
    /// Whether the fast path may let names pass that the key cache does not know, and their case then.
    let passesNames: Bool
    let caseTarget: KeyCase?
    let maxKeyBytes: Int

    package var paths: PathAutomaton
    var cache: KeyCache
    /// What predicts the next key; it has no last one at the very first.
    var predictor = KeyCache.Predictor()
    /// What the fast path found in the key cache for the key that comes next.
    var lookup = KeyCache.Lookup()
    /// What was decided on names that were spelled with an escape, by the key cache's entry of the plain spelling.
    var escapedResolutions: [Int: NameResolution] = [:]
    var undo = UniqueArray<TagUndo>()
    var seen = SeenKeys()
    let seenSeed = UInt64.random(in: .min ... .max)
    /// Names that passed in objects that are open, each with a quote behind it, as far as there is room.
    var passed = ByteBuffer(capacity: 64)
    /// Objects that have begun so far.
    var serial: UInt64 = 0
    /// Whether the fast path noted where members have their names, instead of which entries these are.
    var hasPlaces = false

    var strings = StringCopier()
    /// The key being read, as it is spelled, its closing quote included; its content; and what is written for it.
    var spelling = ByteBuffer()
    var content = ByteBuffer()
    package var text = ByteBuffer()

    package init(_ plan: Plan, lettingKeysPass passes: Bool) {
        self.plan = plan
        tracksNames = plan.tracksNames
        canRename = plan.canRename
        passesNames = passes && plan.passesNames
        caseTarget = plan.caseRule?.target
        maxKeyBytes = plan.limits.maxKeyBytes
        paths = plan.paths
        cache = KeyCache(seed: UInt64.random(in: .min ... .max))
    }

    /// Begins another payload, and keeps what was learned.
    mutating func beginPayload() {
        undo.removeAll()
        seen.removeAll()
        passed.removeAll()
        hasPlaces = false
        predictor.beginPayload(objects: serial)
    }

    /// Bytes that the storage takes, used or not: what is kept for the next payload, and what open objects need beside.
    @inline(__always) var storedBytes: Int {
        let learned = cache.storedBytes + paths.storedBytes
        let escaped = escapedResolutions.count * MemoryLayout<NameResolution>.stride
        let buffers = spelling.capacity + content.capacity + text.capacity + passed.capacity
        return learned + escaped + buffers + undo.storedBytes
    }
    var openBytes: Int { seen.storedBytes }

    // MARK: Containers

    /// The object that begins with so many containers around it, at a place of this path state.
    @inline(__always)
    mutating func object(_ state: Int32, depth: Int) -> Container {
        serial &+= 1
        let tag = tracksNames ? ObjectTag(serial: serial, depth: depth &+ 1) : .none
        return Container(kind: .object, state: state, undoStart: Int32(undo.count), tag: tag)
    }

    /// The innermost object ends: tags that it wrote over come back.
    @inline(__always)
    mutating func objectEnds(_ containers: inout Containers) {
        while undo.count > Int(containers.top.undoStart) {
            let last = undo.removeLast()
            cache.entries[Int(last.entry)].tag = last.tag
        }
        if containers.top.hasSeenKeys { passed.truncate(to: min(passed.count, Int(containers.top.passedStart))) }
    }

    /// Says what acts on the elements of the array that has just begun. With `mayBePlain` they are all alike, if no path tells them apart.
    @inline(__always)
    mutating func arrayBegins(_ containers: inout Containers, _ valueState: inout Int32, mayBePlain: Bool) {
        let plain = paths.plainElements[Int(containers.top.state)]
        guard plain.state >= 0 else { return findElements(&containers, &valueState, mayBePlain: mayBePlain) }
        containers.top.elementState = plain.state
        containers.top.elementRule = plain.rule
        containers.top.isPlainArray = mayBePlain
    }

    @inline(never)
    private mutating func findElements(
        _ containers: inout Containers, _ valueState: inout Int32, mayBePlain: Bool
    ) {
        // Arrays make states without any key.
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

    /// What was decided on a key.
    subscript(entry: Int) -> KeyCache.Entry {
        @inline(__always) _read { yield cache.entries[entry] }
    }

    /// The entry that followed the last key before, if the same key comes again in an object of the same path state; its length, too.
    @inline(__always)
    func predictedEntry(_ reader: borrowing ChunkReader, _ containers: borrowing Containers) -> Int? {
        guard predictor.last >= 0 else { return nil }
        let predicted = Int(cache.entries[predictor.last].next)
        guard predicted >= 0, cache.entries[predicted].state == containers.top.state else { return nil }
        let start = Int(cache.entries[predicted].keyStart)
        let length = Int(cache.entries[predicted].keyCount)
        return reader.matches(cache.arena, from: start, length: length) ? predicted : nil
    }

    /// A key begins that was not predicted.
    mutating func beginKey() {
        spelling.removeAll()
        strings.reset()
    }

    /// Reads more of the key, which began at `start`; false at the end of the chunk.
    @_lifetime(reader: copy reader)
    mutating func readKey(_ reader: inout ChunkReader, from start: Int) throws(Fault) -> Bool {
        let isWhole: Bool
        do throws(Fault) {
            isWhole = try strings.copyVerbatim(&reader, into: &spelling)
        } catch {
            // In smaller chunks the limit would have been judged before this fault was met.
            throw spelling.count > maxKeyBytes ? Fault(kind: .keyLength, position: start) : error
        }
        guard spelling.count - (isWhole ? 1 : 0) <= maxKeyBytes else {
            throw Fault(kind: .keyLength, position: start)
        }
        return isWhole
    }

    /// The entry of the key that was read, and whether a key that cannot come back is an error.
    mutating func entryOfKey(
        from start: Int, _ containers: inout Containers, _ valueState: inout Int32
    ) throws(Fault) -> (entry: Int, isRefused: Bool) {
        // The closing quote is there, too, since a predicted key is compared with it.
        spelling.padWithSlack()
        var entry = knownEntry(state: containers.top.state)
        if entry < 0 { entry = try remember(at: start, &containers, &valueState) }
        // A lossy key is never predicted, so that each one comes by here.
        let isRefused = cache.entries[entry].isLossy && plan.refusesLossyNames
        if !isRefused, predictor.last >= 0 {
            cache.predict(entry, after: predictor.last, at: predictor.place(own: containers.top.entry))
        }
        return (entry, isRefused)
    }

    /// The member of this key is the one that the innermost object is at.
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
    /// Whether the object of a tag is open, or it is none.
    @inline(__always)
    func isOpen(_ tag: ObjectTag) -> Bool { self[tag.depth].tag.isSameObject(as: tag) }
}
