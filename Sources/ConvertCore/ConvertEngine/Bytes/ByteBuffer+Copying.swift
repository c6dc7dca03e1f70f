import ConvertText

/// The copying kernels: runs of input bytes that need no thought, moved sixteen at a time.
///
/// Each checks the room it needs before it stores, so that a store may write a whole block and count only what is meant.
extension ByteBuffer {
    /// Bytes a kernel may write past what it counts.
    package static let slackBytes = 16

    /// Copies bytes of a JSON string until one needs a closer look: a quote, a backslash, a control or non-ASCII.
    ///
    /// Answers with that byte, not consumed, or nil at the end of the chunk.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copyPlainString(_ reader: inout ChunkReader) -> UInt8? {
        while reader.remaining >= 16 {
            reserve(Self.slackBytes)
            let lanes = unsafe Lanes(loading: reader.base + reader.position)
            unsafe lanes.store(to: base + count)
            let run = lanes.stringStops.firstIndex
            if run < 16 {
                reader.advance(run)
                count &+= run
                return reader.next
            }
            reader.advance(16)
            count &+= 16
        }
        return copyPlainStringNearEnd(&reader)
    }

    @inline(never) @_lifetime(reader: copy reader)
    private mutating func copyPlainStringNearEnd(_ reader: inout ChunkReader) -> UInt8? {
        let left = reader.remaining
        reserve(left)
        var run = 0
        while run < left {
            let byte = unsafe reader.base[reader.position &+ run]
            if byte < ASCII.space || byte >= ASCII.firstNonASCII || byte == ASCII.quote || byte == ASCII.backslash {
                break
            }
            unsafe base[count &+ run] = byte
            run &+= 1
        }
        count &+= run
        reader.advance(run)
        return run < left ? reader.next : nil
    }

    /// Copies escapes of the form `\uXXXX` that follow each other, a window at a time.
    ///
    /// False if none begins here, or too near the chunk's end.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copyEscapes(_ reader: inout ChunkReader) -> Bool {
        let fullLength = ByteWindow.size / ByteWindow.escapeLength * ByteWindow.escapeLength
        let start = count
        while reader.remaining >= ByteWindow.size {
            reserve(ByteWindow.size)
            let length =
                unsafe ByteWindow(reader.base + reader.position, copyingTo: base + count).escapes
                &* ByteWindow.escapeLength
            reader.advance(length)
            count &+= length
            if length < fullLength { break }
        }
        return count > start
    }

    /// Copies `length` of the next bytes.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copy(_ length: Int, from reader: inout ChunkReader) {
        precondition(length >= 0 && length <= reader.remaining)
        reserve(length)
        unsafe (base + count).update(from: reader.base + reader.position, count: length)
        count &+= length
        reader.advance(length)
    }

    /// Copies up to eight of the next bytes, of which there must be eight.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copyWord(_ length: Int, from reader: inout ChunkReader) {
        precondition(length >= 0 && length <= 8)
        reserve(8)
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: reader.nextWord.littleEndian, as: UInt64.self)
        count &+= length
        reader.advance(length)
    }

    /// Copies decimal digits until another byte comes or the chunk ends.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copyDigits(_ reader: inout ChunkReader) {
        while reader.remaining >= 16 {
            reserve(16)
            let lanes = unsafe Lanes(loading: reader.base + reader.position)
            unsafe lanes.store(to: base + count)
            let run = LaneMask(bits: ~lanes.digits.bits).firstIndex
            if run < 16 {
                reader.advance(run)
                count &+= run
                return
            }
            reader.advance(16)
            count &+= 16
        }
        while !reader.isAtEnd, ASCII.isDigit(reader.next) {
            append(reader.next)
            reader.advance()
        }
    }

    /// Appends `length` bytes of `source` from `start`, in whole blocks.
    ///
    /// `source` must have sixteen bytes of capacity after them.
    @inline(__always)
    package mutating func append(_ source: borrowing ByteBuffer, from start: Int, length: Int) {
        precondition(start >= 0 && length >= 0 && start &+ length &+ 16 <= source.capacity)
        reserve(length &+ Self.slackBytes)
        var offset = 0
        repeat {
            unsafe Lanes(loading: source.base + (start &+ offset)).store(to: base + (count &+ offset))
            offset &+= 16
        } while offset < length
        count &+= length
    }

    /// Appends `length` of its own bytes from `start` on again.
    mutating func repeatBytes(from start: Int, count length: Int) {
        precondition(start >= 0 && length >= 0 && start &+ length <= count)
        reserve(length)
        unsafe (base + count).update(from: base + start, count: length)
        count &+= length
    }

    /// Two blocks of lanes from `start` on; what lies after the bytes written is NUL.
    mutating func leadingLanes(from start: Int) -> (low: Lanes, high: Lanes) {
        precondition(start >= 0 && start <= count)
        padWithSlack()
        return unsafe (Lanes(loading: base + start), Lanes(loading: base + (start + LaneMask.laneCount)))
    }

    /// Makes sure that blocks may be read up to sixteen bytes past the end, and that those bytes are initialised.
    package mutating func padWithSlack() {
        reserve(2 * Self.slackBytes)
        unsafe Lanes(repeating: ASCII.null).store(to: base + count)
        unsafe Lanes(repeating: ASCII.null).store(to: base + (count &+ Self.slackBytes))
    }
}
