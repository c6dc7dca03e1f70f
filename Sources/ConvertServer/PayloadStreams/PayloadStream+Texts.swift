import ConvertEngine
import Text

/// The texts of `application/json-seq`.
extension PayloadStream {
    /// Copies the text without its record separator and the white space around it.
    mutating func readText() {
        for index in textRange {
            let byte = unit.bytes[index]
            payload.append(byte == ASCII.lineFeed ? ASCII.carriageReturn : byte)
        }
    }

    /// Writes another text in place of the unit's. White space after the text stays: without it, a reader must treat a
    /// number as cut off (RFC 7464 §2.4).
    func writeText(_ text: Span<UInt8>, into output: inout ByteBuffer) {
        let range = textRange
        output.append(unit.bytes.extracting(0..<range.lowerBound))
        output.append(text)
        output.append(unit.bytes.extracting(range.upperBound..<unit.count))
    }

    private var textRange: Range<Int> {
        var range = 0..<unit.count
        while let first = range.first, Self.surrounds(unit.bytes[first]) { range = first + 1..<range.upperBound }
        while let last = range.last, Self.surrounds(unit.bytes[last]) { range = range.lowerBound..<last }
        return range
    }

    private static func surrounds(_ byte: UInt8) -> Bool { byte == ASCII.recordSeparator || ASCII.isSpace(byte) }

    func positionInText(of offset: Int) -> Position { position(at: textRange.lowerBound + offset) }

    mutating func advanceOverText() { start = position(at: unit.count) }

    private func position(at index: Int) -> Position {
        var position = start
        position.offset += index
        for index in 0..<min(index, unit.count) {
            position.column += 1
            if unit.bytes[index] == ASCII.lineFeed { (position.line, position.column) = (position.line + 1, 1) }
        }
        return position
    }
}
