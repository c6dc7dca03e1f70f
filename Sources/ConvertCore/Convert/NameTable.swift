/// Members by their names: of those with one name, one that the table was given.
///
/// Names are compared as bytes, unescaped, and hashed with a seed of each table's own, so that nobody can aim at one slot.
/// Nothing is copied: a slot holds the number of a node and half of its hash. Room for more names is made in pieces.
struct NameTable: ~Copyable {
    /// Which of a member's names counts.
    enum Name {
        case input, output
    }

    /// A name that some member bears; all zero where the slot is free.
    struct Slot: TableSlot {
        fileprivate var hash: UInt32 = 0
        /// One more than a node with the name.
        fileprivate var member: Int32 = 0
        fileprivate var held: Int32 = 0

        /// Whatever node the table's user has put here, or -1.
        var holder: Int32 {
            get { held - 1 }
            set { held = newValue + 1 }
        }

        var isFree: Bool { member == 0 }
    }

    /// How many bytes of a name are looked at for one step.
    private static let stepBytes = 32

    private let name: Name
    private let seed = UInt64.random(in: .min ... .max)
    private var slots = GrowingTable<Slot>()
    /// How long the names are, as bits: of most members that tells that they have another.
    private var lengths: UInt64 = 0
    private var content = ByteBuffer()

    init(of name: Name) { self.name = name }

    var isEmpty: Bool { slots.count == 0 }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { slots.storedBytes + content.capacity }

    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    mutating func removeAll() {
        slots.removeAll()
        lengths = 0
    }

    /// Makes sure that there is room for one more name; false if that is to be gone on with.
    mutating func makeRoom(_ steps: inout Int) -> Bool { slots.makeRoom(for: 1, &steps) { $0.hash } }

    /// The slot of a member's name, which is taken for it if need be; there must be room.
    ///
    /// The tree's text must be padded with slack.
    mutating func insert(_ node: Int, in tree: borrowing ScopeTree, _ steps: inout Int) -> Int {
        steps -= self.steps(for: node, in: tree)
        let hash = self.hash(of: node, in: tree)
        let slot = find(node, hash, in: tree)
        guard slots[slot].isFree else { return slot }
        slots.take(slot, for: Slot(hash: hash, member: Int32(node + 1)))
        lengths |= lengthBit(of: node, in: tree)
        return slot
    }

    /// The slot of a member's name; nil if no such name was inserted.
    mutating func find(_ node: Int, in tree: borrowing ScopeTree, _ steps: inout Int) -> Int? {
        steps -= 1
        guard lengths & lengthBit(of: node, in: tree) != 0 else { return nil }
        steps -= self.steps(for: node, in: tree)
        let slot = find(node, hash(of: node, in: tree), in: tree)
        return slots[slot].isFree ? nil : slot
    }

    private func find(_ node: Int, _ hash: UInt32, in tree: borrowing ScopeTree) -> Int {
        var slot = slots.first(for: hash)
        while !slots[slot].isFree {
            if slots[slot].hash == hash, isSame(Int(slots[slot].member) - 1, node, in: tree) { break }
            slot = slots.next(after: slot)
        }
        return slot
    }

    private func steps(for node: Int, in tree: borrowing ScopeTree) -> Int {
        let length = name == .input ? tree.nodes[node].inputCount : tree.nodes[node].nameCount
        return 1 + length / Self.stepBytes
    }

    /// A bit for the length of the name that counts; all of them for one that is spelled with an escape.
    private func lengthBit(of node: Int, in tree: borrowing ScopeTree) -> UInt64 {
        switch name {
        case .input: 1 << UInt64(tree.nodes[node].inputCount % UInt64.bitWidth)
        case .output where tree.nodes[node].nameHasEscape: .max
        case .output: 1 << UInt64(tree.nodes[node].nameCount % UInt64.bitWidth)
        }
    }

    private func isSame(_ one: Int, _ other: Int, in tree: borrowing ScopeTree) -> Bool {
        switch name {
        case .input: tree.isSameInput(one, other)
        case .output: tree.haveSameName(one, other)
        }
    }

    private mutating func hash(of node: Int, in tree: borrowing ScopeTree) -> UInt32 {
        let hash: UInt64
        switch name {
        case .input:
            hash = tree.text.hash(
                from: tree.nodes[node].inputStart, length: tree.nodes[node].inputCount, seed: seed)
        case .output where tree.nodes[node].nameHasEscape:
            content.removeAll()
            let start = tree.nodes[node].nameStart
            let spelling = tree.text.bytes.extracting(start..<(start + tree.nodes[node].nameCount))
            _ = JSONText.appendContent(of: spelling, to: &content)
            content.padWithSlack()
            hash = content.hash(from: 0, length: content.count, seed: seed)
        case .output:
            hash = tree.text.hash(from: tree.nodes[node].nameStart, length: tree.nodes[node].nameCount, seed: seed)
        }
        return UInt32(truncatingIfNeeded: hash)
    }
}
