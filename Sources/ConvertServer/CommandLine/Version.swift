/// The version of the program, as `CHANGELOG.md` and `openapi.yaml` name it.
enum Version {
    static let current = "0.1.0"

    /// The processor's architecture, and the instructions that the program needs of it.
    static var instructionSet: String {
        #if arch(x86_64)
            "x86-64 with SSE2"
        #elseif arch(arm64)
            "arm64 with NEON"
        #else
            "portable"
        #endif
    }
}
