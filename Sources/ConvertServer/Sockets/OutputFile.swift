import Glibc

/// A file that is written from its beginning.
package struct OutputFile: ~Copyable {
    private let descriptor: FileDescriptor

    /// Creates the file, or empties it.
    package init(path: String) throws(SystemCallError) {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw SystemCallError.last("open") }
        descriptor = FileDescriptor(owning: number)
    }

    package func write(_ bytes: Span<UInt8>) throws(SystemCallError) {
        try OutputStream.write(bytes, to: descriptor.number)
    }
}
