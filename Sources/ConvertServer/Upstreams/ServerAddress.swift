/// One address of one configured server: what connections lead to, and what has a health of its own.
struct ServerAddress: Sendable, Hashable {
    let server: UpstreamServer
    let address: SocketAddress

    /// All addresses of a server now; empty when its name is not known, or its path is too long for the system.
    ///
    /// Blocks as long as the system's resolver does.
    static func all(of server: UpstreamServer) -> [ServerAddress] {
        switch server {
        case .tcp(let host, let port):
            return SocketAddress.all(host: host, port: port).map { ServerAddress(server: server, address: $0) }
        case .unix(let path):
            guard let address = try? SocketAddress(path: path) else { return [] }
            return [ServerAddress(server: server, address: address)]
        }
    }
}
