import ConvertText

/// A value that becomes a string with its JSON text (`as: string`, and `as: json` in the inverse direction).
///
/// It is written like any other value. Its text is escaped as a string when it is whole, or when a part is handed on.
struct Stringify: BitwiseCopyable, Sendable {
    /// The depth of the container whose member it is, or -1.
    private var depth = -1
    /// Whether the beginning of the string was handed on.
    fileprivate var isOpen = false

    @inline(__always)
    var isActive: Bool { depth >= 0 }

    @inline(__always)
    func isMember(at depth: Int) -> Bool { self.depth == depth }

    mutating func begin(at depth: Int) { self.depth = depth }

    /// Ends the value, or its writing.
    mutating func end() { depth = -1 }

    fileprivate func start(_ savepoints: borrowing UniqueArray<Savepoint>) -> Int {
        max(savepoints[depth].valueMark, 0)
    }
}

extension Engine {
    /// Turns the text that was written for the value into a string.
    mutating func endStringify(_ output: inout ByteBuffer) {
        payload.stringify.end()
        if hold.stringify(at: containers.depth) { return }
        let mark = max(savepoints[containers.depth].valueMark, 0)
        values.stringify(from: mark, hasBegun: payload.stringify.isOpen, in: &output)
        payload.stringify.isOpen = false
    }

    /// Hands on staged output that ends in such a value, so that no more of it is buffered than of any other. Returns false if there
    /// is no such value.
    mutating func handOnStringified(
        _ staged: borrowing ByteBuffer, upTo end: Int, into output: inout ByteBuffer
    ) -> Bool {
        guard payload.stringify.isActive else { return false }
        let start = payload.stringify.start(savepoints)
        guard start < end else { return false }
        output.append(staged.bytes.extracting(0..<start))
        if !payload.stringify.isOpen { output.append(ASCII.quote) }
        payload.stringify.isOpen = true
        JSONText.appendSpelling(of: staged.bytes.extracting(start..<end), to: &output)
        return true
    }
}
