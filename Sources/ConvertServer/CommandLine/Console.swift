import Sockets

/// Text on the two output streams.
enum Console {
    static func print(_ text: String) throws(Failure) {
        try OutputStream.output.writeAll(Array(text.utf8).span)
    }

    /// Writes a document and a line end to the file at `path`, or to stdout if there is no path.
    static func print(_ document: [UInt8], to path: String?) throws(Failure) {
        let text = String(decoding: document, as: UTF8.self) + "\n"
        guard let path else { return try print(text) }
        var output = try RedirectedOutput.open(path)
        try print(text)
        try output.finish(path)
    }

    /// Writes one line to stderr, with colours on a terminal. If that fails too, there is nothing left to do.
    static func complain(_ line: String) {
        let shown = message(line, isColored: TerminalStyle.isWanted(on: .error, .process))
        try? OutputStream.error.write(Array(shown.utf8).span)
    }

    /// A message for people with its line end. Its control characters are escaped.
    static func message(_ line: String, isColored: Bool) -> String {
        let text = SingleLine(line).text
        return "\(isColored ? TerminalStyle.painted(text) : text)\n"
    }
}
