/// What `mask` writes instead of a value: a fixed text, or the value's text with everything but its ends covered.
struct ValueMask: Sendable, Hashable {
    /// What stays of a string, or of a number's text.
    struct Ends: Sendable, Hashable {
        /// Unicode scalars that stay at the beginning and at the end.
        var first = 0
        var last = 0
    }

    /// Content, unescaped.
    var text = Array("***".utf8)
    /// Nil where `text` replaces strings and numbers, too.
    var ends: Ends?
    /// One Unicode scalar in UTF-8, which covers each of the others.
    var cover = [ASCII.asterisk]

    /// Appends what is written for the content of a string or the text of a number.
    ///
    /// If no more scalars are there than may stay, all are covered.
    func write(_ content: Span<UInt8>, into output: inout ByteBuffer) {
        guard let ends else { return output.append(text) }
        var count = 0
        for index in 0..<content.count where Self.beginsScalar(content[index]) { count += 1 }
        let isCovered = count <= ends.first + ends.last
        var number = -1
        for index in 0..<content.count {
            let byte = content[index]
            let isFirst = Self.beginsScalar(byte)
            if isFirst { number += 1 }
            if !isCovered, number < ends.first || number >= count - ends.last {
                output.append(byte)
            } else if isFirst {
                output.append(cover)
            }
        }
    }

    /// Bytes of UTF-8 other than 10xxxxxx; the three of half a surrogate pair are read in the same way.
    private static func beginsScalar(_ byte: UInt8) -> Bool { byte & 0b1100_0000 != 0b1000_0000 }
}
