import ConvertCore

/// Why a command ends early: the lines for stderr and the exit code.
struct Failure: Error, Hashable {
    let exitCode: ExitCode
    /// Complete lines without their line ends; none when there is nobody left to read them.
    let lines: [String]

    init(_ exitCode: ExitCode, lines: [String]) {
        self.exitCode = exitCode
        self.lines = lines
    }

    /// A fault that belongs to no place in a file.
    init(_ exitCode: ExitCode, _ message: String) {
        self.init(exitCode, lines: ["convert-server: \(message)"])
    }
}

extension Failure {
    /// The lines without the program's name.
    var reasons: [String] { lines.map { String($0.dropping(prefix: "convert-server: ") ?? $0[...]) } }

    /// A command line that makes no sense; says where help is.
    static func usage(_ message: String, command: Command?) -> Failure {
        let helped = command.map { "convert-server \($0.rawValue) --help" } ?? "convert-server --help"
        return Failure(.usage, lines: ["convert-server: \(message)", "Try '\(helped)'."])
    }

    static func unreadable(_ file: String, _ error: SystemCallError) -> Failure {
        Failure(.noInput, "cannot read \(file): \(error)")
    }

    /// A failed write; a reader that left early (EPIPE) wants no words about it.
    static func unwritable(_ error: SystemCallError) -> Failure {
        Failure(.outputFailed, lines: error.isBrokenPipe ? [] : ["convert-server: cannot write the output: \(error)"])
    }

    /// A payload's fault as `FILE:LINE:COLUMN: code: message (pointer)`.
    ///
    /// The pointer of the broken rule follows in a second pair of parentheses where a rule was broken. Without `hasPlace` the
    /// line and the column stay away: they count in a text that the payload was turned into.
    init(_ error: ConversionError, in file: String, hasPlace: Bool = true) {
        let rule = error.rule.map { " (rule \($0))" } ?? ""
        let place = hasPlace ? "\(file):\(error.line):\(error.column)" : file
        self.init(
            .badData,
            lines: ["\(place): \(error.code.rawValue): \(error.message) (\(error.pointer))\(rule)"])
    }

    /// Every fault of a profile, a line each.
    init(_ error: ProfileError, in file: String) {
        self.init(.badConfiguration, lines: error.faults.map { Self.line(for: $0, in: file) })
    }

    /// Faults of the profile that options make up, which stands in no file.
    static func optionFaults(_ messages: [String]) -> Failure {
        Failure(.badConfiguration, lines: messages.map { "convert-server: profile: \($0)" })
    }

    /// A profile's fault in the shape of a payload's, with a code of its own and the hint behind the message.
    static func line(for fault: ProfileFault, in file: String, code: String = "profile") -> String {
        "\(file):\(fault.line):\(fault.column): \(code): \(fault.advice) (\(fault.pointer))"
    }
}

extension ProfileFault {
    /// The message with the hint behind it.
    var advice: String { message + (hint.map { "; \($0)" } ?? "") }
}
