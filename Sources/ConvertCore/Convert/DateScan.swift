/// The first look that scan mode takes at a string: a few bytes tell almost all of them apart from date-times.
enum DateScan {
    /// Bytes that the look takes in; a string that the chunk cuts before that is a candidate.
    private static let window = 9

    /// Whether the string that begins at the reader's next byte could be a date-time with a zone.
    ///
    /// Candidates begin with `YYYY-`, with `YYYYMMDDT`, with a day of the month and white space, or with the name of a
    /// weekday and a comma. An escape among the first bytes makes a candidate too.
    @inline(__always)
    static func isCandidate(_ reader: borrowing ChunkReader) -> Bool {
        guard reader.remaining >= window else { return true }
        let first = reader.next
        if ASCII.isDigit(first) {
            if reader.peek(4) == ASCII.minus { return true }
            if ASCII.isDigit(reader.peek(4)) { return reader.peek(8) == ASCII.upperT || holdsEscape(reader) }
            return reader.peek(1) == ASCII.space || reader.peek(2) == ASCII.space || holdsEscape(reader)
        }
        if ASCII.isLetter(first) { return reader.peek(3) == ASCII.comma || holdsEscape(reader) }
        return first == ASCII.backslash
    }

    @inline(__always)
    private static func holdsEscape(_ reader: borrowing ChunkReader) -> Bool {
        for distance in 0..<window where reader.peek(distance) == ASCII.backslash { return true }
        return false
    }
}
