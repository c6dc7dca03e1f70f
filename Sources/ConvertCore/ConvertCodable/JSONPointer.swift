import ConvertEngine
import ConvertText

/// The keys and indices of an RFC 6901 JSON Pointer, such as `/items/0/name`.
public struct JSONPointer: Sendable, Hashable {
    /// The segments from the root, without escapes; empty for the whole document.
    public let segments: [String]

    /// Parses a pointer: empty, or a `/` before each segment, in which `~0` is `~` and `~1` is `/`; nil for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        var segments: [String] = []
        // Split by bytes: in a `String`, a slash and a combining mark after it are one character.
        for part in bytes.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst() {
            guard let segment = PayloadPointer.unescaped(part) else { return nil }
            segments.append(String(decoding: segment, as: UTF8.self))
        }
        guard bytes.isEmpty || bytes.first == ASCII.slash else { return nil }
        self.segments = segments
    }

    /// Creates a pointer from keys and indices without escapes.
    public init(segments: [String]) { self.segments = segments }

    /// The pointer of a coding path, such as that of a `DecodingError`'s context: keys, and the indices of elements.
    public init(codingPath: [any CodingKey]) { segments = codingPath.map(Self.segment) }

    /// The segment for a coding key: an element's index, which coders call `Index 3`, or the key's name.
    static func segment(_ key: any CodingKey) -> String {
        guard let index = key.intValue, key.stringValue == "Index \(index)" else { return key.stringValue }
        return String(index)
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer as RFC 6901 writes it: `/items/0/a~1b`.
    public var description: String { segments.map { PayloadPointer.step(Array($0.utf8)) }.joined() }
}
