/// Members that are errors if they stay, which shows when they end: of a key that collides, or with a container that its rule cannot take.
struct PendingErrors: ~Copyable, Sendable {
    struct Member: BitwiseCopyable, Sendable {
        /// The depth of the container that it is in.
        let depth: Int
        var collides = false
        /// The rule that cannot take the value, or -1, and where the value begins, in bytes from the start of the payload.
        var badRule: Int32 = -1
        var badOffset = 0
    }

    /// Few, the innermost last.
    private var members = UniqueArray<Member>()

    /// The depth of the outermost container that has such a member.
    var outermostDepth: Int { members.isEmpty ? .max : members[0].depth }

    /// Whether the member being read in the container at this depth, the innermost one, is such a one.
    @inline(__always)
    func hasMember(at depth: Int) -> Bool { !members.isEmpty && members[members.count &- 1].depth == depth }

    mutating func noteCollision(at depth: Int) { note(at: depth) { $0.collides = true } }

    mutating func noteBadValue(at depth: Int, rule: Int32, offset: Int) {
        note(at: depth) { ($0.badRule, $0.badOffset) = (rule, offset) }
    }

    private mutating func note(at depth: Int, _ change: (inout Member) -> Void) {
        if !hasMember(at: depth) { members.append(Member(depth: depth)) }
        change(&members[members.count - 1])
    }

    /// The member of the container at this depth is over; returns what was noted of it.
    mutating func memberEnds(at depth: Int) -> Member? {
        hasMember(at: depth) ? members.removeLast() : nil
    }

    mutating func removeAll() { members.removeAll() }
}
