import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertServer

/// Commands in the documents that no test can run, because they need Docker, Kubernetes, systemd or root, refer to existing files.
struct ShellCommandTests {
    /// Words that begin a command in the prose.
    private static let leaders: Set<Substring> = ["make", "convert-server", "sudo", "docker", "kubectl", "systemctl"]
    private static let folders = ["deploy", "docs", "examples", "packaging", "tools"]

    private static let commands: [Documentation.Command] =
        (try? Documentation.files.flatMap { try Documentation($0).commands(leaders: leaders) }) ?? []

    @Test func `the documents' shell blocks are correct bash`() throws {
        let scripts = try Documentation.files.flatMap { try Documentation($0).scripts() }
        #expect(scripts.count >= 20)
        for script in scripts {
            let outcome = try ChildProcess(
                program: "/bin/bash", arguments: ["-n"], input: .bytes(Array(script.text.utf8))
            ).run()
            #expect(outcome.status == 0, "\(script.location): \(outcome.errors)")
        }
    }

    @Test func `the documents' commands of make name targets and variables of the Makefile`() throws {
        let makefile = try Documentation("Makefile").text
        var count = 0
        for command in Self.commands where command.words.first == "make" {
            for word in command.words.dropFirst() {
                count += 1
                let parts = word.split(separator: "=", omittingEmptySubsequences: false)
                let name = String(parts[0])
                // REBUILD is a variable of the scripts in tools.
                let isKnown =
                    parts.count == 1
                    ? makefile.contains("\n\(name):") : makefile.contains("$(\(name))") || name == "REBUILD"
                #expect(isKnown, "\(command.location): \(word)")
            }
        }
        #expect(count >= 20)
    }

    @Test func `the documents' commands of convert-server name existing options`() throws {
        var options: [Substring: Set<Substring>] = [:]
        for name in ["convert", "minify", "check", "infer", "serve", "health"] {
            let help = try BuiltProgram.run(name, "--help").text
            options[Substring(name)] = Set(help.matches(of: /(?:^|[ ,])(--?[a-z][a-z-]*)/).map(\.1))
        }
        var count = 0
        for command in Self.commands {
            for (index, word) in command.words.enumerated() where word.split(separator: "/").last == "convert-server" {
                let arguments = command.words.dropFirst(index + 1)
                guard let name = arguments.first, let known = options[name] else { continue }
                for argument in arguments.dropFirst() where argument.hasPrefix("-") && argument != "-" {
                    count += 1
                    #expect(known.contains(argument.prefix { $0 != "=" }), "\(command.location): \(name) \(argument)")
                }
            }
        }
        #expect(count >= 40)
    }

    @Test func `the documents' commands name files and directories that exist`() throws {
        var count = 0
        for command in Self.commands {
            for word in command.words {
                // This also covers `$PWD/examples/profiles:/etc/convert/profiles:ro`.
                let path = word.hasPrefix("$PWD/") ? word.dropFirst(5).prefix { $0 != ":" } : word
                guard let folder = path.split(separator: "/").first, Self.folders.contains(String(folder)),
                    path.contains("/"), !path.contains("*")
                else { continue }
                count += 1
                #expect(
                    FileManager.default.fileExists(atPath: "\(BuiltProgram.project)/\(path)"), "\(command.location)")
            }
        }
        #expect(count >= 15)
    }

    @Test func `the documents' commands name release files and images of this version`() {
        var count = 0
        for command in Self.commands {
            for word in command.words {
                for match in word.matches(of: /convert(?:-server)?[-_:]([0-9]+\.[0-9]+\.[0-9]+)/) {
                    count += 1
                    #expect(match.1 == Version.current, "\(command.location): \(word)")
                }
            }
        }
        #expect(count >= 4)
    }

    @Test func `the documents' commands of kubectl name objects of the manifests`() throws {
        let manifest = try Documentation("deploy/kubernetes/sidecar/sidecar.yaml").text
        let names = Self.commands.filter { $0.words.first == "kubectl" }.flatMap(\.words).compactMap { word in
            word.hasPrefix("deployment/") ? word.dropFirst("deployment/".count) : nil
        }
        #expect(!names.isEmpty)
        for name in names { #expect(manifest.contains("kind: Deployment\nmetadata:\n  name: \(name)\n"), "\(name)") }
    }
}
