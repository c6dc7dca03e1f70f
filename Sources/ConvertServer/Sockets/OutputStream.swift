import Glibc

/// One of the process's two output streams, written without a buffer.
package enum OutputStream: Int32 {
    case output = 1
    case error = 2

    package var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes all of `bytes`, with as many calls as needed.
    package func write(_ bytes: Span<UInt8>) throws(SystemCallError) { try Self.write(bytes, to: rawValue) }

    package static func write(_ bytes: Span<UInt8>, to descriptor: Int32) throws(SystemCallError) {
        guard writtenBytes(of: bytes, to: descriptor) == bytes.count else { throw SystemCallError.last("write") }
    }

    /// Writes `bytes` to a descriptor and waits for room without a limit.
    ///
    /// - Returns: the number of written bytes. It is less than all if the system refused the rest, for example on a
    ///   full disk or a pipe without a reader; `errno` has the reason.
    package static func writtenBytes(of bytes: Span<UInt8>, to descriptor: Int32) -> Int {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(written..<bytes.count)
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
                return written
            } else if errno == EAGAIN {
                FileDescriptor.wait(for: POLLOUT, on: descriptor)
            }
        }
        return written
    }
}

extension OutputStream {
    /// Prepares the process for streams that are closed or disappear.
    ///
    /// Instead of ending the process by a signal, a write to a pipe without a reader then fails with EPIPE, and one beyond
    /// the size limit of files (`ulimit -f`) with EFBIG. Descriptors 0 to 2 that the parent closed are replaced by a file on
    /// which the stream's own use fails with EBADF. Otherwise the next file or socket would get the number and receive the output.
    package static func prepareProcess() {
        for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            // `open` takes the lowest free number, which is this one.
            _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
