import ConvertText

/// The converter's position in the payload, and the line of that position, which errors report.
///
/// Line feeds are counted as they come. The line of an offset is looked up in the chunk once there is an error. For earlier chunks, only
/// the last line is known. While something in an open object may still turn out to be an error, all lines that hold anything are noted.
struct InputPosition: ~Copyable, Sendable {
    struct Line: BitwiseCopyable, Sendable {
        /// The number of lines before it, and the offset at which it begins.
        var number = 0
        var start = 0
    }

    /// The beginning of a chunk, for `findLine`.
    struct Mark {
        fileprivate let offset: Int
        fileprivate let lineFeeds: Int
    }

    /// The number of bytes before this chunk, of line feeds among them, and the offset at which the last line in them begins.
    private var chunkOffset = 0
    private(set) var lineFeeds = 0
    private var lineOffset = 0
    /// The offset of the token being read, until it is whole.
    private var tokenOffset = 0

    /// Lines that hold something, from the first in which something may still be an error. The last one may be blank so far.
    private var lines = UniqueArray<Line>()
    private var isLastBlank = true

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { lines.storedBytes }

    mutating func beginPayload() {
        (chunkOffset, lineFeeds, lineOffset, tokenOffset) = (0, 0, 0, 0)
        lines.removeAll()
    }

    /// The line that begins at this position.
    var line: Line { Line(number: lineFeeds, start: chunkOffset) }

    /// Begins at a later line of the payload.
    mutating func begin(_ line: Line) {
        (chunkOffset, lineOffset, lineFeeds) = (line.start, line.start, line.number)
    }

    // MARK: Offsets

    /// The offset in the payload of a position in the chunk, which may be negative for one in an earlier chunk.
    @inline(__always)
    func offset(of position: Int) -> Int { chunkOffset &+ position }

    func position(of offset: Int) -> Int { offset - chunkOffset }

    @inline(__always)
    mutating func tokenBegins(at position: Int) { tokenOffset = chunkOffset &+ position }

    /// The position of the token in the chunk; negative if it began in an earlier chunk.
    var token: Int { tokenOffset - chunkOffset }

    // MARK: Chunks

    var mark: Mark { Mark(offset: chunkOffset, lineFeeds: lineFeeds) }

    /// Moves on past the first `count` bytes of the chunk, which have this number of line feeds. From offset `open` on, something may still
    /// turn out to be an error.
    mutating func advance(_ count: Int, lineFeeds passed: Int, in chunk: Span<UInt8>, open: Int?) {
        if open.map({ $0 >= chunkOffset }) ?? true { lines.removeAll() }
        if let open { noteLines(from: open, in: chunk, before: count) }
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
            // The last byte of a line is enough, unless white space is there.
            isLastBlank =
                isLastBlank && (lineEnd == start || chunk[lineEnd - 1] <= ASCII.space)
                && chunk.endOfWhiteSpace(from: start, to: lineEnd) == lineEnd
            guard lineEnd < end else { return }
            start = lineEnd + 1
            line = Line(number: line.number + 1, start: chunkOffset + start)
            if isLastBlank { _ = lines.removeLast() }
            lines.append(line)
            isLastBlank = true
        }
    }

    /// Finds the start of the line that contains the end of the first `end` bytes. `bytes` begin at the mark, and all of the first `end`
    /// were taken.
    mutating func findLine(in bytes: Span<UInt8>, before end: Int, since mark: Mark) {
        guard lineFeeds > mark.lineFeeds else { return }
        lineOffset = mark.offset + ChunkReader(bytes).lastLineFeed(before: end) + 1
    }

    /// The line of an offset. The offset is in the chunk, in a token that reaches into it, or in a member that may be an error.
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
