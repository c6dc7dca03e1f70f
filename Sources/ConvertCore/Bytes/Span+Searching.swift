/// Runs of bytes of one kind, looked through sixteen at a time.
extension Span<UInt8> {
    /// Where in `start..<end` the first byte stands that is one of two; `end` where none does.
    func firstIndex(of first: UInt8, or second: UInt8, from start: Int, to end: Int) -> Int {
        let (firsts, seconds) = (Lanes(repeating: first), Lanes(repeating: second))
        return firstIndex(
            from: start, to: end,
            inBlock: { block in LaneMask(bits: block.equal(to: firsts).bits | block.equal(to: seconds).bits) },
            inByte: { $0 == first || $0 == second })
    }

    /// Where in `start..<end` the first byte stands that is this; `end` where none does.
    func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int {
        firstIndex(of: byte, or: byte, from: start, to: end)
    }

    /// Where in `start..<end` the first byte stands that is none of JSON's and XML's white space; `end` where none does.
    func endOfWhiteSpace(from start: Int, to end: Int) -> Int {
        firstIndex(
            from: start, to: end, inBlock: { LaneMask(bits: ~$0.whiteSpace().bits) }, inByte: { !ASCII.isSpace($0) })
    }

    /// Where in `start..<end` the first byte stands that is no ASCII; `end` where none does.
    func endOfASCII(from start: Int, to end: Int) -> Int {
        firstIndex(
            from: start, to: end, inBlock: { $0.nonASCII }, inByte: { $0 >= ASCII.firstNonASCII })
    }

    /// `inBlock` may set bits above those of its lanes.
    @inline(__always)
    private func firstIndex(
        from start: Int, to end: Int, inBlock: (Lanes) -> LaneMask, inByte: (UInt8) -> Bool
    ) -> Int {
        precondition(start >= 0 && start <= end && end <= count)
        return unsafe withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return end }
            var index = start
            while end &- index >= LaneMask.laneCount {
                let run = inBlock(unsafe Lanes(loading: base + index)).firstIndex
                if run < LaneMask.laneCount { return index &+ run }
                index &+= LaneMask.laneCount
            }
            while index < end, unsafe !inByte(base[index]) { index &+= 1 }
            return index
        }
    }

    /// Line feeds before `end`, and where the line begins that `end` lies in.
    func lines(before end: Int) -> (lineFeeds: Int, lastStart: Int) {
        let (count, afterLast) = ChunkReader(self).lineFeeds(before: end)
        return (count, afterLast ?? 0)
    }
}
