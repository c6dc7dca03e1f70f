import CLinux
import Glibc
package import Text

extension SocketAddress {
    /// Every stream address that the system knows for `host`, none twice; empty when it knows none.
    ///
    /// A name blocks for as long as the system's resolver does; an address as text does not.
    package static func all(host: String, port: UInt16) -> [SocketAddress] {
        let literal = all(host: host, port: port, flags: AI_NUMERICHOST)
        guard literal.isEmpty else { return literal }
        // First without the families that this machine has no address of.
        let usable = all(host: host, port: port, flags: AI_ADDRCONFIG)
        return usable.isEmpty ? all(host: host, port: port, flags: 0) : usable
    }

    /// The address that `host` is as text; nil for a name.
    package static func literal(host: String, port: UInt16) -> SocketAddress? {
        all(host: host, port: port, flags: AI_NUMERICHOST).first
    }

    private static func all(host: String, port: UInt16, flags: Int32) -> [SocketAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = flags | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &found) == 0 else { return [] }
        defer { unsafe freeaddrinfo(found) }
        var addresses: [SocketAddress] = []
        var next = unsafe found
        while let entry = unsafe next {
            if let start = unsafe entry.pointee.ai_addr {
                let size = unsafe Int(entry.pointee.ai_addrlen)
                let address = unsafe SocketAddress(copying: UnsafeRawBufferPointer(start: start, count: size))
                if !addresses.contains(address) { addresses.append(address) }
            }
            unsafe next = entry.pointee.ai_next
        }
        return addresses
    }

    /// The internet address; nil for a local socket.
    package var ipAddress: IPAddress? {
        let bytes = bytes
        switch family {
        case AF_INET: return IPAddress(v4: bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
        case AF_INET6: return IPAddress(v6: bytes[8..<24].reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }
}
