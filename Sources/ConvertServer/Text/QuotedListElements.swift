/// Iterates over a list whose elements may contain commas inside quotes, without empty elements.
package struct QuotedListElements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private let hasEscapes: Bool

    /// - Parameter escapes: whether a backslash inside quotes makes the next byte an ordinary one. That is so in a
    ///   quoted-string (RFC 9110 §5.6.4), and not in an entity tag (§8.8.3).
    package init(_ value: ArraySlice<UInt8>, escapes: Bool) {
        rest = value
        hasEscapes = escapes
    }

    package mutating func next() -> ArraySlice<UInt8>? {
        var start = rest.startIndex
        while start < rest.endIndex, ASCII.isListFiller(rest[start]) { start += 1 }
        guard start < rest.endIndex else {
            rest = []
            return nil
        }
        var end = start
        var isQuoted = false
        while end < rest.endIndex, isQuoted || rest[end] != ASCII.comma {
            if rest[end] == ASCII.quote { isQuoted.toggle() }
            if hasEscapes, isQuoted, rest[end] == ASCII.backslash, end + 1 < rest.endIndex { end += 1 }
            end += 1
        }
        let element = rest[start..<end]
        rest = rest[end...]
        return element.trimmed
    }
}
