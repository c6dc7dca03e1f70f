import Glibc
package import Text

/// The files of a directory and their versions, to detect changes.
package struct DirectoryListing: Sendable, Hashable {
    /// One file, links followed.
    package struct Entry: Sendable, Hashable {
        package let name: ExactText
        let device: UInt64
        let inode: UInt64
        package let byteCount: Int64
        /// The first whole second after the file was last changed, replaced or moved here. A copy may keep an older time of its last
        /// writing.
        package let changedSeconds: Int64
        let changedNanoseconds: Int64

        /// The file at a path, with links followed. For a link without a target, it is the link itself. Nil if there is no file.
        package init?(path: String, name: String) {
            var status = stat()
            guard unsafe stat(path, &status) == 0 || lstat(path, &status) == 0 else { return nil }
            self.name = ExactText(name)
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
            byteCount = Int64(status.st_size)
            changedSeconds = Int64(status.st_ctim.tv_sec) + 1
            changedNanoseconds = Int64(status.st_ctim.tv_nsec)
        }
    }

    /// By name, in the order of bytes.
    package let entries: [Entry]

    /// Lists the files of `path` whose names end in `suffix`, do not begin with a dot, and are UTF-8. A request could not
    /// contain another name. Directories and links to nothing are listed too, so that reading them gives an error.
    package init(path: String, suffix: String) throws(SystemCallError) {
        guard let directory = unsafe opendir(path) else { throw SystemCallError.last("opendir") }
        defer { unsafe closedir(directory) }
        var entries: [Entry] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                    unsafe String(validatingCString: $0)
                }
            }
            guard let name, name.utf8.reversed().starts(with: suffix.utf8.reversed()), name.utf8.first != ASCII.dot
            else {
                continue
            }
            if let entry = Entry(path: "\(path)/\(name)", name: name) { entries.append(entry) }
        }
        self.entries = entries.sorted { $0.name.text.utf8.lexicographicallyPrecedes($1.name.text.utf8) }
    }
}

extension SystemCallError {
    /// The errno for a file that is too large.
    package static var tooLarge: Int32 { EFBIG }
}
