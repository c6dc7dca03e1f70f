import ConvertText

/// Keys that are rewritten without an entry in the key cache.
extension TokenCursor {
    /// The limit for such a key, in bytes; with the bytes around it, it is well within a step.
    static let maxRewrittenBytes = 72

    /// Writes the key of `length` bytes after the next quote, `distance` bytes ahead; with a rule, in the rule's case.
    ///
    /// Returns its new length; nil if it could become too long.
    func rewriteName(length: Int, to distance: Int, by rule: KeyCaseRule?) -> Int? {
        checkStep()
        checkRoom()
        precondition(length > 0 && length <= Self.maxRewrittenBytes && (0...2).contains(distance))
        let name = unsafe Span(_unsafeStart: input + 1, count: length)
        guard let rule, rule.target != .preserve, !KeyCaseRule.isUUID(name) else {
            return copyName(length, to: distance)
        }
        if length <= ByteWindow.size {
            if rule.isPlain, rule.target != .screamingSnakeCase,
                let written = rewriteShortName(length: length, to: distance, in: rule.target)
            {
                return written
            }
            if hasInnerSymbol(length: length) { return copyName(length, to: distance) }
        }
        // `hashes` reads up to eight bytes behind the key.
        let room = Self.stepBytes &- distance &- 8
        let storage = unsafe UnsafeMutableBufferPointer(start: output + distance, count: room)
        var written = unsafe OutputSpan(buffer: storage, initializedCount: 0)
        let isWritten = rule.write(name, to: &written)
        let count = unsafe written.finalize(for: storage)
        return isWritten ? count : nil
    }

    private func copyName(_ length: Int, to distance: Int) -> Int {
        unsafe (output + distance).update(from: input + 1, count: length)
        return length
    }

    /// Whether the key, which must fit into a window, has a symbol between its words, as an e-mail address has. No case changes such a key.
    private func hasInnerSymbol(length: Int) -> Bool {
        let window = unsafe ByteWindow(input + 1)
        let whole = ByteWindow.first(length)
        let letters =
            (window.atLeast(ASCII.a) & ~window.atLeast(ASCII.z &+ 1))
            | (window.atLeast(ASCII.upperA) & ~window.atLeast(ASCII.upperZ &+ 1))
        let words = LaneMask(bits: (letters | window.digits) & whole)
        let separators =
            window.lanes(of: ASCII.underscore) | window.lanes(of: ASCII.minus) | window.lanes(of: ASCII.dot)
        let symbols = ~(words.bits | separators) & whole
        // White space and letters beyond ASCII may be between words.
        let others = window.lanes(of: ASCII.space) | window.atLeast(ASCII.firstNonASCII)
        guard words.bits != 0, others & whole == 0 else { return false }
        let inner = ByteWindow.first(words.lastIndex &+ 1) & ~ByteWindow.first(words.firstIndex &+ 1)
        return symbols & inner != 0
    }

    /// Does the same as `KeyCaseRule.write` for a plain rule, word by word. The key must have only small letters, digits and underscores, or
    /// be in camelCase already, and fit into a window. The case must change no more than the first letter of each word. Otherwise the result
    /// is nil.
    private func rewriteShortName(length: Int, to distance: Int, in target: KeyCase) -> Int? {
        precondition(distance >= 0 && distance &+ length &+ LaneMask.laneCount <= Self.stepBytes)
        let name = unsafe input + 1
        let window = unsafe ByteWindow(name)
        let whole = ByteWindow.first(length)
        let joints = window.lanes(of: ASCII.underscore)
        let letters = window.atLeast(ASCII.a) & ~window.atLeast(ASCII.z &+ 1)
        let digits = window.digits
        guard (joints | letters | digits) & whole == whole else {
            let capitals = window.atLeast(ASCII.upperA) & ~window.atLeast(ASCII.upperZ &+ 1)
            let isInCase = target == .camelCase && (letters | capitals | digits) & whole == whole
            // Each capital follows a small letter, so it begins a word.
            guard isInCase, capitals & whole & ~(letters &<< (1 << LaneMask.bitsALaneShift)) == 0 else { return nil }
            return copyName(length, to: distance)
        }
        let start = unsafe output + distance
        // Underscores before and after the words stay. A key without letters has no words.
        let end = letters & whole == 0 ? 0 : LaneMask(bits: ~joints & whole).lastIndex &+ 1
        var read = end == 0 ? 0 : ByteWindow.run(in: joints, from: 0)
        var written = read
        unsafe Lanes(loading: name).store(to: start)
        if read > LaneMask.laneCount { unsafe start.update(from: name, count: read) }
        var letterCase = target.letterCase(isFirstWord: true)
        while read < end {
            let count = min(ByteWindow.run(in: ~joints, from: read), end &- read)
            var copied = 0
            repeat {
                unsafe Lanes(loading: name + (read &+ copied)).store(to: start + (written &+ copied))
                copied &+= LaneMask.laneCount
            } while copied < count
            if letterCase != .lower, ByteWindow.run(in: letters, from: read) > 0 {
                unsafe start[written] ^= ASCII.caseBit
            }
            read &+= count
            written &+= count
            guard read < end else { break }
            read &+= ByteWindow.run(in: joints, from: read)
            if let joint = target.joint {
                unsafe start[written] = joint
                written &+= 1
            }
            letterCase = target.letterCase(isFirstWord: false)
        }
        if read < length { unsafe (start + written).update(from: name + read, count: length &- read) }
        return written &+ length &- read
    }

    /// The hashes of the `length` bytes that were written `distance` bytes ahead, as by `ByteBuffer.hash`, for two seeds.
    func hashes(writtenAt distance: Int, length: Int, seeds: (UInt64, UInt64)) -> (UInt64, UInt64) {
        checkRoom()
        precondition(distance >= 0 && length >= 0 && distance &+ length &+ 8 <= Self.stepBytes)
        let raw = unsafe UnsafeRawPointer(output + distance)
        return unsafe ByteBuffer.hashes(raw, length: length, seeds: seeds)
    }

    /// The `length` bytes after the next quote.
    func name(length: Int) -> [UInt8] {
        checkStep()
        precondition(length >= 0 && 1 &+ length <= Self.stepBytes)
        return unsafe [UInt8](UnsafeBufferPointer(start: input + 1, count: length))
    }

    /// Appends the key of `length` bytes after the next quote, and the quote after it.
    func appendName(length: Int, to buffer: inout ByteBuffer) {
        checkStep()
        unsafe append(input, 1, length &+ 1, to: &buffer)
    }

    /// Appends the `length` bytes that were written `distance` bytes ahead.
    func append(writtenAt distance: Int, length: Int, to buffer: inout ByteBuffer) {
        checkRoom()
        unsafe append(output, distance, length, to: &buffer)
    }

    private func append(
        _ bytes: UnsafePointer<UInt8>, _ distance: Int, _ length: Int, to buffer: inout ByteBuffer
    ) {
        precondition(distance >= 0 && length >= 0 && distance &+ length &+ LaneMask.laneCount <= Self.stepBytes)
        buffer.reserve(Self.stepBytes)
        var copied = 0
        repeat {
            unsafe Lanes(loading: bytes + (distance &+ copied)).store(to: buffer.base + (buffer.count &+ copied))
            copied &+= LaneMask.laneCount
        } while copied < length
        buffer.count += length
    }
}

/// Keys with their colons.
extension TokenCursor {
    /// The length of the next `count` bytes, a quoted key, and its colon; 0 if no colon follows.
    ///
    /// Up to 15 bytes of white space may precede the colon, but no line feed. Most writers put no space or one there.
    @inline(never)
    func lengthWithColon(_ count: Int) -> Int {
        checkStep()
        precondition(count > 0 && count &+ LaneMask.laneCount <= Self.stepBytes)
        let end = unsafe input + count
        if unsafe end[0] == ASCII.colon { return count &+ 1 }
        // A branch can be predicted, but a count cannot.
        if unsafe end[0] == ASCII.space && end[1] == ASCII.colon { return count &+ 2 }
        let blanks = unsafe LaneMask(bits: ~Lanes(loading: end).whiteSpace(lineFeed: ASCII.space).bits).firstIndex
        guard blanks < LaneMask.laneCount, unsafe end[blanks] == ASCII.colon else { return 0 }
        return count &+ blanks &+ 1
    }

    /// Whether no object or array begins `distance` bytes ahead, after a space or directly.
    func hasScalar(at distance: Int) -> Bool {
        guard distance &+ 1 < Self.stepBytes else { return false }
        let byte = byte(byte(distance) == ASCII.space ? distance &+ 1 : distance)
        return byte > ASCII.space && byte != ASCII.openBrace && byte != ASCII.openBracket
    }

    /// The bytes that come next, as many as a `NamePattern` holds.
    var leadingLanes: (Lanes, Lanes) {
        checkStep()
        return unsafe (Lanes(loading: input), Lanes(loading: input + LaneMask.laneCount))
    }

    /// The number of white space bytes between the key that comes next and its colon; nil if another key or no colon comes. The arena has
    /// the expected key from `start`. `count` is its length with both quotes.
    func blanks(afterName count: Int, at start: Int32, of arena: borrowing ByteBuffer) -> Int? {
        let start = Int(start)
        precondition(count > 1 && start >= 0 && start &+ count &- 1 &+ LaneMask.laneCount <= arena.capacity)
        checkStep()
        guard unsafe input[count] == ASCII.colon || input[count] <= ASCII.space else { return nil }
        let lengthWithColon = lengthWithColon(count)
        guard lengthWithColon > 0 else { return nil }
        var offset = 1
        while true {
            let text = unsafe Lanes(loading: arena.base + (start &+ offset &- 1))
            let equal = unsafe Lanes(loading: input + offset).equal(to: text)
            let left = count &- offset
            if left <= LaneMask.laneCount { return equal.holdsFirst(left) ? lengthWithColon &- count &- 1 : nil }
            if !equal.holdsFirst(LaneMask.laneCount) { return nil }
            offset &+= LaneMask.laneCount
        }
    }

    /// Writes the text of a pattern `distance` bytes ahead. In the arena it begins one byte after `start`.
    func writeText(to distance: Int, at start: Int32, length: UInt8, of arena: borrowing ByteBuffer) {
        let (start, count) = (Int(start) &+ 1, Int(length))
        checkRoom()
        precondition((0...1).contains(distance) && count < Self.stepBytes &- LaneMask.laneCount)
        precondition(start >= 0 && start &+ count &+ LaneMask.laneCount <= arena.capacity)
        var offset = 0
        repeat {
            unsafe Lanes(loading: arena.base + (start &+ offset)).store(to: output + (distance &+ offset))
            offset &+= LaneMask.laneCount
        } while offset < count
    }

    /// The length of the next quoted key, and of that key with its colon; nil if it is long, has escapes or controls, or is not UTF-8.
    func plainName() -> (count: Int, length: Int)? {
        checkStep()
        var count = 1
        var isASCII = true
        while count &+ LaneMask.laneCount < Self.stepBytes {
            let lanes = unsafe Lanes(loading: input + count)
            let run = min(lanes.textStops.firstIndex, LaneMask.laneCount)
            count &+= run
            isASCII = isASCII && lanes.nonASCII.firstIndex >= run
            guard run < LaneMask.laneCount else { continue }
            if !isASCII {
                let name = unsafe Span(_unsafeStart: input + 1, count: count &- 1)
                guard name.checkUTF8(from: 0, to: name.count) == (name.count, true) else { break }
            }
            count &+= 1
            guard unsafe input[count &- 1] == ASCII.quote, count &+ LaneMask.laneCount <= Self.stepBytes else { break }
            let length = unsafe input[count] == ASCII.colon ? count &+ 1 : lengthWithColon(count)
            return length > 0 ? (count, length) : nil
        }
        return nil
    }
}
