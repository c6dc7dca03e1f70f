/// Runs the scripts of `Tests/reference`, which were written from the specification alone.
package enum PythonReference {
    package struct Failure: Error { let errors: String }

    /// Whether the machine has a Python that can run the reference.
    package static let isAvailable = (try? run("convert_reference.py", ["--help"]))?.status == 0

    /// The path of the Python that has the packages of `tools/requirements.txt`, which `tools/check` installs; else the system's.
    package static let installed =
        ["\(BuiltProgram.project)/.build/venv/bin/python3", "/usr/bin/python3"].first { path in
            (try? ChildProcess(program: path, arguments: ["-c", "import jsonschema, referencing, yaml"]).run().status)
                == 0
        }

    /// Runs a script with `input` on its standard input.
    package static func run(_ script: String, _ arguments: [String], input: ChildProcess.Input = .bytes([])) throws
        -> ChildProcess.Outcome
    {
        try ChildProcess(script: "reference/\(script)", arguments, input: input).run()
    }

    /// The reference's output for a payload.
    package static func convert(_ payload: ChildProcess.Input, profile: String, lines: Bool) throws -> [UInt8] {
        let directory = try TemporaryDirectory()
        let path = try directory.write("profile.json", profile)
        let outcome = try run(
            "convert_reference.py", ["--profile", path] + (lines ? ["--ndjson"] : []), input: payload)
        guard outcome.status == 0 else { throw Failure(errors: outcome.errors) }
        return outcome.output
    }
}
