import ConvertText

/// Reads one chunk of input front to back.
///
/// The reader borrows the chunk and never reads past its end: vector loads happen only if sixteen bytes are left.
@safe
struct ChunkReader: ~Escapable {
    let base: UnsafePointer<UInt8>
    /// Bytes consumed so far.
    private(set) var position: Int
    /// The number of line feeds among them, counted when white space is skipped: no token contains one.
    private(set) var lineFeeds = 0
    /// Bytes in the chunk.
    let count: Int
    /// The number of bytes that may be read: the chunk and the padding after it, which is NUL.
    let readable: Int

    /// Starts at the first byte of the chunk; the last `padding` bytes of the span are not part of it.
    @_lifetime(copy chunk)
    init(_ chunk: Span<UInt8>, padding: Int = 0) {
        precondition(padding >= 0 && padding <= chunk.count)
        count = chunk.count &- padding
        readable = chunk.count
        position = 0
        // An empty span may have no address. Any address will do, since nothing is read from it.
        unsafe base = chunk.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress ?? UnsafePointer(bitPattern: MemoryLayout<UInt>.alignment).unsafelyUnwrapped
        }
    }

    @inline(__always)
    var isAtEnd: Bool { position >= count }

    @inline(__always)
    var remaining: Int { count &- position }

    /// Whether the rest of the chunk is worth copying into a padded buffer: it is not padded yet and has at least 32 bytes.
    @inline(__always)
    var isWorthPadding: Bool { readable == count && count &- position >= 32 }

    /// The next byte; there must be one.
    @inline(__always)
    var next: UInt8 {
        precondition(position < count)
        return unsafe base[position]
    }

    /// The byte `distance` bytes after the next one; it must be in the chunk.
    @inline(__always)
    func peek(_ distance: Int) -> UInt8 {
        precondition(distance >= 0 && distance < count &- position)
        return unsafe base[position &+ distance]
    }

    /// The next eight bytes, which must be in the chunk; the first byte is the lowest one.
    @inline(__always)
    var nextWord: UInt64 {
        precondition(count &- position >= 8)
        return UInt64(littleEndian: unsafe UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
    }

    @inline(__always) @_lifetime(self: copy self)
    mutating func advance(_ distance: Int = 1) {
        precondition(distance >= 0 && distance <= count &- position)
        position &+= distance
    }

    /// Skips `distance` bytes, among which there are `passed` line feeds.
    @inline(__always) @_lifetime(self: copy self)
    mutating func advance(_ distance: Int, lineFeeds passed: Int) {
        advance(distance)
        lineFeeds &+= passed
    }

    /// Skips white space and returns the next byte, which is not consumed; nil at the end of the chunk.
    ///
    /// With `stopsAtLineFeed`, a line feed is not white space.
    @inline(__always) @_lifetime(self: copy self)
    mutating func nextToken(stopsAtLineFeed: Bool) -> UInt8? {
        if position < count {
            let first = unsafe base[position]
            if first > ASCII.space { return first }
            if position &+ 1 < count, first == ASCII.space {
                let second = unsafe base[position &+ 1]
                if second > ASCII.space {
                    position &+= 1
                    return second
                }
            }
        }
        return skipWhiteSpace(stopsAtLineFeed: stopsAtLineFeed)
    }

    @inline(never) @_lifetime(self: copy self)
    private mutating func skipWhiteSpace(stopsAtLineFeed: Bool) -> UInt8? {
        while count &- position >= 16 {
            let lanes = unsafe Lanes(loading: base + position)
            let blanks = lanes.whiteSpace(lineFeed: stopsAtLineFeed ? ASCII.space : ASCII.lineFeed)
            let run = LaneMask(bits: ~blanks.bits).firstIndex
            // With `stopsAtLineFeed`, the run has no line feeds.
            let passed = lanes.equal(to: Lanes(repeating: ASCII.lineFeed)).count(before: run)
            advance(min(run, 16), lineFeeds: passed)
            if run < 16 { return unsafe base[position] }
        }
        while position < count {
            let byte = unsafe base[position]
            switch byte {
            case ASCII.space, ASCII.tab, ASCII.carriageReturn: position &+= 1
            case ASCII.lineFeed where !stopsAtLineFeed: advance(1, lineFeeds: 1)
            default: return byte
            }
        }
        return nil
    }

    /// Whether the next bytes equal the `length` bytes of `pattern` from `start`.
    ///
    /// From the start of every block, `pattern` must have sixteen readable bytes, which `KeyCache` guarantees.
    @inline(__always)
    func matches(_ pattern: borrowing ByteBuffer, from start: Int, length: Int) -> Bool {
        precondition(start >= 0 && length > 0 && start &+ length &+ 16 <= pattern.capacity)
        guard count &- position >= length &+ 16 else { return matchesNearEnd(pattern, from: start, length: length) }
        var offset = 0
        while true {
            let left = length &- offset
            let equal = unsafe Lanes(loading: base + (position &+ offset))
                .equal(to: Lanes(loading: pattern.base + (start &+ offset)))
            if left <= 16 { return equal.holdsFirst(left) }
            if !equal.holdsFirst(16) { return false }
            offset &+= 16
        }
    }

    @inline(never)
    private func matchesNearEnd(_ pattern: borrowing ByteBuffer, from start: Int, length: Int) -> Bool {
        guard count &- position >= length else { return false }
        for index in 0..<length where unsafe base[position &+ index] != pattern.base[start &+ index] { return false }
        return true
    }

    /// The number of line feeds before `end`, and the position after the last of them (nil if there is none).
    func lineFeeds(before end: Int) -> (count: Int, afterLast: Int?) {
        precondition(end >= 0 && end <= count)
        let lineFeed = Lanes(repeating: ASCII.lineFeed)
        let blockBytes = LaneMask.laneCount
        let groupBytes = 4 &* blockBytes
        var total = 0
        var index = 0
        while end &- index >= groupBytes {
            // No branch on the result, since line feeds come too irregularly to be predicted. Each lane counts up to 255.
            var first = Lanes(repeating: 0)
            var second = Lanes(repeating: 0)
            let last = min(end &- groupBytes, index &+ (Int(UInt8.max) / 2 &- 1) &* groupBytes)
            while index <= last {
                unsafe first.count(Lanes(loading: base + index), equalTo: lineFeed)
                unsafe second.count(Lanes(loading: base + (index &+ blockBytes)), equalTo: lineFeed)
                unsafe first.count(Lanes(loading: base + (index &+ 2 &* blockBytes)), equalTo: lineFeed)
                unsafe second.count(Lanes(loading: base + (index &+ 3 &* blockBytes)), equalTo: lineFeed)
                index &+= groupBytes
            }
            total &+= first.sum &+ second.sum
        }
        while index < end {
            if unsafe base[index] == ASCII.lineFeed { total &+= 1 }
            index &+= 1
        }
        return (total, total == 0 ? nil : lastLineFeed(before: end) + 1)
    }

    /// The position of the last line feed before `end`; 0 if there is none.
    func lastLineFeed(before end: Int) -> Int {
        precondition(end >= 0 && end <= count)
        var end = end
        let lineFeed = Lanes(repeating: ASCII.lineFeed)
        while end >= LaneMask.laneCount {
            let lanes = unsafe Lanes(loading: base + (end &- LaneMask.laneCount))
            let found = lanes.equal(to: lineFeed)
            if !found.isEmpty { return end &- LaneMask.laneCount &+ found.lastIndex }
            end &-= LaneMask.laneCount
        }
        while end > 0 {
            end &-= 1
            if unsafe base[end] == ASCII.lineFeed { break }
        }
        return end
    }
}
