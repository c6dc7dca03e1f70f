import ConvertText

/// Functions that copy runs of input bytes unchanged, sixteen bytes at a time.
///
/// Each reserves room before it stores. So a store may write a whole block of which only a part counts.
extension ByteBuffer {
    /// The bytes that one of these functions may write after the ones that count.
    package static let slackBytes = 16

    /// Copies bytes of a JSON string up to the first quote, backslash, control character or non-ASCII byte.
    ///
    /// Returns that byte, which is not consumed, or nil at the end of the chunk.
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

    /// Copies consecutive escapes of the form `\uXXXX`, a window at a time.
    ///
    /// Returns false if no escape begins here, or if the end of the chunk is too near.
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

    /// Copies the next `length` bytes.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copy(_ length: Int, from reader: inout ChunkReader) {
        precondition(length >= 0 && length <= reader.remaining)
        reserve(length)
        unsafe (base + count).update(from: reader.base + reader.position, count: length)
        count &+= length
        reader.advance(length)
    }

    /// Copies the next `length` bytes, 0 to 8; the chunk must have at least eight more.
    @inline(__always) @_lifetime(reader: copy reader)
    mutating func copyWord(_ length: Int, from reader: inout ChunkReader) {
        append(first: length, ofWord: reader.nextWord)
        reader.advance(length)
    }

    /// Appends the lowest `length` bytes of a word, 0 to 8; the lowest one comes first.
    @inline(__always)
    mutating func append(first length: Int, ofWord word: UInt64) {
        precondition(length >= 0 && length <= 8)
        reserve(8)
        unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word.littleEndian, as: UInt64.self)
        count &+= length
    }

    /// Copies decimal digits up to another byte or the end of the chunk.
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

    /// Appends `length` bytes of `source` from `start`, in blocks of 32 bytes.
    ///
    /// `source` must be padded with slack. Some of it may be copied, too, but does not count.
    @inline(__always)
    package mutating func append(_ source: borrowing ByteBuffer, from start: Int, length: Int) {
        precondition(start >= 0 && length >= 0 && start &+ length &+ 2 * Self.slackBytes <= source.capacity)
        reserve(length &+ 2 * Self.slackBytes)
        var offset = 0
        repeat {
            unsafe Lanes(loading: source.base + (start &+ offset)).store(to: base + (count &+ offset))
            unsafe Lanes(loading: source.base + (start &+ offset &+ 16)).store(to: base + (count &+ offset &+ 16))
            offset &+= 32
        } while offset < length
        count &+= length
    }

    /// Two blocks of lanes from `start` on; bytes after the buffer's end are NUL.
    mutating func leadingLanes(from start: Int) -> (low: Lanes, high: Lanes) {
        precondition(start >= 0 && start <= count)
        padWithSlack()
        return unsafe (Lanes(loading: base + start), Lanes(loading: base + (start + LaneMask.laneCount)))
    }

    /// Reserves and initialises slack after the end, so that blocks may be read up to sixteen bytes past it.
    package mutating func padWithSlack() {
        reserve(2 * Self.slackBytes)
        unsafe Lanes(repeating: ASCII.null).store(to: base + count)
        unsafe Lanes(repeating: ASCII.null).store(to: base + (count &+ Self.slackBytes))
    }
}
