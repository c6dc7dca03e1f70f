/// Options for the format of the output text.
public struct OutputOptions: Sendable, Hashable {
    /// The form of strings in the output.
    public enum Escapes: String, Sendable, Hashable, CaseIterable {
        /// The payload's form, unchanged.
        case preserve
        /// The shortest legal form.
        case minimal
        /// As `minimal`, with everything beyond ASCII escaped.
        case ascii
    }

    /// Spaces for each level; 0 writes no white space. Ignored for NDJSON and JSON Patch.
    public var indent: Int
    /// The form of strings; `preserve` keeps the payload's.
    public var escapes: Escapes
    /// Whether the keys of every object are sorted by their UTF-8 bytes.
    ///
    /// Then the outermost object is buffered in memory until it ends.
    public var sortKeys: Bool

    /// Creates options; the defaults write minified JSON and keep order and escapes.
    public init(indent: Int = 0, escapes: Escapes = .preserve, sortKeys: Bool = false) {
        self.indent = indent
        self.escapes = escapes
        self.sortKeys = sortKeys
    }
}
