// What fields share that are lists, parted by commas (RFC 9110 §5.6.1). Empty elements are passed over byte by byte: a field may
// hold thousands of them and nothing else.

extension String.UTF8View {
    /// The elements of a list of plain words without the white space around them; empty ones do not count.
    var listElements: ListElements { ListElements(rest: self[...]) }
}

/// Goes through a list without making an array of it.
struct ListElements: Sequence, IteratorProtocol {
    fileprivate var rest: Substring.UTF8View

    mutating func next() -> Substring.UTF8View? {
        rest = rest.drop(while: ASCII.isListFiller)
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: ASCII.comma) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end].trimmed
    }
}

/// Iterates over a list whose elements may contain commas inside quotes, without empty elements.
struct QuotedListElements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private let hasEscapes: Bool

    /// - Parameter escapes: whether a backslash inside quotes makes the next byte an ordinary one. That is so in a
    ///   quoted-string (RFC 9110 §5.6.4), and not in an entity tag (§8.8.3).
    init(_ value: ArraySlice<UInt8>, escapes: Bool) {
        rest = value
        hasEscapes = escapes
    }

    mutating func next() -> ArraySlice<UInt8>? {
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

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The text without the spaces and tabs around it.
    var trimmed: Self {
        var text = self
        while let first = text.first, first == ASCII.space || first == ASCII.tab { text.removeFirst() }
        while let last = text.last, last == ASCII.space || last == ASCII.tab { text.removeLast() }
        return text
    }

    /// Whether the text is `word`, which is in lower case, in any case.
    func spells(_ word: String) -> Bool {
        elementsEqual(word.utf8) { ASCII.lowercased($0) == $1 }
    }

    /// What follows `word`, which is in lower case, or nil when the text does not begin with it in any case.
    func dropping(_ word: String) -> Self? {
        let length = word.utf8.count
        return prefix(length).spells(word) ? dropFirst(length) : nil
    }
}
