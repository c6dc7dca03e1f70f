/// Why the server cannot start.
struct ServerError: Error, Sendable, CustomStringConvertible {
    /// What the process should end with.
    let exitCode: ExitCode
    /// One sentence; for a system call with its name and errno.
    let message: String

    var description: String { message }

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }
}
