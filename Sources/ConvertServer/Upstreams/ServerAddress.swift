package import Sockets
import Text

/// One address of one configured server. Connections lead to it, and it has a health of its own.
///
/// It is an object, because each request passes it on many times.
package final class ServerAddress: Sendable {
    package let server: UpstreamServer
    package let address: SocketAddress
    /// The hash of both, computed once, because every request looks up its server.
    private let digest: Int

    package init(server: UpstreamServer, address: SocketAddress) {
        self.server = server
        self.address = address
        var hasher = Hasher()
        hasher.combine(server)
        hasher.combine(address)
        digest = hasher.finalize()
    }

    /// All current addresses of a server. Empty if its name is unknown, or its path is too long for the system.
    ///
    /// For a name, it blocks as long as the system's resolver does.
    package static func all(of server: UpstreamServer) -> [ServerAddress] {
        switch server {
        case .tcp(let host, let port):
            SocketAddress.all(host: host, port: port).map { ServerAddress(server: server, address: $0) }
        case .unix: literal(server).map { [$0] } ?? []
        }
    }

    /// The address of a server that is configured by an address or a path.
    package static func literal(_ server: UpstreamServer) -> ServerAddress? {
        switch server {
        case .tcp(let host, let port):
            SocketAddress.literal(host: host, port: port).map { ServerAddress(server: server, address: $0) }
        case .unix(let path):
            (try? SocketAddress(path: path.text)).map { ServerAddress(server: server, address: $0) }
        }
    }
}

extension ServerAddress: CustomStringConvertible {
    /// The server's name in the configuration, with the address that it resolves to.
    package var description: String {
        guard let text = address.ipAddress?.description, !server.authority.contains(text) else {
            return server.description
        }
        return "\(server) (\(text))"
    }
}

extension ServerAddress: Hashable {
    package static func == (left: ServerAddress, right: ServerAddress) -> Bool {
        left === right
            || left.digest == right.digest && left.server == right.server && left.address == right.address
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
