import Glibc

@testable import Sockets

/// The paths of the program under test, beside the test bundle, and of the project's own files.
package enum BuiltProgram {
    /// The path of `convert-server`: the program built together with the tests, unless `CONVERT_PROGRAM` gives another.
    package static let path: String = {
        if let path = ProcessEnvironment.process["CONVERT_PROGRAM"] { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let runner = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return runner.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" } + "/convert-server"
    }()

    /// The project's directory, two above this file's.
    package static let project = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// Runs `convert-server` with only the variables in `environment`.
    package static func run(
        _ arguments: String..., input: String = "", environment: [String: String] = [:],
        output: ChildProcess.Output = .pipe
    ) throws -> ChildProcess.Outcome {
        try run(arguments: arguments, input: input, environment: environment, output: output)
    }

    package static func run(
        arguments: [String], input: String = "", environment: [String: String] = [:],
        output: ChildProcess.Output = .pipe
    ) throws -> ChildProcess.Outcome {
        try ChildProcess(
            program: path, arguments: arguments, environment: environment,
            input: .bytes(Array(input.utf8)), output: output
        ).run()
    }
}
