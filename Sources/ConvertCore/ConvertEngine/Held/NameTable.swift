/// A hash table of members of one object: for each key, one of the members that were inserted.
///
/// Keys are compared as unescaped bytes. Nothing is copied: a slot holds the number of a node and half of its hash.
package struct NameTable: ~Copyable {
    /// The key of a member that the table uses: the one in the input or the one in the output.
    enum Name: BitwiseCopyable {
        case input, output
    }

    struct Slot: BitwiseCopyable, Sendable {
        var hash: UInt32 = 0
        /// A node with the key, or -1 if the slot is free.
        var member: Int32 = -1
    }

    private static let leastSlots = 32
    /// The most slots whose storage is kept for the next object.
    private static let maxKeptSlots = 8192

    private var name = Name.input
    private let seed = HashSeeds.first
    private var slots = UniqueArray<Slot>()
    /// For each slot: a node that the table's user has put there, or -1.
    var holders = UniqueArray<Int32>()
    private var mask = 0
    /// A bit for each length of the inserted keys; it rules out most keys that were not inserted.
    private var lengths: UInt64 = 0
    private var content = ByteBuffer()

    package init() {}

    /// Whether no key was inserted.
    var isEmpty: Bool { lengths == 0 }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { slots.storedBytes + holders.storedBytes + content.capacity }

    /// Empties the table, and makes room for this number of keys.
    mutating func begin(_ name: Name, room: Int) {
        var count = Self.leastSlots
        while count < 2 * room { count *= 2 }
        slots.removeAll(keepingAtMost: Self.maxKeptSlots)
        holders.removeAll(keepingAtMost: Self.maxKeptSlots)
        for _ in 0..<count {
            slots.append(Slot())
            holders.append(-1)
        }
        (self.name, mask, lengths) = (name, count - 1, 0)
    }

    /// The slot of a member's key. A new key gets a free slot.
    ///
    /// The tree's text must be padded with slack.
    mutating func insert(_ node: Int, in tree: borrowing HeldTree) -> Int {
        let hash = self.hash(of: node, in: tree)
        let slot = slot(of: node, hash, in: tree)
        guard slots[slot].member < 0 else { return slot }
        slots[slot] = Slot(hash: hash, member: Int32(node))
        lengths |= lengthBit(of: node, in: tree)
        return slot
    }

    /// The slot of a member's key; nil if that key was not inserted.
    mutating func find(_ node: Int, in tree: borrowing HeldTree) -> Int? {
        guard lengths & lengthBit(of: node, in: tree) != 0 else { return nil }
        let slot = slot(of: node, hash(of: node, in: tree), in: tree)
        return slots[slot].member < 0 ? nil : slot
    }

    private func slot(of node: Int, _ hash: UInt32, in tree: borrowing HeldTree) -> Int {
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot].member >= 0 {
            if slots[slot].hash == hash, isSame(Int(slots[slot].member), node, in: tree) { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    /// A bit for the length of the key; all bits for a key that is spelled with an escape.
    private func lengthBit(of node: Int, in tree: borrowing HeldTree) -> UInt64 {
        switch name {
        case .input: 1 << UInt64(tree.nodes[node].inputCount % UInt64.bitWidth)
        case .output where tree.nodes[node].nameHasEscape: .max
        case .output: 1 << UInt64(tree.nodes[node].nameCount % UInt64.bitWidth)
        }
    }

    private func isSame(_ one: Int, _ other: Int, in tree: borrowing HeldTree) -> Bool {
        switch name {
        case .input: tree.isSameInput(one, other)
        case .output: tree.haveSameName(one, other)
        }
    }

    private mutating func hash(of node: Int, in tree: borrowing HeldTree) -> UInt32 {
        let hash: UInt64
        switch name {
        case .input:
            hash = tree.text.hash(
                from: tree.nodes[node].inputStart, length: tree.nodes[node].inputCount, seed: seed)
        case .output where tree.nodes[node].nameHasEscape:
            content.removeAll()
            _ = JSONText.appendContent(of: tree.text.bytes.extracting(tree.nodes[node].nameRange), to: &content)
            content.padWithSlack()
            hash = content.hash(from: 0, length: content.count, seed: seed)
        case .output:
            hash = tree.text.hash(from: tree.nodes[node].nameStart, length: tree.nodes[node].nameCount, seed: seed)
        }
        return UInt32(truncatingIfNeeded: hash)
    }
}
