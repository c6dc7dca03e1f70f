import CLinux
import Glibc

/// An address of any family in the system's form.
package struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private(set) var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// An empty address for the system to fill.
    package init() {}

    /// The Unix socket at `path`, or with an abstract name, which begins with NUL: unix(7).
    package init(path: String) throws(SystemCallError) {
        var address = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SystemCallError(call: "bind", number: ENAMETOOLONG)
        }
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        unsafe withUnsafeBytes(of: &address) { source in
            unsafe withUnsafeMutableBytes(of: &storage) { unsafe $0.copyMemory(from: source) }
        }
        // All bytes up to the length belong to an abstract name.
        let isAbstract = path.utf8.first == 0
        length = socklen_t(
            isAbstract ? MemoryLayout<sa_family_t>.size + path.utf8.count : MemoryLayout<sockaddr_un>.size)
    }

    /// The address in the system's form, which must fit.
    package init(copying bytes: UnsafeRawBufferPointer) {
        unsafe withUnsafeMutableBytes(of: &storage) { room in unsafe room.copyMemory(from: bytes) }
        length = socklen_t(bytes.count)
    }

    package var family: Int32 { Int32(storage.ss_family) }

    /// The address in the system's form.
    package var bytes: [UInt8] { unsafe withUnsafeBytes(of: storage) { unsafe Array($0.prefix(Int(length))) } }

    /// The port of an internet address, 0 for any other.
    package var port: UInt16 {
        unsafe withUnsafeBytes(of: storage) { bytes in
            switch family {
            case AF_INET: unsafe UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in.self).sin_port)
            case AF_INET6: unsafe UInt16(bigEndian: bytes.loadUnaligned(as: sockaddr_in6.self).sin6_port)
            default: 0
            }
        }
    }

    /// Calls `body` with the address in the form for system calls.
    func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }

    package static func bound(to number: Int32) throws(SystemCallError) -> SocketAddress {
        var address = SocketAddress()
        var length = address.length
        let result = unsafe withUnsafeMutablePointer(to: &address.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(number, $0, &length)
            }
        }
        guard result == 0 else { throw SystemCallError.last("getsockname") }
        address.length = length
        return address
    }

    /// Accepts a connection that waits at the listening socket `number`, with the address of its peer.
    ///
    /// The address must be read here: once a client has reset its connection, the system no longer knows the address.
    ///
    /// - Returns: a descriptor, negative with `errno` set if there is no connection.
    package static func accept(at number: Int32) -> (accepted: Int32, peer: SocketAddress) {
        var address = SocketAddress()
        var length = address.length
        let accepted = unsafe withUnsafeMutablePointer(to: &address.storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe accept4(number, $0, &length, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
            }
        }
        if accepted >= 0 { address.length = length }
        return (accepted, address)
    }
}

extension SocketAddress: Hashable {
    package static func == (left: SocketAddress, right: SocketAddress) -> Bool {
        guard left.length == right.length else { return false }
        return unsafe withUnsafeBytes(of: left.storage) { leftBytes in
            unsafe withUnsafeBytes(of: right.storage) { rightBytes in
                unsafe memcmp(leftBytes.baseAddress!, rightBytes.baseAddress!, Int(left.length)) == 0
            }
        }
    }

    package func hash(into hasher: inout Hasher) {
        unsafe withUnsafeBytes(of: storage) { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)]))
        }
    }
}
