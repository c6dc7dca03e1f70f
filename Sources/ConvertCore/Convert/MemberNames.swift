/// The output names by which some rules ask for members, each with a number.
struct MemberNames: Sendable {
    private var numbers: [[UInt8]: Int32] = [:]
    /// How long the names are, and what they begin with, as bits: of most members that tells that nobody asks for them.
    private var lengths: UInt64 = 0
    private var beginnings = InlineArray<4, UInt64>(repeating: 0)

    mutating func insert(_ name: [UInt8]) {
        guard numbers[name] == nil else { return }
        numbers[name] = Int32(numbers.count)
        lengths |= Self.bit(name.count)
        if let first = name.first { beginnings[Int(first) / UInt64.bitWidth] |= Self.bit(Int(first)) }
    }

    /// The number of a name that some rule asks for.
    subscript(name: [UInt8]) -> Int32? { numbers[name] }

    /// Whether some rule may ask for a member by its output name.
    func mayHold(nameOf member: Int, in tree: borrowing ScopeTree) -> Bool {
        guard !tree.nodes[member].nameHasEscape else { return true }
        let count = tree.nodes[member].nameCount
        guard lengths & Self.bit(count) != 0 else { return false }
        guard count > 0 else { return true }
        let first = Int(tree.text[tree.nodes[member].nameStart])
        return beginnings[first / UInt64.bitWidth] & Self.bit(first) != 0
    }

    private static func bit(_ number: Int) -> UInt64 { 1 << UInt64(number % UInt64.bitWidth) }
}
