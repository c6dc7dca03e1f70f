import Glibc

/// The identity of a file, the same for every path to it.
package struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let number: ino_t
    /// Whether it is a file with content of its own, and not a directory, a terminal or `/dev/null`.
    package let isRegular: Bool

    /// The file at a path. Nil if there is no visible file.
    package init?(path: String, followsLinks: Bool = false) {
        var status = stat()
        guard unsafe (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
        isRegular = status.st_mode & S_IFMT == S_IFREG
    }
}
