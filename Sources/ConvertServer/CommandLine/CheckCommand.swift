import Conversions
import ConvertEngine
import ConvertProfiles
import Gateway
import HTTPServer
import Sockets
import Text

/// `convert-server check`: reports on all profiles, even if the first ones have errors.
struct CheckCommand {
    private let paths: [String]
    private let settings: Settings
    /// The payload of `--explain`.
    private let payload: ExplanationTable?
    private let format: CheckFormat
    /// Whether each one-way rule has a line.
    private let isDetailed: Bool

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
        format = try settings.choice(.format, of: CheckFormat.self) ?? .text
        isDetailed = try settings.isOn(.verbose)
        guard payload == nil || format == .text else {
            throw .usage("--explain writes text only, without --format", command: .check)
        }
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

    /// Prints the report on stdout. The worst file decides the exit code.
    func run() throws(Failure) -> ExitCode {
        var found: Set<ExitCode> = []
        var lines: [ReportLine] = []
        if let path = settings.text(.config) { found.insert(try examineConfiguration(path, &lines)) }
        for path in paths {
            let file: ProfileFile
            do throws(Failure) {
                file = try ProfileFile(path: path)
            } catch {
                // A file that cannot be read is not a finding about a profile, so the message goes to stderr.
                error.lines.forEach(Console.complain)
                found.insert(error.exitCode)
                continue
            }
            let report = CheckReport(file.document, path)
            found.insert(report.exitCode)
            lines += shown(report.lines(isDetailed: isDetailed), of: file.document)
            if report.exitCode != .badConfiguration, let payload {
                let explanation = try payload.explanation(of: file)
                lines += payload.lines(explanation, of: path).map(ReportLine.init)
                if explanation.fault != nil { found.insert(.badData) }
            }
            guard format == .text else { continue }
            try show(lines)
            lines = []
        }
        if format != .text || !lines.isEmpty { try show(lines) }
        return [.badConfiguration, .noInput, .badData].first(where: found.contains) ?? .success
    }

    /// Prints lines, with colours if they are for people on a terminal.
    private func show(_ lines: [ReportLine]) throws(Failure) {
        let isColored = format == .text && TerminalStyle.isWanted(on: .output, settings.environment)
        try Console.print(format.report(lines, isColored: isColored))
    }

    /// The lines of a report. On a terminal, each has its line of the file.
    private func shown(_ lines: [ReportLine], of document: [UInt8]) -> [ReportLine] {
        guard format == .text, OutputStream.output.isTerminal else { return lines }
        return lines.flatMap { line in
            let excerpt = line.finding.map { SourceExcerpt(document, line: $0.line, column: $0.column).lines } ?? []
            return [line] + excerpt.map(ReportLine.init)
        }
    }

    /// The errors of a configuration. Only text can have one without a position: otherwise it goes to stderr.
    private func reported(_ errors: [ReportLine]) -> [ReportLine] {
        if format != .text {
            for error in errors where error.finding == nil { Console.complain(error.text) }
        }
        return errors
    }

    /// Adds the errors of a configuration and of its profiles, or a line that there are none.
    private func examineConfiguration(_ path: String, _ lines: inout [ReportLine]) throws(Failure) -> ExitCode {
        let deployment: Deployment
        do throws(Failure) {
            deployment = try DeploymentSource(settings).load()
        } catch  where error.exitCode == .badConfiguration {
            lines += reported(error.report)
            return error.exitCode
        } catch {
            error.lines.forEach(Console.complain)
            return error.exitCode
        }
        // The server would start and report these errors, but a check must not pass with them.
        let errors = deployment.profileErrors
        guard errors.isEmpty else {
            lines += reported(errors)
            return .badConfiguration
        }
        var notes = deployment.warnings.map { "warning: \($0)" }
        for address in deployment.configuration.listen + deployment.configuration.gateway.admin {
            // No error, because the file may be for another system.
            notes += address.unknownNames.map { "warning: this system has no \($0), so it cannot listen on \(address)" }
        }
        let routes = deployment.gateway?.routes ?? []
        notes += routes.flatMap(\.withholdingLines)
        notes += routes.flatMap { [$0.eventLine, $0.messageLine].compactMap(\.self) }
        for route in routes {
            let warnings = route.description?.warnings ?? []
            notes += warnings.prefix(OpenAPICommand.maxWarnings).map { "warning: openapi: \($0)" }
        }
        lines += notes.map { ReportLine("\(path): \($0)") }
        let exitCode = examineProfiles(of: deployment, &lines)
        guard exitCode == .success else { return exitCode }
        lines.append(ReportLine("\(path): ok, \(deployment.wholeSummary)"))
        return .success
    }

    /// Runs the profiles' examples. Adds all warnings, and the losses and conditions of profiles that routes use backwards.
    private func examineProfiles(of deployment: Deployment, _ lines: inout [ReportLine]) -> ExitCode {
        let plans = deployment.configuration.gateway.routes.flatMap { [$0.request?.plan, $0.response?.plan] }
        let backwards = Set(plans.compactMap { $0?.direction == .inverse ? $0?.name : nil })
        let directory = deployment.configuration.profilesDirectory.map { "\($0)/" } ?? ""
        var exitCode = ExitCode.success
        for entry in deployment.profiles.entries {
            guard let document = entry.loaded?.document else { continue }
            let report = CheckReport(document, "\(directory)\(entry.name).json")
            let examples = report.failedExamples
            if !examples.isEmpty, exitCode == .success { exitCode = .badData }
            var found = report.warnings + examples
            if backwards.contains(entry.name) {
                let (errors, notes) = report.linesForUseBackwards
                if !errors.isEmpty { exitCode = .badConfiguration }
                found += errors + notes
            }
            lines += shown(found, of: document)
        }
        return exitCode
    }
}
