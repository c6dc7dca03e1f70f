import Text

/// A request's path for routes and upstreams: escapes of unreserved characters are decoded, and everything else is
/// unchanged.
///
/// `%2F` stays and does not separate segments, but a dot segment beside it is still found. Empty segments stay.
package struct RequestPath: Sendable, Hashable {
    /// The path, from its first slash on.
    package let bytes: [UInt8]

    /// The reason why a path is refused.
    package enum PathError: Error, Sendable, Hashable {
        /// No route can match it, because of a bad escape, an escaped zero byte or a fragment.
        case unmatched
        /// A segment `.` or `..`, in any spelling.
        case dotSegment
        /// `\` or `%5C`, which some servers take for a slash.
        case backslash
        /// Only a lenient backend reads it as a path of a route that withholds data.
        case ambiguous
        /// The rest after the stripped prefix would name another host.
        case doubleSlash

        package var message: String {
            switch self {
            case .unmatched: "contains an invalid escape, an escaped zero byte or a fragment"
            case .dotSegment: "has a segment `.` or `..`"
            case .backslash: "contains a backslash"
            case .ambiguous: "can be read in two ways, and one of them leads to data that this gateway withholds"
            case .doubleSlash: "begins with `//` after its prefix is stripped"
            }
        }

        /// The error for the client.
        package var problem: Problem {
            switch self {
            case .unmatched: Problem(404, "no route matches this path", code: "not-found")
            default: Problem(400, "the path \(message)", code: "bad-path")
            }
        }
    }

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a path as received, from its first slash.
    package init(_ raw: ArraySlice<UInt8>) throws(PathError) {
        if Self.isPlain(raw) {
            bytes = Array(raw)
            return
        }
        bytes = try Self.decodeUnreserved(raw)
        try Self.checkSegments(bytes)
    }

    /// The path for the upstream: without `prefix`, which must cover it. An empty rest becomes `/`.
    package func stripping(_ prefix: RoutePrefix) throws(PathError) -> RequestPath {
        if prefix.bytes.isEmpty { return self }
        let rest = Array(bytes.dropFirst(prefix.bytes.count))
        if rest.isEmpty { return RequestPath(bytes: [ASCII.slash]) }
        guard !rest.starts(with: [ASCII.slash, ASCII.slash]) else { throw .doubleSlash }
        return RequestPath(bytes: rest)
    }

    /// The request target for an upstream; the query passes byte for byte.
    package func target(query: ArraySlice<UInt8>?) -> [UInt8] {
        guard let query else { return bytes }
        var target = bytes
        target.reserveCapacity(bytes.count + query.count + 1)
        target.append(ASCII.questionMark)
        target += query
        return target
    }

    // MARK: Reading

    /// Whether the path has nothing to decode and no possible dot segment, which is the common case.
    private static func isPlain(_ raw: ArraySlice<UInt8>) -> Bool {
        var last = ASCII.slash
        for byte in raw {
            if byte == ASCII.percent || byte == ASCII.backslash || byte == ASCII.numberSign { return false }
            if byte == ASCII.dot, last == ASCII.slash { return false }
            last = byte
        }
        return true
    }

    private static func decodeUnreserved(_ raw: ArraySlice<UInt8>) throws(PathError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            let byte = raw[index]
            index += 1
            switch byte {
            case ASCII.numberSign: throw .unmatched
            case ASCII.backslash: throw .backslash
            case ASCII.percent:
                guard let decoded = ASCII.escapedByte(raw, at: index), decoded != ASCII.null else { throw .unmatched }
                if decoded == ASCII.backslash { throw .backslash }
                if ASCII.isUnreserved(decoded) {
                    bytes.append(decoded)
                } else {
                    bytes += [byte, raw[index], raw[index + 1]]
                }
                index += 2
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    /// A dot segment ends at a slash, at the path's end, or at a semicolon, because some servers read parameters of the
    /// segment after it. Escaped ones count as well, because many upstreams decode a path before they resolve it.
    private static func checkSegments(_ bytes: [UInt8]) throws(PathError) {
        for segment in decoded(bytes).split(separator: ASCII.slash) where segment.first == ASCII.dot {
            let rest = segment.dropFirst(segment.starts(with: [ASCII.dot, ASCII.dot]) ? 2 : 1)
            if rest.isEmpty || rest.first == ASCII.semicolon { throw .dotSegment }
        }
    }

    /// The bytes without escapes. An invalid escape stays.
    package static func decoded(_ path: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.count)
        var rest = path[...]
        while let byte = rest.popFirst() {
            if byte == ASCII.percent, let decoded = ASCII.escapedByte(rest, at: rest.startIndex) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// The bytes with the digits of escapes in upper case, for comparisons of paths.
    package static func withUppercaseEscapes(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var bytes = Array(path)
        for index in bytes.indices where bytes[index] == ASCII.percent {
            for digit in bytes.indices.suffix(from: index).dropFirst().prefix(2) {
                bytes[digit] = ASCII.uppercased(bytes[digit])
            }
        }
        return bytes
    }
}
