import CLinux
import Glibc
package import Text

extension SocketAddress {
    /// The first address that the system has for `host`. An empty host means every interface.
    package init(host: String, port: UInt16) throws(SystemCallError) {
        guard let first = Self.all(host: host.isEmpty ? "0.0.0.0" : host, port: port, flags: AI_PASSIVE).first else {
            throw SystemCallError(call: "getaddrinfo", number: EADDRNOTAVAIL)
        }
        self = first
    }

    /// All stream addresses that the system has for `host`, without duplicates; empty if it has none.
    ///
    /// For a name, it blocks as long as the system's resolver does. An address as text does not block.
    package static func all(host: String, port: UInt16) -> [SocketAddress] {
        let literal = all(host: host, port: port, flags: AI_NUMERICHOST)
        guard literal.isEmpty else { return literal }
        // First without families for which this machine has no address.
        let usable = all(host: host, port: port, flags: AI_ADDRCONFIG)
        return usable.isEmpty ? all(host: host, port: port, flags: 0) : usable
    }

    /// The address in the text `host`; nil for a name.
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

    /// The internet address; nil for a Unix socket.
    package var ipAddress: IPAddress? {
        let bytes = bytes
        switch family {
        case AF_INET: return IPAddress(v4: bytes[4..<8].reduce(0) { $0 << 8 | UInt32($1) })
        case AF_INET6: return IPAddress(v6: bytes[8..<24].reduce(0) { $0 << 8 | UInt128($1) })
        default: return nil
        }
    }
}
