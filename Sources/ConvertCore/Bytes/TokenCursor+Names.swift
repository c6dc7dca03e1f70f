/// Names that are rewritten without being learned.
extension TokenCursor {
    /// The length of the longest name that these take; with what is around it, it is well within a step.
    static let maxRewrittenBytes = 72

    /// Writes the name of `length` bytes after the next quote, `distance` ahead, in another case if one is given.
    ///
    /// Returns its new length; nil if `PlainWords` cannot convert it, or if it may become too long.
    func rewriteName(length: Int, to distance: Int, in target: KeyCase?) -> Int? {
        checkStep()
        checkRoom()
        precondition(length > 0 && length <= Self.maxRewrittenBytes && (0...2).contains(distance))
        guard let target, target != .preserve else {
            unsafe (output + distance).update(from: input + 1, count: length)
            return length
        }
        if length <= ByteWindow.size, target != .screamingSnakeCase,
            let written = rewriteShortName(length: length, to: distance, in: target)
        {
            return written
        }
        let name = unsafe Span(_unsafeStart: input + 1, count: length)
        let mostBytes = PlainWords.mostBytes(for: name, in: target)
        guard mostBytes <= Self.maxRewrittenBytes else { return nil }
        let storage = unsafe UnsafeMutableBufferPointer(start: output + distance, count: mostBytes)
        var written = unsafe OutputSpan(buffer: storage, initializedCount: 0)
        let isWritten = PlainWords.write(name, in: target, to: &written)
        let count = unsafe written.finalize(for: storage)
        return isWritten ? count : nil
    }

    /// As `PlainWords.write`, but word by word. The name must have only small letters, digits and underscores, and fit into a
    /// window. The case must change no more than the first letter of a word. Otherwise nil.
    private func rewriteShortName(length: Int, to distance: Int, in target: KeyCase) -> Int? {
        precondition(distance >= 0 && distance &+ length &+ LaneMask.laneCount <= Self.stepBytes)
        let name = unsafe input + 1
        let window = unsafe ByteWindow(name)
        let whole = ByteWindow.first(length)
        let joints = window.lanes(of: ASCII.underscore)
        let letters = window.atLeast(ASCII.a) & ~window.atLeast(ASCII.z &+ 1)
        guard (joints | letters | window.digits) & whole == whole else { return nil }
        let start = unsafe output + distance
        // What is around the words stays; without a letter there are none.
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

    /// As `ByteBuffer.hash`, twice, of what was written `distance` ahead.
    func hashes(writtenAt distance: Int, length: Int, seeds: (UInt64, UInt64)) -> (UInt64, UInt64) {
        checkRoom()
        precondition(distance >= 0 && length >= 0 && distance &+ length &+ 8 <= Self.stepBytes)
        let raw = unsafe UnsafeRawPointer(output + distance)
        return unsafe (
            ByteBuffer.hash(raw, length: length, seed: seeds.0), ByteBuffer.hash(raw, length: length, seed: seeds.1)
        )
    }

    /// The `length` bytes after the quote that comes next.
    func name(length: Int) -> [UInt8] {
        checkStep()
        precondition(length >= 0 && 1 &+ length <= Self.stepBytes)
        return unsafe [UInt8](UnsafeBufferPointer(start: input + 1, count: length))
    }

    /// Appends a name of `length` bytes and the quote after it; the one before it comes next.
    func appendName(length: Int, to buffer: inout ByteBuffer) {
        checkStep()
        precondition(length >= 0 && 1 &+ length &+ LaneMask.laneCount <= Self.stepBytes)
        buffer.reserve(Self.stepBytes)
        var copied = 0
        repeat {
            unsafe Lanes(loading: input + (1 &+ copied)).store(to: buffer.base + (buffer.count &+ copied))
            copied &+= LaneMask.laneCount
        } while copied <= length
        buffer.count += length &+ 1
    }
}
