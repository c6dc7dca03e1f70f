/// A line of a report, with its position in a file if there is one.
struct ReportLine: Hashable {
    let text: String
    let finding: Finding?

    init(_ text: String) {
        self.text = text
        finding = nil
    }

    init(_ finding: Finding) {
        text = "\(finding.file):\(finding.line):\(finding.column): \(finding.code): \(finding.message)"
        self.finding = finding
    }
}

/// A message about a position in a file.
struct Finding: Hashable {
    /// The names are those of SARIF.
    enum Level: String {
        case error, warning, note
    }

    let file: String
    /// From 1, as `column` is, which counts bytes.
    let line: Int
    let column: Int
    let code: String
    let message: String

    var level: Level {
        switch code {
        case "warning": .warning
        case "condition", "one-way": .note
        default: .error
        }
    }
}
