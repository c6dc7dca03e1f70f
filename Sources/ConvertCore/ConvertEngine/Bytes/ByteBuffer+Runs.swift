import ConvertText

/// Appends runs of a span's bytes unchanged, sixteen bytes at a time.
extension ByteBuffer {
    /// Appends bytes of `source[start..<end]` up to the first one that equals `first` or `second`, is below the space (with
    /// `stopsAtControls`) or is not ASCII (with `stopsAtNonASCII`). Returns the index of that byte, or `end`.
    @inline(__always)
    package mutating func appendRun(
        of source: Span<UInt8>, from start: Int, to end: Int, until first: UInt8, or second: UInt8,
        stopsAtControls: Bool = false, stopsAtNonASCII: Bool = false
    ) -> Int {
        let (firsts, seconds) = (Lanes(repeating: first), Lanes(repeating: second))
        return appendRun(
            of: source, from: start, to: end,
            stops: { block in
                var marks = block.equal(to: firsts).bits | block.equal(to: seconds).bits
                if stopsAtControls { marks |= ~block.atLeast(ASCII.space).bits }
                if stopsAtNonASCII { marks |= block.nonASCII.bits }
                return LaneMask(bits: marks)
            },
            isStop: {
                $0 == first || $0 == second || stopsAtControls && $0 < ASCII.space
                    || stopsAtNonASCII && $0 >= ASCII.firstNonASCII
            })
    }

    /// Appends the bytes of a number or literal, from `start` to the comma or closing bracket after it. Returns the index of that byte, or
    /// the end of the source.
    @inline(__always)
    mutating func appendScalar(of source: Span<UInt8>, from start: Int) -> Int {
        let (commas, brackets) = (Lanes(repeating: ASCII.comma), Lanes(repeating: ASCII.closeBracket))
        let braces = Lanes(repeating: ASCII.closeBrace)
        return appendRun(
            of: source, from: start, to: source.count,
            stops: { block in
                LaneMask(
                    bits: block.equal(to: commas).bits | block.equal(to: brackets).bits | block.equal(to: braces).bits)
            }, isStop: { $0 == ASCII.comma || $0 == ASCII.closeBracket || $0 == ASCII.closeBrace })
    }

    /// Appends a line feed and the spaces of an indentation.
    @inline(__always)
    mutating func append(line spaces: Int) {
        precondition(spaces >= 0 && spaces < .max - Self.slackBytes)
        reserve(1 &+ spaces &+ Self.slackBytes)
        unsafe base[count] = ASCII.lineFeed
        count &+= 1
        var offset = 0
        repeat {
            unsafe Lanes(repeating: ASCII.space).store(to: base + (count &+ offset))
            offset &+= LaneMask.laneCount
        } while offset < spaces
        count &+= spaces
    }

    /// Appends bytes of `source[start..<end]` up to the first one that a JSON string must escape: a quote, a backslash or
    /// a control character. Returns the index of that byte, or `end`.
    mutating func appendTextRun(of source: Span<UInt8>, from start: Int, to end: Int) -> Int {
        appendRun(
            of: source, from: start, to: end, stops: { $0.textStops },
            isStop: { $0 < ASCII.space || $0 == ASCII.quote || $0 == ASCII.backslash })
    }

    /// Appends up to the first byte for which `isStop` is true. `stops` finds it in a block, and may set bits above those of its lanes.
    @inline(__always)
    private mutating func appendRun(
        of source: Span<UInt8>, from start: Int, to end: Int, stops: (Lanes) -> LaneMask, isStop: (UInt8) -> Bool
    ) -> Int {
        precondition(start >= 0 && start <= end && end <= source.count)
        reserve(end &- start &+ Self.slackBytes)
        // Nothing below writes more than was reserved: a whole block if one is left, otherwise single bytes.
        let length = unsafe source.withUnsafeBufferPointer { bytes in
            guard let first = bytes.baseAddress else { return 0 }
            let (input, output) = unsafe (first + start, base + count)
            let limit = end &- start
            var index = 0
            while limit &- index >= LaneMask.laneCount {
                let block = unsafe Lanes(loading: input + index)
                unsafe block.store(to: output + index)
                let run = stops(block).firstIndex
                if run < LaneMask.laneCount { return index &+ run }
                index &+= LaneMask.laneCount
            }
            while index < limit, unsafe !isStop(input[index]) {
                unsafe output[index] = input[index]
                index &+= 1
            }
            return index
        }
        count &+= length
        return start &+ length
    }
}
