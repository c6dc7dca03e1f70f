/// The state of the lexer: the input that it expects next. The converter needs no other state beside the open containers.
enum LexerState: UInt8, BitwiseCopyable, Sendable {
    /// Before the first byte, or inside a byte order mark.
    case start, secondMarkByte, thirdMarkByte
    /// Before a record of NDJSON or a blank line.
    case lineStart
    case value, firstElement, firstKey, key, colon
    /// Inside a token.
    case keyText, string, number, literal
    /// Inside a token that is buffered because a rule may rewrite it.
    case heldValue
    /// A value ended: a comma or the container's end comes next.
    case afterValue
    /// A value ended, but its buffered output must be written first. A held object is resolved and then written; members
    /// are sorted and then written.
    case resolvingObject, writingObject, sortingMembers, writingMembers
    /// The payload's value ended.
    case end
    /// In the rest of an NDJSON line that is skipped, for example because it is not JSON.
    case abandonedLine
    /// An error was reported, or the payload is finished: no more input is accepted.
    case failed
}
