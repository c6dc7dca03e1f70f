/// How the output text is written.
public struct OutputOptions: Sendable, Hashable {
    /// Which legal form of a string is written.
    public enum Escapes: String, Sendable, Hashable, CaseIterable {
        case preserve, minimal, ascii
    }

    /// Spaces a level; 0 writes no white space at all. Ignored for NDJSON.
    public var indent: Int
    public var escapes: Escapes

    public init(indent: Int = 0, escapes: Escapes = .preserve) {
        self.indent = indent
        self.escapes = escapes
    }
}
