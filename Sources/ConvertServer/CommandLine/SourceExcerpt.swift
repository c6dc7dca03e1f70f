import Text

/// A line of a file with a caret below a column, for terminals.
struct SourceExcerpt {
    /// The most bytes of a line that are shown, and the most bytes before the caret.
    private static let maxBytes = 100
    private static let maxBytesBefore = 60

    let lines: [String]

    /// - Parameters:
    ///   - line: from 1.
    ///   - column: in bytes, from 1.
    init(_ text: [UInt8], line: Int, column: Int) {
        let all = text.split(separator: ASCII.lineFeed, maxSplits: line, omittingEmptySubsequences: false)
        guard line >= 1, line <= all.count else {
            lines = []
            return
        }
        let before = all[line - 1].prefix(max(0, column - 1)).suffix(Self.maxBytesBefore)
        let shown = all[line - 1][before.startIndex...].prefix(Self.maxBytes)
        let margin = "  \(line) | "
        let caret = String(repeating: " ", count: Self.text(before).count)
        lines = ["\(margin)\(Self.text(shown))", String(repeating: " ", count: margin.count) + caret + "^"]
    }

    /// The text, with a space in place of each control character.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            SingleLine.isControl(scalar) ? " " : scalar
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
