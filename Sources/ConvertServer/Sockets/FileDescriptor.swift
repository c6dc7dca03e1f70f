import Glibc

/// An open descriptor with one owner; it closes once, with its owner.
struct FileDescriptor: ~Copyable, Sendable {
    let number: Int32

    /// Takes over a descriptor that nobody else closes.
    init(owning number: Int32) {
        precondition(number >= 0, "a descriptor is not negative")
        self.number = number
    }

    deinit {
        // Never repeated on EINTR: Linux has freed the number by then, and another thread may have got it.
        _ = close(number)
    }
}

extension FileDescriptor {
    /// A descriptor of no use but to be given up when all are taken; nil when all are taken already.
    static func spare() -> FileDescriptor? {
        let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        return number < 0 ? nil : FileDescriptor(owning: number)
    }
}
