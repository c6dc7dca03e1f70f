import Sockets
import Text

/// The whole command line: it selects the command, runs it, and prints errors on stderr.
struct Program {
    /// The program's second name, which means `convert-server convert`.
    static let filterName = "convert-json"

    let environment: ProcessEnvironment
    /// The name it was called by, without directories.
    var name = "convert-server"

    /// Runs the command in `words` (without the program's own name).
    func run(_ words: [String]) -> ExitCode {
        do {
            return try perform(words)
        } catch {
            error.lines.forEach(say)
            return error.exitCode
        }
    }

    private func perform(_ words: [String]) throws(Failure) -> ExitCode {
        if words.first == "--version" || words.first == "-V" {
            try Console.print(Help.version)
            return .success
        }
        if name == Self.filterName { return try perform(.convert, words) }
        guard let first = words.first else {
            throw Failure(.usage, lines: ["convert-server: a command is missing", "Try 'convert-server --help'."])
        }
        // `help COMMAND` is `COMMAND --help`.
        if first == "help", words.count > 1 { return try perform([words[1], "--help"]) }
        switch first {
        case "--help", "-h", "help":
            try Console.print(Help.overview)
            return .success
        case "--generate":
            try Console.print(try GeneratedFile(named: words.dropFirst().first).text)
            return .success
        default:
            break
        }
        guard let command = Command(rawValue: first) else {
            let known = Command.allCases.map(\.rawValue) + ["--help", "--version"]
            let meant = NearestName.nearest(to: first, among: known).map { "; did you mean \($0)?" } ?? ""
            let kind = first.hasPrefix("-") ? "option" : "command"
            let isFile = kind == "command" && meant.isEmpty && first.contains { $0 == "." || $0 == "/" }
            let hint = isFile ? "; to convert a file: convert-server convert --profile PROFILE \(first)" : meant
            throw .usage("there is no \(kind) \(first)\(hint)", command: nil)
        }
        return try perform(command, Array(words.dropFirst()))
    }

    private func perform(_ command: Command, _ words: [String]) throws(Failure) -> ExitCode {
        let arguments = try Arguments(words, of: command)
        if arguments.wantsHelp {
            try Console.print(Help.text(for: command, calledAs: called(command)))
            return .success
        }
        guard !command.operands.isEmpty || arguments.operands.isEmpty else {
            let options = command == .infer ? "--in FILE --out FILE" : "--config FILE"
            throw .usage("\(command.rawValue) takes files only in options: write \(options)", command: command)
        }
        // A health check runs every few seconds, and the server has already printed these warnings.
        if command != .health { UnknownVariables.warnings(environment).forEach(say) }
        let settings = Settings(flags: arguments.values, environment: environment)
        switch command {
        case .convert: return try ConvertCommand(settings, operands: arguments.operands).run()
        case .minify: return try MinifyCommand(settings, operands: arguments.operands).run()
        case .check: return try CheckCommand(settings, operands: arguments.operands).run()
        case .diff: return try DiffCommand(settings, operands: arguments.operands).run()
        case .serve: return try ServeCommand(settings).run()
        case .infer: return try InferCommand(settings).run()
        case .openapi: return try OpenAPICommand(settings, operands: arguments.operands).run()
        case .health: return try HealthCommand(settings).run()
        }
    }

    /// The beginning of a command line for the command.
    private func called(_ command: Command) -> String {
        name == Self.filterName ? name : "convert-server \(command.rawValue)"
    }

    /// Writes a message with the name that the program was called by.
    private func say(_ message: String) {
        var message = message
        if name == Self.filterName {
            if let rest = message.dropping(prefix: "convert-server: ") { message = "\(name): \(rest)" }
            if message == Failure.advice(for: .convert) { message = "Try '\(name) --help'." }
        }
        Console.complain(message)
    }
}
