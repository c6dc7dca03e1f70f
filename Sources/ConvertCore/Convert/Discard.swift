/// A member, or element, that is left out: it is checked as JSON all the same, and what it writes is taken back.
struct Discard: BitwiseCopyable, Sendable {
    /// How many containers are around it, or -1.
    private var depth = -1
    /// The end of the output when it began.
    private var mark = 0

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    /// The depth of the container whose member it is; nil while nothing is left out.
    var memberDepth: Int? { isActive ? depth : nil }

    /// Whether it is the member of the container at this depth.
    @inline(__always)
    func isMember(at depth: Int) -> Bool { self.depth == depth }

    /// Whether the container at this depth is in it, or nothing is left out.
    @inline(__always)
    func allows(insideOf depth: Int) -> Bool { self.depth < depth }

    /// What is before it in the output is not its own.
    var heldFrom: Int { isActive ? mark : .max }

    /// Leaves out the member of the container at this depth, which begins at `mark`, unless something around it is left out.
    mutating func begin(at depth: Int, mark: Int) {
        if !isActive || self.depth > depth { (self.depth, self.mark) = (depth, mark) }
    }

    /// The member is over.
    mutating func end(_ output: inout ByteBuffer) {
        output.truncate(to: mark)
        depth = -1
    }

    /// Takes back what was written so far.
    func cut(_ output: inout ByteBuffer) { if isActive { output.truncate(to: mark) } }

    /// Output that is not staged begins anew with each chunk.
    mutating func chunkBegins(at mark: Int) { self.mark = mark }

    mutating func released(_ count: Int) { mark -= count }
}
