import Sockets

/// Bold and coloured text, for terminals only.
enum TerminalStyle {
    private static let bold = "\u{1B}[1m"
    private static let red = "\u{1B}[31m"
    private static let plain = "\u{1B}[0m"

    /// Whether the stream is a terminal that shows colours, and `NO_COLOR` is not set (https://no-color.org).
    static func isWanted(on stream: OutputStream, _ environment: ProcessEnvironment) -> Bool {
        guard stream.isTerminal, (environment["NO_COLOR"] ?? "").isEmpty else { return false }
        return !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    /// A message with its beginning in bold (the position in the file or the program's name) and the error code in red.
    static func painted(_ message: String) -> String {
        guard let (beginning, rest) = halves(of: message[...]) else { return message }
        guard let (code, text) = halves(of: rest), code.allSatisfy(\.isLetter) else {
            return "\(bold)\(beginning):\(plain) \(rest)"
        }
        return "\(bold)\(beginning):\(plain) \(red)\(code):\(plain) \(text)"
    }

    /// The text before the first colon that a blank follows, and the text after both.
    private static func halves(of text: Substring) -> (Substring, Substring)? {
        var rest = text
        while let colon = rest.firstIndex(of: ":") {
            rest = rest[colon...].dropFirst()
            if rest.first == " " { return (text[..<colon], rest.dropFirst()) }
        }
        return nil
    }
}
