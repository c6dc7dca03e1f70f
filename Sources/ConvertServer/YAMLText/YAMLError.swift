import Text

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

    /// The same error with a column that counts bytes, as in errors of JSON.
    func inBytes(of text: [UInt8]) -> YAMLError {
        let lines = text.split(separator: ASCII.lineFeed, maxSplits: line, omittingEmptySubsequences: false)
        guard line <= lines.count else { return self }
        let before = String(decoding: lines[line - 1], as: UTF8.self).unicodeScalars.prefix(column - 1)
        return YAMLError(YAMLMark(line: line - 1, column: before.reduce(0) { $0 + UTF8.width($1) }), message)
    }
}

/// A position in a text, both numbers from 0.
struct YAMLMark {
    var line = 0
    /// In characters.
    var column = 0
}
