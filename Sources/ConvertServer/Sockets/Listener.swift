import CLinux
import Glibc
import Synchronization

/// A listening socket. A Unix socket removes its path when it closes.
package final class Listener: Sendable {
    package enum Accepted: ~Copyable {
        /// A connection, with the address of its peer.
        case connection(StreamSocket, from: SocketAddress)
        /// No connection waits.
        case none
        /// One connection was lost before it could be taken; others may wait.
        case lost
        /// The process or the system has no descriptor or memory left.
        case exhausted
    }

    /// The most connections that wait to be accepted. The system may allow fewer.
    package static let maxWaiting = 1024

    /// The address, with the real port if the system chose it.
    package let address: ListenAddress
    package let number: Int32
    /// Whether only the routes are served here, if there are any, and not the service's own endpoints.
    package let isPublic: Bool
    private let descriptor: FileDescriptor
    private let isInternet: Bool
    private let hasPath = Atomic(true)
    /// The file of a Unix socket; nil for other sockets.
    private let file: FileIdentity?

    /// Listens at `address`.
    ///
    /// With `isShared`, this process may already listen at the internet address. Then the system spreads connections
    /// over all listeners. Without it, an address that is in use is refused.
    package init(_ address: ListenAddress, isShared: Bool = false, isPublic: Bool = true) throws(SystemCallError) {
        self.isPublic = isPublic
        switch address {
        case .tcp(let host, let port):
            let address = try SocketAddress(host: host, port: port)
            // Sharing also works across processes: a second server would silently take half of the connections.
            if !isShared && port != 0 { _ = try Self.open(at: address, isShared: false) }
            descriptor = try Self.open(at: address)
            let bound = try SocketAddress.bound(to: descriptor.number)
            self.address = .tcp(host: host.isEmpty ? "0.0.0.0" : host, port: bound.port)
            isInternet = true
            // Accepted connections inherit them.
            descriptor.setConnectionOptions()
            file = nil
        case .unix(let path, let access):
            let bound = try SocketAddress(path: path)
            try Self.removeStale(path, bound)
            descriptor = try Self.open(at: bound)
            self.address = address
            isInternet = false
            file = FileIdentity(path: path)
            // Before anybody can connect.
            do throws(SystemCallError) {
                try Self.apply(access, to: path)
            } catch {
                _ = unsafe unlink(path)
                throw error
            }
        }
        number = descriptor.number
        guard listen(number, Int32(Self.maxWaiting)) == 0 else { throw SystemCallError.last("listen") }
    }

    deinit { removePath() }

    /// Takes one waiting connection, without blocking.
    package func accept() -> Accepted {
        let (accepted, peer) = SocketAddress.accept(at: number)
        guard accepted >= 0 else { return Self.failure(errno) }
        return .connection(StreamSocket(FileDescriptor(owning: accepted)), from: peer)
    }

    /// The meaning of an `accept` that fails with `code`.
    package static func failure(_ code: Int32) -> Accepted {
        switch code {
        case EAGAIN: .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: .exhausted
        // EINTR, ECONNABORTED and network errors that Linux reports for the connection it would have returned.
        default: .lost
        }
    }

    /// Stops new connections, while `accept` still returns those that the system has already accepted.
    ///
    /// The system completes handshakes by itself, and closing a listener resets every connection in its queue. So a
    /// listener is emptied first: a Unix socket loses its path, and for a TCP one the system drops every SYN. A client
    /// that connects meanwhile tries again a second later. It is then refused, or accepted by the next listener.
    package func closeDoor() {
        removePath()
        if isInternet { HandshakeFilter.dropSYN(on: number) }
    }

    /// Removes the path of a Unix socket, once, and only if it still leads to this socket. Another process may have
    /// replaced it.
    private func removePath() {
        guard case .unix(let path, _) = address, hasPath.exchange(false, ordering: .relaxed), let file,
            FileIdentity(path: path) == file
        else { return }
        _ = unsafe unlink(path)
    }

    private static func open(at address: SocketAddress, isShared: Bool = true) throws(SystemCallError) -> FileDescriptor
    {
        let descriptor = try FileDescriptor(socketOf: address.family)
        var options: [(option: Int32, level: Int32)] = []
        if address.family != AF_UNIX { options.append((SO_REUSEADDR, SOL_SOCKET)) }
        if address.family != AF_UNIX, isShared { options.append((SO_REUSEPORT, SOL_SOCKET)) }
        if address.family == AF_INET6 { options.append((IPV6_V6ONLY, Int32(IPPROTO_IPV6))) }
        for (option, level) in options where !descriptor.setOption(option, of: level, to: 1) {
            throw SystemCallError.last("setsockopt")
        }
        guard unsafe address.withPointer({ unsafe bind(descriptor.number, $0, $1) }) == 0 else {
            throw SystemCallError.last("bind")
        }
        return descriptor
    }

    private static func apply(_ access: SocketAccess, to path: String) throws(SystemCallError) {
        var (owner, group) = (uid_t.max, gid_t.max)
        if let name = access.owner {
            guard let number = uid_t(name) ?? number(ofUser: name) else {
                throw SystemCallError(call: "getpwnam", number: ENOENT)
            }
            owner = number
        }
        if let name = access.group {
            guard let number = gid_t(name) ?? number(ofGroup: name) else {
                throw SystemCallError(call: "getgrnam", number: ENOENT)
            }
            group = number
        }
        if owner != .max || group != .max, unsafe chown(path, owner, group) != 0 { throw SystemCallError.last("chown") }
        if let mode = access.mode, unsafe chmod(path, mode) != 0 { throw SystemCallError.last("chmod") }
    }

    /// The number of a user of the system; nil if there is none of this name. Only called at the start, by one thread.
    fileprivate static func number(ofUser name: String) -> uid_t? { unsafe getpwnam(name)?.pointee.pw_uid }

    /// The number of a group of the system; nil if there is none of this name. Only called at the start, by one thread.
    fileprivate static func number(ofGroup name: String) -> gid_t? { unsafe getgrnam(name)?.pointee.gr_gid }

    /// Removes the path of a Unix socket that no process listens on any more; any other file stays and makes `bind` fail.
    private static func removeStale(_ path: String, _ address: SocketAddress) throws(SystemCallError) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return }
        // If the queue of the socket is full, a blocking connection would wait.
        let probe = try FileDescriptor(socketOf: AF_UNIX)
        let isRefused =
            unsafe address.withPointer { unsafe connect(probe.number, $0, $1) } != 0 && errno == ECONNREFUSED
        if isRefused { _ = unsafe unlink(path) }
    }
}

extension ListenAddress {
    /// The owner and the group of a Unix socket that this system does not know, such as "group `www`". Only called
    /// before anything listens, by one thread.
    package var unknownNames: [String] {
        guard case .unix(_, let access) = self else { return [] }
        var names: [String] = []
        if let owner = access.owner, uid_t(owner) == nil, Listener.number(ofUser: owner) == nil {
            names.append("owner `\(owner)`")
        }
        if let group = access.group, gid_t(group) == nil, Listener.number(ofGroup: group) == nil {
            names.append("group `\(group)`")
        }
        return names
    }
}
