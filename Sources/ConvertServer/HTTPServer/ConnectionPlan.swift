import Gateway
import Upstreams

/// How many connections the server accepts: the configured number, or fewer if the process has too few file
/// descriptors.
///
/// A server that accepts until descriptors run out has none left for its upstreams, for `admin` and for files.
package struct ConnectionPlan: Sendable {
    /// The most connections at `admin`; fewer if clients may have fewer.
    static let maxAdminConnections = 100
    /// The most refused connections of each loop that are closed with a response. Others are closed at once.
    private static let maxRefusedConnections = 128
    /// The descriptors of each loop: its poller, both ends of its mailbox's pipe and its spare one.
    private static let loopDescriptors = 4
    /// Descriptors for the standard streams, files of profiles and zones, the log, and lookups of names.
    private static let ownDescriptors = 24

    package let maxConnections: Int
    let maxAdminConnections: Int
    let maxRefusedConnections: Int
    /// Connections of one client's address; 0 for no limit.
    let maxPerClient: Int
    /// A warning for the operator; nil if everything is as configured.
    package let warning: String?

    package init(_ configuration: ServerConfiguration, loops: Int, descriptors: Int) {
        let gateway = configuration.gateway
        let listeners = configuration.listen.count + gateway.admin.count
        let servers = gateway.upstreams.reduce(0) { $0 + $1.servers.count }
        let own = Self.ownDescriptors + loops * (Self.loopDescriptors + listeners) + servers
        let free = max(0, descriptors - own)
        let adminSlots = gateway.admin.isEmpty ? 0 : min(Self.maxAdminConnections, free / 4)
        maxRefusedConnections = min(Self.maxRefusedConnections * loops, free / 8)
        let idle = min(servers * loops * UpstreamPool.maxIdlePerServer, free / 4)
        let each = gateway.isGateway ? 2 : 1
        let wanted = configuration.maxConnections
        maxConnections = min(wanted, max(1, (free - adminSlots - maxRefusedConnections - idle) / each))
        maxAdminConnections = min(wanted, gateway.admin.isEmpty ? Self.maxAdminConnections : max(1, adminSlots))
        guard maxConnections < wanted else {
            maxPerClient = configuration.maxConnectionsPerClient
            warning = nil
            return
        }
        let share = ServerConfiguration.connectionsPerClient(of: maxConnections)
        maxPerClient = min(configuration.maxConnectionsPerClient, share)
        let need = gateway.isGateway ? "a client of a gateway may need two" : "each client needs one"
        warning =
            "at most \(maxConnections) connections are accepted, not `maxConnections` \(wanted): the process may open "
            + "\(descriptors) descriptors, and \(need); raise the limit (ulimit -n), or set fewer"
    }
}
