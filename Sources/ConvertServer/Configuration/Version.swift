import ConvertEngine

/// The version of the program, the same as in `CHANGELOG.md` and `openapi.yaml`.
enum Version {
    static let current = "0.1.0"

    /// The processor's architecture, and the vector instructions that the program uses.
    static var instructionSet: String {
        #if arch(x86_64)
            "x86-64 with SSE2" + (Converter.wideVectors.map { " and \($0)" } ?? "")
        #elseif arch(arm64)
            "arm64 with NEON"
        #else
            "portable"
        #endif
    }
}
