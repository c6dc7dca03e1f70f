/// Completions of the command line for bash, zsh and fish.
enum ShellCompletions {
    private static let commands = Command.allCases.map(\.rawValue).joined(separator: " ")

    static var bash: String {
        """
        # bash completions for convert-server, made by 'convert-server --generate bash'
        _convert_server() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
            COMPREPLY=()
            if [ "${COMP_WORDS[0]##*/}" = \(Program.filterName) ]; then
                command=convert
            elif [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W '\(commands) --help --version' -- "$current"))
                return
            fi
            case $command:$previous in
        \(Command.allCases.flatMap(bashValues).joined(separator: "\n"))
            esac
            case $command:$current in
        \(Command.allCases.map(bashOptions).joined(separator: "\n"))
            *) COMPREPLY=($(compgen -f -- "$current")) ;;
            esac
        }
        complete -o filenames -F _convert_server convert-server \(Program.filterName)

        """
    }

    private static func bashOptions(of command: Command) -> String {
        let words = command.options.flatMap(words) + ["--help"]
        return
            "    \(command.rawValue):-*) COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\")) ;;"
    }

    /// The possible values of options.
    private static func bashValues(of command: Command) -> [String] {
        command.options.filter { $0.value != .none }.map { option in
            let pattern = words(option).map { "\(command.rawValue):\($0)" }.joined(separator: "|")
            let candidates =
                switch Completion(option) {
                case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\")); "
                case .files: "COMPREPLY=($(compgen -f -- \"$current\")); "
                case .directories: "COMPREPLY=($(compgen -d -- \"$current\")); "
                case .none: ""
                }
            return "    \(pattern)) \(candidates)return ;;"
        }
    }

    static var zsh: String {
        """
        #compdef convert-server \(Program.filterName)
        # zsh completions for convert-server, made by 'convert-server --generate zsh'
        _convert_server() {
            local command=$words[2]
            local -a commands=(
        \(Command.allCases.map { "        '\($0.rawValue):\($0.summary)'" }.joined(separator: "\n"))
            )
            if [[ $service == \(Program.filterName) ]]; then
                command=convert
            elif (( CURRENT == 2 )); then
                _describe command commands
                return
            else
                shift words
                (( CURRENT-- ))
            fi
            case $command in
        \(Command.allCases.map(zshCommand).joined(separator: "\n"))
            esac
        }
        _convert_server "$@"

        """
    }

    private static func zshCommand(_ command: Command) -> String {
        let options = command.options.flatMap { option in
            words(option).map { word in
                let isLong = word.hasPrefix("--")
                var specification =
                    word + (option.value == .none ? "" : isLong ? "=" : "+") + "[\(zshText(option.summary))]"
                if case .many = option.value { specification = "*" + specification }
                switch Completion(option) {
                case .words(let words): specification += ":value:(\(words.joined(separator: " ")))"
                case .files: specification += ":file:_files"
                case .directories: specification += ":directory:_files -/"
                case .none where option.value != .none: specification += ":value:"
                case .none: break
                }
                return "'\(specification)'"
            }
        }
        let operands = command.operands.isEmpty ? [] : ["'*:file:_files'"]
        let specifications = options + ["'--help[print help]'"] + operands
        return "    \(command.rawValue)) _arguments \(specifications.joined(separator: " \\\n        ")) ;;"
    }

    /// Text that can be put in quotes and brackets.
    private static func zshText(_ text: String) -> String {
        String(text.map { $0 == "'" ? "’" : $0 == "[" ? "(" : $0 == "]" ? ")" : $0 })
    }

    static var fish: String {
        let program = "complete -c convert-server"
        let summaries = Command.allCases.map {
            "\(program) -n __fish_use_subcommand -f -a \($0.rawValue) -d '\($0.summary)'"
        }
        let options = Command.allCases.flatMap { command in
            command.options.map { "\(program) -n '__fish_seen_subcommand_from \(command.rawValue)' \(fishOption($0))" }
        }
        let filter = Command.convert.options.map { "complete -c \(Program.filterName) \(fishOption($0))" }
        let heading = "# fish completions for convert-server, made by 'convert-server --generate fish'"
        return ([heading] + summaries + options + filter).joined(separator: "\n") + "\n"
    }

    private static func fishOption(_ option: CommandOption) -> String {
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value =
            switch Completion(option) {
            case .words(let words): " -x -a '\(words.joined(separator: " "))'"
            case .files: " -r -F"
            case .directories: " -x -a '(__fish_complete_directories)'"
            case .none: option.value == .none ? "" : " -x"
            }
        let summary = String(option.summary.map { $0 == "'" ? "’" : $0 })
        return "-l \(option.name)\(letter)\(value) -d '\(summary)'"
    }

    /// The spellings of an option: its name, and its letter if it has one.
    private static func words(_ option: CommandOption) -> [String] {
        ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
    }

    /// The kinds of option values.
    private enum Completion {
        case words([String])
        case files, directories, none

        init(_ option: CommandOption) {
            switch option.value.placeholder {
            case "FILE": self = .files
            case "DIR": self = .directories
            default:
                self = option.choices.isEmpty ? .none : .words(option.choices)
            }
        }
    }
}
