import ConvertText

/// Reads and writes ahead within a step, for values that are rewritten.
extension TokenCursor {
    /// Whether the next string has no escape, is ASCII and is shorter than `count` bytes; `count` is at most 15.
    @inline(__always)
    func endsString(within count: Int) -> Bool {
        checkStep()
        let end = unsafe Lanes(loading: input + 1).stringStops.firstIndex
        return unsafe end < count && input[1 &+ end] == ASCII.quote
    }

    /// The number of digits from `distance` bytes ahead, up to a window; the window must lie within the step.
    @inline(__always)
    func digitCount(at distance: Int) -> Int {
        checkStep()
        precondition(distance >= 0 && distance &+ ByteWindow.size <= Self.stepBytes)
        return unsafe ByteWindow.run(in: ByteWindow(input + distance).digits, from: 0)
    }

    /// Copies a block from `source` bytes ahead in the input to `target` bytes ahead in the output, and moves neither pointer.
    @inline(__always)
    func copyAhead(from source: Int, to target: Int) {
        checkStep()
        checkRoom()
        precondition(source >= 0 && source &+ LaneMask.laneCount <= Self.stepBytes)
        precondition(target >= 0 && target &+ LaneMask.laneCount <= Self.stepBytes)
        unsafe Lanes(loading: input + source).store(to: output + target)
    }

    /// Writes eight bytes, the lowest first, `distance` bytes ahead.
    @inline(__always)
    func write(_ word: UInt64, at distance: Int) {
        checkRoom()
        precondition(distance >= 0 && distance &+ 8 <= Self.stepBytes)
        unsafe UnsafeMutableRawPointer(output + distance).storeBytes(of: word.littleEndian, as: UInt64.self)
    }

    @inline(__always)
    func write(_ byte: UInt8, at distance: Int) {
        checkRoom()
        precondition(distance >= 0 && distance < Self.stepBytes)
        unsafe output[distance] = byte
    }

    /// Writes a block of the digit zero, `distance` bytes ahead.
    @inline(__always)
    func writeZeros(at distance: Int) {
        checkRoom()
        precondition(distance >= 0 && distance &+ LaneMask.laneCount <= Self.stepBytes)
        unsafe Lanes(repeating: ASCII.zero).store(to: output + distance)
    }

    /// Moves past the bytes that were read and written ahead; both counts must be within a step.
    @inline(__always) @_lifetime(self: copy self)
    mutating func move(read: Int, written: Int) {
        checkStep()
        checkRoom()
        precondition(read >= 0 && read <= Self.stepBytes && written >= 0 && written <= Self.stepBytes)
        unsafe input += read
        unsafe output += written
    }
}
