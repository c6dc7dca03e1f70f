import ConvertEngine
import ConvertProfiles
import Sockets
import Text

/// The reason why a command ends early: the lines for stderr and the exit code.
struct Failure: Error, Hashable {
    let exitCode: ExitCode
    /// Empty if no reader is left.
    let report: [ReportLine]

    init(_ exitCode: ExitCode, report: [ReportLine]) {
        self.exitCode = exitCode
        self.report = report
    }

    init(_ exitCode: ExitCode, lines: [String]) { self.init(exitCode, report: lines.map(ReportLine.init)) }

    /// Complete lines without their line ends.
    var lines: [String] { report.map(\.text) }

    /// An error without a position in a file.
    init(_ exitCode: ExitCode, _ message: String) {
        self.init(exitCode, lines: ["convert-server: \(message)"])
    }
}

extension Failure {
    /// The lines without the program's name.
    var reasons: [String] { lines.map { String($0.dropping(prefix: "convert-server: ") ?? $0[...]) } }

    /// An invalid command line. The message names the help.
    static func usage(_ message: String, command: Command?) -> Failure {
        Failure(.usage, lines: ["convert-server: \(message)", advice(for: command)])
    }

    /// The hint to the help.
    static func advice(for command: Command?) -> String {
        "Try 'convert-server \(command.map { "\($0.rawValue) " } ?? "")--help'."
    }

    static func unreadable(_ file: String, _ error: SystemCallError, expected: String? = nil) -> Failure {
        // An argument that is not UTF-8 has replacement characters, and so names another file.
        let isRepaired = file.unicodeScalars.contains("\u{FFFD}")
        let expected = isRepaired ? "its name is not UTF-8; rename the file" : expected
        return Failure(.noInput, "cannot read \(file): \(error.reason)\(expected.map { "; \($0)" } ?? "")")
    }

    /// A failed write. There is no message if the reader left early (EPIPE).
    static func unwritable(_ error: SystemCallError) -> Failure {
        Failure(
            .outputFailed, lines: error.isBrokenPipe ? [] : ["convert-server: cannot write the output: \(error.reason)"]
        )
    }

    static func unwritable(_ file: String, _ error: SystemCallError) -> Failure {
        Failure(.outputFailed, "cannot write \(file): \(error.reason)")
    }

    /// A payload's error as `FILE:LINE:COLUMN: code: message (pointer)`.
    ///
    /// If a rule was broken, its pointer follows in a second pair of parentheses. Without `hasPosition`, line and column
    /// are omitted, because they count in the translation of the payload.
    init(_ error: ConversionError, in file: String, hasPosition: Bool = true, hint: String? = nil) {
        let rule = error.rule.map { " (rule \(Self.shown($0)))" } ?? ""
        let position = hasPosition ? "\(file):\(error.line):\(error.column)" : file
        let pointer = error.pointer.isEmpty ? "" : " (\(Self.shown(error.pointer)))"
        let advice = hint.map { "; \($0)" } ?? ""
        self.init(
            .badData, lines: ["\(position): \(error.code.rawValue): \(error.message)\(advice)\(pointer)\(rule)"])
    }

    /// A pointer, or the beginning and the end of one that is too long to read.
    private static func shown(_ pointer: String) -> String {
        let halfCharacters = 60
        guard pointer.count > 2 * halfCharacters else { return pointer }
        return "\(pointer.prefix(halfCharacters))…\(pointer.suffix(halfCharacters))"
    }

    /// All errors of a profile, one line each.
    init(_ error: ProfileError, in file: String) {
        self.init(.badConfiguration, report: error.faults.map { Self.line(for: $0, in: file) })
    }

    /// Errors of a profile from options, which is in no file.
    static func optionErrors(_ messages: [String]) -> Failure {
        Failure(.badConfiguration, lines: messages.map { "convert-server: profile: \($0)" })
    }

    /// A profile's error in the form of a payload's error, with a code of its own and the hint after the message.
    static func line(for fault: ProfileFault, in file: String, code: String = "profile") -> ReportLine {
        let pointer = fault.pointer.isEmpty ? "" : " (\(shown(fault.pointer)))"
        return ReportLine(
            Finding(
                file: file, line: fault.line, column: fault.column, code: code, message: fault.advice + pointer))
    }
}

extension ProfileFault {
    var advice: String { message + (hint.map { "; \($0)" } ?? "") }
}
