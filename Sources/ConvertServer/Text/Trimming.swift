extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The text without the spaces and tabs around it.
    @inlinable package var trimmed: Self {
        var text = self
        while let first = text.first, ASCII.isBlank(first) { text.removeFirst() }
        while let last = text.last, ASCII.isBlank(last) { text.removeLast() }
        return text
    }

    /// Whether the text equals `word` without regard to case. `word` is in lower case.
    @inlinable
    package func spells(_ word: String) -> Bool {
        elementsEqual(word.utf8) { ASCII.lowercased($0) == $1 }
    }

    /// The part after `word`, compared without regard to case; nil if the text does not begin with it. `word` is in
    /// lower case.
    @inlinable
    package func dropping(_ word: String) -> Self? {
        let length = word.utf8.count
        return prefix(length).spells(word) ? dropFirst(length) : nil
    }
}

extension StringProtocol where SubSequence == Substring {
    /// The part after `prefix`; nil if the text does not begin with it.
    package func dropping(prefix: String) -> Substring? { hasPrefix(prefix) ? dropFirst(prefix.count) : nil }
}
