/// Replaces the engine's `SystemInput`: a module has no environment and no files but those that its host has provided.
package enum SystemInput {
    private static let variables = Mutex<[String: [UInt8]]>([:])
    private static let files = Mutex<[String: [UInt8]]>([:])

    /// The bytes of an environment variable; nil if the host provided none.
    static func variable(_ name: String) -> [UInt8]? { variables.withLock { $0[name] } }

    /// The bytes of a file; nil if the host provided none, it is empty, or has more than `maxBytes`.
    static func file(_ path: String, maxBytes: Int) -> [UInt8]? {
        guard let bytes = files.withLock({ $0[path] }), 1...maxBytes ~= bytes.count else { return nil }
        return bytes
    }

    package static func provide(_ bytes: [UInt8], asVariable name: String) { variables.withLock { $0[name] = bytes } }

    package static func provide(_ bytes: [UInt8], asFile path: String) { files.withLock { $0[path] = bytes } }
}
