/// The commands that a document shows, including those that no test can run: `docker`, `kubectl`, `sudo`.
extension Documentation {
    /// A simple command, without quotes, comments, redirections and the commands before and after it.
    struct Command {
        let location: String
        let words: [Substring]
    }

    /// The texts of the `sh` blocks, each with its file and line.
    func scripts() -> [(location: String, text: String)] {
        blocks("sh").map { ("\(file):\($0.line)", $0.lines.joined(separator: "\n")) }
    }

    /// The commands of `sh` and `console` blocks, and commands in the prose that begin with a word of `leaders`.
    func commands(leaders: Set<Substring>) -> [Command] {
        let console = blocks("console").map { block in
            let lines = block.lines.filter { $0.hasPrefix("$ ") || $0.hasPrefix("> ") }.map { $0.dropFirst(2) }
            return (location: "\(file):\(block.line)", text: lines.joined(separator: "\n"))
        }
        let prose = codeSpans().filter { span in
            span.text.split(separator: " ").first.map(leaders.contains) ?? false
        }
        return (scripts() + console + prose).flatMap(Self.commands)
    }

    private static func commands(location: String, text: String) -> [Command] {
        let lines = text.replacing("\\\n", with: " ").split(separator: "\n")
        let code = lines.map { line in line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line }
        return code.joined(separator: "\n").split { "\n|&;<>()'\"".contains($0) }.map { part in
            Command(location: location, words: part.split(separator: " "))
        }
    }
}
