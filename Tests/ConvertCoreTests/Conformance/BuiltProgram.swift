import FoundationEssentials

/// The executable that a debug build leaves behind.
enum BuiltProgram {
    static let path = ConformanceFiles.packageRoot + "/.build/debug/convert-server"

    /// Whether the program exists and reports its own version.
    static let isReady: Bool = {
        guard FileManager.default.isExecutableFile(atPath: path) else { return false }
        let result = try? PythonReference.run(program: path, ["--version"], input: [])
        return result?.status == 0 && result?.output.isEmpty == false
    }()
}
