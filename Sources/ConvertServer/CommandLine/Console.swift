import Sockets

/// Text on the two output streams.
enum Console {
    static func print(_ text: String) throws(Failure) {
        do throws(SystemCallError) {
            try OutputStream.output.write(Array(text.utf8).span)
        } catch {
            throw .unwritable(error)
        }
    }

    /// Writes one line to stderr, with colours on a terminal. If that fails too, there is nothing left to do.
    static func complain(_ line: String) {
        let shown = TerminalStyle.isWanted(on: .error, .process) ? TerminalStyle.painted(line) : line
        try? OutputStream.error.write(Array("\(shown)\n".utf8).span)
    }
}
