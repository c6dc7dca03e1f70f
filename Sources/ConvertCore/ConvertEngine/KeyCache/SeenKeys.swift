/// The hashes of keys that open objects have had and that have no tag in the key cache.
///
/// 91 bits of two independently seeded hashes identify a key in an object. With a hundred million keys, the probability to confuse two is
/// below 1 in 10¹¹. If two keys have one output key, 32 bits tell whether they are the same key. The entries of an object that ends stay
/// until the table grows.
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
        fileprivate static let hasInput = Marks(rawValue: 16)

        fileprivate static let all: Marks = [.seen, .collided, .removed, .taken, .hasInput]
    }

    /// The hashes of one key. Of `second` only the highest bits identify it.
    struct Name: BitwiseCopyable, Sendable {
        var first: UInt64
        var second: UInt64

        /// The number that determines its slot.
        func hash(in object: ObjectTag) -> UInt64 { first ^ object.spread }
    }

    struct Slot: BitwiseCopyable, Sendable {
        /// The object that had the key; `none` if the slot is free.
        var object = ObjectTag.none
        var first: UInt64 = 0
        /// From the highest bit down: 27 bits of the key's second hash, 32 of the first hash of the input key of the member that is written
        /// with this key, if that is known, and the marks.
        private var bits: UInt64 = 0

        private static let secondShift: UInt64 = 37
        private static let inputShift: UInt64 = 5

        init() {}

        init(_ name: Name, in object: ObjectTag, _ marks: Marks, input: UInt64) {
            (self.object, first) = (object, name.first)
            bits = (name.second &>> Self.secondShift) &<< Self.secondShift
            bits |= UInt64(UInt32(truncatingIfNeeded: input)) &<< Self.inputShift | marks.rawValue
        }

        var marks: Marks { Marks(rawValue: bits).intersection(.all) }
        var input: UInt32 { UInt32(truncatingIfNeeded: bits &>> Self.inputShift) }
        var name: Name { Name(first: first, second: bits) }

        func isOf(_ name: Name, in object: ObjectTag) -> Bool {
            first == name.first && (bits ^ name.second) &>> Self.secondShift == 0 && self.object == object
        }
    }

    /// A power of two of slots, in the order of the hashes.
    struct Table: ~Copyable {
        private(set) var slots: UniqueArray<Slot>
        private(set) var taken = 0
        private let shift: UInt64

        init(_ count: Int) {
            slots = UniqueArray(zeroed: count)
            shift = UInt64(UInt64.bitWidth - count.trailingZeroBitCount)
        }

        /// Whether more than a quarter is free.
        var hasRoom: Bool { taken &* 4 < slots.count &* 3 }

        /// The slot of the key, or the free one where it belongs.
        func slot(of name: Name, in object: ObjectTag) -> Int {
            let mask = slots.count &- 1
            var slot = Int(truncatingIfNeeded: name.hash(in: object) &>> shift) & mask
            while !slots[slot].object.isNone, !slots[slot].isOf(name, in: object) { slot = (slot &+ 1) & mask }
            return slot
        }

        /// The slots of one step of a move to another table.
        ///
        /// The steps follow each other at a distance of about the golden ratio of the table. In the order of the hashes they would fill one
        /// part of the other table, if the object of the keys ended before all are moved.
        func slots(ofMove step: Int) -> Range<Int> {
            let stepCount = slots.count / SeenKeys.slotsAMove
            let distance = Int(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64 &>> (shift &+ SeenKeys.moveBits)) | 1
            let start = (step &* distance & (stepCount &- 1)) &* SeenKeys.slotsAMove
            return start..<start + SeenKeys.slotsAMove
        }

        mutating func put(_ content: Slot, at slot: Int) {
            if slots[slot].object.isNone { taken &+= 1 }
            slots[slot] = content
        }

        mutating func removeAll() {
            for slot in 0..<slots.count { slots[slot] = Slot() }
            taken = 0
        }
    }

    private static let leastSlots = 64
    /// A table with more slots is freed when the payload ends.
    private static let mostKeptSlots = 64 * 1024
    /// How many slots of the old table move to the new one at a time, at least once in `keysAMove` keys. So no key has to wait until millions of
    /// others have moved.
    private static let slotsAMove = 1 << moveBits
    private static let moveBits: UInt64 = 6
    private static let keysAMove = 8

    private(set) var table = Table(leastSlots)
    /// The table before, while it is moved, and how many steps of that are left. A key that is in both tables counts in `table`.
    private var old = Table(1)
    private var movesLeft = 0

    /// Bytes of memory that the slots take.
    var storedBytes: Int { table.slots.storedBytes + old.slots.storedBytes }

    private var isMoving: Bool { movesLeft > 0 }

    private func slot(of name: Name, in object: ObjectTag) -> Slot {
        let slot = table.slots[table.slot(of: name, in: object)]
        return slot.object.isNone && isMoving ? old.slots[old.slot(of: name, in: object)] : slot
    }

    /// The marks of a key in an object.
    func marks(of name: Name, in object: ObjectTag) -> Marks { slot(of: name, in: object).marks }

    /// Whether the member that is written with the key `name` in an object is known to have the input key `input`.
    func isKnown(_ name: Name, from input: Name, in object: ObjectTag) -> Bool {
        let found = slot(of: name, in: object)
        return found.marks.isSuperset(of: [.taken, .hasInput]) && found.input == UInt32(truncatingIfNeeded: input.first)
    }

    /// Replaces the marks of a key in an object, which must be open.
    mutating func note(
        _ marks: Marks, of name: Name, in object: ObjectTag, open containers: borrowing UniqueStack<Container>
    ) {
        makeRoom(open: containers)
        let input = UInt64(slot(of: name, in: object).input)
        table.put(Slot(name, in: object, marks, input: input), at: table.slot(of: name, in: object))
    }

    /// Adds a key to an object. With nil for `input` it is the key of a member, otherwise the output key of the member whose input key has
    /// this first hash. Returns false if the object already has marks for the key.
    mutating func noteNew(
        _ name: Name, of input: UInt64?, in object: ObjectTag, open containers: borrowing UniqueStack<Container>
    ) -> Bool {
        makeRoom(open: containers)
        let slot = table.slot(of: name, in: object)
        guard table.slots[slot].object.isNone,
            !isMoving || old.slots[old.slot(of: name, in: object)].object.isNone
        else { return false }
        table.put(Slot(name, in: object, input == nil ? .seen : [.taken, .hasInput], input: input ?? 0), at: slot)
        return true
    }

    /// Forgets all keys, and frees the storage that is larger than usual.
    mutating func removeAll() {
        // All objects of a converter have different tags, so slots of earlier payloads do not match. They need not be cleared each time.
        if table.slots.count > Self.mostKeptSlots {
            self = SeenKeys()
        } else if isMoving || table.taken * 4 >= table.slots.count {
            endMove()
            table.removeAll()
        }
    }

    /// Makes sure that there is room for one more key. Keys of objects that have ended are not moved to a new table.
    @inline(__always)
    private mutating func makeRoom(open containers: borrowing UniqueStack<Container>) {
        if isMoving {
            if table.taken & (Self.keysAMove &- 1) == 0 { move(open: containers) }
        } else if !table.hasRoom {
            grow(open: containers)
        }
    }

    /// Begins to move to a new table, which is larger if many keys are of open objects.
    @inline(never)
    private mutating func grow(open containers: borrowing UniqueStack<Container>) {
        // Keys are spread evenly over the table, so that a part of it is a sample.
        let sample = min(table.slots.count, 1024)
        var live = 0
        for slot in 0..<sample where Self.isOpen(table.slots[slot].object, containers) { live += 1 }
        var next = Table(live * 8 > sample * 3 ? 2 * table.slots.count : table.slots.count)
        swap(&table, &next)
        old = next
        movesLeft = old.slots.count / Self.slotsAMove
    }

    @inline(never)
    private mutating func move(open containers: borrowing UniqueStack<Container>) {
        movesLeft &-= 1
        for index in old.slots(ofMove: movesLeft) {
            let content = old.slots[index]
            guard Self.isOpen(content.object, containers) else { continue }
            let slot = table.slot(of: content.name, in: content.object)
            if table.slots[slot].object.isNone { table.put(content, at: slot) }
        }
        if !isMoving { endMove() }
    }

    private mutating func endMove() {
        old = Table(1)
        movesLeft = 0
    }

    @inline(__always)
    private static func isOpen(_ object: ObjectTag, _ containers: borrowing UniqueStack<Container>) -> Bool {
        !object.isNone && object.depth <= containers.depth && object == containers[object.depth].tag
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
