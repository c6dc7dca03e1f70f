import Text

package enum ListenAddress: Sendable, Hashable {
    /// A host name or an address without brackets, empty for every interface; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    case unix(path: String, SocketAccess = SocketAccess())

    /// Reads `HOST:PORT`, `[IPV6]:PORT`, `:PORT` or `unix:PATH` with an access; nil for anything else.
    package init?(_ text: String) {
        if let rest = text.dropping(prefix: "unix:") {
            let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard let path = parts.first, !path.isEmpty,
                let access = parts.count == 1 ? SocketAccess() : SocketAccess(parts[1])
            else { return nil }
            self = .unix(path: String(path), access)
            return
        }
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard digits.utf8.allSatisfy(ASCII.isDigit), let port = UInt16(digits) else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            // A zone, such as %eth0, is for the system to read.
            let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
            let hasValidZone = parts.count == 1 || Self.isZone(parts[1])
            guard hasValidZone, IPAddress.isV6(Array(parts[0].utf8)[...]) else { return nil }
        } else if host.contains(":") {
            return nil
        }
        // Names are compared without case (RFC 9110 §4.2.3), but not the zone of an address.
        self = .tcp(host: host.contains("%") ? String(host) : host.lowercased(), port: port)
    }

    /// Whether a text may be the zone of an address: it is not empty, and does not end the brackets.
    private static func isZone(_ text: Substring) -> Bool { !text.isEmpty && !text.contains("]") }

    /// Whether the system refuses one address while the other is in use: both are the same, or one has all addresses of
    /// the other's family. The system chooses different ports for port 0.
    package func overlaps(_ other: ListenAddress) -> Bool {
        switch (self, other) {
        case (.unix(let path, _), .unix(let otherPath, _)): return path == otherPath
        case (.tcp(let host, let port), .tcp(let otherHost, let otherPort)):
            guard port == otherPort, port != 0 else { return false }
            guard let address = Self.internetAddress(host), let otherAddress = Self.internetAddress(otherHost) else {
                return host == otherHost
            }
            let isWildcard = address.bits == 0 || otherAddress.bits == 0
            return address.family == otherAddress.family && (isWildcard || address == otherAddress)
        default: return false
        }
    }

    /// The address of a host that is no name.
    private static func internetAddress(_ host: String) -> IPAddress? { IPAddress(host.isEmpty ? "0.0.0.0" : host) }
}

/// The access to a Unix socket. It replaces the permissions that the process's umask would leave.
package struct SocketAccess: Sendable, Hashable {
    /// The permission bits.
    package var mode: UInt32?
    /// The name or the number of the file's owner, which only root may change.
    package var owner: String?
    /// The name or the number of the file's group.
    package var group: String?

    private static let maxMode: UInt32 = 0o777

    package init(mode: UInt32? = nil, owner: String? = nil, group: String? = nil) {
        self.mode = mode
        self.owner = owner
        self.group = group
    }

    /// Reads `mode=0660&owner=www&group=www`, each at most once; nil for anything else.
    package init?(_ text: Substring) {
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            if let digits = part.dropping(prefix: "mode="), mode == nil {
                guard digits.utf8.allSatisfy(ASCII.isDigit), let mode = UInt32(digits, radix: 8), mode <= Self.maxMode
                else { return nil }
                self.mode = mode
            } else if let name = part.dropping(prefix: "owner="), owner == nil, !name.isEmpty {
                owner = String(name)
            } else if let name = part.dropping(prefix: "group="), group == nil, !name.isEmpty {
                group = String(name)
            } else {
                return nil
            }
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The form that clients use: `http://127.0.0.1:8080`, `http://[::1]:8080` or `unix:/run/convert.sock`.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.contains(":") ? "http://[\(host)]:\(port)" : "http://\(host):\(port)"
        case .unix(let path, _): "unix:\(path)"
        }
    }
}
