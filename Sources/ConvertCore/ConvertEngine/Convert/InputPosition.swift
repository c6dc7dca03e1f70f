import ConvertText

/// Where the converter is in the payload, and in which of its lines: errors say both.
///
/// Line feeds are counted as they come. Which line a place is in is looked up in the chunk once there is an error. Of chunks that are gone
/// only the last line is known; but as long as something in an open object may turn out to be an error, all lines are noted that hold
/// anything.
struct InputPosition: ~Copyable, Sendable {
    struct Line: BitwiseCopyable, Sendable {
        /// Lines before it, and the offset at which it begins.
        var number = 0
        var start = 0
    }

    /// Where a chunk begins.
    struct Mark {
        fileprivate let offset: Int
        fileprivate let lineFeeds: Int
    }

    /// Bytes that were taken before this chunk, line feeds among them, and the offset at which the last of those lines begins.
    private var chunkOffset = 0
    private(set) var lineFeeds = 0
    private var lineOffset = 0
    /// Where the token begins that is read until it is whole.
    private var tokenOffset = 0

    /// Lines that hold something, from the one before which nothing can be an error any more; the last one may be empty so far.
    private var lines = UniqueArray<Line>()
    private var isLastBlank = true

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { lines.storedBytes }

    mutating func beginPayload() {
        (chunkOffset, lineFeeds, lineOffset, tokenOffset) = (0, 0, 0, 0)
        lines.removeAll()
    }

    // MARK: Offsets

    /// The offset in the payload of a position in the chunk, which may be negative for one in an earlier chunk.
    @inline(__always)
    func offset(of position: Int) -> Int { chunkOffset &+ position }

    func position(of offset: Int) -> Int { offset - chunkOffset }

    @inline(__always)
    mutating func tokenBegins(at position: Int) { tokenOffset = chunkOffset &+ position }

    /// The position of the token, as of any other place.
    var token: Int { tokenOffset - chunkOffset }

    // MARK: Chunks

    var mark: Mark { Mark(offset: chunkOffset, lineFeeds: lineFeeds) }

    /// The converter goes on behind the first `count` bytes of the chunk, which hold so many line feeds. From offset `open` on something
    /// may turn out to be an error.
    mutating func advance(_ count: Int, lineFeeds passed: Int, in chunk: Span<UInt8>, open: Int?) {
        if let open { noteLines(from: open, in: chunk, before: count) } else { lines.removeAll() }
        chunkOffset += count
        lineFeeds += passed
    }

    private mutating func noteLines(from open: Int, in chunk: Span<UInt8>, before end: Int) {
        var start = 0
        if lines.isEmpty {
            start = max(0, min(open - chunkOffset, end))
            lines.append(line(of: open, in: chunk))
            isLastBlank = false
        }
        var line = lines[lines.count - 1]
        while start < end {
            let lineEnd = chunk.firstIndex(of: ASCII.lineFeed, from: start, to: end)
            isLastBlank = isLastBlank && chunk.endOfWhiteSpace(from: start, to: lineEnd) == lineEnd
            guard lineEnd < end else { return }
            start = lineEnd + 1
            line = Line(number: line.number + 1, start: chunkOffset + start)
            if isLastBlank { _ = lines.removeLast() }
            lines.append(line)
            isLastBlank = true
        }
    }

    /// Finds the line in which the first `end` of some bytes end that begin at a mark, up to which all was taken.
    mutating func findLine(in bytes: Span<UInt8>, before end: Int, since mark: Mark) {
        guard lineFeeds > mark.lineFeeds else { return }
        lineOffset = mark.offset + ChunkReader(bytes).lastLineFeed(before: end) + 1
    }

    /// The line of a place in the chunk, in a token that reaches into it, or in a member that may have turned out to be an error.
    func line(of offset: Int, in chunk: Span<UInt8>) -> Line {
        let position = min(offset - chunkOffset, chunk.count)
        guard position > 0 else { return notedLine(of: offset) }
        let (passed, start) = chunk.lines(before: position)
        return passed == 0
            ? Line(number: lineFeeds, start: lineOffset)
            : Line(number: lineFeeds + passed, start: chunkOffset + start)
    }

    private func notedLine(of offset: Int) -> Line {
        guard !lines.isEmpty, lines[0].start <= offset else { return Line(number: lineFeeds, start: lineOffset) }
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle].start <= offset { low = middle } else { high = middle }
        }
        return lines[low]
    }
}
