/// The output names by which some rules ask for members, each with a number.
struct MemberNames: Sendable {
    private var numbers: [[UInt8]: Int32] = [:]
    private var filter = NameFilter()

    /// Returns the name's number.
    @discardableResult
    mutating func insert(_ name: [UInt8]) -> Int32 {
        if let known = numbers[name] { return known }
        let number = Int32(numbers.count)
        numbers[name] = number
        filter.insert(name)
        return number
    }

    /// The number of a name that some rule asks for.
    subscript(name: [UInt8]) -> Int32? { numbers[name] }

    /// Whether a name of so many bytes, the first of which is `first` or 0 where there is none, may be one of them.
    func mayHold(count: Int, first: UInt8) -> Bool { filter.mayHold(count: count, first: first) }
}

/// How long the names of a set are, and what they begin with: of most other names that tells that they are not in it.
struct NameFilter: BitwiseCopyable, Sendable {
    private var lengths: UInt64 = 0
    /// A bit for each first byte.
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

    /// Whether a name of so many bytes, the first of which is `first` or 0 where there is none, may be in the set.
    func mayHold(count: Int, first: UInt8) -> Bool {
        lengths & Self.bit(count) != 0 && beginnings[Int(first) / UInt64.bitWidth] & Self.bit(Int(first)) != 0
    }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number % UInt64.bitWidth) }
}
