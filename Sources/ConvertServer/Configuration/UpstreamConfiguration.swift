import HTTPSemantics
import Text

/// Backends that answer the same requests, and how they are spoken to.
struct UpstreamConfiguration: Sendable, Hashable {
    var name: ExactText
    /// At least one, no two alike.
    var servers: [UpstreamServer]
    var connectTimeout = Duration.seconds(2)
    /// From the request's last byte sent to the end of the answer's head.
    var responseTimeout = Duration.seconds(30)
    /// Between two bytes of an answer's body; event streams and upgrades have `streamIdle`.
    var bodyIdle = Duration.seconds(60)
    /// Connections in use at one time, over all servers and loops.
    var maxConnections = 1024
    /// The last of them, which clients get that have fewer; nil means a quarter.
    var reservedConnections: Int?
    /// How much of a body that is not converted is taken before a connection is.
    var requestBufferBytes = 64 * 1024
    var host = HostPolicy.keep
    /// Nil where no server is asked for its health.
    var health: HealthCheck?

    /// How many connections are left to clients that have fewer than so many.
    var sparedConnections: Int { reservedConnections ?? maxConnections / 4 }

    /// The idle time of event streams and upgraded connections, whatever `bodyIdle` says.
    static let streamIdle = Duration.seconds(3600)
}

/// Where one backend listens, as the configuration says; a name may have several addresses.
enum UpstreamServer: Sendable, Hashable {
    /// A name or an address without brackets, in lower case.
    case tcp(host: String, port: UInt16)
    case unix(path: ExactText)

    static let scheme = "http://"
    static let defaultPort: UInt16 = 80

    /// The value of Host that means this server: without the default port; `localhost` for a socket in the file system.
    var authority: String {
        switch self {
        case .tcp(let host, let port):
            let bracketed = host.utf8.contains(ASCII.colon) ? "[\(host)]" : host
            return port == Self.defaultPort ? bracketed : "\(bracketed):\(port)"
        case .unix: return "localhost"
        }
    }
}

extension UpstreamServer: CustomStringConvertible {
    /// As the configuration spells it, and as metrics and logs name it.
    var description: String {
        switch self {
        case .tcp: Self.scheme + authority
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// What Host the upstream is sent.
enum HostPolicy: Sendable, Hashable {
    /// The client's.
    case keep
    /// The server's own authority.
    case upstream
    case literal(String)
}

/// How a server's health is found out without clients.
struct HealthCheck: Sendable, Hashable {
    /// Path and perhaps query.
    var path: String
    var interval = Duration.seconds(5)
    var timeout = Duration.seconds(2)
    /// Good answers in a row that make an unhealthy server healthy.
    var healthyAfter = 2
    /// Bad ones in a row that make a healthy server unhealthy.
    var unhealthyAfter = 3
    var status = StatusSet.success
}
