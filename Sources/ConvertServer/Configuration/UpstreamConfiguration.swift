import HTTPSemantics
import Text

/// Backends for the same requests, and the settings for their connections.
struct UpstreamConfiguration: Sendable, Hashable {
    var name: ExactText
    /// At least one, without duplicates.
    var servers: [UpstreamServer]
    var connectTimeout = Duration.seconds(2)
    /// From the last byte of the request to the end of the response head.
    var responseTimeout = Duration.seconds(30)
    /// Between two bytes of a response body. Event streams and upgrades have `streamIdle`.
    var bodyIdle = Duration.seconds(60)
    /// Connections in use at one time, over all servers and loops.
    var maxConnections = 1024
    /// The last connections, for clients that have fewer than this number; nil means a quarter.
    var reservedConnections: Int?
    /// The bytes of an unconverted body that are buffered before a connection is taken.
    var requestBufferBytes = 64 * 1024
    var host = HostPolicy.keep
    /// Nil if there are no health checks.
    var health: HealthCheck?

    /// The number of connections that are reserved for clients that have fewer than this number.
    var sparedConnections: Int { reservedConnections ?? maxConnections / 4 }

    /// The idle timeout of event streams and upgraded connections, instead of `bodyIdle`.
    static let streamIdle = Duration.seconds(3600)
}

/// The configured address of one backend. A name may have several addresses.
enum UpstreamServer: Sendable, Hashable {
    /// A name or an address without brackets, in lower case.
    case tcp(host: String, port: UInt16)
    case unix(path: ExactText)

    static let scheme = "http://"
    static let defaultPort: UInt16 = 80

    /// The value of Host for this server: without the default port, and `localhost` for a Unix socket.
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
    /// The spelling of the configuration, which metrics and logs also use.
    var description: String {
        switch self {
        case .tcp: Self.scheme + authority
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// The Host that the upstream gets.
enum HostPolicy: Sendable, Hashable {
    /// The client's.
    case keep
    /// The server's own authority.
    case upstream
    case literal(String)
}

/// The health check of a server.
struct HealthCheck: Sendable, Hashable {
    /// The path, perhaps with a query.
    var path: String
    var interval = Duration.seconds(5)
    var timeout = Duration.seconds(2)
    /// Good responses in a row that make an unhealthy server healthy.
    var healthyAfter = 2
    /// Bad responses in a row that make a healthy server unhealthy.
    var unhealthyAfter = 3
    var status = StatusSet.success
}
