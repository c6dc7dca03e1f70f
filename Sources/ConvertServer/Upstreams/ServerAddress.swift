import Sockets
import Text

/// One address of one configured server: what connections lead to, and what has a health of its own.
struct ServerAddress: Sendable {
    let server: UpstreamServer
    let address: SocketAddress
    /// Of both, made once: every request looks its server up.
    private let digest: Int

    init(server: UpstreamServer, address: SocketAddress) {
        self.server = server
        self.address = address
        var hasher = Hasher()
        hasher.combine(server)
        hasher.combine(address)
        digest = hasher.finalize()
    }

    /// Every address that a server has now; empty when its name is unknown, or its path too long for the system.
    ///
    /// A name blocks for as long as the system's resolver does.
    static func all(of server: UpstreamServer) -> [ServerAddress] {
        switch server {
        case .tcp(let host, let port):
            SocketAddress.all(host: host, port: port).map { ServerAddress(server: server, address: $0) }
        case .unix: literal(server).map { [$0] } ?? []
        }
    }

    /// The address of a server that the configuration gives no name but an address or a path.
    static func literal(_ server: UpstreamServer) -> ServerAddress? {
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
    var description: String {
        guard let text = address.ipAddress?.description, !server.authority.contains(text) else {
            return server.description
        }
        return "\(server) (\(text))"
    }
}

extension ServerAddress: Hashable {
    static func == (left: ServerAddress, right: ServerAddress) -> Bool {
        left.digest == right.digest && left.server == right.server && left.address == right.address
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
