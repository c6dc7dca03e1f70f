import ConvertText

/// A position in a chunk and one in the output, which move together by whole tokens.
///
/// It replaces `ChunkReader` and `ByteBuffer` on the fast path. Both positions stay in registers, and room is checked once for each
/// turn instead of each byte. A turn is one member or element: white space, key and colon, white space, a value, white
/// space, a comma. It begins if `canBegin` is true, and may read and write `turnBytes`. Operations within it move by at
/// most `stepBytes`. White space and strings may be longer, and check for room again. Each operation checks that there is room for
/// a step, so a cursor without room stops the process and never overruns.
@safe
struct TokenCursor: ~Escapable {
    /// Bytes that one operation may read and write.
    static let stepBytes = 96
    /// Bytes that the operations between two `canBegin` may read and write.
    static let turnBytes = 384

    var input: UnsafePointer<UInt8>
    var output: UnsafeMutablePointer<UInt8>
    /// The last position at which a step may begin.
    private let inputLimit: UnsafePointer<UInt8>
    private let outputLimit: UnsafeMutablePointer<UInt8>
    private static let reservedBytes = turnBytes - stepBytes

    /// Whether a turn fits into the readable rest of the reader's chunk.
    static func fits(_ reader: borrowing ChunkReader) -> Bool { reader.readable &- reader.position > turnBytes }

    /// Begins at the positions of reader and buffer; neither may be used until `commit`.
    ///
    /// Both must be at least as large as a turn, and a step must fit into the rest of each.
    @inline(__always) @_lifetime(copy reader)
    init(_ reader: borrowing ChunkReader, _ buffer: borrowing ByteBuffer) {
        precondition(reader.readable >= Self.turnBytes && buffer.capacity >= Self.turnBytes)
        precondition(reader.readable &- reader.position >= Self.stepBytes)
        precondition(buffer.capacity &- buffer.count >= Self.stepBytes)
        unsafe input = reader.base + reader.position
        unsafe output = buffer.base + buffer.count
        unsafe inputLimit = reader.base + (reader.readable &- Self.stepBytes)
        unsafe outputLimit = buffer.base + (buffer.capacity &- Self.stepBytes)
    }

    /// Whether a turn fits into the readable input and the room of the output.
    @inline(__always)
    var canBegin: Bool {
        unsafe input <= inputLimit - Self.reservedBytes && output <= outputLimit - Self.reservedBytes
    }

    /// Stops the process if a step does not fit into the readable input.
    @inline(__always)
    func checkStep() { unsafe precondition(input <= inputLimit) }

    @inline(__always)
    func checkRoom() { unsafe precondition(output <= outputLimit) }

    /// The byte `distance` bytes ahead, which must be within the step.
    @inline(__always)
    func byte(_ distance: Int = 0) -> UInt8 {
        checkStep()
        precondition(distance >= 0 && distance < Self.stepBytes)
        return unsafe input[distance]
    }

    /// Eight bytes from `distance` bytes ahead, within the step; the first byte is the lowest one.
    @inline(__always)
    func word(_ distance: Int) -> UInt64 {
        checkStep()
        precondition(distance >= 0 && distance &+ 8 <= Self.stepBytes)
        return unsafe UInt64(littleEndian: UnsafeRawPointer(input + distance).loadUnaligned(as: UInt64.self))
    }

    @inline(__always) @_lifetime(self: copy self)
    mutating func skip(_ distance: Int) {
        checkStep()
        precondition(distance >= 0 && distance <= Self.stepBytes)
        unsafe input += distance
    }

    @inline(__always) @_lifetime(self: copy self)
    mutating func write(_ byte: UInt8) {
        checkRoom()
        unsafe output[0] = byte
        unsafe output += 1
    }

    /// Copies the next byte, which the caller already knows.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copy(_ byte: UInt8) {
        skip(1)
        write(byte)
    }

    /// Copies the next three bytes if they are the given ones.
    @inline(__always) @_lifetime(self: copy self)
    mutating func take(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        checkStep()
        checkRoom()
        guard unsafe input[0] == first && input[1] == second && input[2] == third else { return false }
        unsafe UnsafeMutableRawPointer(output).storeBytes(
            of: UnsafeRawPointer(input).loadUnaligned(as: UInt32.self), as: UInt32.self)
        unsafe input += 3
        unsafe output += 3
        return true
    }

    /// Whether the next byte is `byte`.
    @inline(__always)
    func isNext(_ byte: UInt8) -> Bool {
        checkStep()
        return unsafe input[0] == byte
    }

    /// Whether the next byte begins an element, valid or not: it is neither white space nor the end of the array.
    @inline(__always)
    var isAtElement: Bool {
        checkStep()
        return unsafe input[0] > ASCII.space && input[0] != ASCII.closeBracket
    }

    // MARK: White space

    /// The next byte that is not white space.
    ///
    /// White space is the space, tab, carriage return and `lineFeed`: the line feed, or the space
    /// again if a line feed is not white space. If the indentation that is expected at `depth` follows, the cursor moves by a
    /// known distance. So the next operation does not wait for a count. If the cursor runs out of room, the result is a
    /// white space byte.
    @inline(__always) @_lifetime(self: copy self)
    mutating func nextToken(lineFeed: UInt8, _ indentations: inout Indentations, at depth: Int) -> UInt8 {
        checkStep()
        let first = unsafe input[0]
        if first > ASCII.space { return first }
        // Most white space is one space, or a line feed and the spaces of an indentation.
        if first == ASCII.space {
            let second = unsafe input[1]
            if second > ASCII.space {
                unsafe input += 1
                return second
            }
        } else if first == lineFeed, unsafe indentations[depth].isNext(input + 1) {
            let length = indentations[depth].length
            let following = unsafe input[length]
            if following > ASCII.space {
                unsafe input += length
                indentations.lineFeeds &+= 1
                return following
            }
        }
        let blanks = unsafe Self.blanks(input, inputLimit - Self.reservedBytes, lineFeed, &indentations[depth])
        unsafe input += blanks.count
        indentations.lineFeeds &+= blanks.lineFeeds
        return unsafe input[0]
    }

    /// Whether `byte` is the next byte that is not white space, as in `nextToken`. Checks first whether it comes without white space.
    @inline(__always) @_lifetime(self: copy self)
    mutating func reaches(
        _ byte: UInt8, lineFeed: UInt8, _ indentations: inout Indentations, at depth: Int
    ) -> Bool {
        isNext(byte) || nextToken(lineFeed: lineFeed, &indentations, at: depth) == byte
    }

    /// The number of white space bytes from `input` and of the line feeds in them. If they pass `limit`, the last byte is not counted.
    ///
    /// White space with line feeds becomes the expected indentation.
    @inline(never)
    private static func blanks(
        _ input: UnsafePointer<UInt8>, _ limit: UnsafePointer<UInt8>, _ lineFeed: UInt8,
        _ indentation: inout Indentation
    ) -> (count: Int, lineFeeds: Int) {
        if let known = unsafe indentation.next(input, limit: limit) { return known }
        if unsafe input[0] == lineFeed { unsafe indentation.expectSpaces(input + 1) }
        var (count, lineFeeds) = (0, 0)
        repeat {
            let lanes = unsafe Lanes(loading: input + count)
            let run = LaneMask(bits: ~lanes.whiteSpace(lineFeed: lineFeed).bits).firstIndex
            lineFeeds &+= lanes.equal(to: Lanes(repeating: ASCII.lineFeed)).count(before: run)
            count &+= min(run, LaneMask.laneCount)
            if run < LaneMask.laneCount {
                if lineFeeds > 0 { unsafe indentation.expect(input, count: count, lineFeeds: lineFeeds) }
                return (count, lineFeeds)
            }
        } while unsafe input + count <= limit
        return unsafe (count &- 1, lineFeeds &- (input[count &- 1] == ASCII.lineFeed ? 1 : 0))
    }

    // MARK: Names

    /// Whether the next bytes are the quoted key of a pattern and a colon.
    @inline(__always)
    func matches(_ name: NamePattern) -> Bool {
        checkStep()
        let low = unsafe Lanes(loading: input).equal(to: name.low)
        let high = unsafe Lanes(loading: input + LaneMask.laneCount).equal(to: name.high)
        return ~low.bits & name.lowMask.bits | ~high.bits & name.highMask.bits == 0
    }

    /// Copies the next quoted key and its colon, after a comma unless it is the first in its object. One space may be before the colon.
    ///
    /// Returns false, and takes nothing, if the key has escapes, controls or non-ASCII, is longer than 63 bytes or has no colon after it.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyName(isFirst: Bool) -> Bool {
        checkStep()
        checkRoom()
        unsafe output[0] = ASCII.comma
        let start = unsafe isFirst ? output : output + 1
        unsafe start[0] = ASCII.quote
        var count = 1
        while true {
            let lanes = unsafe Lanes(loading: input + count)
            unsafe lanes.store(to: start + count)
            let run = lanes.stringStops.firstIndex
            if run < LaneMask.laneCount {
                count &+= run
                break
            }
            count &+= LaneMask.laneCount
            guard count &+ 2 &* LaneMask.laneCount <= Self.stepBytes else { return false }
        }
        guard unsafe input[count] == ASCII.quote else { return false }
        unsafe start[count] = ASCII.quote
        unsafe start[count &+ 1] = ASCII.colon
        if unsafe input[count &+ 1] != ASCII.colon {
            guard unsafe input[count &+ 1] == ASCII.space && input[count &+ 2] == ASCII.colon else { return false }
            unsafe input += 1
        }
        unsafe input += count &+ 2
        unsafe output = start + (count &+ 2)
        return true
    }

    /// The offset of the next byte from the beginning of the reader's chunk.
    @inline(__always)
    func position(in reader: borrowing ChunkReader) -> Int { unsafe input - reader.base }

    /// The number of bytes in the buffer, including those that the cursor has written.
    @inline(__always)
    func written(in buffer: borrowing ByteBuffer) -> Int { unsafe output - buffer.base }

    /// The hash of `length` bytes from `distance` bytes ahead, as by `ByteBuffer.hash`; they must be within the step.
    func hash(from distance: Int, length: Int, seed: UInt64) -> UInt64 {
        checkStep()
        precondition(distance >= 0 && length >= 0 && distance &+ length &+ 8 <= Self.stepBytes)
        return unsafe ByteBuffer.hash(UnsafeRawPointer(input + distance), length: length, seed: seed)
    }

    /// Skips the key and colon of a pattern, which must match. Writes the pattern's text, after a comma unless it is the
    /// first in its object.
    @inline(__always) @_lifetime(self: copy self)
    mutating func takeName(_ name: NamePattern, isFirst: Bool) {
        checkRoom()
        unsafe output[0] = ASCII.comma
        if !isFirst { unsafe output += 1 }
        unsafe name.textLow.store(to: output)
        unsafe name.textHigh.store(to: output + LaneMask.laneCount)
        unsafe input += Int(name.count)
        unsafe output += Int(name.textCount)
    }

    // MARK: Values

    /// Copies a string, whose opening quote comes next, up to a byte that needs a closer check. Returns that byte.
    ///
    /// A closing quote is copied too; any other byte is not. The result is 0 if the cursor ran out of room; the bytes copied
    /// before that stay copied. Room is checked for each step, not for each vector.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyString() -> UInt8 {
        checkStep()
        checkRoom()
        unsafe output[0] = ASCII.quote
        var offset = 1
        repeat {
            repeat {
                let lanes = unsafe Lanes(loading: input + offset)
                unsafe lanes.store(to: output + offset)
                let stops = lanes.stringStops
                if !stops.isEmpty { return end(at: offset &+ stops.firstIndex) }
                offset &+= LaneMask.laneCount
            } while offset <= Self.stepBytes &- LaneMask.laneCount
            unsafe input += offset
            unsafe output += offset
            offset = 0
        } while canBegin
        return ASCII.null
    }

    /// Moves to the byte of a string that needs a closer check. A closing quote is copied and passed.
    @inline(__always) @_lifetime(self: copy self)
    private mutating func end(at distance: Int) -> UInt8 {
        unsafe input += distance
        unsafe output += distance
        let stop = unsafe input[0]
        if stop == ASCII.quote {
            unsafe output[0] = stop
            unsafe input += 1
            unsafe output += 1
        }
        return stop
    }

    /// Copies a number of the form `-?int(.digits)?` that ends within a window.
    ///
    /// Every other number, valid or not, is left to the general path. So is a number before a NUL, because chunks are
    /// padded with NULs. The result is then false.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyShortNumber() -> Bool {
        checkStep()
        checkRoom()
        let window = unsafe ByteWindow(input, copyingTo: output)
        let digits = window.digits
        let points = window.lanes(of: ASCII.dot)
        let sign = unsafe input[0] == ASCII.minus ? 1 : 0
        // The end of the number is found first, so that the checks of its parts run in parallel.
        let length = ByteWindow.run(in: digits | points, from: sign) &+ sign
        guard length < ByteWindow.size else { return false }
        let integerDigits = ByteWindow.run(in: digits, from: sign)
        let leading = unsafe input[sign]
        if integerDigits == 0 || (leading == ASCII.zero && integerDigits > 1) { return false }
        let integerEnd = sign &+ integerDigits
        if integerEnd < length,
            ByteWindow.run(in: digits, from: integerEnd &+ 1) != length &- integerEnd &- 1
                || integerEnd &+ 1 == length
        {
            return false
        }
        let following = unsafe input[length]
        if following == ASCII.null || following | ASCII.caseBit == ASCII.e { return false }
        unsafe input += length
        unsafe output += length
        return true
    }

    /// Copies `true`, `false` or `null`, where `first` is the next byte; false if the bytes are none of them.
    @inline(__always) @_lifetime(self: copy self)
    mutating func copyLiteral(_ first: UInt8) -> Bool {
        let literal = LiteralProgress(first)
        checkStep()
        checkRoom()
        let word = unsafe UnsafeRawPointer(input).loadUnaligned(as: UInt64.self)
        let length = literal.matchLength(UInt64(littleEndian: word))
        guard length > 0 else { return false }
        unsafe UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
        unsafe input += length
        unsafe output += length
        return true
    }

    /// Copies a string without escapes and non-ASCII, a short number or a literal, where `first` is the next byte. Returns false if it is
    /// something else, or if the cursor ran out of room; it may have moved then.
    @_lifetime(self: copy self)
    mutating func copyPlainScalar(_ first: UInt8) -> Bool {
        if first == ASCII.quote { return copyString() == ASCII.quote }
        return ASCII.isDigit(first) || first == ASCII.minus ? copyShortNumber() : copyLiteral(first)
    }

    /// Discards the bytes that were written after the position `mark` of the buffer, if any.
    @inline(__always) @_lifetime(self: copy self)
    mutating func takeBack(to mark: Int, in buffer: borrowing ByteBuffer) {
        precondition(mark >= 0)
        unsafe output = min(output, buffer.base + mark)
    }

    /// Updates the positions of reader and buffer. `lineFeeds` is the number of skipped line feeds, and becomes 0.
    @inline(__always) @_lifetime(reader: copy reader)
    func commit(to reader: inout ChunkReader, _ buffer: inout ByteBuffer, lineFeeds: inout Int) {
        unsafe reader.advance(input - (reader.base + reader.position), lineFeeds: lineFeeds)
        lineFeeds = 0
        let written = unsafe output - buffer.base
        precondition(written >= 0 && written <= buffer.capacity)
        buffer.count = written
    }
}
