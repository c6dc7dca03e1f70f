import Text

/// An entity tag in a field (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    package let isWeak: Bool
    /// The bytes between the quotes. They may be no text, and tags are compared byte by byte.
    package let opaque: [UInt8]

    package init(isWeak: Bool, opaque: some Sequence<UInt8>) {
        self.isWeak = isWeak
        self.opaque = Array(opaque)
    }

    /// Reads one tag; nil for anything else.
    ///
    ///     entity-tag = [ weak ] opaque-tag
    ///     weak       = %s"W/"
    ///     opaque-tag = DQUOTE *etagc DQUOTE
    package init?(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        isWeak = rest.starts(with: Self.weakMark)
        if isWeak { rest = rest.dropFirst(Self.weakMark.count) }
        guard rest.count >= 2, rest.first == ASCII.quote, rest.last == ASCII.quote else { return nil }
        let content = rest.dropFirst().dropLast()
        guard content.allSatisfy({ $0 > ASCII.space && $0 != ASCII.quote && $0 != ASCII.delete }) else { return nil }
        opaque = Array(content)
    }

    private static let weakMark = Array("W/".utf8)

    /// Whether two tags are equal by the weak comparison, which conditionals of GET use (RFC 9110 §8.8.3.2).
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tags of a list, in which quoted commas do not separate; nil if an element is not a tag.
    package static func list(_ list: [UInt8]) -> [EntityTag]? {
        var tags: [EntityTag] = []
        for element in QuotedListElements(list[...], escapes: false) {
            guard let tag = EntityTag(element) else { return nil }
            tags.append(tag)
        }
        return tags
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as it is written in a field.
    package var bytes: [UInt8] { (isWeak ? Self.weakMark : []) + [ASCII.quote] + opaque + [ASCII.quote] }

    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
