import ConvertText

/// The first check of scan mode on a string. A few bytes are enough to rule out almost all strings that are not date-times.
enum DateScan {
    /// The bytes that the check reads. A string of which the chunk has fewer bytes is a candidate.
    static let windowBytes = 9

    /// Whether a string could be a date-time with a zone. `head` has its first eight bytes, the first one lowest; `ninth` has the next one.
    ///
    /// Candidates begin with `YYYY-`, with `YYYYMMDDT`, with a day of the month and white space, or with the name of a
    /// weekday and a comma. A string is also a candidate if an escape may hide one of these characters.
    @inline(__always)
    static func isCandidate(_ head: UInt64, ninth: UInt8) -> Bool {
        let first = byte(0, of: head)
        let fifth = byte(4, of: head)
        if ASCII.isDigit(first) {
            if fifth == ASCII.minus { return true }
            if ASCII.isDigit(fifth) {
                return ninth == ASCII.upperT || ninth == ASCII.backslash || holdsEscape(head, within: 8)
            }
            return byte(1, of: head) == ASCII.space || byte(2, of: head) == ASCII.space || holdsEscape(head, within: 5)
        }
        if ASCII.isLetter(first) { return byte(3, of: head) == ASCII.comma || holdsEscape(head, within: 4) }
        // Digits and letters are escaped as \u00XX and in no other way.
        return first == ASCII.backslash && byte(1, of: head) == ASCII.u && byte(2, of: head) == ASCII.zero
            && byte(3, of: head) == ASCII.zero
    }

    @inline(__always)
    private static func byte(_ index: UInt64, of head: UInt64) -> UInt8 {
        UInt8(truncatingIfNeeded: head &>> (8 &* index))
    }

    /// Whether one of the first `count` bytes is a backslash.
    @inline(__always)
    private static func holdsEscape(_ head: UInt64, within count: UInt64) -> Bool {
        let ones = UInt64.max / UInt64(UInt8.max)
        let difference = head ^ (ones &* UInt64(ASCII.backslash))
        // The classic test for a zero byte: it borrows from the byte above only where one was found.
        let found = (difference &- ones) & ~difference & (ones &<< 7)
        return found & (UInt64.max &>> (64 &- 8 &* count)) != 0
    }
}
