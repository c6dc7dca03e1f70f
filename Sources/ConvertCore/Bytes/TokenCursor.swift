/// One place in a chunk and one in the output, moved together by whole tokens.
///
/// The fast lane's counterpart of `ChunkReader` and `ByteBuffer`: both positions stay in registers, and room is asked for
/// once a step instead of once a byte. A step may read and write up to `stepBytes`; every operation checks that they are
/// there, so a cursor that ran out of room refuses to move rather than to overrun.
@safe
struct TokenCursor: ~Escapable {
    /// Bytes that an operation may read and write when `canStep` holds.
    static let stepBytes = 64

    private let input: UnsafePointer<UInt8>
    private let output: UnsafeMutablePointer<UInt8>
    private(set) var read: Int
    private(set) var written: Int
    private let readLimit: Int
    private let writeLimit: Int

    /// Begins where reader and buffer stand; neither may be used until `commit`.
    @inline(__always) @_lifetime(copy reader)
    init(_ reader: borrowing ChunkReader, _ buffer: borrowing ByteBuffer) {
        unsafe input = reader.base
        unsafe output = buffer.base
        read = reader.position
        written = buffer.count
        readLimit = reader.count &- Self.stepBytes &- ByteBuffer.slackBytes
        writeLimit = buffer.capacity &- Self.stepBytes &- ByteBuffer.slackBytes
    }

    /// Whether a step's bytes are there to be read and a step's room to be written.
    @inline(__always)
    var canStep: Bool { read <= readLimit && written <= writeLimit }

    /// The byte `distance` ahead, which must be within the step.
    @inline(__always)
    func byte(_ distance: Int = 0) -> UInt8 {
        precondition(distance >= 0 && distance < Self.stepBytes && read <= readLimit)
        return unsafe input[read &+ distance]
    }

    /// Eight bytes from `distance` ahead on, within the step; the first one is lowest.
    @inline(__always)
    func word(_ distance: Int) -> UInt64 {
        precondition(distance >= 0 && distance &+ 8 <= Self.stepBytes && read <= readLimit)
        let word = unsafe UnsafeRawPointer(input + (read &+ distance)).loadUnaligned(as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// Goes back to where the cursor was before.
    @inline(__always) @_lifetime(self: copy self)
    mutating func moveBack(read: Int, written: Int) {
        precondition(read >= 0 && read <= self.read && written >= 0 && written <= self.written)
        self.read = read
        self.written = written
    }

    @inline(__always) @_lifetime(self: copy self)
    mutating func skip(_ distance: Int) {
        precondition(distance >= 0 && distance <= Self.stepBytes && read <= readLimit)
        read &+= distance
    }

    @inline(__always) @_lifetime(self: copy self)
    mutating func write(_ byte: UInt8) {
        precondition(written <= writeLimit)
        unsafe output[written] = byte
        written &+= 1
    }

    /// The next byte that is not white space; a white space byte when the cursor ran out of room.
    ///
    /// With `stopsAtLineFeed` a line feed is answered as any other byte is.
    @inline(__always) @_lifetime(self: copy self)
    mutating func nextToken(stopsAtLineFeed: Bool) -> UInt8 {
        precondition(read <= readLimit)
        let first = unsafe input[read]
        if first > ASCII.space { return first }
        let second = unsafe input[read &+ 1]
        if second > ASCII.space, first == ASCII.space {
            read &+= 1
            return second
        }
        while read <= readLimit {
            let lanes = unsafe Lanes(loading: input + read)
            let blanks = stopsAtLineFeed ? lanes.whiteSpaceInLine : lanes.whiteSpace
            let run = LaneMask(bits: ~blanks.bits).firstIndex
            if run < 16 {
                read &+= run
                return unsafe input[read]
            }
            read &+= 16
        }
        return ASCII.space
    }

    /// Whether the bytes `distance` ahead are `length` bytes of `pattern` from `start`; both together are below a step.
    @inline(__always)
    func matches(_ pattern: borrowing ByteBuffer, from start: Int, length: Int, after distance: Int) -> Bool {
        precondition(start >= 0 && length > 0 && start &+ length &+ 16 <= pattern.capacity)
        precondition(distance >= 0 && distance &+ length <= Self.stepBytes && read <= readLimit)
        var offset = 0
        while true {
            // The last block may reach past the step, never past the slack of sixteen bytes that the limit leaves.
            let equal = unsafe Lanes(loading: input + (read &+ distance &+ offset))
                .equal(to: Lanes(loading: pattern.base + (start &+ offset)))
            let left = length &- offset
            if left <= 16 { return equal.holdsFirst(left) }
            if !equal.holdsFirst(16) { return false }
            offset &+= 16
        }
    }

    /// Writes `length` bytes of `source` from `start`; `length` is at most a step.
    @inline(__always) @_lifetime(self: copy self)
    mutating func write(_ source: borrowing ByteBuffer, from start: Int, length: Int) {
        precondition(start >= 0 && length >= 0 && start &+ length &+ 16 <= source.capacity)
        precondition(length <= Self.stepBytes && written <= writeLimit)
        var offset = 0
        repeat {
            unsafe Lanes(loading: source.base + (start &+ offset)).store(to: output + (written &+ offset))
            offset &+= 16
        } while offset < length
        written &+= length
    }

    /// Copies bytes of a string until one needs a closer look, and answers with it, not consumed.
    ///
    /// Answers 0 when the cursor ran out of room; what was copied until then stays copied.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyPlainString() -> UInt8 {
        while canStep {
            let lanes = unsafe Lanes(loading: input + read)
            unsafe lanes.store(to: output + written)
            let run = lanes.stringStops.firstIndex
            if run < 16 {
                read &+= run
                written &+= run
                return unsafe input[read]
            }
            read &+= 16
            written &+= 16
        }
        return ASCII.null
    }

    /// Copies a number of the form `-?int(.digits)?` that ends within a window of 16 or 32 bytes.
    ///
    /// Any other number, sound or not, is left where it is for the general machine; then the answer is false.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyShortNumber() -> Bool {
        precondition(canStep)
        let window = unsafe DigitWindow(input + read, copyingTo: output + written)
        var length = unsafe input[read] == ASCII.minus ? 1 : 0
        let leading = unsafe input[read &+ length]
        let integerDigits = window.digits(from: length)
        if integerDigits == 0 || (leading == ASCII.zero && integerDigits > 1) { return false }
        length &+= integerDigits
        guard length < DigitWindow.size else { return false }
        var following = unsafe input[read &+ length]
        if following == ASCII.dot {
            let fractionDigits = window.digits(from: length &+ 1)
            length &+= 1 &+ fractionDigits
            guard fractionDigits > 0, length < DigitWindow.size else { return false }
            following = unsafe input[read &+ length]
        }
        if following | ASCII.caseBit == ASCII.e { return false }
        read &+= length
        written &+= length
        return true
    }

    /// Copies `true`, `false` or `null`; false when the bytes are none of them.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyLiteral() -> Bool {
        precondition(canStep)
        let progress = unsafe LiteralProgress(input[read])
        let word = unsafe UnsafeRawPointer(input + read).loadUnaligned(as: UInt64.self)
        let length = progress.matchLength(UInt64(littleEndian: word))
        guard length > 0 else { return false }
        unsafe UnsafeMutableRawPointer(output + written).storeBytes(of: word, as: UInt64.self)
        read &+= length
        written &+= length
        return true
    }

    /// Hands the positions back.
    @inline(__always) @_lifetime(reader: copy reader)
    func commit(to reader: inout ChunkReader, _ buffer: inout ByteBuffer) {
        reader.advance(read &- reader.position)
        precondition(written >= buffer.count && written <= buffer.capacity)
        buffer.count = written
    }
}

/// The digits among the next bytes, copied to the output on the way.
private struct DigitWindow {
    #if arch(x86_64)
        static let size = 32
    #else
        static let size = 16
    #endif

    private let bits: UInt64

    @unsafe @inline(__always)
    init(_ input: UnsafePointer<UInt8>, copyingTo output: UnsafeMutablePointer<UInt8>) {
        let low = unsafe Lanes(loading: input)
        unsafe low.store(to: output)
        #if arch(x86_64)
            let high = unsafe Lanes(loading: input + 16)
            unsafe high.store(to: output + 16)
            bits = low.digits.bits | high.digits.bits &<< 16
        #else
            bits = low.digits.bits
        #endif
    }

    /// The length of the run of digits from `index` on, as far as the window goes.
    @inline(__always)
    func digits(from index: Int) -> Int {
        (~(bits &>> UInt64(index &<< LaneMask.bitsALaneShift))).trailingZeroBitCount &>> LaneMask.bitsALaneShift
    }
}
