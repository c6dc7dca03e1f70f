import ConvertEngine
import ConvertProfiles
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer

/// The examples in the documents give the results that the documents show.
struct DocumentationTests {
    private static let server = "localhost:8080"
    /// The ports in walkthroughs.
    private static let ports = ["8080", "8081", "3000"]
    /// The line that is printed after each step of a walkthrough.
    private static let mark = "=== END OF STEP ==="

    @Test func `the documents' command lines print the output in the documents`() throws {
        let steps = try Documentation.files.flatMap { try Documentation($0).steps() }
        let local = steps.filter { !$0.command.contains(Self.server) }
        #expect(local.count >= 10)
        for step in local { try expect(step, command: step.command) }
    }

    @Test func `the documents' requests get the responses in the documents`() throws {
        let steps = try Documentation.files.flatMap { try Documentation($0).steps() }
        let remote = steps.filter { $0.command.contains(Self.server) }
        #expect(remote.count >= 10)
        let server = try LiveServer(profilesIn: "\(BuiltProgram.project)/examples/profiles")
        for step in remote {
            try expect(step, command: step.command.replacing(Self.server, with: server.address))
        }
    }

    @Test func `the documents' sections with files print their output, in a directory with these files`() throws {
        let walkthroughs = try Documentation.files.flatMap { try Documentation($0).walkthroughs() }
        #expect(walkthroughs.count >= 5)
        for walkthrough in walkthroughs { try run(walkthrough) }
    }

    @Test func `the documents' profiles have no errors and their examples pass`() throws {
        for file in Documentation.files {
            for block in try Documentation(file).blocks("json profile") {
                let report = ProfileReport(checking: Array(block.lines.joined(separator: "\n").utf8))
                #expect(report.faults.isEmpty, "\(file):\(block.line)")
                guard let profile = report.profile else { continue }
                let plan = try profile.compile(.forward)
                for example in profile.examples {
                    #expect(example.fault(under: plan) == nil, "\(file):\(block.line)")
                }
            }
        }
    }

    @Test func `each recipe's profile converts its input to its output, and back if reversible`() throws {
        let recipes = try Documentation.files.flatMap { try Documentation($0).recipes() }
        #expect(recipes.count >= 12)
        for recipe in recipes {
            let profile = try Profile(parsing: recipe.profile)
            let output = try profile.compile(.forward).convert(recipe.input)
            #expect(try minified(output) == minified(recipe.output), "\(recipe.location)")
            guard recipe.isReversible else { continue }
            #expect(
                try profile.compile(.inverse).convert(recipe.output) == minified(recipe.input), "\(recipe.location)")
        }
    }

    @Test func `the documents' gateway configurations have no errors`() throws {
        for file in Documentation.files {
            for block in try Documentation(file).blocks("json config") {
                let outcome = try shell(
                    "convert-server check --config - <<'END'\n\(block.lines.joined(separator: "\n"))\nEND")
                #expect(outcome.status == 0, "\(file):\(block.line): \(outcome.text)\(outcome.errors)")
            }
        }
    }

    @Test func `the documents' clients print the documented output, in each installed language`() throws {
        let programs = try Documentation.files.flatMap { try Documentation($0).clientPrograms() }
        #expect(programs.count >= 3)
        let server = try LiveServer(profilesIn: "\(BuiltProgram.project)/examples/profiles")
        for program in programs {
            let interpreter = ["python": "python3 -", "javascript": "node --input-type=module -"][program.language]
            let command = try #require(interpreter, "\(program.location)")
            guard try shell("command -v \(command.prefix { $0 != " " })").status == 0 else { continue }
            let text = program.text.replacing(Self.server, with: server.address)
            let outcome = try shell("\(command) <<'END'\n\(text)\nEND")
            #expect(outcome.text == program.output + "\n", "\(program.location): \(outcome.errors)")
        }
    }

    @Test func `the documents' links point to files and headings that exist`() throws {
        for file in Documentation.files {
            let directory = file.split(separator: "/").dropLast().joined(separator: "/")
            for link in try Documentation(file).localLinks() {
                let parts = link.split(separator: "#", omittingEmptySubsequences: false)
                let target = parts[0].isEmpty ? file : directory.isEmpty ? String(parts[0]) : "\(directory)/\(parts[0])"
                #expect(FileManager.default.fileExists(atPath: "\(BuiltProgram.project)/\(target)"), "\(file): \(link)")
                guard parts.count > 1, target.hasSuffix(".md") else { continue }
                #expect(try Documentation(target).anchors().contains(String(parts[1])), "\(file): \(link)")
            }
        }
    }

    @Test func `the example profiles have no errors, and their examples pass`() throws {
        let outcome = try shell("convert-server check examples/profiles/*.json")
        #expect(outcome.status == 0, "\(outcome.text)")
        let lines = outcome.text.split(separator: "\n")
        #expect(lines.count >= 6)
        for line in lines {
            let isReversal = [": reversible", ": one way: ", ": condition: "].contains(where: line.contains)
            #expect(line.hasSuffix(" holds") || line.hasSuffix(" hold") || isReversal, "\(line)")
        }
    }

    @Test func `the program contains openapi.yaml and the profile schema unchanged`() throws {
        #expect(Array(try Documentation("openapi.yaml").text.utf8) == PackageResources.openapi_yaml)
        #expect(Array(try Documentation("profile.schema.json").text.utf8) == PackageResources.profile_schema_json)
    }

    /// Runs the steps in order in one shell, on free ports; programs that the steps have started end with the shell.
    private func run(_ walkthrough: Documentation.Walkthrough) throws {
        #expect(!walkthrough.steps.isEmpty, "\(walkthrough.location)")
        var script = """
            directory=$(mktemp -d)
            trap 'kill -KILL $(jobs -p) 2>/dev/null; wait 2>/dev/null; rm -rf "$directory"' EXIT
            cd "$directory"

            """
        for file in walkthrough.files {
            script +=
                "mkdir -p \"$(dirname '\(file.name)')\"\ncat >'\(file.name)' <<'END-OF-FILE'\n\(file.text)END-OF-FILE\n"
        }
        for step in walkthrough.steps { script += "\(step.command)\nprintf '\(Self.mark)'\n" }
        let ports = Dictionary(uniqueKeysWithValues: zip(Self.ports, try FreePorts.find(Self.ports.count)))
        // In one pass, because a new port may contain the digits of another one.
        script.replace(/\b[0-9]{4}\b/) { match in
            ports[String(match.output)].map { String($0) } ?? String(match.output)
        }
        let outcome = try shell(script, interpreter: ["/bin/bash", "--norc"])
        let outputs = outcome.text.split(separator: Self.mark, omittingEmptySubsequences: false)
        for (step, output) in zip(walkthrough.steps, outputs) {
            let found = output.reversed().drop { $0 == "\n" }.reversed()
            #expect(String(found) == step.output, "\(step.file):\(step.line): \(outcome.errors)")
        }
        #expect(outputs.count == walkthrough.steps.count + 1, "\(walkthrough.location): \(outcome.errors)")
    }

    private func minified(_ text: String) throws -> String { try Plan.minify().convert(text) }

    private func expect(_ step: Documentation.Step, command: String) throws {
        let outcome = try shell(command)
        var found = outcome.text
        while found.hasSuffix("\n") { found.removeLast() }
        #expect(found == step.output, "\(step.file):\(step.line): \(outcome.errors)")
    }

    /// Runs a command line in the project's directory, with the built program on the path.
    private func shell(_ command: String, interpreter: [String] = ["/bin/sh"]) throws -> ChildProcess.Outcome {
        let directory = BuiltProgram.path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        return try ChildProcess(
            program: interpreter[0],
            arguments: interpreter.dropFirst() + ["-c", "cd '\(BuiltProgram.project)' && \(command)"],
            environment: ["PATH": "\(directory):/usr/local/bin:/usr/bin:/bin"]
        ).run()
    }
}
