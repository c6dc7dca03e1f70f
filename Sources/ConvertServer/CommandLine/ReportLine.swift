/// A line of a report, with the place in a file that it is about, if it is about one.
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

/// What is said of a place in a file.
struct Finding: Hashable {
    /// As SARIF calls it.
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
