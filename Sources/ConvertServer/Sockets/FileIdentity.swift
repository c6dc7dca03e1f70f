import Glibc

/// What tells one file from every other, whatever path leads to it.
struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let number: ino_t

    /// The file at a path, itself if it is a symbolic link; nil where there is none to be seen.
    package init?(path: String) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return nil }
        device = status.st_dev
        number = status.st_ino
    }
}
