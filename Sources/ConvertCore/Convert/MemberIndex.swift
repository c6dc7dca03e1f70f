// Objects of few members are looked through each time. Of others the members that rules may ask for are entered once, before
// the first of them is asked for: `prepare` does that in pieces, and makes room in pieces, so that to find is always quick.

/// Finds the members of objects by some output names, those that rules ask for, which tell it what they add.
struct MemberIndex: ~Copyable {
    /// What is known under a name in an object; all zero where the slot is free.
    struct Slot: TableSlot {
        /// One more than the object's node.
        var object: Int32 = 0
        /// The name's number, or -1 for the object itself, whose members were entered.
        var name: Int32 = 0
        /// The entries of the first and of the last member.
        var first: Int32 = 0
        var last: Int32 = 0

        var isFree: Bool { object == 0 }
    }

    /// A member, and the entry of the next one of its name in its object, or -1.
    struct Entry: BitwiseCopyable, Sendable {
        var member: Int32
        var next: Int32 = -1
    }

    private static let maxScannedMembers = 16
    private static let maxKeptEntries = 1024
    /// A member whose name has to be looked up counts for so many.
    private static let lookupSteps = 8

    private var slots = GrowingTable<Slot>()
    private var entries = TrivialArray<Entry>()
    private let factor = UInt64.random(in: .min ... .max) | 1
    /// The member to be entered next of the object that is being prepared, or -1.
    private var member: Int32 = -1

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { slots.storedBytes + entries.storedBytes }

    mutating func removeAll() {
        slots.removeAll()
        member = -1
        entries.removeAll(keepingAtMost: Self.maxKeptEntries)
    }

    subscript(entry: Int32) -> Entry { entries[Int(entry)] }

    /// Makes an object ready to be asked for members, and for one more of them to be noted; false if that is to be gone on
    /// with, before another object is made ready.
    mutating func prepare(
        _ object: Int, _ names: MemberNames, in tree: borrowing ScopeTree, _ steps: inout Int
    ) -> Bool {
        guard makeRoom(&steps) else { return false }
        if member < 0 {
            guard isLarge(object, in: tree), slots[slot(of: object, -1)].isFree else { return true }
            member = tree.nodes[object].firstChild
        }
        while member >= 0 {
            guard makeRoom(&steps) else { return false }
            steps -= 1
            if names.mayHold(nameOf: Int(member), in: tree) {
                steps -= Self.lookupSteps
                if let name = names[tree.name(of: Int(member))] { enter(member, name, of: object) }
            }
            member = tree.nodes[Int(member)].next
            // Whoever has no steps left has come one member further.
            guard member < 0 || steps > 0 else { return false }
        }
        enter(-1, -1, of: object)
        return makeRoom(&steps)
    }

    /// Whether members of an object are found by their entries, and not by looking through them all.
    func isLarge(_ object: Int, in tree: borrowing ScopeTree) -> Bool {
        var child = tree.nodes[object].firstChild
        for _ in 0..<Self.maxScannedMembers {
            guard child >= 0 else { return false }
            child = tree.nodes[Int(child)].next
        }
        return child >= 0
    }

    /// The entry of the first member of a large object that bears a name, by its number; -1 for none.
    func firstEntry(named name: Int32, of object: Int) -> Int32 {
        let slot = slot(of: object, name)
        return slots[slot].isFree ? -1 : slots[slot].first
    }

    /// The first member of an object that bears a name, or -1; the object must be ready.
    func firstMember(named name: [UInt8], _ names: MemberNames, of object: Int, in tree: borrowing ScopeTree) -> Int {
        guard isLarge(object, in: tree) else { return tree.member(named: name, of: object) }
        guard let number = names[name] else { return -1 }
        let entry = firstEntry(named: number, of: object)
        return entry < 0 ? -1 : Int(self[entry].member)
    }

    /// Notes that an object has got a member of this name as its last; there must be room.
    mutating func note(_ member: Int, named name: [UInt8], _ names: MemberNames, in object: Int) {
        guard !slots[slot(of: object, -1)].isFree, let number = names[name] else { return }
        enter(Int32(member), number, of: object)
    }

    private mutating func enter(_ member: Int32, _ name: Int32, of object: Int) {
        let slot = slot(of: object, name)
        let entry = Int32(entries.count)
        if slots[slot].isFree {
            slots.take(slot, for: Slot(object: Int32(object + 1), name: name, first: entry, last: entry))
        } else {
            entries[Int(slots[slot].last)].next = entry
            slots[slot].last = entry
        }
        entries.append(Entry(member: member))
    }

    /// Makes sure that one more member can be noted, and its object beside; false if that is to be gone on with.
    mutating func makeRoom(_ steps: inout Int) -> Bool {
        let factor = factor
        return slots.makeRoom(for: 2, &steps) { Self.hash(of: $0.object, $0.name, factor) }
    }

    /// Where what is known is, or where it goes.
    private func slot(of object: Int, _ name: Int32) -> Int {
        let number = Int32(object + 1)
        var slot = slots.first(for: Self.hash(of: number, name, factor))
        while !slots[slot].isFree, slots[slot].object != number || slots[slot].name != name {
            slot = slots.next(after: slot)
        }
        return slot
    }

    private static func hash(of object: Int32, _ name: Int32, _ factor: UInt64) -> UInt32 {
        let key = UInt64(UInt32(bitPattern: object)) << UInt64(UInt32.bitWidth) | UInt64(UInt32(bitPattern: name))
        let product = key.multipliedFullWidth(by: factor)
        return UInt32(truncatingIfNeeded: product.high ^ product.low)
    }
}
