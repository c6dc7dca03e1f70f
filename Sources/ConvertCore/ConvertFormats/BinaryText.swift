import ConvertEngine
import ConvertText

/// The unwritten rest of a string or of data in a binary property list.
struct BinaryText {
    /// The kinds of content; the raw values are the high halves of the objects' markers.
    enum Kind: UInt8 {
        case data = 4
        case ascii, utf16
    }

    let kind: Kind
    /// The offset of the object.
    let offset: Int
    /// The range of the payload's bytes that are not written yet.
    var rest: Range<Int>

    /// Writes about `work` bytes of the rest, with JSON's escapes, into the token that the assembler has begun.
    mutating func write(
        _ bytes: Span<UInt8>, into assembler: inout JSONAssembler, _ work: inout Int
    ) throws(FormatError) {
        let start = rest.lowerBound
        switch kind {
        case .ascii:
            let piece = rest.prefix(work)
            guard bytes.endOfASCII(from: piece.lowerBound, to: piece.upperBound) == piece.upperBound else {
                throw .plist("a string of ASCII contains other bytes", at: offset)
            }
            assembler.append(bytes.extracting(piece))
            rest = piece.upperBound..<rest.upperBound
        case .utf16: try writeUTF16(bytes, into: &assembler, work)
        case .data:
            let piece = rest.prefix(work < rest.count ? max(work / 3, 1) * 3 : rest.count)
            assembler.output.appendBase64(of: bytes.extracting(piece))
            rest = piece.upperBound..<rest.upperBound
        }
        work -= rest.lowerBound - start
    }

    private mutating func writeUTF16(
        _ bytes: Span<UInt8>, into assembler: inout JSONAssembler, _ work: Int
    ) throws(FormatError) {
        let limit = rest.count > work ? rest.lowerBound + work : rest.upperBound
        var index = rest.lowerBound
        var piece = ByteBuffer()
        while index < limit {
            var value = Self.unit(bytes, at: index)
            index += 2
            if Surrogates.contain(value) {
                guard Surrogates.isHigh(value), index < rest.upperBound else { throw halfPair }
                let low = Self.unit(bytes, at: index)
                guard Surrogates.isLow(low) else { throw halfPair }
                value = Surrogates.scalar(high: value, low: low)
                index += 2
            }
            UTF8Sequence.append(value, to: &piece)
        }
        assembler.append(piece.bytes)
        rest = index..<rest.upperBound
    }

    private static func unit(_ bytes: Span<UInt8>, at index: Int) -> UInt32 {
        UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1])
    }

    private var halfPair: FormatError { .plist("a string of UTF-16 contains half of a surrogate pair", at: offset) }
}
