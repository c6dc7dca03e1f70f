import ConvertText

/// The replacement that `mask` writes: a fixed text, or the value's text with everything but its ends covered.
package struct ValueMask: Sendable, Hashable {
    /// The visible ends of a string, or of a number's text.
    package struct Ends: Sendable, Hashable {
        /// The number of visible Unicode scalars at the beginning and at the end.
        package var first = 0
        package var last = 0

        package init() {}
    }

    /// The replacement text, unescaped.
    package var text = Array("***".utf8)
    /// The visible ends; nil if `text` replaces strings and numbers, too.
    package var ends: Ends?
    /// One Unicode scalar in UTF-8, which replaces each covered scalar.
    package var cover = [ASCII.asterisk]

    package init() {}

    /// The most scalars that are covered one by one. A longer text gets as many covers.
    private static let maxCovers = 64 * 1024

    /// Appends the replacement for the content of a string or the text of a number.
    ///
    /// If the text has no more scalars than may be visible, all are covered.
    func write(_ content: Span<UInt8>, into output: inout ByteBuffer) {
        guard let ends else { return output.append(text) }
        var count = 0
        for index in 0..<content.count where Self.beginsScalar(content[index]) { count += 1 }
        let isCovered = count <= ends.first + ends.last
        var number = -1
        var covers = 0
        for index in 0..<content.count {
            let byte = content[index]
            let isFirst = Self.beginsScalar(byte)
            if isFirst { number += 1 }
            if !isCovered, number < ends.first || number >= count - ends.last {
                output.append(byte)
            } else if isFirst, covers < Self.maxCovers {
                output.append(cover)
                covers += 1
            }
        }
    }

    /// Whether a byte is not a continuation byte, 10xxxxxx. This also counts half of a surrogate pair (three bytes) as one scalar.
    private static func beginsScalar(_ byte: UInt8) -> Bool { byte & 0b1100_0000 != 0b1000_0000 }
}
