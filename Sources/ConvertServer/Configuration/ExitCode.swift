/// The exit codes of the process, after `sysexits.h`. `docs/decisions/0003-exit-codes.md` has the reasons.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    /// The server of `health` is not healthy, or the outputs of `diff` differ. The value is not from sysexits: container
    /// runtimes expect 1 for the first, and users of diff(1) for the second.
    case negative = 1
    /// The command line is wrong.
    case usage = 64
    /// The payload is malformed or breaks a rule, or a profile's example does not hold.
    case badData = 65
    /// An input is missing or cannot be read.
    case noInput = 66
    case internalError = 70
    /// An output cannot be written, or its reader has gone.
    case outputFailed = 74
    /// A profile, a configuration file or an environment variable is wrong, or an address cannot be listened on.
    case badConfiguration = 78
}
