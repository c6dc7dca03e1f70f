import Glibc
import Synchronization
import Text

/// A file that receives stdout for a while. It replaces the file at its path only after all of it was written.
///
/// A path that is not a regular file, such as `/dev/null` or a named pipe, is written directly. So is an open descriptor, such as
/// `/dev/stdout`: its file may already have content. If a signal ends the process, the new file is removed.
package struct RedirectedOutput: ~Copyable {
    /// The file to replace, with links followed.
    private let path: String
    /// The new file beside it, until it is renamed.
    private var temporary: String?
    private let savedOutput: Int32

    /// Redirects stdout to a new file with the permissions of the file at `path`, or else the usual ones. With `replaces`, that file is also
    /// replaced if the path names an open descriptor, which may be read meanwhile.
    package init(to path: String, replaces: Bool = false) throws(SystemCallError) {
        self.path = Self.resolved(path)
        var status = stat()
        let exists = unsafe stat(self.path, &status) == 0
        let descriptor: Int32
        if !replaces, let number = Self.openDescriptor(path) {
            descriptor = fcntl(number, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw SystemCallError.last("fcntl") }
        } else if exists, status.st_mode & S_IFMT != S_IFREG {
            descriptor = unsafe open(self.path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SystemCallError.last("open") }
        } else {
            guard exists || FileIdentity(path: path) == nil else {
                throw SystemCallError(call: "readlink", number: ENOENT)
            }
            let mask = umask(0)
            _ = umask(mask)
            var template = Array("\(self.path).XXXXXX".utf8CString)
            UnfinishedFile.watch()
            (descriptor, temporary) = UnfinishedFile.path.withLock { path in
                let number = unsafe mkstemp(&template)
                let name = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                path = number >= 0 ? name : nil
                return (number, path)
            }
            guard descriptor >= 0 else { throw SystemCallError.last("mkstemp") }
            // Only root can keep another owner; for others the new file is their own.
            if exists { _ = fchown(descriptor, status.st_uid, status.st_gid) }
            _ = fchmod(descriptor, exists ? status.st_mode & 0o7777 : 0o666 & ~mask)
        }
        savedOutput = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        _ = dup2(descriptor, STDOUT_FILENO)
        _ = close(descriptor)
    }

    deinit {
        _ = dup2(savedOutput, STDOUT_FILENO)
        _ = close(savedOutput)
        if let temporary { _ = unsafe unlink(temporary) }
    }

    /// Replaces the old file by the new one. Without this call the old file stays, and the new one is removed.
    package mutating func commit() throws(SystemCallError) {
        guard let temporary else { return }
        let isRenamed = UnfinishedFile.path.withLock { unfinished in
            let isRenamed = unsafe rename(temporary, path) == 0
            if isRenamed { unfinished = nil }
            return isRenamed
        }
        guard isRenamed else { throw SystemCallError.last("rename") }
        self.temporary = nil
    }

    /// The number of the descriptor that a path names.
    package static func openDescriptor(_ path: String) -> Int32? {
        switch path {
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        default: (path.dropping(prefix: "/dev/fd/") ?? path.dropping(prefix: "/proc/self/fd/")).flatMap { Int32($0) }
        }
    }

    private static func resolved(_ path: String) -> String {
        guard let target = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(target) }
        return unsafe String(cString: target)
    }
}
