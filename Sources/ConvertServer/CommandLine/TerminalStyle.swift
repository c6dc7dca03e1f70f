import Sockets

/// Bold and coloured text, for terminals only.
enum TerminalStyle {
    private static let bold = "\u{1B}[1m"
    private static let red = "\u{1B}[31m"
    private static let yellow = "\u{1B}[33m"
    private static let plain = "\u{1B}[0m"

    /// Whether the stream is a terminal that shows colours, and `NO_COLOR` is not set (https://no-color.org).
    static func isWanted(on stream: OutputStream, _ environment: ProcessEnvironment) -> Bool {
        guard stream.isTerminal, (environment["NO_COLOR"] ?? "").isEmpty else { return false }
        return !["", "dumb"].contains(environment["TERM"] ?? "")
    }

    static func emphasized(_ text: String) -> String { "\(bold)\(text)\(plain)" }

    /// A message with its beginning in bold (the position in the file or the program's name), an error code in red, and
    /// `warning` in yellow. An indented line, such as one of a file, is not changed.
    static func painted(_ message: String) -> String {
        guard message.first != " ", let (beginning, rest) = halves(of: message[...]) else { return message }
        guard let (code, text) = halves(of: rest), let color = color(of: code) else {
            return "\(bold)\(beginning):\(plain) \(rest)"
        }
        return "\(bold)\(beginning):\(plain) \(color)\(code):\(plain) \(text)"
    }

    /// Nil for the code of a note, and for other text.
    private static func color(of code: Substring) -> String? {
        switch code {
        case "warning": yellow
        case "note", "condition": nil
        default: code.allSatisfy(\.isLetter) ? red : nil
        }
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
