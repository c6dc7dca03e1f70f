import Testing

@testable package import Sockets
@testable package import Upstreams

/// Upstreams with addresses to which no test connects, and times for which no test waits.
package enum UpstreamTrial {
    package static func second(_ number: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 0) + number }

    package static func server(_ number: Int) -> UpstreamServer { .tcp(host: "192.0.2.\(number)", port: 80) }

    /// The address of the server with this number.
    package static func address(_ number: Int) throws -> ServerAddress {
        try #require(ServerAddress.literal(server(number)))
    }

    package static func configuration(
        _ servers: [UpstreamServer], name: String = "shop", maxConnections: Int = 1024, health: HealthCheck? = nil
    ) -> UpstreamConfiguration {
        var configuration = UpstreamConfiguration(name: "\(name)", servers: servers)
        configuration.maxConnections = maxConnections
        configuration.health = health
        return configuration
    }

    /// The number of the chosen server; nil if there is none.
    package static func choice(_ upstream: Upstream, avoiding avoided: ServerAddress? = nil, at second: Int = 0)
        -> String?
    {
        guard case .server(let address) = upstream.choose(avoiding: avoided, at: Self.second(second)) else {
            return nil
        }
        upstream.giveBack()
        return address.server.description.split(separator: ".").last.map(String.init)
    }
}
