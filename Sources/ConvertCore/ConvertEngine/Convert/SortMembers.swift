/// `sortKeys` where nothing else holds objects: each object's members are put in order when it ends.
///
/// Members are written as they come, and where each begins is noted. At an object's end its text is put together anew from the
/// pieces, so that what is inside an object is copied once for each object around it whose members were out of order.
/// The outermost object is held until then. Members that are taken back leave their marks, which the next member, or the
/// object's end, finds to begin where nothing is written any more.
struct SortMembers: ~Copyable, Sendable {
    struct OpenObject: BitwiseCopyable, Sendable {
        let depth: Int
        /// Where its part of the marks begins.
        let start: Int
    }

    /// Text of members that are put in order at once when their object ends; more is written piece by piece.
    private static let maxTextBytes = 16 * 1024

    private var open = UniqueArray<OpenObject>()
    /// Where the members of open objects begin in the staged output, those of the innermost object last.
    private var marks = UniqueArray<Int>()
    private var sorter = MemberSorter()

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int { open.storedBytes + marks.storedBytes + sorter.storedBytes }

    /// What is before it in the output is not moved any more.
    @inline(__always)
    func heldFrom(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int {
        open.isEmpty ? .max : savepoints[open[0].depth - 1].valueMark
    }

    mutating func released(_ count: Int) { for index in 0..<marks.count { marks[index] -= count } }

    /// The object at this depth begins.
    mutating func begin(at depth: Int) { open.append(OpenObject(depth: depth, start: marks.count)) }

    /// A member of the object at this depth begins at `mark`, its comma included.
    @inline(__always)
    mutating func memberBegins(at mark: Int, in depth: Int) {
        guard let start = start(of: depth) else { return }
        forgetMarks(from: mark, downTo: start)
        marks.append(mark)
    }

    /// The container at this depth ends: what was written of its members is put in order. False if they are large, and still to be
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

    /// Nothing is sorted any more of what is open.
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

    /// Members that are still to be put in order.
    var work: Int { sorter.isSorted ? 0 : sorter.count }

    /// Gives the members away to be sorted, or takes them back.
    mutating func exchange(_ other: inout MemberSorter) { swap(&sorter, &other) }

    /// Sorts the members, if that was not done elsewhere, and writes more of them; false once all are written.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) -> Bool {
        if !sorter.isSorted { sorter.sort() }
        sorter.write(upTo: maxBytes, into: &output)
        return !sorter.isDone
    }
}
