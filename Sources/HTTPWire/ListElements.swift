/// The elements of a comma-separated list that are not empty, without the white space around them (RFC 9110 §5.6.1.2).
struct ListElements: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>

    init(_ value: ArraySlice<UInt8>) { rest = value }

    mutating func next() -> ArraySlice<UInt8>? {
        var start = rest.startIndex
        // Empty elements are passed over byte by byte: a field may hold thousands of them and nothing else.
        while start < rest.endIndex, rest[start] == ASCII.comma || ASCII.isBlank(rest[start]) { start += 1 }
        var end = start
        while end < rest.endIndex, rest[end] != ASCII.comma { end += 1 }
        let element = rest[start..<end]
        rest = rest[end...]
        return element.isEmpty ? nil : element.trimmed
    }
}
