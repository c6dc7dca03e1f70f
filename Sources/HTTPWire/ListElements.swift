/// The elements of a comma-separated list that are not empty, without the white space around them (RFC 9110 §5.6.1.2).
struct ListElements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ value: ArraySlice<UInt8>) { rest = value }

    mutating func next() -> ArraySlice<UInt8>? {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: ASCII.comma) ?? rest.endIndex
            let element = rest[..<end].trimmed
            rest = end < rest.endIndex ? rest[(end + 1)...] : []
            if !element.isEmpty { return element }
        }
        return nil
    }
}
