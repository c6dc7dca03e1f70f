import ConvertText

/// Keys in the names and in the values of query parameters, and lists of keys.
///
///     parameter = piece *( ( separator / "[" / "]" ) piece )    ; an empty piece is no key
///     list      = element *( "," element )
///     element   = *( "-" / "+" / " " ) ( path / parameter ) [ ( ":" / " " / "+" ) ( "asc" / "desc" ) ]
extension NameForm {
    static func parameter(_ text: ArraySlice<UInt8>, _ separator: [UInt8]) -> [NamePart] {
        var parts: [NamePart] = []
        var start = text.startIndex
        func endPiece(at end: Int) {
            let piece = Array(text[start..<end])
            if !piece.isEmpty { parts.append(Selector.isIndex(piece) ? .index(piece) : .key(piece)) }
        }
        var index = start
        while index < text.endIndex {
            let isBracket = text[index] == ASCII.openBracket || text[index] == ASCII.closeBracket
            guard isBracket || text[index...].starts(with: separator) else {
                index += 1
                continue
            }
            endPiece(at: index)
            let length = isBracket ? 1 : separator.count
            parts.append(.text(Array(text[index..<(index + length)])))
            index += length
            start = index
        }
        endPiece(at: text.endIndex)
        return parts
    }

    /// The parts of a list. `path` gives those of one element, without its sign and order.
    static func list(
        _ text: [UInt8], _ separator: [UInt8], of path: (ArraySlice<UInt8>, [UInt8]) -> [NamePart]
    ) -> [NamePart] {
        var parts: [NamePart] = []
        for (index, element) in text.split(separator: ASCII.comma, omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                parts.append(.text([ASCII.comma]))
                parts.append(.restart)
            }
            let ordered = element.drop { $0 == ASCII.minus || $0 == ASCII.plus || $0 == ASCII.space }
            if ordered.startIndex > element.startIndex { parts.append(.text(Array(element[..<ordered.startIndex]))) }
            let order = orderStart(in: ordered, separator)
            parts += path(ordered[..<order], separator)
            if order < ordered.endIndex { parts.append(.text(Array(ordered[order...]))) }
        }
        return parts
    }

    /// The start of `:asc`, `:desc`, or of either after a space or plus; the end of the path if there is none, or if a separator ends there.
    private static func orderStart(in path: ArraySlice<UInt8>, _ separator: [UInt8]) -> Int {
        let signs = [ASCII.colon, ASCII.space, ASCII.plus]
        guard let sign = path.lastIndex(where: signs.contains),
            !path[...sign].suffix(separator.count).elementsEqual(separator)
        else { return path.endIndex }
        let order = path[(sign + 1)...].map { ASCII.lowercased($0) }
        return order == Array("asc".utf8) || order == Array("desc".utf8) ? sign : path.endIndex
    }
}
