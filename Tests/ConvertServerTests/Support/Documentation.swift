import FoundationEssentials

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

    /// A payload, a profile and what the profile makes of it: three blocks in a row.
    struct Recipe {
        let place: String
        let input: String
        let profile: String
        let output: String
        /// Whether the inverse direction gives the input back.
        let isReversible: Bool
    }

    /// A program in another language, and what it must print.
    struct ClientProgram {
        let place: String
        let language: String
        let text: String
        let output: String
    }

    /// The README and every page of docs, in the order of their names.
    static let files: [String] = {
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: "\(BuiltProgram.project)/docs")) ?? []
        return ["README.md"] + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

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
        blocks().filter { $0.info == info }.map { ($0.line, $0.lines) }
    }

    /// The triples of `json input`, `json profile` and `json output` or `json output reversible`.
    func recipes() -> [Recipe] {
        let blocks = blocks()
        return zip(blocks, zip(blocks.dropFirst(), blocks.dropFirst(2))).compactMap { input, rest in
            guard input.info == "json input", rest.0.info == "json profile", rest.1.info.hasPrefix("json output") else {
                return nil
            }
            return Recipe(
                place: "\(file):\(input.line)", input: input.text, profile: rest.0.text, output: rest.1.text,
                isReversible: rest.1.info == "json output reversible")
        }
    }

    /// The blocks whose info string is a language and `client`, each with the `text` block behind it.
    func clientPrograms() -> [ClientProgram] {
        let blocks = blocks()
        return zip(blocks, blocks.dropFirst()).compactMap { program, output in
            guard program.info.hasSuffix(" client"), output.info == "text" else { return nil }
            return ClientProgram(
                place: "\(file):\(program.line)", language: String(program.info.dropLast(7)), text: program.text,
                output: output.text)
        }
    }

    /// The targets of the links to other files of the project and to headings, outside of blocks, each once.
    func localLinks() -> Set<String> {
        let targets = prose.flatMap { line in
            line.split(separator: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
        }
        return Set(targets.filter { !$0.hasPrefix("http") })
    }

    /// The anchors of the headings, as they are made where the documents are read.
    func anchors() -> Set<String> {
        let headings = prose.filter { $0.hasPrefix("#") }.map { $0.drop { $0 == "#" }.dropFirst().lowercased() }
        return Set(
            headings.map { heading in
                String(
                    heading.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
            })
    }

    /// The lines that are in no block.
    private var prose: [Substring] {
        var isInside = false
        return lines.filter { line in
            if line.hasPrefix("```") { isInside.toggle() }
            return !isInside
        }
    }

    private struct Block {
        let info: Substring
        let line: Int
        var lines: [Substring]

        var text: String { lines.joined(separator: "\n") }
    }

    private func blocks() -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        for (index, line) in lines.enumerated() {
            if let block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                open = Block(info: line.dropFirst(3), line: index + 2, lines: [])
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
