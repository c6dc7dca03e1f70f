import ConvertText

/// The decisions on keys, each made once per path state and spelling.
///
/// Entries are found by prediction (the key that followed last time, or in the same context) or by a seeded hash. The cache is bounded.
/// When it is full, the converter moves what open objects still need to `SeenKeys`, and empties the cache.
///
/// Three kinds of entry share the table:
/// - a *spelling*: raw bytes between quotes, as they are in the payload;
/// - a *name*: the unescaped key of spellings that have an escape, so that `"a"` and `"\u0061"` are one key;
/// - an *output*: a key that spellings are rewritten to, at the head of the chain of their entries.
struct KeyCache: ~Copyable {
    static let maxEntries = 8192
    static let maxArenaBytes = 1 << 20
    /// Input keys with one output key. A longer chain fills the cache, so that it is emptied and walking a chain stays cheap.
    static let maxChainLength = 32

    enum Kind: UInt8, BitwiseCopyable, Sendable { case spelling, name, output }

    struct Entry: BitwiseCopyable, Sendable {
        // Fields that the fast path reads come first, so that they are in as few cache lines as possible.

        /// Spelling: the bytes that the fast path compares and writes.
        var pattern = NamePattern()
        /// The path state of the object that has the key, if the fast path may take the key without a check. If it may drop the key, this is
        /// that state subtracted from -2, so that the key is never taken as a predicted one. Otherwise -1.
        var fastPathState: Int32 = -1
        /// The entry that followed this one last time, or -1.
        var next: Int32 = -1
        /// The path state of the value.
        var valueState: Int32 = 0
        /// The rule for the value, an index into the plan's rules, or -1.
        var valueRule: Int32 = -1
        /// Canonical: the last object that had the key.
        var tag = ObjectTag.none

        var kind: Kind
        /// Whether another input key has the same output key.
        var isShared = false
        /// Whether the member is removed.
        var isDropped = false
        /// Whether the inverse could not restore the key.
        var isLossy = false
        /// Special properties of the value, and the move that takes it to another path, or -1.
        var traits: PathAutomaton.Traits = []
        var move: Int32 = -1
        /// The path state of the object that has the key.
        var state: Int32
        /// Spelling: the raw bytes and the closing quote, in `arena`, between a quote and a colon. Other kinds: the unescaped key.
        var keyStart: Int32
        var keyCount: Int32
        /// Spelling: comma, quoted output key and colon, in `arena`.
        var textStart: Int32 = 0
        var textCount: Int32 = 0
        /// The entry that has the tag for this key: itself, unless the key was spelled with an escape.
        var canonical: Int32
        /// Canonical: the output entry of its output key, or -1 if nothing can collide.
        var output: Int32 = -1
        /// Output: the newest canonical entry of the chain. Canonical: the one before it in the chain. -1 if there is none.
        var sibling: Int32 = -1
        /// Output: the length of the chain.
        var chainLength: Int32 = 0
        /// The object's requirement that the member meets, and the addition that it makes unnecessary; -1 for none.
        var requirement: Int32 = -1
        var addition: Int32 = -1
        var hash: UInt64

        /// Whether the fast path drops the member if its value is a scalar, because `keep` names something inside of it.
        @inline(__always)
        var dropsScalars: Bool { fastPathState < -1 && !isDropped }

        /// Whether the fast path may take or drop the key in an object of this path state.
        @inline(__always)
        func isForFastPath(in state: Int32) -> Bool { fastPathState == state || fastPathState == -2 &- state }

        /// Takes over the decision on the same key from before the cache was emptied; path states have new numbers now.
        mutating func decide(as old: Entry, valueState: Int32) {
            self.valueState = valueState
            valueRule = old.valueRule
            isDropped = old.isDropped
            isLossy = old.isLossy
            traits = old.traits
            move = old.move
            requirement = old.requirement
            addition = old.addition
        }
    }

    /// About how many of the keys that bypassed the cache are remembered; a power of two.
    private static let soughtCount = 4096
    /// How many returning keys are refused before the cache is emptied for them.
    private static let maxRefusals = 2 * maxEntries

    var entries = UniqueArray<Entry>(capacity: 128)
    private var followers = UniqueArray<Int32>(repeating: -1, count: Predictor.contextCount)
    private var table = EntryTable()
    /// The upper halves of the hashes of keys that bypassed the cache, each at the index that the lowest bits give.
    private var lastSought = UniqueArray<UInt32>(zeroed: 1)
    private var refusals = 0
    private var chance: UInt64 = 1
    /// Keys and texts, always followed by initialized slack.
    private(set) var arena = ByteBuffer(capacity: 4096)
    let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        arena.padWithSlack()
    }

    /// Whether there are entries of the kind `name`.
    private(set) var holdsNames = false
    private var longestChain = 0
    /// The least number of entries at which the cache can be full; tests set a lower one.
    var roomyEntries = maxEntries { didSet { fullEntries = roomyEntries } }
    private var fullEntries = maxEntries
    private var fullArenaBytes = maxArenaBytes
    private var fullChainLength = maxChainLength

    var isFull: Bool {
        entries.count >= fullEntries || arena.count >= fullArenaBytes || longestChain >= fullChainLength
    }

    /// Bytes that the key cache takes, used or not.
    @inline(__always) var storedBytes: Int {
        entries.storedBytes + followers.storedBytes + table.storedBytes + lastSought.storedBytes + arena.capacity
    }

    /// Whether another key of `keyBytes` bytes can be added: offsets in the arena are 32-bit numbers.
    ///
    /// An entry stores at most the spelling, the unescaped key, the output key in the longest case mapping, and its text with escapes.
    func hasRoom(for keyBytes: Int) -> Bool {
        let mostStoredBytesAByte = 16
        let most = Int(Int32.max) - Self.maxArenaBytes - arena.count
        return most > 0 && keyBytes <= most / mostStoredBytesAByte
    }

    /// Sets the limits anew for what the cache has now, which open containers need.
    ///
    /// The cache is full when it has at least doubled since. With fixed limits, the keys of deeply nested objects could fill it on their
    /// own. Then each new key would empty it.
    mutating func resetLimits() {
        // Adding long keys again takes long, so the limit is at least one entry for each 64 bytes that are stored now.
        let bytesAnEntry = 64
        fullEntries = max(roomyEntries, 2 * entries.count, arena.count / bytesAnEntry)
        fullArenaBytes = max(Self.maxArenaBytes, 2 * arena.count)
        fullChainLength = max(Self.maxChainLength, 2 * longestChain)
    }

    /// The hash of an unescaped key, or of a spelling with its closing quote, which does not count. Slack must follow the bytes.
    @inline(__always)
    private func hash(_ bytes: borrowing ByteBuffer, state: Int32, kind: Kind) -> UInt64 {
        let length = bytes.count &- (kind == .spelling ? 1 : 0)
        return salted(bytes.hash(from: 0, length: length, seed: seed), state, kind)
    }

    /// A hash of a key in a path state and kind, from the seeded hash of the key alone.
    @inline(__always)
    private func salted(_ hash: UInt64, _ state: Int32, _ kind: Kind) -> UInt64 {
        let salt = UInt64(UInt32(bitPattern: state)) &<< 8 | UInt64(kind.rawValue)
        let product = (hash &+ salt &* 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: seed | 1)
        return product.high ^ product.low
    }

    /// The result of looking up a quoted key and the colon after it.
    struct Lookup {
        /// The entry that the fast path may take, or -1.
        var entry = -1
        /// Bytes of the key if the cache has no entry for it, else 0.
        var unknownCount = 0
        /// Bytes of white space between the quoted key and its colon.
        var blanks = 0
        /// The seeded hash of the key.
        var hash: UInt64 = 0
    }

    /// The length of the key of a spelling, with both quotes.
    @inline(__always)
    func quotedCount(of entry: Int) -> Int { Int(entries[entry].keyCount) &+ 1 }

    /// Looks up the quoted key and the colon that come next.
    ///
    /// Mutating only because its caller would otherwise copy the key cache.
    mutating func find(_ cursor: borrowing TokenCursor, state: Int32) -> Lookup {
        guard let (count, length) = cursor.plainName() else { return Lookup() }
        let blanks = length &- count &- 1
        let nameHash = cursor.hash(from: 1, length: count &- 2, seed: seed)
        let hash = salted(nameHash, state, .spelling)
        var slot = table.slot(of: hash)
        while true {
            let index = table.entry(from: &slot, hash: hash)
            if index < 0 { return Lookup(unknownCount: count &- 2, blanks: blanks, hash: nameHash) }
            guard entries[index].hash == hash else { continue }
            guard entries[index].isForFastPath(in: state) else { return Lookup(blanks: blanks) }
            let isNext =
                cursor.blanks(afterName: quotedCount(of: index), at: entries[index].keyStart, of: arena) != nil
            return Lookup(entry: isNext ? index : -1, blanks: blanks)
        }
    }

    /// Whether the key with this seeded hash may have an entry of this kind.
    @inline(__always)
    func mayKnow(_ nameHash: UInt64, state: Int32, as kind: Kind) -> Bool {
        let hash = salted(nameHash, state, kind)
        var slot = table.slot(of: hash)
        return table.entry(from: &slot, hash: hash) >= 0
    }

    /// Whether an unknown key should bypass the cache: the cache is half full, and the key has not come recently. If the cache is full,
    /// keys that came recently bypass it, too, until enough of them were refused.
    mutating func letsPass(_ hash: UInt64) -> Bool {
        guard entries.count * 2 >= fullEntries || arena.count * 2 >= fullArenaBytes else { return false }
        // Keys at the end of a chunk are added even to a full cache. Beyond twice its limits, the next key is learned, which empties it.
        guard entries.count < 2 * fullEntries, arena.count < 2 * fullArenaBytes else { return false }
        if lastSought.count == 1 { lastSought = UniqueArray(zeroed: Self.soughtCount) }
        let slot = Int(truncatingIfNeeded: hash) & (Self.soughtCount &- 1)
        let mark = UInt32(truncatingIfNeeded: hash &>> 32)
        guard lastSought[slot] == mark else {
            // The mark is replaced at random, so that one of two keys that alternate here is remembered.
            chance = chance &* 0x5851_F42D_4C95_7F2D &+ 1
            if chance >> 63 == 0 { lastSought[slot] = mark }
            return true
        }
        guard isFull else { return false }
        refusals &+= 1
        return refusals < Self.maxRefusals
    }

    /// The entry of an unescaped key, or of a spelling with its closing quote; -1 if there is none. Slack must follow the bytes.
    @inline(__always)
    func find(_ bytes: borrowing ByteBuffer, state: Int32, kind: Kind) -> Int {
        find(bytes, state: state, kind: kind, hash: hash(bytes, state: state, kind: kind))
    }

    @inline(__always)
    private func find(_ bytes: borrowing ByteBuffer, state: Int32, kind: Kind, hash: UInt64) -> Int {
        var slot = table.slot(of: hash)
        while true {
            let index = table.entry(from: &slot, hash: hash)
            if index < 0 { return -1 }
            if entries[index].hash == hash, entries[index].state == state, entries[index].kind == kind,
                Int(entries[index].keyCount) == bytes.count,
                bytes.equals(from: 0, length: bytes.count, arena, from: Int(entries[index].keyStart))
            {
                return index
            }
        }
    }

    /// Adds an entry for these bytes, which must not be there yet. Its canonical entry is itself.
    mutating func insert(_ bytes: borrowing ByteBuffer, state: Int32, kind: Kind) -> Int {
        insert(bytes, state: state, kind: kind, hash: hash(bytes, state: state, kind: kind))
    }

    /// The output entry of these bytes, which is added if there is none. Slack must follow the bytes.
    mutating func outputEntry(_ bytes: borrowing ByteBuffer, state: Int32) -> Int {
        let hash = hash(bytes, state: state, kind: .output)
        let known = find(bytes, state: state, kind: .output, hash: hash)
        return known >= 0 ? known : insert(bytes, state: state, kind: .output, hash: hash)
    }

    private mutating func insert(_ bytes: borrowing ByteBuffer, state: Int32, kind: Kind, hash: UInt64) -> Int {
        if !table.hasRoom(for: entries.count + 1) { growTable() }
        // A spelling is stored with the quote before it and the colon after it, as `NamePattern` compares it.
        if kind == .spelling { arena.append(ASCII.quote) }
        let keyStart = arena.count
        arena.append(bytes.bytes)
        if kind == .spelling { arena.append(ASCII.colon) }
        arena.padWithSlack()
        let index = entries.count
        entries.append(
            Entry(
                kind: kind, state: state, keyStart: Int32(keyStart), keyCount: Int32(bytes.count),
                canonical: Int32(index), hash: hash))
        table.insert(index, hash: hash)
        if kind == .name { holdsNames = true }
        return index
    }

    /// Puts a canonical entry at the head of the chain of an output entry.
    mutating func link(_ canonical: Int, toOutput output: Int) {
        let previous = entries[output].sibling
        entries[canonical].output = Int32(output)
        entries[canonical].sibling = previous
        entries[canonical].isShared = previous >= 0
        if previous >= 0 {
            entries[Int(previous)].isShared = true
            entries[Int(previous)].fastPathState = -1
        }
        entries[output].sibling = Int32(canonical)
        entries[output].chainLength += 1
        longestChain = max(longestChain, Int(entries[output].chainLength))
    }

    /// A copy of bytes of the arena.
    func bytes(from start: Int32, count: Int32) -> [UInt8] {
        [UInt8](copying: arena.bytes.extracting(Int(start)..<Int(start + count)))
    }

    /// Stores the text that the converter writes for a spelling. The rest of the entry must be complete.
    mutating func setText(_ text: borrowing ByteBuffer, for index: Int) {
        entries[index].textStart = Int32(arena.count)
        entries[index].textCount = Int32(text.count)
        arena.append(first: text.count, of: text)
        arena.padWithSlack()
        prepareForFastPath(index)
    }

    /// Prepares the entry for the fast path, if that may take or drop the key: the key is short and never needs a check.
    private mutating func prepareForFastPath(_ index: Int) {
        // The entry is not copied: wide loads would wait for the narrow stores that have just written it.
        let (count, textCount) = (Int(entries[index].keyCount) + 2, Int(entries[index].textCount) - 1)
        guard !entries[index].isShared, !entries[index].isLossy, Int(entries[index].canonical) == index,
            entries[index].traits.isSubset(of: [.searched, .passed]), entries[index].requirement < 0,
            entries[index].addition < 0, NamePattern.fits(count: count, textCount: textCount)
        else { return }
        let (state, isPlain) = (entries[index].state, !entries[index].isDropped && entries[index].traits.isEmpty)
        entries[index].fastPathState = isPlain ? state : -2 - state
        entries[index].pattern = NamePattern(
            name: arena.leadingLanes(from: Int(entries[index].keyStart) - 1), count: count,
            text: arena.leadingLanes(from: Int(entries[index].textStart) + 1), textCount: textCount)
    }

    /// The entry of the key that came last in the context with this index, or -1.
    @inline(__always)
    func follower(at slot: Int) -> Int { Int(followers[slot]) }

    /// Remembers that `following` came after the key of `last`, and in the context with index `slot`.
    @inline(__always)
    mutating func predict(_ following: Int, after last: Int, at slot: Int) {
        followers[slot] = Int32(truncatingIfNeeded: following)
        entries[last].next = Int32(truncatingIfNeeded: following)
    }

    mutating func removeAll() {
        entries.removeAll()
        for slot in 0..<followers.count { followers[slot] = -1 }
        holdsNames = false
        longestChain = 0
        refusals = 0
        arena.removeAll()
        arena.padWithSlack()
        table.removeAll()
    }

    private mutating func growTable() {
        table.grow()
        for index in 0..<entries.count { table.insert(index, hash: entries[index].hash) }
    }
}
