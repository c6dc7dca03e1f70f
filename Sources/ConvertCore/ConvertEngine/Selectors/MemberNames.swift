/// The keys by which some rules look up members, each with a number.
struct MemberNames: Sendable {
    private var numbers: [[UInt8]: Int32] = [:]
    private(set) var filter = NameFilter()

    /// Adds a key and returns its number.
    @discardableResult
    mutating func insert(_ name: [UInt8]) -> Int32 {
        if let known = numbers[name] { return known }
        let number = Int32(numbers.count)
        numbers[name] = number
        filter.insert(name)
        return number
    }

    /// The keys in the order of their bytes.
    var all: [[UInt8]] { numbers.keys.sorted { $0.lexicographicallyPrecedes($1) } }

    /// The number of a key; nil if no rule looks it up.
    subscript(name: [UInt8]) -> Int32? { numbers[name] }
}

/// The lengths and first bytes of a set of keys, which exclude most keys that are not in the set.
struct NameFilter: BitwiseCopyable, Sendable {
    private var lengths: UInt64 = 0
    /// One bit for each first byte.
    private var beginnings = InlineArray<4, UInt64>(repeating: 0)

    mutating func insert(_ name: [UInt8]) {
        let first = Int(name.first ?? 0)
        lengths |= Self.bit(name.count)
        beginnings[first / UInt64.bitWidth] |= Self.bit(first)
    }

    mutating func formUnion(_ other: NameFilter) {
        lengths |= other.lengths
        for index in beginnings.indices { beginnings[index] |= other.beginnings[index] }
    }

    /// Whether a key with this length in bytes and this first byte may be in the set. `first` is 0 for an empty key.
    func mayHold(count: Int, first: UInt8) -> Bool {
        lengths & Self.bit(count) != 0 && beginnings[Int(first) / UInt64.bitWidth] & Self.bit(Int(first)) != 0
    }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number % UInt64.bitWidth) }
}
