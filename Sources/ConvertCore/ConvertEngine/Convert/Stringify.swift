import ConvertText

/// A value that becomes a string which holds its JSON text (`as: string`, and `as: json` backwards).
///
/// It is written as any other, without escapes for ASCII, and spelled as a string's content once it is whole, or handed on.
struct Stringify: BitwiseCopyable, Sendable {
    /// The depth of the container whose member it is, or -1.
    private var depth = -1
    /// Whether its beginning was handed on.
    fileprivate var isOpen = false

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    @inline(__always)
    func isMember(at depth: Int) -> Bool { self.depth == depth }

    mutating func begin(at depth: Int) { self.depth = depth }

    /// The value is over, or nothing of it is written any more.
    mutating func end() { depth = -1 }

    fileprivate func start(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int {
        max(savepoints[depth].valueMark, 0)
    }
}

extension Engine {
    /// Puts what was written for the value into a string.
    mutating func endStringify(_ output: inout ByteBuffer) {
        payload.stringify.end()
        if hold.stringify(at: containers.depth) { return }
        let mark = max(savepoints[containers.depth].valueMark, 0)
        values.stringify(from: mark, hasBegun: payload.stringify.isOpen, in: &output)
        payload.stringify.isOpen = false
    }

    /// The escapes of a string that is copied: what becomes a string is spelled once it is whole.
    var escapes: OutputOptions.Escapes { payload.stringify.isActive ? .preserve : plan.output.escapes }

    /// Hands on staged output that ends in such a value, of which no more is held than of any other; false if it is none.
    mutating func handOnStringified(
        _ staged: borrowing ByteBuffer, upTo end: Int, into output: inout ByteBuffer
    ) -> Bool {
        guard payload.stringify.isActive else { return false }
        let start = payload.stringify.start(savepoints)
        guard start < end else { return false }
        output.append(staged.bytes.extracting(0..<start))
        if !payload.stringify.isOpen { output.append(ASCII.quote) }
        payload.stringify.isOpen = true
        JSONText.appendSpelling(of: staged.bytes.extracting(start..<end), to: &output, plan.output.escapes)
        return true
    }
}
