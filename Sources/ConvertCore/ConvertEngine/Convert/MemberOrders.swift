/// A member of an open object whose members are sorted: its key, and the position in the staged output where it begins, its comma included.
struct SortedMember: BitwiseCopyable, Sendable {
    /// Identifies an output key, as long as the converter lives.
    struct Key: BitwiseCopyable, Sendable, Equatable {
        fileprivate let bits: UInt64

        /// A key that is not in the key cache.
        static let unknown = Key(entry: -1, emptyings: 0)

        fileprivate var isKnown: Bool { UInt32(truncatingIfNeeded: bits) != .max }

        /// The key of an entry of the key cache, which was emptied `emptyings` times before.
        @inline(__always)
        init(entry: Int32, emptyings: Int) {
            bits = UInt64(truncatingIfNeeded: emptyings) &<< 32 | UInt64(UInt32(bitPattern: entry))
        }
    }

    var mark: Int
    let key: Key
}

/// The orders in which members of objects are sorted, by their keys. Objects with the same keys in the same sequence have the same order,
/// so only the first of them is sorted.
struct MemberOrders: ~Copyable, Sendable {
    /// Where an order is stored.
    struct Order: BitwiseCopyable, Sendable {
        fileprivate var start = 0
        fileprivate var count = 0
        /// How many of the first members are in order as they come.
        fileprivate(set) var sortedCount = 0
    }

    /// The orders of objects with more members are not remembered.
    private static let maxMembers = 64
    /// How many members the remembered orders have together, at most.
    private static let maxStoredMembers = 4096
    /// How many orders are remembered, at most: 2 to the power of this number.
    private static let slotBits = 8

    private var slots = UniqueArray<Order>()
    /// The keys of each remembered order as they came.
    private var keys = UniqueArray<SortedMember.Key>()
    /// For each order, the number of the member at each position. If the last order is not remembered, its members come behind all keys.
    private var members = UniqueArray<UInt32>()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { slots.storedBytes + keys.storedBytes + members.storedBytes }

    /// The number of the member at a position of an order.
    @inline(__always)
    func member(at position: Int, of order: Order) -> Int { Int(members[order.start + position]) }

    /// The order of the members from `first` on; nil if it is not known.
    @inline(__always)
    func order(of sought: borrowing UniqueArray<SortedMember>, from first: Int) -> Order? {
        let count = sought.count - first
        guard count <= Self.maxMembers, !slots.isEmpty else { return nil }
        let order = slots[Self.slot(of: sought, from: first)]
        guard order.count == count else { return nil }
        for index in 0..<count where keys[order.start + index] != sought[first + index].key { return nil }
        return order
    }

    /// The order of the members from `first` on, which `sorter` has sorted. It is remembered if all keys are known, and can be used until
    /// the next one is added.
    mutating func add(
        _ sorter: borrowing NameSorter, of added: borrowing UniqueArray<SortedMember>, from first: Int
    ) -> Order {
        let count = added.count - first
        let isRemembered = count <= Self.maxMembers && (first..<added.count).allSatisfy { added[$0].key.isKnown }
        if isRemembered, slots.isEmpty || keys.count + count > Self.maxStoredMembers {
            slots = UniqueArray(repeating: Order(), count: 1 << Self.slotBits)
            keys.removeAll()
        }
        members.truncate(to: keys.count)
        let sortedCount = (0..<count).first { sorter[$0] != $0 } ?? count
        let order = Order(start: keys.count, count: count, sortedCount: sortedCount)
        for position in 0..<count { members.append(UInt32(sorter[position])) }
        if isRemembered {
            slots[Self.slot(of: added, from: first)] = order
            for index in first..<added.count { keys.append(added[index].key) }
        }
        return order
    }

    /// Where the order of these members is, if it is remembered.
    @inline(__always)
    private static func slot(of members: borrowing UniqueArray<SortedMember>, from first: Int) -> Int {
        var hash: UInt64 = 0
        for index in first..<members.count { hash = (hash &<< 5 | hash &>> 59) ^ members[index].key.bits }
        return Int(truncatingIfNeeded: (hash &* 0x9E37_79B9_7F4A_7C15) &>> UInt64(64 - slotBits))
    }
}
