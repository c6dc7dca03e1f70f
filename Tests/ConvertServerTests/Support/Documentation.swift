import FoundationEssentials
import TestSupport

@testable import Conversions
@testable import ConvertServer
@testable import Sockets

/// The project's Markdown files for tests: fenced blocks, identified by the info string after their opening fence.
///
/// An info string that ends in `file NAME` gives the block a file name; its section is then a walkthrough.
struct Documentation {
    /// A command after `$ `, continued after `> `, and the output lines that are expected.
    struct Step {
        let file: String
        let line: Int
        let command: String
        let output: String
    }

    /// A payload, a profile and the profile's output. Payload and profile are the last ones before the output in its section.
    struct Recipe {
        let location: String
        let input: String
        let profile: String
        let output: String
        /// Whether the inverse direction gives the input back.
        let isReversible: Bool
    }

    /// A section with its own files, and the commands that a reader runs in their directory.
    struct Walkthrough {
        let location: String
        let files: [(name: String, text: String)]
        let steps: [Step]
    }

    /// A program in another language, and its expected output.
    struct ClientProgram {
        let location: String
        let language: String
        let text: String
        let output: String
    }

    /// The README, the documents beside it, and every page of docs, sorted by name.
    static let files: [String] = {
        let pages = (try? FileManager.default.contentsOfDirectory(atPath: "\(BuiltProgram.project)/docs")) ?? []
        return ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
            + pages.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
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
        blocks().filter { $0.info == info && $0.fileName == nil }.map { ($0.line, $0.lines) }
    }

    /// The blocks `json output` and `json output reversible`, each with its `json input` and `json profile`.
    func recipes() -> [Recipe] {
        var input: Block?
        var profile: Block?
        return blocks().compactMap { block in
            switch block.info {
            case "json input": input = block
            case "json profile": profile = block
            default: break
            }
            guard block.info.hasPrefix("json output"), let input, let profile, input.section == block.section,
                profile.section == block.section
            else { return nil }
            return Recipe(
                location: "\(file):\(input.line)", input: input.text, profile: profile.text, output: block.text,
                isReversible: block.info == "json output reversible")
        }
    }

    /// The sections with file names.
    func walkthroughs() -> [Walkthrough] {
        Dictionary(grouping: blocks(), by: \.section).values.compactMap { blocks in
            let files = blocks.compactMap { block in block.fileName.map { (String($0), block.text + "\n") } }
            guard let first = blocks.first, !files.isEmpty else { return nil }
            return Walkthrough(
                location: "\(file):\(first.line)", files: files,
                steps: blocks.filter { $0.info == "console" }.flatMap(steps))
        }
    }

    /// The blocks with a language and `client` as info string, each with the `text` block after it.
    func clientPrograms() -> [ClientProgram] {
        let blocks = blocks()
        return zip(blocks, blocks.dropFirst()).compactMap { program, output in
            guard program.info.hasSuffix(" client"), output.info == "text" else { return nil }
            return ClientProgram(
                location: "\(file):\(program.line)", language: String(program.info.dropLast(7)), text: program.text,
                output: output.text)
        }
    }

    /// The targets of links to other files of the project and to headings, outside blocks, without duplicates.
    func localLinks() -> Set<String> {
        let targets = prose.flatMap { line in
            line.split(separator: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
        }
        return Set(targets.filter { !$0.hasPrefix("http") })
    }

    /// The anchors of the headings, as the viewers of these documents make them.
    func anchors() -> Set<String> {
        let headings = prose.filter { $0.hasPrefix("#") }.map { $0.drop { $0 == "#" }.dropFirst().lowercased() }
        return Set(
            headings.map { heading in
                String(
                    heading.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
            })
    }

    /// The texts between single backticks, outside blocks. Lines with an unclosed backtick are skipped.
    func codeSpans() -> [(location: String, text: String)] {
        prose.flatMap { line -> [(location: String, text: String)] in
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            guard parts.count % 2 == 1 else { return [] }
            return stride(from: 1, to: parts.count, by: 2).map { ("\(file): \(parts[$0])", String(parts[$0])) }
        }
    }

    /// The lines outside all blocks.
    private var prose: [Substring] {
        var isInside = false
        return lines.filter { line in
            if line.drop(while: { $0 == " " }).hasPrefix("```") { isInside.toggle() }
            return !isInside
        }
    }

    private struct Block {
        let info: Substring
        let fileName: Substring?
        /// The number of the section in the document.
        let section: Int
        let line: Int
        let isIndented: Bool
        var lines: [Substring] = []

        var text: String { lines.joined(separator: "\n") }
    }

    private func blocks() -> [Block] {
        var blocks: [Block] = []
        var open: Block?
        var section = 0
        for (index, indented) in lines.enumerated() {
            // A block in a list is indented.
            let line = indented.hasPrefix("   ") && open?.isIndented ?? true ? indented.dropFirst(3) : indented
            if let block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    open?.lines.append(line)
                }
            } else if line.hasPrefix("```") {
                let info = line.dropFirst(3)
                let name = info.firstRange(of: " file ")
                open = Block(
                    info: name.map { info[..<$0.lowerBound] } ?? info, fileName: name.map { info[$0.upperBound...] },
                    section: section, line: index + 2, isIndented: line.startIndex != indented.startIndex)
            } else if line.hasPrefix("## ") {
                section += 1
            }
        }
        return blocks
    }

    /// The commands of the `console` blocks in sections without files.
    func steps() -> [Step] {
        let blocks = blocks()
        let walkthroughs = Set(blocks.filter { $0.fileName != nil }.map(\.section))
        return blocks.filter { $0.info == "console" && !walkthroughs.contains($0.section) }.flatMap(steps)
    }

    private func steps(of block: Block) -> [Step] {
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
