/// The hashes of keys that open objects have had and that have no tag in the key cache.
///
/// Two independently seeded hashes, of 64 and 59 bits, identify a key in an object. With a billion keys, the probability to confuse two is
/// below 1 in 10¹⁹. Objects that end remove nothing; their entries are removed when a part of the table is full.
struct SeenKeys: ~Copyable {
    /// The facts about a key in one object.
    struct Marks: OptionSet, Sendable {
        let rawValue: UInt64

        /// A member of the payload has the key.
        static let seen = Marks(rawValue: 1)
        /// A collision removed that member.
        static let collided = Marks(rawValue: 2)
        /// That member was written, but removed again.
        static let removed = Marks(rawValue: 4)
        /// A member that stays is written with the key.
        static let taken = Marks(rawValue: 8)

        /// The input key of that member is known.
        fileprivate static let borne = Marks(rawValue: 16)

        fileprivate static let all: Marks = [.seen, .collided, .removed, .taken, .borne]
    }

    /// The hashes of one key. The lowest bits of `second` are for the marks and do not identify the key.
    struct Name: BitwiseCopyable, Sendable {
        var first: UInt64
        var second: UInt64

        fileprivate var key: UInt64 { second & ~Marks.all.rawValue }

        /// The number that determines its shard and slot.
        fileprivate func hash(in object: ObjectTag) -> UInt64 { first ^ object.spread }
    }

    private struct Slot: BitwiseCopyable, Sendable {
        var first: UInt64 = 0
        /// The key's `second`, with the marks.
        var second: UInt64 = 0
        /// The first hash of the input key of the member that is written with this key, if that is known.
        var bearer: UInt64 = 0
        /// The object that had the key; `none` if the slot is free.
        var object = ObjectTag.none

        var name: Name { Name(first: first, second: second) }
    }

    /// The most slots of a table that is not divided. A larger one is divided into shards, each of which grows by itself. So no key that is
    /// added has to wait until millions of others are moved.
    private static let maxUndividedSlots = 16 * 1024
    private static let shardBits = 8
    private static let leastSlots = 256

    /// A part of the keys, in its own slots.
    private struct Shard {
        var slots: [Slot] = []
        var taken = 0

        /// Whether more than a quarter is free.
        var hasRoom: Bool { taken * 4 < slots.count * 3 }

        /// The slot of the key, or the free one where it belongs.
        func slot(of name: Name, in object: ObjectTag) -> Int {
            let mask = slots.count &- 1
            let key = name.key
            var slot = Int(truncatingIfNeeded: name.hash(in: object)) & mask
            while !slots[slot].object.isNone,
                slots[slot].first != name.first || slots[slot].name.key != key || slots[slot].object != object
            {
                slot = (slot &+ 1) & mask
            }
            return slot
        }

        mutating func grow() {
            let old = slots
            slots = Array(repeating: Slot(), count: 2 * old.count)
            taken = 0
            for slot in old where !slot.object.isNone { put(slot) }
        }

        mutating func put(_ content: Slot) { put(content, at: slot(of: content.name, in: content.object)) }

        mutating func put(_ content: Slot, at slot: Int) {
            if slots[slot].object.isNone { taken &+= 1 }
            slots[slot] = content
        }
    }

    private var shards = [Shard()]
    private var slotCount = 0

    /// Bytes of memory that the slots take.
    var storedBytes: Int { slotCount * MemoryLayout<Slot>.stride }

    private func slot(of name: Name, in object: ObjectTag) -> Slot {
        let index = shard(of: name.hash(in: object))
        guard shards[index].taken > 0 else { return Slot() }
        return shards[index].slots[shards[index].slot(of: name, in: object)]
    }

    /// The marks of a key in an object.
    func marks(of name: Name, in object: ObjectTag) -> Marks {
        Marks(rawValue: slot(of: name, in: object).second).intersection(.all)
    }

    /// Whether the member that is written with the key `name` in an object is known to have the input key `input`.
    func isBorne(_ name: Name, by input: Name, in object: ObjectTag) -> Bool {
        let found = slot(of: name, in: object)
        return Marks(rawValue: found.second).isSuperset(of: [.taken, .borne]) && found.bearer == input.first
    }

    /// Replaces the marks of a key in an object, which must be open.
    mutating func note(
        _ marks: Marks, of name: Name, in object: ObjectTag, open containers: borrowing UniqueStack<Container>
    ) {
        let (index, slot) = roomySlot(of: name, in: object, open: containers)
        var content = shards[index].slots[slot]
        if content.object.isNone { content = Slot(first: name.first, object: object) }
        content.second = name.key | marks.rawValue
        shards[index].put(content, at: slot)
    }

    /// Adds a key to an object. With nil for `input` it is the key of a member, otherwise the output key of the member whose input key has
    /// this first hash. Returns false if the object already has marks for the key.
    mutating func noteNew(
        _ name: Name, of input: UInt64?, in object: ObjectTag, open containers: borrowing UniqueStack<Container>
    ) -> Bool {
        let (index, slot) = roomySlot(of: name, in: object, open: containers)
        guard shards[index].slots[slot].object.isNone else { return false }
        let marks: Marks = input == nil ? .seen : [.taken, .borne]
        shards[index].put(
            Slot(first: name.first, second: name.key | marks.rawValue, bearer: input ?? 0, object: object),
            at: slot)
        return true
    }

    /// The shard of a key, with room for one more, and the key's slot there or the free one where it belongs.
    private mutating func roomySlot(
        of name: Name, in object: ObjectTag, open containers: borrowing UniqueStack<Container>
    ) -> (shard: Int, slot: Int) {
        var index = shard(of: name.hash(in: object))
        if !shards[index].hasRoom {
            makeRoom(in: index, open: containers)
            index = shard(of: name.hash(in: object))
        }
        return (index, shards[index].slot(of: name, in: object))
    }

    /// Forgets all keys, and frees the storage that is larger than usual.
    mutating func removeAll() {
        // All objects of a converter have different tags, so slots of earlier payloads do not match and need not be cleared.
        guard slotCount > Self.leastSlots else { return }
        shards = [Shard()]
        slotCount = 0
    }

    /// Removes the keys of objects that have ended, and makes sure that more than half of the shard is free.
    private mutating func makeRoom(in index: Int, open containers: borrowing UniqueStack<Container>) {
        var live: [Slot] = []
        for slot in shards[index].slots where Self.isOpen(slot.object, containers) { live.append(slot) }
        let old = shards[index].slots.count
        var count = Self.leastSlots
        while live.count * 8 > count * 3 { count *= 2 }
        if shards.count == 1, count > Self.maxUndividedSlots {
            count = 2 * count >> Self.shardBits
            shards = Array(repeating: Shard(slots: Array(repeating: Slot(), count: count)), count: 1 << Self.shardBits)
            slotCount = count << Self.shardBits
        } else {
            shards[index] = Shard(slots: Array(repeating: Slot(), count: count))
            slotCount += count - old
        }
        for slot in live {
            let index = shard(of: slot.name.hash(in: slot.object))
            if !shards[index].hasRoom {
                slotCount += shards[index].slots.count
                shards[index].grow()
            }
            shards[index].put(slot)
        }
    }

    @inline(__always)
    private static func isOpen(_ object: ObjectTag, _ containers: borrowing UniqueStack<Container>) -> Bool {
        !object.isNone && object.depth <= containers.depth && object == containers[object.depth].tag
    }

    /// The highest bits choose the shard, the lowest the slot in it.
    private func shard(of hash: UInt64) -> Int {
        shards.count == 1 ? 0 : Int(hash >> UInt64(UInt64.bitWidth - Self.shardBits))
    }
}

// Methods of the key cache, not of the converter: a method that does not mutate the converter would copy 4 KB of it for each key.
extension KeyCache {
    /// The hashes of the key that an entry represents, the first of them with the key cache's own seed.
    @inline(__always)
    func hashedName(of index: Int, _ secondSeed: UInt64) -> SeenKeys.Name {
        let start = Int(entries[index].keyStart)
        let length = Int(entries[index].keyCount) - (entries[index].kind == .spelling ? 1 : 0)
        return SeenKeys.Name(
            first: arena.hash(from: start, length: length, seed: seed),
            second: arena.hash(from: start, length: length, seed: secondSeed))
    }

    /// The entry of another key that stays in the object of this tag and has the same output key, or -1.
    @inline(__always)
    func presentSibling(of canonical: Int, in object: ObjectTag) -> Int {
        let output = Int(entries[canonical].output)
        guard output >= 0 else { return -1 }
        var sibling = Int(entries[output].sibling)
        while sibling >= 0 {
            let tag = entries[sibling].tag
            if sibling != canonical, tag.isSameObject(as: object), tag.isPresent { return sibling }
            sibling = Int(entries[sibling].sibling)
        }
        return -1
    }
}
