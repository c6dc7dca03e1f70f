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

    private var open = UniqueArray<OpenObject>()
    /// The positions in the staged output where members of open objects begin, those of the innermost object last.
    private var marks = UniqueArray<Int>()
    private var sorter = MemberSorter()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { open.storedBytes + marks.storedBytes + sorter.storedBytes }

    /// The position in the output before which nothing is moved any more.
    @inline(__always)
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int {
        open.isEmpty ? .max : savepoints[open[0].depth - 1].valueMark
    }

    mutating func released(_ count: Int) { for index in 0..<marks.count { marks[index] -= count } }

    /// Begins the object at this depth.
    mutating func begin(at depth: Int) { open.append(OpenObject(depth: depth, start: marks.count)) }

    /// Notes that a member of the object at this depth begins at `mark`, its comma included.
    @inline(__always)
    mutating func memberBegins(at mark: Int, in depth: Int) {
        guard let start = start(of: depth) else { return }
        forgetMarks(from: mark, downTo: start)
        marks.append(mark)
    }

    /// Ends the container at this depth and sorts the text of its members. Returns false if that is long, and the members are still to be
    /// sorted and written.
    mutating func end(at depth: Int, isDiscarded: Bool, _ output: inout ByteBuffer) -> Bool {
        guard let start = start(of: depth) else { return true }
        _ = open.removeLast()
        defer { marks.truncate(to: start) }
        guard !isDiscarded else { return true }
        forgetMarks(from: output.count, downTo: start)
        guard marks.count - start > 1 else { return true }
        if output.count - marks[start] < Self.maxTextBytes {
            sorter.sort(marks, from: start, &output)
            return true
        }
        sorter.begin(&marks, from: start, &output)
        return false
    }

    /// Stops sorting the objects that are open.
    mutating func abandon() {
        open.removeAll()
        marks.removeAll()
        sorter.abandon()
    }

    @inline(__always)
    private func start(of depth: Int) -> Int? {
        guard !open.isEmpty, open[open.count - 1].depth == depth else { return nil }
        return open[open.count - 1].start
    }

    private mutating func forgetMarks(from mark: Int, downTo start: Int) {
        while marks.count > start, marks[marks.count - 1] >= mark { _ = marks.removeLast() }
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
