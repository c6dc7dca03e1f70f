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
    /// One bit for all combinations of a length and a first byte that have the same place.
    private var bits = InlineArray<4, UInt64>(repeating: 0)

    mutating func insert(_ name: [UInt8]) {
        let place = Self.place(name.count, name.first ?? 0)
        bits[place / UInt64.bitWidth] |= Self.bit(place)
    }

    mutating func formUnion(_ other: NameFilter) {
        for index in bits.indices { bits[index] |= other.bits[index] }
    }

    /// Whether a key with this length in bytes and this first byte may be in the set. `first` is 0 for an empty key.
    func mayHold(count: Int, first: UInt8) -> Bool {
        let place = Self.place(count, first)
        return bits[place / UInt64.bitWidth] & Self.bit(place) != 0
    }

    private static func place(_ count: Int, _ first: UInt8) -> Int { (count &* 37 ^ Int(first)) & 255 }

    private static func bit(_ place: Int) -> UInt64 { 1 << UInt64(place % UInt64.bitWidth) }
}
