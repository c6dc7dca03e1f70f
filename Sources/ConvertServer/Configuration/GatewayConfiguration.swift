import HTTPSemantics
import Sockets

/// What the configuration file says beyond the server's options: who is trusted, which backends there are, what goes where.
///
/// References are resolved: a route names its upstream by index. Profiles are names here; `Gateway` has their plans.
struct GatewayConfiguration: Sendable, Hashable {
    /// Addresses for the operator, with all paths of the service. The public listeners then have `/v1/…` only, or with
    /// routes none of these paths.
    var admin: [ListenAddress] = []
    var trustedProxies = TrustedProxies()
    /// The name in Via fields; nil means one that is random for the process.
    var via: String?
    /// What all connections together may keep of requests, and of answers that are not committed.
    var maxBufferedBytes = defaultMaxBufferedBytes
    /// In the order of the file.
    var upstreams: [UpstreamConfiguration] = []
    /// In the order of the file.
    var routes: [RouteConfiguration] = []

    static let defaultMaxBufferedBytes = 256 * 1024 * 1024

    /// Whether the public listeners serve routes, and routes only.
    var isGateway: Bool { !routes.isEmpty }
}
