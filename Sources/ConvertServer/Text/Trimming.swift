extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The text without the spaces and tabs around it.
    @inlinable package var trimmed: Self {
        var text = self
        while let first = text.first, ASCII.isBlank(first) { text.removeFirst() }
        while let last = text.last, ASCII.isBlank(last) { text.removeLast() }
        return text
    }

    /// Whether the text is `word`, which is in lower case, in any case.
    @inlinable
    package func spells(_ word: String) -> Bool {
        elementsEqual(word.utf8) { ASCII.lowercased($0) == $1 }
    }

    /// What follows `word`, which is in lower case, or nil when the text does not begin with it in any case.
    @inlinable
    package func dropping(_ word: String) -> Self? {
        let length = word.utf8.count
        return prefix(length).spells(word) ? dropFirst(length) : nil
    }
}

extension StringProtocol where SubSequence == Substring {
    /// What follows `prefix`, nil when the text does not begin with it.
    package func dropping(prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
