/// A member, or element, that is left out: it is checked as JSON all the same, and what it writes is taken back.
///
/// Or only its value is, of which nothing is written since something else was written in its place.
struct Discard: BitwiseCopyable, Sendable {
    /// How many containers are around it, or -1.
    private var depth = -1
    /// The end of the output when it began.
    private var mark = 0
    /// Whether the member stays, with what was written in its value's place.
    private var isReplaced = false
    /// How many containers are around the innermost value in which nothing is judged but its JSON, or -1.
    private var hiddenDepth = -1

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    /// The depth of the container whose member it is; nil while nothing is left out.
    var memberDepth: Int? { isActive ? depth : nil }

    /// Whether it is the member of the container at this depth.
    @inline(__always)
    func isMember(at depth: Int) -> Bool { self.depth == depth }

    /// Whether the container at this depth is in it, or nothing is left out.
    @inline(__always)
    func allows(insideOf depth: Int) -> Bool {
        self.depth < depth && (hiddenDepth < 0 || hiddenDepth == self.depth)
    }

    /// Whether nothing is judged where the converter is but its JSON.
    var isHidden: Bool { hiddenDepth >= 0 }

    /// The depth of the container whose member is the last of which a message may name the key.
    var innermostToldDepth: Int { isHidden ? hiddenDepth : .max }

    /// What is before it in the output is not its own.
    var heldFrom: Int { isActive ? mark : .max }

    /// Leaves out the member of the container at this depth, which begins at `mark`, unless something around it is left out.
    mutating func begin(at depth: Int, mark: Int) {
        if !isActive || self.depth > depth { (self.depth, self.mark, isReplaced) = (depth, mark, false) }
    }

    /// Leaves out the value of the member of the container at this depth, in whose place something was written before `mark`.
    mutating func replaceValue(at depth: Int, mark: Int, isHidden: Bool) {
        if isHidden { hiddenDepth = depth }
        if !isActive { (self.depth, self.mark, isReplaced) = (depth, mark, true) }
    }

    /// What becomes of the member that is over.
    enum End { case stays, staysReplaced, isLeftOut }

    /// The member of the container at this depth is over.
    mutating func memberEnds(at depth: Int, _ output: inout ByteBuffer) -> End {
        if hiddenDepth == depth { hiddenDepth = -1 }
        guard self.depth == depth else { return .stays }
        output.truncate(to: mark)
        self.depth = -1
        return isReplaced ? .staysReplaced : .isLeftOut
    }

    /// Takes back what was written so far.
    func cut(_ output: inout ByteBuffer) { if isActive { output.truncate(to: mark) } }

    /// Output that is not staged begins anew with each chunk.
    mutating func chunkBegins(at mark: Int) { self.mark = mark }

    mutating func released(_ count: Int) { mark -= count }
}
