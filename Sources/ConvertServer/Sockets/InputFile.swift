import Glibc

/// An open input: a file that closes with its owner, or the standard input.
package struct InputFile: ~Copyable {
    private let descriptor: Int32
    private let isOwned: Bool

    /// The standard input, which stays open.
    package init() {
        descriptor = STDIN_FILENO
        isOwned = false
    }

    /// Opens the file at `path` for reading.
    ///
    /// - Parameter isRegular: whether only a regular file is accepted. Otherwise opening a pipe waits until it has a
    ///   writer.
    package init(path: String, isRegular: Bool = false) throws(SystemCallError) {
        // A pipe is not even opened: its writer would take this for its reader.
        if isRegular, FileIdentity(path: path, followsLinks: true)?.isRegular == false {
            throw SystemCallError(call: "fstat", number: EINVAL)
        }
        let flags = O_RDONLY | O_CLOEXEC | (isRegular ? O_NONBLOCK : 0)
        var opened: Int32
        repeat { opened = unsafe Glibc.open(path, flags) } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw SystemCallError.last("open") }
        guard !isRegular || Self.byteCount(opened) != nil else {
            _ = close(opened)
            throw SystemCallError(call: "fstat", number: EINVAL)
        }
        descriptor = opened
        isOwned = true
    }

    deinit {
        if isOwned { _ = close(descriptor) }
    }

    /// Bytes of a regular file; nil for pipes, terminals and devices.
    package var byteCount: Int? { Self.byteCount(descriptor) }

    private static func byteCount(_ descriptor: Int32) -> Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Reads at most as many bytes as `buffer` has from `start` on, to there; 0 means the end of the input.
    package func read(into buffer: inout [UInt8], from start: Int = 0) throws(SystemCallError) -> Int {
        precondition(start < buffer.count, "there is no room to read to")
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe Glibc.read(descriptor, bytes.baseAddress.unsafelyUnwrapped + start, bytes.count - start)
            }
            if count >= 0 { return count }
            if errno == EAGAIN {
                FileDescriptor.wait(for: POLLIN, on: descriptor)
            } else if errno != EINTR {
                throw SystemCallError.last("read")
            }
        }
    }

    /// Reads all that is left, or as much as shows that it is more than `maxBytes`.
    package func readAll(maxBytes: Int) throws(SystemCallError) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while all.count <= maxBytes {
            let count = try read(into: &buffer)
            guard count > 0 else { break }
            all.append(contentsOf: buffer[..<count])
        }
        return all
    }
}
