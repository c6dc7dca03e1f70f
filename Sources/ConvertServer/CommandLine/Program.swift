import ConvertCore

/// The whole command line: picks the command, runs it, says on stderr what went wrong.
struct Program {
    let environment: ProcessEnvironment

    /// Runs the command that `words` spell (without the program's own name).
    func run(_ words: [String]) -> ExitCode {
        do {
            return try perform(words)
        } catch {
            report(error)
            return error.exitCode
        }
    }

    private func perform(_ words: [String]) throws(Failure) -> ExitCode {
        guard let first = words.first else {
            throw Failure(.usage, lines: ["convert-server: a command is missing", "Try 'convert-server --help'."])
        }
        switch first {
        case "--help", "-h", "help":
            try Console.print(Help.overview)
            return .success
        case "--version":
            try Console.print(Help.version)
            return .success
        default:
            break
        }
        guard let command = Command(rawValue: first) else {
            let known = Command.allCases.map(\.rawValue) + ["--help", "--version"]
            let meant = Spelling.nearest(to: first, among: known).map { "; did you mean \($0)?" } ?? ""
            let kind = first.hasPrefix("-") ? "option" : "command"
            throw .usage("there is no \(kind) \(first)\(meant)", command: nil)
        }
        let arguments = try Arguments(Array(words.dropFirst()), of: command)
        if arguments.wantsHelp {
            try Console.print(Help.text(for: command))
            return .success
        }
        let settings = Settings(command, flags: arguments.values, environment: environment)
        switch command {
        case .convert: return try ConvertCommand(settings, operands: arguments.operands).run()
        case .minify: return try MinifyCommand(settings, operands: arguments.operands).run()
        case .check: return try CheckCommand(settings, operands: arguments.operands).run()
        case .serve: return try ServeCommand(settings, operands: arguments.operands).run()
        case .health: return try HealthCommand(settings, operands: arguments.operands).run()
        }
    }

    private func report(_ failure: Failure) {
        for line in failure.lines { Console.complain(line) }
    }
}
