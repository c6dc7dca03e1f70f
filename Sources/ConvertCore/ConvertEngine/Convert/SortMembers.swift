/// `sortKeys` if nothing else buffers objects: the members of each object are sorted when it ends.
///
/// Members are written as they come, and the position of each is noted. At an object's end its text is joined anew from the members. So
/// text is copied once for each object around it whose members were out of order. The outermost object is buffered until then. Members that
/// are removed leave marks behind. The next member, or the object's end, drops marks at or beyond the end of the text.
struct SortMembers: ~Copyable, Sendable {
    struct OpenObject: BitwiseCopyable, Sendable {
        let depth: Int
        /// The index of its first mark.
        let start: Int
    }

    /// Below this number of bytes, members are sorted at once when their object ends. More text is written in pieces.
    private static let maxTextBytes = 16 * 1024
    /// The most members whose storage is kept.
    private static let maxKeptMembers = 8192

    private var open = UniqueArray<OpenObject>()
    /// The members of open objects, those of the innermost object last.
    private var members = UniqueArray<SortedMember>()
    private var sorter = MemberSorter()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        open.storedBytes + members.storedBytes + sorter.storedBytes
    }

    /// The position before which nothing is moved any more, in output of `count` bytes: that of the outermost object's brace.
    @inline(__always)
    func heldFrom(_ count: Int) -> Int { open.isEmpty ? .max : (members.isEmpty ? count : members[0].mark) - 1 }

    mutating func released(_ count: Int) { for index in 0..<members.count { members[index].mark -= count } }

    /// Begins the object at this depth.
    mutating func begin(at depth: Int) { open.append(OpenObject(depth: depth, start: members.count)) }

    /// Notes that a member of the object at this depth begins.
    @inline(__always)
    mutating func memberBegins(_ member: SortedMember, in depth: Int) {
        guard let start = start(of: depth) else { return }
        forgetRemoved(from: member.mark, downTo: start)
        members.append(member)
    }

    /// Ends the container at this depth and sorts the text of its members. Returns false if that is long, and the members are still to be
    /// sorted and written.
    mutating func end(at depth: Int, isDiscarded: Bool, _ output: inout ByteBuffer) -> Bool {
        guard let start = start(of: depth) else { return true }
        if isDiscarded { forgetMembers(from: start) }
        guard !endShort(at: depth, &output) else { return true }
        _ = open.removeLast()
        sorter.begin(&members, from: start, &output)
        forgetMembers(from: start)
        return false
    }

    /// Ends the object at this depth and sorts the text of its members, if that is short. Returns false, and does nothing, if it is long.
    mutating func endShort(at depth: Int, _ output: inout ByteBuffer) -> Bool {
        guard let start = start(of: depth) else { return true }
        forgetRemoved(from: output.count, downTo: start)
        if members.count - start > 1 {
            guard output.count - members[start].mark < Self.maxTextBytes else { return false }
            sorter.sort(members, from: start, &output)
        }
        forgetMembers(from: start)
        _ = open.removeLast()
        return true
    }

    /// Stops sorting the objects that are open.
    mutating func abandon() {
        open.removeAll()
        forgetMembers(from: 0)
        sorter.abandon()
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

    // MARK: Large objects

    /// The number of members that are still to be sorted.
    var work: Int { sorter.isSorted ? 0 : sorter.count }

    /// Hands over the members to be sorted elsewhere, or takes them back.
    mutating func exchange(_ other: inout MemberSorter) { swap(&sorter, &other) }

    /// Sorts the members, if that was not done elsewhere, and writes more of them. Returns false once all are written.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) -> Bool {
        if !sorter.isSorted { sorter.sort() }
        sorter.write(upTo: maxBytes, into: &output)
        return !sorter.isDone
    }
}

extension Engine {
    /// Notes the current member of the innermost object, to sort it.
    @inline(__always)
    mutating func sortedMemberBegins(at mark: Int) {
        let key = SortedMember.Key(entry: containers.top.entry, emptyings: keys.emptyings)
        sorting.memberBegins(SortedMember(mark: mark, key: key), in: containers.depth)
    }
}
