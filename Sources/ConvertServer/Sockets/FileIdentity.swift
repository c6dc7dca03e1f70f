import Glibc

/// The identity of a file, the same for every path to it.
struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let number: ino_t

    /// The file at a path. A symbolic link is not followed. Nil if there is no visible file.
    package init?(path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
