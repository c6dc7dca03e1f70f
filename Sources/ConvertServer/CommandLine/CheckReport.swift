import ConvertEngine
import ConvertProfiles

struct CheckReport {
    private let path: String
    private let report: ProfileReport

    init(_ document: [UInt8], _ path: String) {
        self.path = path
        report = ProfileReport(checking: document, keys: .process)
    }

    var exitCode: ExitCode {
        guard report.profile != nil else { return .badConfiguration }
        return report.failedExamples.isEmpty ? .success : .badData
    }

    /// Errors, warnings, examples, and whether the profile is reversible.
    ///
    /// - Parameter isDetailed: whether each one-way rule has a line. Otherwise there is one line for all.
    func lines(isDetailed: Bool) -> [ReportLine] {
        guard let profile = report.profile else {
            return Failure(ProfileError(faults: report.faults), in: path).report + warnings
        }
        let ok = ReportLine("\(path): ok, \(Self.summary(profile.examples.count))")
        let verdict = failedExamples.isEmpty ? [ok] : failedExamples
        return warnings + verdict + reversal(isDetailed: isDetailed)
    }

    /// The errors and notes for a configuration that uses the profile backwards. The profile has no errors.
    var linesForUseBackwards: (errors: [ReportLine], notes: [ReportLine]) {
        let losses = report.invertibility?.losses ?? []
        let conditions = report.invertibility?.conditions ?? []
        // Two keys that became one cannot be distinguished: each payload with them would be wrong.
        let errors = losses.filter { $0.pointer.hasPrefix("/rename") }
        let warnings = losses.filter { !$0.pointer.hasPrefix("/rename") }
        return (
            errors.map { loss in
                var fault = loss
                fault.message += ", and a route uses the profile backwards"
                return line(fault, "profile")
            },
            warnings.map { line($0, "one-way") } + conditions.map { line($0, "condition") }
        )
    }

    var warnings: [ReportLine] { report.warnings.map { line($0, "warning") } }

    /// The examples that do not hold.
    var failedExamples: [ReportLine] { report.failedExamples.map { line($0, "example") } }

    private func reversal(isDetailed: Bool) -> [ReportLine] {
        guard let invertibility = report.invertibility, !invertibility.isInvertible else {
            let conditions = report.invertibility?.conditions ?? []
            return [ReportLine("\(path): reversible")] + conditions.map { line($0, "condition") }
        }
        guard !isDetailed else { return invertibility.losses.map { line($0, "one-way") } }
        var sections: [String] = []
        for loss in invertibility.losses {
            let section = String(loss.pointer.dropFirst().prefix { $0 != "/" })
            if !sections.contains(section) { sections.append(section) }
        }
        return [ReportLine("\(path): one way: \(sections.joined(separator: ", "))")]
    }

    private func line(_ fault: ProfileFault, _ code: String) -> ReportLine {
        Failure.line(for: fault, in: path, code: code)
    }

    private static func summary(_ examples: Int) -> String {
        switch examples {
        case 0: "no examples"
        case 1: "1 example holds"
        default: "\(examples) examples hold"
        }
    }
}
