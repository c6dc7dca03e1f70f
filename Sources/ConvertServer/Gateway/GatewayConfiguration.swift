package import HTTPSemantics
package import Sockets
package import Upstreams

/// The part of the configuration file beyond the server's options: trusted proxies, backends and routes.
///
/// References are resolved: a route names its upstream by index. Profiles are names here; `Gateway` has their plans.
package struct GatewayConfiguration: Sendable, Hashable {
    /// Addresses for the operator, with all paths of the service. The public listeners then have `/v1/…` only, or with
    /// routes none of these paths.
    package var admin: [ListenAddress] = []
    package var trustedProxies = TrustedProxies()
    /// The name in Via fields; nil for a random one.
    package var via: String?
    /// The most bytes that all connections together may buffer, for requests and uncommitted responses.
    package var maxBufferedBytes = 256 * 1024 * 1024
    /// In the order of the file.
    package var upstreams: [UpstreamConfiguration] = []
    /// In the order of the file.
    package var routes: [RouteConfiguration] = []
    /// When the file of the routes came or was changed, or was loaded again, in seconds since 1970.
    package var changedSeconds: Int64 = 0

    /// Whether the public listeners serve routes, and routes only.
    package var isGateway: Bool { !routes.isEmpty }

    package init() {}
}
