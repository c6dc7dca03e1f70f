import Foundation

/// Runs the scripts of `Tests/reference`, which were written from the specification alone.
///
/// Only tests use Foundation's `Process`. The processes exchange files instead of pipes, so that neither side can block the other.
enum PythonReference {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    struct Result {
        var status: Int32
        var output: [UInt8]
        var complaint: String
    }

    /// Whether the machine has a Python that can run the reference.
    static let isAvailable: Bool = {
        let result = try? run("convert_reference.py", ["--help"])
        return result?.status == 0
    }()

    /// Runs a script with `input` on its standard input.
    static func run(_ script: String, _ arguments: [String], input: [UInt8] = []) throws -> Result {
        try run(program: "python3", ["-B", ConformanceFiles.reference + "/" + script] + arguments, input: input)
    }

    /// The reference's output for a payload.
    static func convert(_ payload: [UInt8], profile: String, lines: Bool) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/profile.json"
        try Data(profile.utf8).write(to: URL(filePath: path))
        let result = try run(
            "convert_reference.py", ["--profile", path] + (lines ? ["--ndjson"] : []), input: payload)
        guard result.status == 0 else { throw Failure(description: result.complaint) }
        return result.output
    }

    /// Runs a program found on the search path and waits for its end.
    static func run(program: String, _ arguments: [String], input: [UInt8]) throws -> Result {
        let directory = try TemporaryDirectory()
        let names = ["in", "out", "err"].map { URL(filePath: directory.path + "/" + $0) }
        try Data(input).write(to: names[0])
        for name in names.dropFirst() { try Data().write(to: name) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = try FileHandle(forReadingFrom: names[0])
        process.standardOutput = try FileHandle(forWritingTo: names[1])
        process.standardError = try FileHandle(forWritingTo: names[2])
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: [UInt8](try Data(contentsOf: names[1])),
            complaint: String(decoding: try Data(contentsOf: names[2]), as: UTF8.self))
    }
}

/// A directory that is deleted together with its owner.
struct TemporaryDirectory: ~Copyable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/convert-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
