import HTTPSemantics
import Sockets

/// The texts of `--help` and `--version`.
enum Help {
    /// The usual width of a terminal.
    static let maxColumns = 80

    /// The version and the features of this build. The first line is the same for every build of a version.
    static var version: String {
        """
        convert-server \(Version.current)
        commit: \(BuildCommit.text)
        response compression: \(ContentCoding.applied.map(\.name).joined(separator: ", "))
        instruction set: \(Version.instructionSet)

        """
    }

    /// The output of `convert-server --help`.
    static var overview: String {
        """
        convert-server \(Version.current): rewrites, minifies and checks JSON by profiles

        Usage: convert-server COMMAND [OPTION...] [FILE|-]...

        Commands:
        \(table(Command.allCases.map { ($0.rawValue, $0.summary) }))

        \(Program.filterName) is another name of `convert-server convert`.

        Options:
        \(table([
            ("-h, --help", "print this text; after a command, the command's options"),
            ("-V, --version", "print the version and what this build contains"),
            ("--generate KIND", "print the man page or a shell's completions: \(GeneratedFile.names)"),
        ]))

        \(wrapped(Self.notes, columns: maxColumns).joined(separator: "\n"))

        Exit codes:
        \(table(ExitCode.allCases.map { (String($0.rawValue), $0.summary) }))

        """
    }

    /// Notes about all options.
    static let notes = """
        `--option value` and `--option=value` are the same. Every option is also an environment variable: \
        --max-body-bytes is CONVERT_MAX_BODY_BYTES. Flags override the environment, which overrides the \
        configuration file. SIZE is a number of bytes, such as 10000000, 10MB or 10MiB; TIME is a number of \
        seconds, such as 30, 30s, 5m or 1h.
        """

    /// The output of `convert-server COMMAND --help`.
    static func text(for command: Command, calledAs program: String) -> String {
        let usage = [program, "[OPTION...]", command.operands].filter { !$0.isEmpty }.joined(separator: " ")
        let examples = command.examples.map { "  \(program)\($0.dropFirst(command.rawValue.count))" }
        return """
            Usage: \(usage)

            \(wrapped(command.details, columns: maxColumns).joined(separator: "\n"))

            \(options(of: command))

            Examples:
            \(examples.joined(separator: "\n"))

            """
    }

    /// The options, those of `serve` in groups.
    private static func options(of command: Command) -> String {
        let help = [("-h, --help", "print this text")]
        guard command == .serve else {
            return "Options:\n" + table(command.options.map { ($0.usage, $0.description) } + help)
        }
        return CommandOption.Group.allCases.map { group in
            let rows = command.options.filter { $0.group == group }.map { ($0.usage, $0.description) }
            return "\(group.rawValue):\n" + table(rows + (group == .general ? help : []))
        }.joined(separator: "\n\n")
    }

    /// Two columns. The second one is aligned and wrapped, and a long first one has a line of its own.
    private static func table(_ rows: [(name: String, summary: String)]) -> String {
        let maxNameColumns = 26
        let width = min(rows.map(\.name.count).max() ?? 0, maxNameColumns)
        let margin = String(repeating: " ", count: width + 4)
        return rows.map { row in
            let lines = wrapped(row.summary, columns: maxColumns - margin.count)
            let isShort = row.name.count <= width
            let name = "  \(row.name)" + (isShort ? String(margin.dropFirst(row.name.count + 2)) : "\n\(margin)")
            return name + lines.joined(separator: "\n\(margin)")
        }.joined(separator: "\n")
    }

    /// The words in lines of at most `columns` columns.
    private static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Command {
    /// The paragraph above the options in the command's help.
    var details: String {
        switch self {
        case .serve:
            "Serves HTTP until SIGTERM or SIGINT, and prints a line of JSON with its address once it listens. Profiles and "
                + "configuration are loaded again when they change, and on SIGHUP."
        case .convert:
            "Converts each FILE, or stdin, in one pass and constant memory. At least one of --profile, --keys, "
                + "--dates and --on-error is required. An error is written to stderr as FILE:LINE:COLUMN: code: message (pointer). "
                + "Stdout may then contain a part of the output; with --output and --in-place, files do not change."
        case .minify:
            "Copies each FILE, or stdin, without white space, in one pass and constant memory. An error is written to "
                + "stderr as FILE:LINE:COLUMN: code: message (pointer)."
        case .check:
            "Reports every error of each PROFILE, or of each *.json in DIR (not below it), as FILE:LINE:COLUMN: profile: message "
                + "(pointer), and runs the examples in the profile. With --config it checks the configuration and "
                + "all profiles of its directory, too."
        case .diff:
            "Converts each payload of each FILE, or of stdin, with both profiles, and lists where the outputs differ: the path in "
                + "the output, the kind, the number, and the rule of each profile there. Values are not shown."
        case .infer:
            "Proposes a profile that makes each --out of the --in before it: the case of keys, renames, dates, values, "
                + "what is dropped, kept, moved, added and pruned. If the profile does not explain a "
                + "sample, nothing is written. More samples give a safer profile; a note says what they do not decide."
        case .openapi:
            "Rewrites an OpenAPI document (3.0 or 3.1) or a JSON Schema, in JSON or YAML, so that it describes the API "
                + "as clients see it behind a gateway with the profile. FILE describes the API of the upstream. A schema that cannot say what the profile "
                + "does is an error with its JSON Pointer; a part that is left out causes a warning."
        case .health:
            "Requests GET /healthz from the first admin address. Without one, it uses the first address that the server "
                + "listens on with the same options; with routes, it sends OPTIONS * there. It waits for at most three seconds."
        }
    }
}
