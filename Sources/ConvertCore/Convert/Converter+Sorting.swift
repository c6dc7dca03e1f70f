/// `sortKeys` where nothing else holds objects: each object's members are put in order when it ends.
///
/// Members are written as they come, and where each begins is noted. At an object's end its text is put together anew from the
/// pieces, so that what is inside an object is copied once for each object around it whose members were out of order.
/// The outermost object is held until then. Members that are taken back leave their notes, which the next member, or the
/// object's end, finds to begin where nothing is written any more.
extension Converter {
    /// Stands behind the opening brace of an object.
    mutating func beginSorting() {
        guard payload.mutedDepth < 0, payload.quoteDepth < 0 else { return }
        if payload.sortedDepth < 0 { payload.sortedDepth = frames.depth - 1 }
        levels[frames.depth].sortStart = Int32(memberMarks.count)
    }

    /// Notes that a member, its comma included, begins at `mark`.
    @inline(__always)
    mutating func noteMember(at mark: Int) {
        let start = Int(levels[frames.depth].sortStart)
        guard start >= 0, payload.quoteDepth < 0 else { return }
        forgetMarks(from: mark, downTo: start)
        memberMarks.append(mark)
    }

    /// Puts the members of the object that ends in the order of their names; false if they are still to be written then.
    mutating func endSorting(_ output: inout ByteBuffer) -> Bool {
        let start = Int(levels[frames.depth].sortStart)
        guard start >= 0 else { return true }
        if payload.sortedDepth == frames.depth - 1 { payload.sortedDepth = -1 }
        defer { memberMarks.truncate(to: start) }
        guard payload.mutedDepth < 0 else { return true }
        forgetMarks(from: output.count, downTo: start)
        guard memberMarks.count - start > 1 else { return true }
        if output.count - memberMarks[start] < Self.maxSortedBytes {
            sorter.sort(memberMarks, from: start, &output)
            return true
        }
        sorter.begin(&memberMarks, from: start, &output)
        return false
    }

    /// Text of members that are put in order at once when their object ends; more is written piece by piece.
    private static let maxSortedBytes = 16 * 1024

    /// Nothing is sorted any more of what is open.
    mutating func abandonSorting() {
        payload.sortedDepth = -1
        memberMarks.truncate(to: 0)
        sorter.abandon()
    }

    private mutating func forgetMarks(from mark: Int, downTo start: Int) {
        while memberMarks.count > start, memberMarks[memberMarks.count - 1] >= mark { _ = memberMarks.removeLast() }
    }
}
