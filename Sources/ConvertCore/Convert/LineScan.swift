/// The line of one place after another in a chunk.
struct LineScan {
    /// Lines before it, and the offset at which it begins.
    private(set) var number: Int
    private(set) var start: Int
    private var position = 0

    /// Stands at a chunk's beginning, which is in this line.
    init(number: Int, start: Int) { (self.number, self.start) = (number, start) }

    /// Goes on to an offset, or to the chunk's end if that is further on.
    mutating func advance(to offset: Int, in chunk: Span<UInt8>, from chunkOffset: Int) {
        let end = min(offset - chunkOffset, chunk.count)
        guard position < end else { return }
        let passed = ChunkReader(chunk.extracting(position..<end))
        let (lines, afterLast) = passed.lineFeeds(before: end - position)
        number += lines
        if let afterLast { start = chunkOffset + position + afterLast }
        position = end
    }
}
