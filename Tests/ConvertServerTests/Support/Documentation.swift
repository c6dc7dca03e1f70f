@testable import ConvertServer

/// The project's Markdown files as tests see them: fenced blocks, found by what stands behind their opening fence.
struct Documentation {
    /// A command after `$ `, continued after `> `, and the lines that it must print.
    struct Step {
        let file: String
        let line: Int
        let command: String
        let output: String
    }

    static let files = ["README.md", "docs/cli.md", "docs/gateway.md", "docs/http.md", "docs/profile.md"]

    let file: String
    let text: String
    private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// Reads a file of the project.
    init(_ file: String) throws {
        self.file = file
        let input = try InputFile(path: "\(BuiltProgram.project)/\(file)")
        text = String(decoding: try input.readAll(maxBytes: 1024 * 1024), as: UTF8.self)
    }

    /// The blocks with this info string, each with the number of its first line.
    func blocks(_ info: String) -> [(line: Int, lines: [Substring])] {
        var blocks: [(line: Int, lines: [Substring])] = []
        var open: (info: Substring, line: Int, lines: [Substring])?
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    if block.info == info { blocks.append((block.line, block.lines)) }
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = (line.dropFirst(3), index + 2, [])
            }
        }
        return blocks
    }

    /// The commands of all `console` blocks.
    func steps() -> [Step] {
        blocks("console").flatMap { block in
            var steps: [(line: Int, command: String, output: [Substring])] = []
            for (index, line) in block.lines.enumerated() {
                if line.hasPrefix("$ ") {
                    steps.append((block.line + index, String(line.dropFirst(2)), []))
                } else if line.hasPrefix("> "), steps.last?.output.isEmpty == true {
                    steps[steps.count - 1].command += "\n" + line.dropFirst(2)
                } else if !steps.isEmpty {
                    steps[steps.count - 1].output.append(line)
                }
            }
            return steps.map {
                Step(file: file, line: $0.line, command: $0.command, output: $0.output.joined(separator: "\n"))
            }
        }
    }
}
