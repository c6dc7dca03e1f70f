/// What a slot of a `GrowingTable` holds; all zero where it is free.
protocol TableSlot: BitwiseCopyable, Sendable {
    init()
    var isFree: Bool { get }
}

/// An open hash table that gets larger in pieces, so that nobody has to wait until millions of slots have found new places.
///
/// Its user looks for a slot from where the hash says on, one by one until one is free.
struct GrowingTable<Slot: TableSlot>: ~Copyable {
    private static var leastSlots: Int { 64 }

    private var slots = TrivialArray<Slot>(zeroed: leastSlots)
    /// Twice the room, while what is there goes there, and the slot that is next to go; otherwise one slot.
    private var larger = TrivialArray<Slot>(zeroed: 1)
    private var moved = 0
    /// Slots that are taken.
    private(set) var count = 0

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { slots.storedBytes + larger.storedBytes }

    @inline(__always)
    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    /// Where to begin to look for what has this hash.
    @inline(__always)
    func first(for hash: UInt32) -> Int { Int(hash) & (slots.count - 1) }

    /// Where to look next.
    @inline(__always)
    func next(after slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Takes a free slot, for which `makeRoom` has seen to it that there is one.
    mutating func take(_ slot: Int, for content: Slot) {
        precondition(slots[slot].isFree && (count + 1) * 2 <= slots.count)
        slots[slot] = content
        count += 1
    }

    /// Makes sure that so many more slots can be taken; false if that is to be gone on with.
    mutating func makeRoom(for more: Int, _ steps: inout Int, hash: (Slot) -> UInt32) -> Bool {
        guard (count + more) * 2 > slots.count else { return true }
        if larger.count < slots.count { larger = TrivialArray(zeroed: 2 * slots.count) }
        let mask = larger.count - 1
        let end = min(slots.count, moved + max(steps, 1))
        for index in moved..<end where !slots[index].isFree {
            var slot = Int(hash(slots[index])) & mask
            while !larger[slot].isFree { slot = (slot + 1) & mask }
            larger[slot] = slots[index]
        }
        steps -= end - moved
        moved = end
        guard moved == slots.count else { return false }
        swap(&slots, &larger)
        larger = TrivialArray(zeroed: 1)
        moved = 0
        return true
    }

    /// Frees all slots, and keeps as many as a table begins with.
    mutating func removeAll() {
        if slots.count > Self.leastSlots {
            slots = TrivialArray(zeroed: Self.leastSlots)
        } else if count > 0 {
            for index in 0..<slots.count { slots[index] = Slot() }
        }
        if larger.count > 1 { larger = TrivialArray(zeroed: 1) }
        (moved, count) = (0, 0)
    }
}
