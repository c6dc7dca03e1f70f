/// A hash table with open addressing that finds the entries of a key cache. Each slot has half of an entry's hash, so
/// that an entry is read only if it is likely to match.
struct EntryTable: ~Copyable {
    struct Slot: BitwiseCopyable, Sendable {
        var entry: Int32 = -1
        /// The upper half of the entry's hash.
        var mark: UInt32 = 0
    }

    private static let leastSlots = 256

    private var slots = UniqueArray(repeating: Slot(), count: leastSlots)

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { slots.storedBytes }

    /// Whether at least half of the slots are free with this many entries.
    func hasRoom(for count: Int) -> Bool { count * 2 <= slots.count }

    /// The slot at which a search for this hash begins.
    @inline(__always)
    func slot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count &- 1) }

    /// The next entry, from the slot at `index` on, that may have this hash, or -1. Moves `index` behind it.
    @inline(__always)
    func entry(from index: inout Int, hash: UInt64) -> Int {
        let mark = UInt32(truncatingIfNeeded: hash &>> UInt64(UInt32.bitWidth))
        while true {
            let slot = slots[index]
            if slot.entry < 0 { return -1 }
            index = (index &+ 1) & (slots.count &- 1)
            if slot.mark == mark { return Int(slot.entry) }
        }
    }

    /// Adds an entry, for which there must be room.
    mutating func insert(_ entry: Int, hash: UInt64) {
        var index = slot(of: hash)
        while slots[index].entry >= 0 { index = (index &+ 1) & (slots.count &- 1) }
        slots[index] = Slot(entry: Int32(entry), mark: UInt32(truncatingIfNeeded: hash &>> UInt64(UInt32.bitWidth)))
    }

    /// Empties the table and makes it twice as large.
    mutating func grow() { slots = UniqueArray(repeating: Slot(), count: slots.count * 2) }

    mutating func removeAll() {
        for index in 0..<slots.count { slots[index] = Slot() }
    }
}
