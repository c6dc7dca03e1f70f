// Fields that are lists, separated by commas (RFC 9110 §5.6.1). Empty elements are skipped byte by byte, because a
// field may have thousands of them.

extension String.UTF8View {
    /// The elements of a list of plain words, without the white space around them and without empty ones.
    @inlinable package var listElements: ListElements<Substring.UTF8View> { ListElements(self[...]) }
}

/// Iterates over a list without an array.
@usableFromInline
package struct ListElements<Text: BidirectionalCollection<UInt8>>: Sequence, IteratorProtocol
where Text.SubSequence == Text {
    @usableFromInline var rest: Text

    @inlinable
    package init(_ value: Text) { rest = value }

    @inlinable
    package mutating func next() -> Text? {
        rest = rest.drop(while: ASCII.isListFiller)
        guard !rest.isEmpty else { return nil }
        let end = rest.firstIndex(of: ASCII.comma) ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end].trimmed
    }
}
