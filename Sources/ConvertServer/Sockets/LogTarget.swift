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
    package func write(_ bytes: Span<UInt8>) -> Int {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                return written
            } else if errno == EAGAIN {
                waitUntilWritable()
            }
        }
        return written
    }

    /// Waits for room: another process that shares the terminal or pipe may have made it non-blocking.
    private func waitUntilWritable() {
        var watched = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&watched, 1, -1)
    }
}
