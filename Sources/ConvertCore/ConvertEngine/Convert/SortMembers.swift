/// `sortKeys` if nothing else buffers objects: the members of each object are sorted when it ends.
///
/// Members are written as they come, and the position of each is noted. At the end of an object with short text, this text is joined anew
/// from the members. Longer text waits until the outermost object ends (`LongObjects`), which is buffered until then. Members that are
/// removed leave marks behind. The next member, or the object's end, drops marks at or beyond the end of the text.
struct SortMembers: ~Copyable, Sendable {
    struct OpenObject: BitwiseCopyable, Sendable {
        let depth: Int
        /// The index of its first mark.
        let start: Int
    }

    /// The most members whose storage is kept.
    private static let maxKeptMembers = 8192

    private var open = UniqueArray<OpenObject>()
    /// The members of open objects, those of the innermost object last.
    private var members = UniqueArray<SortedMember>()
    private var sorter = MemberSorter()
    private var long = LongObjects()
    /// Below this number of bytes, members are sorted at once when their object ends.
    var minLongBytes = 16 * 1024

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        open.storedBytes + members.storedBytes + sorter.storedBytes + long.storedBytes
    }

    /// The position before which nothing is moved any more, in output of `count` bytes: that of the outermost object's brace.
    @inline(__always)
    func heldFrom(_ count: Int) -> Int { open.isEmpty ? .max : (members.isEmpty ? count : members[0].mark) - 1 }

    mutating func released(_ count: Int) {
        for index in 0..<members.count { members[index].mark -= count }
        long.released(count)
    }

    /// Begins the object at this depth.
    mutating func begin(at depth: Int) { open.append(OpenObject(depth: depth, start: members.count)) }

    /// Notes that a member of the object at this depth begins.
    @inline(__always)
    mutating func memberBegins(_ member: SortedMember, in depth: Int) {
        guard let start = start(of: depth) else { return }
        forgetRemoved(from: member.mark, downTo: start)
        members.append(member)
    }

    /// Ends the container at this depth. Returns false if its members are still to be sorted and written.
    mutating func end(at depth: Int, isDiscarded: Bool, _ output: inout ByteBuffer) -> Bool {
        guard let start = start(of: depth) else { return true }
        if isDiscarded { forgetMembers(from: start) }
        guard !endUnlessLong(at: depth, &output) else { return true }
        long.add(members, from: start, end: output.count)
        long.begin(&output)
        _ = open.removeLast()
        forgetMembers(from: start)
        return false
    }

    /// Ends the object at this depth. Returns false, and does nothing, if it is the outermost one and is long, or has a long one in it.
    mutating func endUnlessLong(at depth: Int, _ output: inout ByteBuffer) -> Bool {
        guard let start = start(of: depth) else { return true }
        forgetRemoved(from: output.count, downTo: start)
        let isOutermost = open.count == 1
        if isOutermost, !long.isEmpty { return false }
        if members.count - start > 1 {
            if output.count - members[start].mark < minLongBytes {
                sorter.sort(members, from: start, &output)
            } else if isOutermost {
                return false
            } else {
                long.add(members, from: start, end: output.count)
            }
        }
        forgetMembers(from: start)
        _ = open.removeLast()
        return true
    }

    /// Forgets the objects in text from `mark` on, which is removed.
    mutating func forget(from mark: Int) { long.forget(from: mark) }

    /// Stops sorting the objects that are open.
    mutating func abandon() {
        open.removeAll()
        forgetMembers(from: 0)
        long.abandon()
    }

    @inline(__always)
    private func start(of depth: Int) -> Int? {
        guard !open.isEmpty, open[open.count - 1].depth == depth else { return nil }
        return open[open.count - 1].start
    }

    /// Forgets members that were removed: their text began at `mark` or behind it.
    @inline(__always)
    private mutating func forgetRemoved(from mark: Int, downTo start: Int) {
        while members.count > start, members[members.count - 1].mark >= mark { _ = members.removeLast() }
    }

    private mutating func forgetMembers(from start: Int) {
        if start == 0 { members.removeAll(keepingAtMost: Self.maxKeptMembers) } else { members.truncate(to: start) }
    }

    // MARK: Long objects

    /// The number of members that are still to be sorted.
    var work: Int { long.isSorted ? 0 : long.count }

    /// Hands over the members to be sorted elsewhere, or takes them back.
    mutating func exchange(_ other: inout LongObjects) { swap(&long, &other) }

    /// Sorts the members, if that was not done elsewhere, and writes more of them. Returns false once all are written.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) -> Bool {
        if !long.isSorted { long.sort() }
        long.write(upTo: maxBytes, into: &output)
        return !long.isDone
    }
}

extension Engine {
    /// Notes the current member of the innermost object, to sort it.
    @inline(__always)
    mutating func sortedMemberBegins(at mark: Int) { sortedMemberBegins(at: mark, in: containers.depth) }

    @inline(__always)
    mutating func sortedMemberBegins(at mark: Int, in depth: Int) {
        let key = SortedMember.Key(entry: containers[depth].entry, emptyings: keys.emptyings)
        sorting.memberBegins(SortedMember(mark: mark, key: key), in: depth)
    }
}
