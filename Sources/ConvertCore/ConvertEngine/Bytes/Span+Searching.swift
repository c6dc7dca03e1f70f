import ConvertText

/// Searches of bytes, sixteen at a time.
extension Span<UInt8> {
    /// The index in `start..<end` of the first byte that equals `first` or `second`; `end` if there is none.
    package func firstIndex(of first: UInt8, or second: UInt8, from start: Int, to end: Int) -> Int {
        let (firsts, seconds) = (Lanes(repeating: first), Lanes(repeating: second))
        return firstIndex(
            from: start, to: end,
            inBlock: { block in LaneMask(bits: block.equal(to: firsts).bits | block.equal(to: seconds).bits) },
            inByte: { $0 == first || $0 == second })
    }

    /// The index in `start..<end` of the first byte that equals `byte`; `end` if there is none.
    package func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int {
        firstIndex(of: byte, or: byte, from: start, to: end)
    }

    /// The index in `start..<end` of the first byte that is not white space of JSON and XML; `end` if there is none.
    package func endOfWhiteSpace(from start: Int, to end: Int) -> Int {
        firstIndex(
            from: start, to: end, inBlock: { LaneMask(bits: ~$0.whiteSpace().bits) }, inByte: { !ASCII.isSpace($0) })
    }

    /// The index in `start..<end` of the first byte that is not ASCII; `end` if there is none.
    package func endOfASCII(from start: Int, to end: Int) -> Int {
        firstIndex(
            from: start, to: end, inBlock: { $0.nonASCII }, inByte: { $0 >= ASCII.firstNonASCII })
    }

    /// The index of the first byte for which `inByte` is true. `inBlock` finds it in a block, and may set bits above those of its lanes.
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

    /// The number of line feeds before `end`, and the start of the line that contains `end`.
    package func lines(before end: Int) -> (lineFeeds: Int, lastStart: Int) {
        let (count, afterLast) = ChunkReader(self).lineFeeds(before: end)
        return (count, afterLast ?? 0)
    }

    /// The end of the last line, with its line feed; `start` if there is none after it.
    package func endOfLastLine(from start: Int) -> Int {
        let lines = extracting(start...)
        let last = ChunkReader(lines).lastLineFeed(before: lines.count)
        return lines.isEmpty || lines[last] != ASCII.lineFeed ? start : start + last + 1
    }
}
