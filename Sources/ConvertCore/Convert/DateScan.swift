/// The first look that scan mode takes at a string: a few bytes tell almost all of them apart from date-times.
enum DateScan {
    /// Whether the string that begins at the reader's next byte could be a date-time with a zone.
    ///
    /// Candidates begin with `YYYY-`, with `YYYYMMDDT`, with a day of the month and a space, or with the name of a weekday
    /// and a comma. A chunk that ends too early to tell, or an escape, makes a candidate too.
    @inline(__always)
    static func isCandidate(_ reader: borrowing ChunkReader) -> Bool {
        guard reader.remaining > 8 else { return true }
        let first = reader.next
        if ASCII.isDigit(first) {
            let fifth = reader.peek(4)
            if fifth == ASCII.minus { return true }
            if ASCII.isDigit(fifth) { return reader.peek(8) == ASCII.upperT || reader.peek(8) == ASCII.backslash }
            return reader.peek(1) == ASCII.space || reader.peek(2) == ASCII.space || holdsEscape(reader)
        }
        if ASCII.isLetter(first) { return reader.peek(3) == ASCII.comma || holdsEscape(reader) }
        return first == ASCII.backslash
    }

    @inline(__always)
    private static func holdsEscape(_ reader: borrowing ChunkReader) -> Bool {
        for distance in 0..<5 where reader.peek(distance) == ASCII.backslash { return true }
        return false
    }
}
