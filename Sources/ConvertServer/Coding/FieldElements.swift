// What the codings' fields share: lists of plain words, parted by commas (RFC 9110 §5.6.1). No quoted string occurs in them.

extension String.UTF8View {
    /// The elements of a list without the white space around them; empty ones do not count.
    var listElements: ListElements { ListElements(rest: self[...]) }
}

/// Goes through a list without making an array of it.
struct ListElements: Sequence, IteratorProtocol {
    fileprivate var rest: Substring.UTF8View

    mutating func next() -> Substring.UTF8View? {
        while !rest.isEmpty {
            let comma = rest.firstIndex(of: ASCII.comma)
            let element = rest[..<(comma ?? rest.endIndex)].trimmed
            rest = comma.map { rest[rest.index(after: $0)...] } ?? rest[rest.endIndex...]
            if !element.isEmpty { return element }
        }
        return nil
    }
}

extension Substring.UTF8View {
    /// The text without the spaces and tabs around it.
    var trimmed: Substring.UTF8View {
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
    func dropping(_ word: String) -> Substring.UTF8View? {
        let length = word.utf8.count
        return prefix(length).spells(word) ? dropFirst(length) : nil
    }
}
