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

    /// Whether some rule may ask for a member by its output name.
    func mayHold(nameOf member: Int, in tree: borrowing HeldTree) -> Bool {
        guard !tree.nodes[member].nameHasEscape else { return true }
        let count = tree.nodes[member].nameCount
        return filter.mayHold(count: count, first: count == 0 ? 0 : tree.text[tree.nodes[member].nameStart])
    }
}

/// How long the names of a set are, and what they begin with: of most other names that tells that they are not in it.
struct NameFilter: BitwiseCopyable, Sendable {
    private var lengths: UInt64 = 0
    private var beginnings: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    mutating func insert(_ name: [UInt8]) {
        lengths |= Self.bit(name.count)
        let first = Int(name.first ?? 0)
        switch first / UInt64.bitWidth {
        case 0: beginnings.0 |= Self.bit(first)
        case 1: beginnings.1 |= Self.bit(first)
        case 2: beginnings.2 |= Self.bit(first)
        default: beginnings.3 |= Self.bit(first)
        }
    }

    mutating func formUnion(_ other: NameFilter) {
        lengths |= other.lengths
        beginnings.0 |= other.beginnings.0
        beginnings.1 |= other.beginnings.1
        beginnings.2 |= other.beginnings.2
        beginnings.3 |= other.beginnings.3
    }

    /// Whether a name of so many bytes, the first of which is `first` or 0 where there is none, may be in the set.
    func mayHold(count: Int, first: UInt8) -> Bool {
        guard lengths & Self.bit(count) != 0 else { return false }
        let bits =
            switch Int(first) / UInt64.bitWidth {
            case 0: beginnings.0
            case 1: beginnings.1
            case 2: beginnings.2
            default: beginnings.3
            }
        return bits & Self.bit(Int(first)) != 0
    }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number % UInt64.bitWidth) }
}
