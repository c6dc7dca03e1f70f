import Text

/// A part of a query: the bytes that a client wrote, and the same bytes with their escapes decoded.
///
/// A plus sign stays a plus sign, as in `RequestTarget.queryParameters()`.
package struct QueryText: Sendable {
    /// The decoded bytes, which are UTF-8.
    package let bytes: [UInt8]
    private let written: ArraySlice<UInt8>
    /// The position of each decoded byte in the written ones; empty if nothing is escaped.
    private let starts: [Int]

    /// Nil for a bad escape and for bytes that are not UTF-8.
    package init?(decoding written: ArraySlice<UInt8>) {
        self.written = written
        guard written.contains(ASCII.percent) else {
            guard String(validating: written, as: UTF8.self) != nil else { return nil }
            bytes = Array(written)
            starts = []
            return
        }
        var bytes: [UInt8] = []
        var starts: [Int] = []
        var index = written.startIndex
        while index < written.endIndex {
            starts.append(index)
            guard written[index] == ASCII.percent else {
                bytes.append(written[index])
                index += 1
                continue
            }
            guard let decoded = ASCII.escapedByte(written, at: index + 1) else { return nil }
            bytes.append(decoded)
            index += 3
        }
        guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
        self.bytes = bytes
        self.starts = starts
    }

    /// The written bytes of a range of the decoded ones.
    package func written(_ range: Range<Int>) -> ArraySlice<UInt8> {
        written[start(range.lowerBound)..<start(range.upperBound)]
    }

    private func start(_ index: Int) -> Int {
        guard !starts.isEmpty else { return written.startIndex + index }
        return index < starts.count ? starts[index] : written.endIndex
    }

    /// Appends bytes as a part of a query, in place of a range of the decoded ones. All but unreserved characters (RFC 3986 §2.3)
    /// are escaped; a plus sign only where it was escaped, because it means a space to many.
    package func append(encoding bytes: [UInt8], inPlaceOf range: Range<Int>, to output: inout [UInt8]) {
        let hasPlus = written(range).contains(ASCII.plus)
        for byte in bytes {
            if ASCII.isUnreserved(byte) || byte == ASCII.plus && hasPlus {
                output.append(byte)
            } else {
                output += ASCII.escape(of: byte)
            }
        }
    }
}
