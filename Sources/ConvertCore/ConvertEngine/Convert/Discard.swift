/// A member or element whose output is discarded. Its text is still checked as JSON.
///
/// Or only its value is discarded, because something else was written in place of the value.
struct Discard: BitwiseCopyable, Sendable {
    /// How many containers are around the member; -1 while nothing is discarded.
    private var depth = -1
    /// The end of the output when the discarded part began.
    private var mark = 0
    /// Whether the member stays, with the replacement that was written for its value.
    private(set) var isReplaced = false
    /// How many containers are around the innermost value that is only checked as JSON; -1 if there is none.
    private var hiddenDepth = -1

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    /// The depth of the container whose member it is; nil while nothing is discarded.
    var memberDepth: Int? { isActive ? depth : nil }

    /// Whether the discarded member is directly in the container at this depth.
    @inline(__always)
    func isMember(at depth: Int) -> Bool { self.depth == depth }

    /// Whether the container at this depth is inside the discarded member, or nothing is discarded. False if a value
    /// inside that member is hidden.
    @inline(__always)
    func allows(insideOf depth: Int) -> Bool {
        self.depth < depth && (hiddenDepth < 0 || hiddenDepth == self.depth)
    }

    /// Whether the input that is read now is only checked as JSON.
    var isHidden: Bool { hiddenDepth >= 0 }

    /// The depth of the innermost container for which the pointer in a message may show a key or index.
    var innermostReportedDepth: Int { isHidden ? hiddenDepth : .max }

    /// The start of the output that is discarded; `.max` if there is none.
    var heldFrom: Int { isActive ? mark : .max }

    /// Discards the member of the container at this depth, whose output begins at `mark`. Nothing changes if something
    /// around it is discarded already.
    mutating func begin(at depth: Int, mark: Int) {
        if !isActive || self.depth > depth { (self.depth, self.mark, isReplaced) = (depth, mark, false) }
    }

    /// Discards the value of the member of the container at this depth. A replacement for it was already written and ends at `mark`.
    mutating func replaceValue(at depth: Int, mark: Int, isHidden: Bool) {
        if isHidden { hiddenDepth = depth }
        if !isActive { (self.depth, self.mark, isReplaced) = (depth, mark, true) }
    }

    /// The result for a member that ended.
    enum End { case stays, staysReplaced, isDiscarded }

    /// Ends the member of the container at this depth. If the member or its value is discarded, removes its output.
    mutating func memberEnds(at depth: Int, _ output: inout ByteBuffer) -> End {
        if hiddenDepth == depth { hiddenDepth = -1 }
        guard self.depth == depth else { return .stays }
        output.truncate(to: mark)
        self.depth = -1
        return isReplaced ? .staysReplaced : .isDiscarded
    }

    /// Removes the discarded output that was written so far.
    func cut(_ output: inout ByteBuffer) { if isActive { output.truncate(to: mark) } }

    /// Sets the mark for a new chunk: output that is not staged begins anew with each chunk.
    mutating func chunkBegins(at mark: Int) { self.mark = mark }

    mutating func released(_ count: Int) { mark -= count }
}
