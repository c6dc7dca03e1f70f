/// The names that an object showed before the memo was emptied under it, as hashes.
struct SpilledNames: Sendable {
    /// Input names; one that a collision left out is marked.
    var seen = HashedNames()
    /// Output names that stand; one whose member was taken back is marked.
    var taken = HashedNames()

    /// Bytes of memory.
    var storedBytes: Int { seen.storedBytes + taken.storedBytes }
}

/// A set of names, each known by two independently seeded 64-bit hashes; a name may be marked.
///
/// With a billion names the odds of taking two for one are below 1 in 10²⁰. The hashes are seeded, so they place
/// themselves in the table and need no hashing of their own.
struct HashedNames: Sendable {
    /// The hashes of one name. The lowest bit of `second` is the mark's and no part of the name.
    struct Name: Sendable {
        var first: UInt64
        var second: UInt64
    }

    private static let markBit: UInt64 = 1
    /// No name's `second` is zero in the table, so zero is an empty slot.
    private static let usedBit: UInt64 = 2

    private var slots: [Name] = []
    private(set) var count = 0

    /// Bytes of memory.
    var storedBytes: Int { slots.count * MemoryLayout<Name>.stride }

    /// Adds a name or replaces its mark.
    mutating func insert(_ name: Name, isMarked: Bool = false) {
        if count * 4 >= slots.count * 3 { grow() }
        let slot = self.slot(of: name)
        if slots[slot].second == 0 { count += 1 }
        slots[slot] = Name(first: name.first, second: Self.key(of: name) | (isMarked ? Self.markBit : 0))
    }

    /// Whether the name is marked; nil when it is not in the set.
    func mark(of name: Name) -> Bool? {
        guard !slots.isEmpty else { return nil }
        let found = slots[slot(of: name)].second
        return found == 0 ? nil : found & Self.markBit != 0
    }

    /// The slot that holds the name, or the empty one where it belongs.
    private func slot(of name: Name) -> Int {
        let mask = slots.count - 1
        let key = Self.key(of: name)
        var slot = Int(truncatingIfNeeded: name.first) & mask
        while slots[slot].second != 0,
            slots[slot].first != name.first || slots[slot].second & ~Self.markBit != key
        {
            slot = (slot + 1) & mask
        }
        return slot
    }

    private static func key(of name: Name) -> UInt64 { name.second & ~markBit | usedBit }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Name(first: 0, second: 0), count: max(64, old.count * 2))
        for name in old where name.second != 0 { slots[slot(of: name)] = name }
    }
}
