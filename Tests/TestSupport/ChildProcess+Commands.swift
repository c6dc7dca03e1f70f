@testable import Sockets

/// Programs of the system and scripts of the project. Their environment is only the search path.
extension ChildProcess {
    /// The search path of the tests, and the directories of daemons, which it may lack.
    package static let searchPath =
        (ProcessEnvironment.process["PATH"] ?? "/usr/local/bin:/usr/bin:/bin") + ":/usr/sbin:/sbin"

    /// The program of the search path that is called `command`.
    package init(
        command: String, _ arguments: [String] = [], input: Input = .bytes([]), output: Output = .pipe
    ) {
        self.init(
            program: "/usr/bin/env", arguments: [command] + arguments, environment: ["PATH": Self.searchPath],
            input: input, output: output)
    }

    /// A Python script; its path begins in `Tests`.
    package init(script: String, _ arguments: [String] = [], input: Input = .bytes([]), output: Output = .pipe) {
        self.init(
            command: "python3", ["-B", "\(BuiltProgram.project)/Tests/\(script)"] + arguments, input: input,
            output: output)
    }

    /// Whether a directory of the search path contains this program.
    package static func isInstalled(_ command: String) -> Bool {
        searchPath.split(separator: ":").contains { (try? InputFile(path: "\($0)/\(command)")) != nil }
    }
}
