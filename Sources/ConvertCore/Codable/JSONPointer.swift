/// The names and indices of an RFC 6901 JSON Pointer, such as `/items/0/name`.
public struct JSONPointer: Sendable, Hashable {
    /// From the root, unescaped. Empty for the whole document.
    public let segments: [String]

    /// Parses a pointer: empty, or a `/` before each segment, in which `~0` is `~` and `~1` is `/`; nil for anything else.
    public init?(_ text: String) {
        guard !text.isEmpty else {
            segments = []
            return
        }
        guard text.hasPrefix("/") else { return nil }
        var segments: [String] = []
        for part in text.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let segment = Self.unescaped(part) else { return nil }
            segments.append(segment)
        }
        self.segments = segments
    }

    private static func unescaped(_ part: Substring) -> String? {
        var segment = String.UnicodeScalarView()
        var isEscape = false
        for scalar in part.unicodeScalars {
            switch (isEscape, scalar) {
            case (false, "~"): isEscape = true
            case (true, "0"):
                segment.append("~")
                isEscape = false
            case (true, "1"):
                segment.append("/")
                isEscape = false
            case (true, _): return nil
            default: segment.append(scalar)
            }
        }
        return isEscape ? nil : String(segment)
    }

    /// A name as a segment of a pointer.
    static func escaped(_ name: String) -> String {
        var segment = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": segment.append(contentsOf: "~0".unicodeScalars)
            case "/": segment.append(contentsOf: "~1".unicodeScalars)
            default: segment.append(scalar)
            }
        }
        return String(segment)
    }
}
