/// The reason why the server cannot start.
struct ServerError: Error, Sendable, CustomStringConvertible {
    /// The exit code of the process.
    let exitCode: ExitCode
    /// One sentence; for a system call with its name and errno.
    let message: String

    var description: String { message }

    init(_ exitCode: ExitCode, _ message: String) {
        self.exitCode = exitCode
        self.message = message
    }
}
