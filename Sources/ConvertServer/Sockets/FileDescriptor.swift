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
    package static func spare() -> FileDescriptor? { try? FileDescriptor(socketOf: AF_UNIX) }

    /// A new socket of an address family.
    init(
        socketOf family: Int32, _ kind: __socket_type = SOCK_STREAM, blocks: Bool = false
    ) throws(SystemCallError) {
        let flags = SOCK_CLOEXEC.rawValue | (blocks ? 0 : SOCK_NONBLOCK.rawValue)
        let number = socket(family, Int32(kind.rawValue | flags), 0)
        guard number >= 0 else { throw SystemCallError.last("socket") }
        self.init(owning: number)
    }

    /// A file that is written from its beginning: created, or emptied.
    package init(creating path: String) throws(SystemCallError) {
        let number = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw SystemCallError.last("open") }
        self.init(owning: number)
    }
}

extension FileDescriptor {
    /// Waits for bytes or for room on a stream of this process: another process that shares the terminal or pipe may have made
    /// it non-blocking.
    static func wait(for events: Int32, on number: Int32) {
        var watched = pollfd(fd: number, events: Int16(events), revents: 0)
        _ = unsafe poll(&watched, 1, -1)
    }
}

extension FileDescriptor {
    /// After how long without a byte the peer of a TCP connection is probed, how often then, and how many probes may be lost.
    private static let probeAfterSeconds: Int32 = 60
    private static let probeIntervalSeconds: Int32 = 15
    private static let maxProbes: Int32 = 4

    /// Sets the options of a TCP connection, or of all connections that a listening socket accepts (tcp(7)). Bytes are then sent without
    /// delay, and the system finds out when the peer is gone.
    ///
    /// While this side waits, nothing else shows that the peer closed its socket, or that its machine vanished. A peer that only ended its
    /// sending side acknowledges the probes.
    func setConnectionOptions() {
        let tcp = Int32(IPPROTO_TCP)
        for (level, option, value) in [
            (tcp, TCP_NODELAY, 1), (SOL_SOCKET, SO_KEEPALIVE, 1), (tcp, TCP_KEEPIDLE, Self.probeAfterSeconds),
            (tcp, TCP_KEEPINTVL, Self.probeIntervalSeconds), (tcp, TCP_KEEPCNT, Self.maxProbes),
        ] {
            _ = setOption(option, of: level, to: value)
        }
    }

    /// Sets an option of the socket. False with `errno` if the system refuses.
    func setOption(_ option: Int32, of level: Int32, to value: Int32) -> Bool {
        var value = value
        return unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }
}
