package import HTTPSemantics
package import Text

/// Backends for the same requests, and the settings for their connections.
package struct UpstreamConfiguration: Sendable, Hashable {
    package var name: ExactText
    /// At least one, without duplicates.
    package var servers: [UpstreamServer]
    package var timeouts = UpstreamTimeouts()
    /// Connections in use at one time, over all servers and loops.
    package var maxConnections = 1024
    /// The last connections, for clients that have fewer than this number; nil means a quarter.
    package var reservedConnections: Int?
    /// The bytes of an unconverted body that are buffered before a connection is taken.
    package var requestBufferBytes = 64 * 1024
    package var host = HostPolicy.keep
    /// Nil if there are no health checks.
    package var health: HealthCheck?

    /// The number of connections that are reserved for clients that have fewer than this number.
    var sparedConnections: Int { reservedConnections ?? maxConnections / 4 }

    package init(name: ExactText, servers: [UpstreamServer]) {
        self.name = name
        self.servers = servers
    }
}

/// The timeouts of an upstream's connections, which are read in every event.
package struct UpstreamTimeouts: Sendable, Hashable {
    package var connect = Duration.seconds(2)
    /// From the last byte of the request to the end of the response head.
    package var response = Duration.seconds(30)
    /// Between two bytes of a response body. Event streams and upgrades have `streamIdle`.
    package var bodyIdle = Duration.seconds(60)

    /// The idle timeout of event streams and upgraded connections, which no configuration changes.
    static let streamIdle = Duration.seconds(3600)
}

/// The configured address of one backend. A name may have several addresses.
package enum UpstreamServer: Sendable, Hashable {
    /// A name or an address without brackets, in lower case.
    case tcp(host: String, port: UInt16)
    case unix(path: ExactText)

    package static let scheme = "http://"
    package static let defaultPort: UInt16 = 80

    /// The value of Host for this server: without the default port, and `localhost` for a Unix socket.
    package var authority: String {
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
    package var description: String {
        switch self {
        case .tcp: Self.scheme + authority
        case .unix(let path): "unix:\(path)"
        }
    }
}

/// The Host that the upstream gets.
package enum HostPolicy: Sendable, Hashable {
    /// The client's.
    case keep
    /// The server's own authority.
    case upstream
    case literal(String)
}

/// The health check of a server.
package struct HealthCheck: Sendable, Hashable {
    /// The path, perhaps with a query.
    package var path: String
    package var interval = Duration.seconds(5)
    package var timeout = Duration.seconds(2)
    /// Good responses in a row that make an unhealthy server healthy.
    package var healthyAfter = 2
    /// Bad responses in a row that make a healthy server unhealthy.
    package var unhealthyAfter = 3
    package var status = StatusSet.success
}

// In an extension, so that tests have an initializer with all members.
extension HealthCheck {
    package init(path: String) { self.path = path }
}
