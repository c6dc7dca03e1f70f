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
    struct Slot: BitwiseCopyable, Sendable {
        fileprivate var hash: UInt32 = 0
        /// One more than a node with the name.
        fileprivate var member: Int32 = 0
        private var held: Int32 = 0

        /// Whatever node the table's user has put here, or -1.
        var holder: Int32 {
            get { held - 1 }
            set { held = newValue + 1 }
        }

        fileprivate var isFree: Bool { member == 0 }
    }

    private static let leastSlots = 64
    /// How many bytes of a name are looked at for one step.
    private static let stepBytes = 32

    private let name: Name
    private let seed = UInt64.random(in: .min ... .max)
    private var slots = TrivialArray<Slot>(zeroed: leastSlots)
    /// Twice the room, while names go there, and the slot that is next to go; otherwise one slot.
    private var larger = TrivialArray<Slot>(zeroed: 1)
    private var moved = 0
    private var count = 0
    /// How long the names are, as bits: of most members that tells that they have another.
    private var lengths: UInt64 = 0
    private var content = ByteBuffer()

    init(of name: Name) { self.name = name }

    var isEmpty: Bool { count == 0 }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { slots.storedBytes + larger.storedBytes + content.capacity }

    subscript(slot: Int) -> Slot {
        get { slots[slot] }
        set { slots[slot] = newValue }
    }

    mutating func removeAll() {
        if slots.count > Self.leastSlots {
            slots = TrivialArray(zeroed: Self.leastSlots)
        } else if count > 0 {
            for index in 0..<slots.count { slots[index] = Slot() }
        }
        if larger.count > 1 { larger = TrivialArray(zeroed: 1) }
        moved = 0
        count = 0
        lengths = 0
    }

    /// Makes sure that there is room for one more name; false if that is to be gone on with.
    mutating func makeRoom(_ steps: inout Int) -> Bool {
        guard (count + 1) * 2 > slots.count else { return true }
        if larger.count < slots.count { larger = TrivialArray(zeroed: 2 * slots.count) }
        let mask = larger.count - 1
        let end = min(slots.count, moved + max(steps, 1))
        for index in moved..<end where !slots[index].isFree {
            var slot = Int(slots[index].hash) & mask
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

    /// The slot of a member's name, which is taken for it if need be; there must be room.
    ///
    /// The tree's text must be padded with slack.
    mutating func insert(_ node: Int, in tree: borrowing ScopeTree, _ steps: inout Int) -> Int {
        precondition((count + 1) * 2 <= slots.count)
        steps -= self.steps(for: node, in: tree)
        let hash = self.hash(of: node, in: tree)
        let slot = find(node, hash, in: tree)
        guard slots[slot].isFree else { return slot }
        slots[slot].hash = hash
        slots[slot].member = Int32(node + 1)
        lengths |= lengthBit(of: node, in: tree)
        count += 1
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
        let mask = slots.count - 1
        var slot = Int(hash) & mask
        while !slots[slot].isFree {
            if slots[slot].hash == hash, isSame(Int(slots[slot].member) - 1, node, in: tree) { break }
            slot = (slot + 1) & mask
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
