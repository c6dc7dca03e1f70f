/// Members by their names: of those with one name, one that the table was given.
///
/// Names are compared as bytes, unescaped, and hashed with a seed of each table's own, so that nobody can aim at one slot.
/// Nothing is copied: a slot holds the number of a node and half of its hash.
struct NameTable: ~Copyable {
    /// Which of a member's names counts.
    enum Name {
        case input, output
    }

    /// A name that some member bears.
    struct Slot: BitwiseCopyable, Sendable {
        fileprivate var hash: UInt32 = 0
        /// A node with the name; -1 where the slot is free.
        fileprivate var node: Int32 = -1
        /// Whatever node the table's user has put here, or -1.
        var holder: Int32 = -1
    }

    private let name: Name
    private let seed = UInt64.random(in: .min ... .max)
    private var slots = TrivialArray(repeating: Slot(), count: 64)
    private var count = 0
    /// How long the names are, as bits: of most members that tells that they have another.
    private var lengths: UInt64 = 0
    private var content = ByteBuffer()

    init(of name: Name) { self.name = name }

    var isEmpty: Bool { count == 0 }

    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    /// The slot of a member's name, which is taken for it if need be.
    ///
    /// The tree's text must be padded with slack.
    mutating func insert(_ node: Int, in tree: borrowing ScopeTree) -> Int {
        let hash = self.hash(of: node, in: tree)
        let slot = find(node, hash, in: tree)
        guard slots[slot].node < 0 else { return slot }
        slots[slot].hash = hash
        slots[slot].node = Int32(node)
        lengths |= lengthBit(of: node, in: tree)
        count += 1
        guard count * 2 > slots.count else { return slot }
        grow()
        return find(node, hash, in: tree)
    }

    /// The slot of a member's name; nil if no such name was inserted.
    mutating func find(_ node: Int, in tree: borrowing ScopeTree) -> Int? {
        guard lengths & lengthBit(of: node, in: tree) != 0 else { return nil }
        let slot = find(node, hash(of: node, in: tree), in: tree)
        return slots[slot].node < 0 ? nil : slot
    }

    private func find(_ node: Int, _ hash: UInt32, in tree: borrowing ScopeTree) -> Int {
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while slots[slot].node >= 0 {
            if slots[slot].hash == hash, isSame(Int(slots[slot].node), node, in: tree) { break }
            slot = (slot + 1) & mask
        }
        return slot
    }

    private mutating func grow() {
        var larger = TrivialArray(repeating: Slot(), count: 2 * slots.count)
        let mask = larger.count - 1
        for index in 0..<slots.count where slots[index].node >= 0 {
            var slot = Int(slots[index].hash) & mask
            while larger[slot].node >= 0 { slot = (slot + 1) & mask }
            larger[slot] = slots[index]
        }
        swap(&slots, &larger)
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
