import Text

extension RequestTarget {
    /// A query parameter, decoded.
    public struct Parameter: Sendable, Equatable {
        public let name: String
        /// Empty if there was no equals sign.
        public let value: String
    }

    /// The path's segments with their escapes decoded, or nil for a path that can match no route. Such a path does not
    /// begin with a slash, or is not UTF-8 once it is decoded. Or it has a fragment, a bad escape, `%00`, or an escaped
    /// slash or control character.
    ///
    /// `/` is not a segment, `/a/` is `a` and an empty one. Dot segments are not resolved: they are segments like others.
    public func pathSegments() -> [String]? {
        guard path.first == ASCII.slash else { return nil }
        if path.count == 1 { return [] }
        var segments: [String] = []
        for raw in path.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            guard let text = Self.decode(raw, refusing: ASCII.slash) else { return nil }
            segments.append(text)
        }
        return segments
    }

    /// The parameters of the query in order, separated by `&`; none without a query, nil if one cannot be decoded.
    ///
    /// A plus sign stays a plus sign, because the query follows RFC 3986 and is not a form. Zones such as `+02:00`
    /// contain one.
    public func queryParameters() -> [Parameter]? {
        guard let query else { return [] }
        var parameters: [Parameter] = []
        for raw in query.split(separator: ASCII.ampersand) {
            let equals = raw.firstIndex(of: ASCII.equals)
            guard let name = Self.decode(raw[..<(equals ?? raw.endIndex)], refusing: nil),
                let value = Self.decode(equals.map { raw[($0 + 1)...] } ?? [], refusing: nil)
            else { return nil }
            parameters.append(Parameter(name: name, value: value))
        }
        return parameters
    }

    /// `raw` with its escapes decoded. Nil for a fragment, a bad escape, a control character, an escaped `refused`, or
    /// invalid UTF-8.
    private static func decode(_ raw: ArraySlice<UInt8>, refusing refused: UInt8?) -> String? {
        if raw.allSatisfy(isPlain) { return String(decoding: raw, as: UTF8.self) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(raw.count)
        var index = raw.startIndex
        while index < raw.endIndex {
            let byte = raw[index]
            index += 1
            guard byte != ASCII.numberSign else { return nil }
            guard byte == ASCII.percent else {
                bytes.append(byte)
                continue
            }
            guard let decoded = ASCII.escapedByte(raw, at: index), decoded >= ASCII.space, decoded != ASCII.delete,
                decoded != refused
            else { return nil }
            bytes.append(decoded)
            index += 2
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Whether the byte represents itself in any context.
    private static func isPlain(_ byte: UInt8) -> Bool {
        ASCII.isVisible(byte) && byte != ASCII.percent && byte != ASCII.numberSign
    }
}
