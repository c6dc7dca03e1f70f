import ConvertEngine
import Text

// WHATWG HTML §9.2.6:
//
//     stream  = [ bom ] *event
//     event   = *( comment / field ) end-of-line
//     comment = colon *any-char end-of-line
//     field   = 1*name-char [ colon [ space ] *any-char ] end-of-line
//     end-of-line = ( cr lf / cr / lf )

/// Finds where the events of a stream end.
///
/// A comment before the first field of an event is a unit of its own, so that it does not wait for the event. So is a line
/// feed that arrives after the event that its carriage return ended.
struct EventScanner: Sendable {
    /// Whether the current line has no bytes yet.
    private var isLineEmpty = true
    /// Whether the current line is the first one of its unit, and whether it is a comment.
    private var isFirstLine = true
    private var isComment = false
    /// Whether the last byte was a carriage return, so that a line feed belongs to it.
    private var endedWithReturn = false

    /// Moves `position` to the end of the unit, or to the end of the bytes. True if the unit is complete.
    mutating func scan(_ bytes: Span<UInt8>, at position: inout Int) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if endedWithReturn {
                endedWithReturn = false
                if byte == ASCII.lineFeed {
                    if isFirstLine, isLineEmpty { return true }
                    continue
                }
            }
            if byte == ASCII.lineFeed || byte == ASCII.carriageReturn {
                endedWithReturn = byte == ASCII.carriageReturn
                let endsUnit = isLineEmpty || isFirstLine && isComment
                isLineEmpty = true
                isFirstLine = endsUnit
                if endsUnit { return true }
            } else {
                if isLineEmpty { isComment = byte == ASCII.colon }
                isLineEmpty = false
                position = bytes.firstIndex(
                    of: ASCII.lineFeed, or: ASCII.carriageReturn, from: position, to: bytes.count)
            }
        }
        return false
    }
}
