#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The environment and small files. Nothing else in this module reads from the system.
package enum SystemInput {
    /// The bytes of an environment variable; nil if it is not set.
    package static func variable(_ name: String) -> [UInt8]? {
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    /// The bytes of a file; nil if it cannot be read, is empty, or has more than `maxBytes`.
    static func file(_ path: String, maxBytes: Int) -> [UInt8]? {
        guard let file = unsafe fopen(path, "rbe") else { return nil }
        defer { unsafe fclose(file) }
        var failed = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: maxBytes + 1) { buffer, count in
            unsafe count = fread(buffer.baseAddress, 1, buffer.count, file)
            failed = unsafe ferror(file) != 0
        }
        // A directory can be opened, but not read.
        return failed || bytes.isEmpty || bytes.count > maxBytes ? nil : bytes
    }
}
