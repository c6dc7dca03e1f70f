/// The orders in which members of objects are sorted, by their keys. Objects with the same keys in the same sequence have the same order,
/// so only the first of them is sorted.
struct MemberOrders: ~Copyable, Sendable {
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

    /// The orders of objects with more members are not remembered.
    private static let maxMembers = 64
    /// How many orders are remembered; a power of two.
    private static let orderCount = 64

    /// For each order: the number of members, which is 0 at first, their keys as they came, and the number of the member at each position.
    private var counts = UniqueArray<Int>()
    private var keys = UniqueArray<Key>()
    private var members = UniqueArray<UInt8>()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { counts.storedBytes + keys.storedBytes + members.storedBytes }

    /// Appends the order of members with the keys from `first` on: the number of the member at each position. False if it is not known.
    func appendOrder(
        of sought: borrowing UniqueArray<Key>, from first: Int, to order: inout UniqueArray<Int>
    ) -> Bool {
        let count = sought.count - first
        guard !counts.isEmpty, let slot = slot(of: sought, from: first), counts[slot] == count else { return false }
        let start = slot * Self.maxMembers
        for index in 0..<count where keys[start + index] != sought[first + index] { return false }
        for index in 0..<count { order.append(Int(members[start + index])) }
        return true
    }

    /// Remembers the order of members with the keys from `first` on.
    mutating func note(_ order: borrowing UniqueArray<Int>, of noted: borrowing UniqueArray<Key>, from first: Int) {
        guard let slot = slot(of: noted, from: first) else { return }
        if counts.isEmpty {
            counts = UniqueArray(repeating: 0, count: Self.orderCount)
            keys = UniqueArray(repeating: .unknown, count: Self.orderCount * Self.maxMembers)
            members = UniqueArray(repeating: 0, count: Self.orderCount * Self.maxMembers)
        }
        counts[slot] = order.count
        let start = slot * Self.maxMembers
        for index in 0..<order.count {
            keys[start + index] = noted[first + index]
            members[start + index] = UInt8(order[index])
        }
    }

    /// Where the order of these keys is, if it is remembered; nil if it never is.
    private func slot(of keys: borrowing UniqueArray<Key>, from first: Int) -> Int? {
        guard keys.count - first <= Self.maxMembers else { return nil }
        var sum: UInt64 = 0
        var areKnown = true
        for index in first..<keys.count {
            sum &+= keys[index].bits
            areKnown = areKnown && keys[index].isKnown
        }
        guard areKnown else { return nil }
        return Int(truncatingIfNeeded: sum ^ sum &>> 6) & (Self.orderCount - 1)
    }
}
