/// The texts of `--help` and `--version`.
enum Help {
    static let version = "convert-server \(Version.current)\n"

    /// What `convert-server --help` prints.
    static var overview: String {
        """
        convert-server \(Version.current): normalises and minifies JSON by a mapping profile

        Usage: convert-server COMMAND [OPTION...] [FILE|-]

        \(table(Command.allCases.map { ($0.rawValue, $0.summary) }))

        'convert-server COMMAND --help' lists a command's options. '--option value' and
        '--option=value' are the same. Every option is also an environment variable
        (--max-body-bytes: CONVERT_MAX_BODY_BYTES); flags beat the environment, which
        beats the configuration file.

        Exit codes: 0 done, 64 usage, 65 bad data, 66 no input, 70 internal fault,
        74 output failed, 78 bad profile or configuration.

        """
    }

    /// What `convert-server COMMAND --help` prints.
    static func text(for command: Command) -> String {
        let words = ["convert-server", command.rawValue, "[OPTION...]", command.operands]
        let rows = command.options.map { ($0.usage, $0.summary) } + [("--help", "print this text")]
        return """
            Usage: \(words.filter { !$0.isEmpty }.joined(separator: " "))

            \(command.details)

            Options:
            \(table(rows))

            """
    }

    /// Two columns, the second one aligned.
    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, summary in
            "  \(name)\(String(repeating: " ", count: width - name.count))  \(summary)"
        }.joined(separator: "\n")
    }
}

extension Command {
    /// The paragraph above the options in the command's help.
    fileprivate var details: String {
        switch self {
        case .serve:
            """
            Serves HTTP until SIGTERM or SIGINT and prints one line with its address once it
            listens. SIGHUP reads the profiles again.
            """
        case .convert:
            """
            Converts FILE, or stdin, to stdout in one pass and constant memory. At least one
            of --profile, --keys and --dates says how. Faults are written to stderr as
            FILE:LINE:COLUMN: code: message (pointer); the output may then hold a beginning.
            """
        case .minify:
            """
            Copies FILE, or stdin, to stdout without white space, in one pass and constant
            memory. Faults are written to stderr as FILE:LINE:COLUMN: code: message (pointer).
            """
        case .check:
            """
            Reports every fault of each PROFILE as FILE:LINE:COLUMN: profile: message (pointer)
            and runs the examples that the profile holds; of the file that --config names, and of
            the profiles that its routes name, too. Exit code 78 when a profile or the configuration
            is faulty, 66 when one cannot be read, 65 when an example does not hold.
            """
        case .health:
            """
            Asks GET /healthz at the first address that the server is told to listen on; with
            routes at the first admin address, or without one OPTIONS * at the first public one.
            Exit code 0 when the answer is yes within three seconds, else 1.
            """
        }
    }
}
