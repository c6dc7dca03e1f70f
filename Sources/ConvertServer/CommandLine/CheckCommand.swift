import ConvertCore

/// `convert-server check`: reports on profiles, all of them, whatever the first ones hold.
struct CheckCommand {
    private let paths: [String]

    init(operands: [String]) throws(Failure) {
        guard !operands.isEmpty else { throw .usage("check needs at least one PROFILE", command: .check) }
        paths = operands
    }

    /// Prints the report on stdout; the worst of the files decides the exit code.
    func run() throws(Failure) -> ExitCode {
        var found: Set<ExitCode> = []
        for path in paths {
            do throws(Failure) {
                let report = try Self.examine(path)
                try Console.print(report.text)
                if report.hasFailed { found.insert(.badData) }
            } catch {
                guard error.exitCode != .outputFailed else { throw error }
                found.insert(error.exitCode)
                // An unreadable file is no finding about a profile, so it goes to stderr.
                if error.exitCode == .noInput {
                    error.lines.forEach(Console.complain)
                } else {
                    try Console.print(error.lines.map { "\($0)\n" }.joined())
                }
            }
        }
        return [.badConfiguration, .noInput, .badData].first(where: found.contains) ?? .success
    }

    private static func examine(_ path: String) throws(Failure) -> (text: String, hasFailed: Bool) {
        let profile = try ProfileFile(path: path).profile()
        do throws(ProfileError) {
            _ = try profile.compile(.forward)
        } catch {
            throw Failure(error, in: path)
        }
        return ("\(path): ok\n", false)
    }
}
