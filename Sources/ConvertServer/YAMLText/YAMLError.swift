/// The reason why a text cannot be read as YAML that has the same meaning in JSON.
package struct YAMLError: Error, Hashable, Sendable {
    /// The line and the column of the problem, both from 1.
    package let line: Int
    package let column: Int
    /// The problem, in one line.
    package let message: String

    init(_ mark: YAMLMark, _ message: String) {
        line = mark.line + 1
        column = mark.column + 1
        self.message = message
    }
}

/// A position in a text, both numbers from 0.
struct YAMLMark {
    var line = 0
    /// In characters.
    var column = 0
}
