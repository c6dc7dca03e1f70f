import Glibc

/// An open descriptor with one owner. It closes once, with its owner.
package struct FileDescriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over a descriptor that no other code closes.
    package init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is not negative")
        self.number = number
    }

    deinit {
        // Never repeat it on EINTR: Linux has already freed the number, and another thread may have it.
        _ = close(number)
    }
}

extension FileDescriptor {
    /// A spare descriptor, to be released when all others are in use; nil if all are already in use.
    ///
    /// A socket needs no file: a minimal root directory has no `/dev/null`.
    package static func spare() -> FileDescriptor? {
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        return number < 0 ? nil : FileDescriptor(owning: number)
    }
}
