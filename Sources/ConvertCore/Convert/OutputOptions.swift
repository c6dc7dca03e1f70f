/// How the output text is written.
public struct OutputOptions: Sendable, Hashable {
    /// Which legal form of a string is written.
    public enum Escapes: String, Sendable, Hashable, CaseIterable {
        case preserve, minimal, ascii
    }

    /// Spaces a level; 0 writes no white space at all. Ignored for NDJSON.
    public var indent: Int
    public var escapes: Escapes
    /// Whether the members of every object are written in the order of their names' UTF-8 bytes.
    ///
    /// Then the outermost object is held in memory until it ends.
    public var sortKeys: Bool

    public init(indent: Int = 0, escapes: Escapes = .preserve, sortKeys: Bool = false) {
        self.indent = indent
        self.escapes = escapes
        self.sortKeys = sortKeys
    }
}
