/// The health of one server, for metrics.
package struct ServerReading: Sendable, Hashable {
    package let upstream: String
    package let server: String
    /// One of the addresses of the server's name; empty for a Unix socket.
    package let address: String
    package let isHealthy: Bool

    package init(upstream: String, server: String, address: String, isHealthy: Bool) {
        self.upstream = upstream
        self.server = server
        self.address = address
        self.isHealthy = isHealthy
    }
}
