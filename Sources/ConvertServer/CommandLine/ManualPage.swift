/// The manual page `convert-server(1)`, in the macros of man(7).
enum ManualPage {
    static var text: String {
        """
        .\\" Made by 'convert-server --generate man'.
        .TH CONVERT-SERVER 1 "" "convert-server \(Version.current)" "User Commands"
        .SH NAME
        convert-server, convert-json \\- rewrite, minify and check JSON by profiles
        .SH SYNOPSIS
        \(synopsis)
        .SH DESCRIPTION
        .B convert-server
        rewrites JSON by a profile: keys, dates, values and structure. It filters files, serves HTTP, and works as a
        gateway in front of a backend.
        .PP
        .B convert-json
        is another name of
        .BR "convert-server convert" .
        .PP
        \(plain(Help.notes))
        .SH COMMANDS
        \(Command.allCases.map(section).joined(separator: "\n"))
        .SH EXIT STATUS
        \(ExitCode.allCases.map { entry(".B \($0.rawValue)", $0.summary) }.joined(separator: "\n"))
        .SH ENVIRONMENT
        \(entry(".B CONVERT_...", "the options, in capitals and with underscores; an empty variable counts as absent"))
        \(entry(".B NO_COLOR", "turns colours on terminals off when it is not empty"))
        .SH SEE ALSO
        .BR jq (1)

        """
    }

    private static var synopsis: String {
        Command.allCases.map { command in
            ".B convert-server \(command.rawValue)\n[OPTION...] \(plain(command.operands))"
        }.joined(separator: "\n.br\n")
    }

    private static func section(_ command: Command) -> String {
        let options = command.options.map { entry(".B \(plain($0.usage))", $0.description) }
        let examples = command.examples.map { plain("convert-server \($0)") }
        return """
            .SS \(command.rawValue)
            \(plain(command.details))
            \(options.joined(separator: "\n"))
            .PP
            Examples:
            .PP
            .nf
            .RS 4
            \(examples.joined(separator: "\n"))
            .RE
            .fi
            """
    }

    private static func entry(_ term: String, _ text: String) -> String { ".TP\n\(term)\n\(plain(text))" }

    /// Text without requests and escapes. Hyphens can be copied to a shell.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for character in text {
            switch character {
            case "\\": plain += "\\e"
            case "-": plain += "\\-"
            default: plain.append(character)
            }
        }
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }
}
