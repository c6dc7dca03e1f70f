/// Members that are errors if they stay, which is known at their end: their key collides, their rule cannot take a container, or they
/// cannot be flattened.
struct PendingErrors: ~Copyable, Sendable {
    struct Member: BitwiseCopyable, Sendable {
        /// The depth of the container that it is in.
        let depth: Int
        var collides = false
        /// Whether the value cannot be flattened, unless it is null.
        var isMisplaced = false
        /// The rule that cannot take the value, or -1, and where the value begins, in bytes from the start of the payload.
        var badRule: Int32 = -1
        var badOffset = 0
    }

    /// The members, the innermost last; there are few.
    private var members = UniqueArray<Member>()

    /// The depth of the outermost container that has such a member; `.max` if there is none.
    var outermostDepth: Int { members.isEmpty ? .max : members[0].depth }

    /// Whether the current member of the container at this depth, the innermost one, has a pending error.
    @inline(__always)
    func hasMember(at depth: Int) -> Bool { !members.isEmpty && members[members.count &- 1].depth == depth }

    mutating func noteCollision(at depth: Int) { note(at: depth) { $0.collides = true } }

    /// Notes that the member has a key whose value is to be flattened. An error about it would need the key's position.
    mutating func noteToFlatten(at depth: Int) { note(at: depth) { _ in } }

    mutating func noteMisplaced(at depth: Int) { note(at: depth) { $0.isMisplaced = true } }

    mutating func noteBadValue(at depth: Int, rule: Int32, offset: Int) {
        note(at: depth) { ($0.badRule, $0.badOffset) = (rule, offset) }
    }

    private mutating func note(at depth: Int, _ change: (inout Member) -> Void) {
        if !hasMember(at: depth) { members.append(Member(depth: depth)) }
        change(&members[members.count - 1])
    }

    /// Notes that the current member of the container at this depth has no key in the output.
    mutating func forgetCollision(at depth: Int) {
        if hasMember(at: depth) { members[members.count - 1].collides = false }
    }

    /// Ends the member of the container at this depth. Returns its pending errors, if it has any.
    mutating func memberEnds(at depth: Int) -> Member? {
        hasMember(at: depth) ? members.removeLast() : nil
    }

    /// Forgets the members inside the current member of the container at this depth.
    mutating func removeMembers(inside depth: Int) {
        while !members.isEmpty, members[members.count - 1].depth > depth { _ = members.removeLast() }
    }

    mutating func removeAll() { members.removeAll() }
}
