/// The names that an object showed before the memo was emptied under it, as hashes.
struct SpilledNames: Sendable {
    /// Input names, with what became of them.
    var seen = HashedNames()
    /// Output names, of which those are gone that no member bears any more.
    var taken = HashedNames()
    /// What the memo has for the name that the object is at, if that was met for the first time.
    var passing = KeyMemo.PassingEntries()

    /// Bytes of memory.
    var storedBytes: Int { seen.storedBytes + taken.storedBytes }
}

/// A set of names, each known by two independently seeded 64-bit hashes; a name may have marks.
///
/// With a billion names the odds of taking two for one are below 1 in 10²⁰. The hashes are seeded, so they place
/// themselves in the table and need no hashing of their own.
struct HashedNames: Sendable {
    /// What became of a name's member.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt64

        /// A collision left it out.
        static let fallen = Marks(rawValue: 1)
        /// It was taken back.
        static let gone = Marks(rawValue: 2)

        static let all: Marks = [.fallen, .gone]
    }

    /// The hashes of one name. The lowest bits of `second` are the marks' and no part of the name.
    struct Name: Sendable {
        var first: UInt64
        var second: UInt64
    }

    /// No name's `second` is zero in the table, so zero is an empty slot.
    private static let usedBit: UInt64 = 4

    /// The slots that a set of names has before it is divided into shards, each of which then grows by itself: no name that is
    /// added has to wait until millions of others have found new places.
    private static let maxUndividedSlots = 16 * 1024
    private static let shardBits = 8

    /// A part of the names, in slots of their own.
    private struct Shard {
        var slots: [Name] = []
        var count = 0

        mutating func insert(_ name: Name, _ marks: Marks) -> Bool {
            if count * 4 >= slots.count * 3 { grow() }
            let slot = self.slot(of: name)
            let isNew = slots[slot].second == 0
            if isNew { count += 1 }
            slots[slot] = Name(first: name.first, second: HashedNames.key(of: name) | marks.rawValue)
            return isNew
        }

        /// The slot that holds the name, or the empty one where it belongs.
        func slot(of name: Name) -> Int {
            let mask = slots.count - 1
            let key = HashedNames.key(of: name)
            var slot = Int(truncatingIfNeeded: name.first) & mask
            while slots[slot].second != 0,
                slots[slot].first != name.first || slots[slot].second & ~Marks.all.rawValue != key
            {
                slot = (slot + 1) & mask
            }
            return slot
        }

        private mutating func grow() {
            let old = slots
            slots = Array(repeating: Name(first: 0, second: 0), count: max(64, old.count * 2))
            for name in old where name.second != 0 { slots[slot(of: name)] = name }
        }
    }

    private var shards = [Shard()]
    private(set) var count = 0

    /// Bytes of memory.
    var storedBytes: Int { shards.reduce(0) { $0 + $1.slots.count } * MemoryLayout<Name>.stride }

    /// Adds a name or replaces its marks.
    mutating func insert(_ name: Name, _ marks: Marks = []) {
        if shards.count == 1, shards[0].slots.count >= Self.maxUndividedSlots { divide() }
        if shards[index(of: name)].insert(name, marks) { count += 1 }
    }

    /// The name's marks; nil when it is not in the set.
    func marks(of name: Name) -> Marks? {
        let index = index(of: name)
        guard !shards[index].slots.isEmpty else { return nil }
        let found = shards[index].slots[shards[index].slot(of: name)].second
        return found == 0 ? nil : Marks(rawValue: found & Marks.all.rawValue)
    }

    /// Shards take the highest bits of the hash, their slots the lowest.
    private func index(of name: Name) -> Int {
        shards.count == 1 ? 0 : Int(name.first >> UInt64(UInt64.bitWidth - Self.shardBits))
    }

    private mutating func divide() {
        let names = shards[0].slots
        shards = Array(repeating: Shard(), count: 1 << Self.shardBits)
        for name in names where name.second != 0 {
            _ = shards[index(of: name)].insert(name, Marks(rawValue: name.second & Marks.all.rawValue))
        }
    }

    private static func key(of name: Name) -> UInt64 { name.second & ~Marks.all.rawValue | usedBit }
}

// Of the memo's own, not of the converter's: a method that does not mutate the converter would copy 4 KB of it for each name.
extension KeyMemo {
    /// The hashes of the name that an entry stands for.
    @inline(__always)
    func hashedName(of index: Int, _ seeds: (UInt64, UInt64)) -> HashedNames.Name {
        let start = Int(entries[index].keyStart)
        let length = Int(entries[index].keyCount) - (entries[index].kind == .spelling ? 1 : 0)
        return HashedNames.Name(
            first: arena.hash(from: start, length: length, seed: seeds.0),
            second: arena.hash(from: start, length: length, seed: seeds.1))
    }

    /// Another name that stands in the object of this stamp and is written as this one is, or -1.
    @inline(__always)
    func standingSibling(of canonical: Int, in object: ObjectStamp) -> Int {
        let output = Int(entries[canonical].output)
        guard output >= 0 else { return -1 }
        var sibling = Int(entries[output].sibling)
        while sibling >= 0 {
            let stamp = entries[sibling].stamp
            if sibling != canonical, stamp.isSameObject(as: object), stamp.stands { return sibling }
            sibling = Int(entries[sibling].sibling)
        }
        return -1
    }
}
