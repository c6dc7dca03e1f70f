import ConvertCore
import Sockets
import Text

/// `convert-server check`: reports on profiles, all of them, whatever the first ones hold.
struct CheckCommand {
    private let paths: [String]
    private let settings: Settings
    /// The payload that the profiles are explained on.
    private let payload: ExplanationTable?

    init(_ settings: Settings, operands: [String]) throws(Failure) {
        guard !operands.isEmpty || settings[.config] != nil else {
            throw .usage("check needs at least one PROFILE, or --config FILE", command: .check)
        }
        self.settings = settings
        paths = try Self.profiles(operands)
        if settings.text(.explain) == "-", operands.contains("-") {
            throw .usage("the profile and the payload cannot both be stdin", command: .check)
        }
        payload = try ExplanationTable(settings)
    }

    /// The operands with each directory replaced by the profiles in it, the files that `--profiles` would load.
    private static func profiles(_ operands: [String]) throws(Failure) -> [String] {
        var paths: [String] = []
        for path in operands {
            guard path != "-", let listing = try? DirectoryListing(path: path, suffix: ".json") else {
                paths.append(path)
                continue
            }
            guard !listing.entries.isEmpty else { throw Failure(.noInput, "\(path) has no files named *.json") }
            let directory = path.hasSuffix("/") ? path : "\(path)/"
            paths += listing.entries.map { directory + $0.name.text }
        }
        return paths
    }

    /// Prints the report on stdout; the worst of the files decides the exit code.
    func run() throws(Failure) -> ExitCode {
        var found: Set<ExitCode> = []
        if let path = settings.text(.config) { found.insert(try examineConfiguration(path)) }
        for path in paths {
            let file: ProfileFile
            do throws(Failure) {
                file = try ProfileFile(path: path)
            } catch {
                // A file that cannot be read is not a finding about a profile, so this goes to stderr.
                error.lines.forEach(Console.complain)
                found.insert(error.exitCode)
                continue
            }
            var (lines, exitCode) = Self.examine(file)
            found.insert(exitCode)
            if exitCode != .badConfiguration, let payload {
                let explanation = try payload.explanation(of: file)
                lines += payload.lines(explanation, of: path)
                if explanation.fault != nil { found.insert(.badData) }
            }
            try Console.print(lines.map { "\($0)\n" }.joined())
        }
        return [.badConfiguration, .noInput, .badData].first(where: found.contains) ?? .success
    }

    /// Prints what is wrong with a configuration and the profiles that it names, or that nothing is.
    private func examineConfiguration(_ path: String) throws(Failure) -> ExitCode {
        let deployment: Deployment
        do throws(Failure) {
            deployment = try DeploymentSource(settings).load()
        } catch  where error.exitCode == .badConfiguration {
            try Console.print(error.lines.map { "\($0)\n" }.joined())
            return error.exitCode
        } catch {
            error.lines.forEach(Console.complain)
            return error.exitCode
        }
        // The server would start and report these; a check must not pass with them.
        let faults = Failure(deployment.profiles, in: deployment.configuration.profilesDirectory).lines
        guard faults.isEmpty else {
            try Console.print(faults.map { "\($0)\n" }.joined())
            return .badConfiguration
        }
        let gateway = deployment.configuration.gateway
        let counts = [
            (gateway.routes.count, "route"), (gateway.upstreams.count, "upstream"),
            (deployment.profiles.entries.count, "profile"),
        ]
        let summary = counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
        let warnings = deployment.warnings.map { "\(path): warning: \($0)\n" }.joined()
        let withheld = (deployment.gateway?.routes ?? []).flatMap(\.withholdingLines).map { "\(path): \($0)\n" }
            .joined()
        try Console.print("\(warnings)\(withheld)\(path): ok, \(summary)\n")
        return .success
    }

    /// The lines about one profile, and the exit code that it alone would give.
    private static func examine(_ file: ProfileFile) -> (lines: [String], exitCode: ExitCode) {
        let report = ProfileReport(checking: file.document)
        let warnings = report.warnings.map { Failure.line(for: $0, in: file.path, code: "warning") }
        guard let profile = report.profile else {
            return (Failure(ProfileError(faults: report.faults), in: file.path).lines + warnings, .badConfiguration)
        }
        let failed = report.failedExamples
        let verdict =
            failed.isEmpty
            ? ["\(file.path): ok, \(summary(profile.examples.count))"]
            : failed.map { Failure.line(for: $0, in: file.path, code: "example") }
        return (warnings + verdict + reversal(report, file.path), failed.isEmpty ? .success : .badData)
    }

    /// Whether the profile can be undone: a line that says so and one for each condition, or one for each rule that cannot.
    private static func reversal(_ report: ProfileReport, _ path: String) -> [String] {
        guard let invertibility = report.invertibility, !invertibility.isInvertible else {
            let conditions = report.invertibility?.conditions ?? []
            return ["\(path): reversible"] + conditions.map { Failure.line(for: $0, in: path, code: "condition") }
        }
        return invertibility.losses.map { Failure.line(for: $0, in: path, code: "one-way") }
    }

    private static func summary(_ examples: Int) -> String {
        switch examples {
        case 0: "no examples"
        case 1: "1 example holds"
        default: "\(examples) examples hold"
        }
    }
}
