import Glibc

/// The target of a log: a descriptor that another owner keeps open.
package struct LogTarget: Sendable {
    package let number: Int32

    package static let standardOutput = LogTarget(number: STDOUT_FILENO)
    package static let standardError = LogTarget(number: STDERR_FILENO)

    /// Writes `bytes` and waits for room without a limit.
    ///
    /// - Returns: the number of written bytes. It is less than all if the system refused the rest, for example on a
    ///   full disk or a pipe without a reader.
    package func write(_ bytes: Span<UInt8>) -> Int { OutputStream.writtenBytes(of: bytes, to: number) }
}
