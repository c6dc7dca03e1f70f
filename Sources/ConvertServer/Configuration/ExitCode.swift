/// The exit codes of the process, after `sysexits.h`. `docs/decisions/0003-exit-codes.md` has the reasons.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    /// The value is not from sysexits: container runtimes expect 1 of `health`, and users of diff(1) of `diff`.
    case negative = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case internalError = 70
    /// There is no message if only the reader has gone.
    case outputFailed = 74
    case badConfiguration = 78

    /// One line for the list of exit codes.
    var summary: String {
        switch self {
        case .success: "done"
        case .negative: "health: the server is not healthy; diff: outputs differ"
        case .usage: "the command line is wrong"
        case .badData: "the payload is malformed or breaks a rule, or a profile's example fails"
        case .noInput: "an input cannot be read"
        case .internalError: "an internal error of the program"
        case .outputFailed: "the output cannot be written"
        case .badConfiguration: "a profile, the configuration or a variable is wrong"
        }
    }
}
