import HTTPSemantics
import Text
import Upstreams

extension RouteConfiguration {
    /// Whether requests below this route can reach the servers of both through the other route, and so bypass this one.
    fileprivate func isBypassed(by other: RouteConfiguration) -> Bool {
        let (path, otherPath) = (match.dropping(stripPrefix), other.match.dropping(other.stripPrefix))
        guard otherPath.covers(path) || path.covers(otherPath) else { return false }
        return stripPrefix != other.stripPrefix || Set(hosts) != Set(other.hosts)
    }
}

extension RoutePrefix {
    /// The prefix that upstreams see.
    fileprivate func dropping(_ prefix: RoutePrefix) -> RoutePrefix {
        RoutePrefix(bytes: Array(bytes.dropFirst(prefix.bytes.count)))
    }
}

extension GatewayRoute {
    /// The data that the route withholds and the types that pass, one line for each direction.
    package var withholdingLines: [String] {
        let request = self.request.map { (way: "requests", withheld: $0.withheld, passes: $0.rule.passes) }
        let response = self.response.map { (way: "responses", withheld: $0.withheld, passes: $0.policy.passes) }
        return [request, response].compactMap(\.self).filter { !$0.withheld.isEmpty }.map { direction in
            let shown = direction.withheld.prefix(Self.maxShownRules).joined(separator: ", ")
            let more = direction.withheld.count - Self.maxShownRules
            let passes = direction.passes.map(\.description).joined(separator: ", ")
            return "route `\(configuration.name)` withholds from \(direction.way): \(shown)"
                + (more > 0 ? " and \(more) more" : "") + "; may pass unchanged: \(passes.isEmpty ? "nothing" : passes)"
        }
    }

    private static let maxShownRules = 8

    /// Whether the other route may show data that this route withholds.
    fileprivate func isBypassed(by other: GatewayRoute) -> Bool {
        let requestPasses = request?.withholds ?? false && !(other.request?.withholds ?? false)
        let responsePasses = response?.policy.withholds ?? false && !(other.response?.policy.withholds ?? false)
        return (requestPasses || responsePasses) && configuration.isBypassed(by: other.configuration)
    }
}

extension Gateway {
    /// One sentence for each route that bypasses another one to data which that one withholds.
    package var bypassWarnings: [String] {
        let withholding = Dictionary(
            grouping: routes.filter(\.withholds).flatMap { route in
                servers(of: route).map { (server: $0, route: route) }
            },
            by: \.server)
        return routes.compactMap { other in
            let passed = servers(of: other).lazy.flatMap { withholding[$0] ?? [] }
            return passed.first { $0.route.isBypassed(by: other) }.map { _, route in
                "the route `\(other.configuration.name)` leads to the servers of `\(route.configuration.name)` by another "
                    + "host or path, and withholds less"
            }
        }
    }

    private func servers(of route: GatewayRoute) -> [UpstreamServer] {
        configuration.upstreams[route.configuration.upstream].servers.map(\.withLoopbackAddress)
    }
}

extension UpstreamServer {
    /// The same server with one address for all names of this machine.
    fileprivate var withLoopbackAddress: UpstreamServer {
        guard case .tcp(let host, let port) = self, host == "localhost" || IPAddress(host)?.isLocalHost ?? false else {
            return self
        }
        return .tcp(host: "127.0.0.1", port: port)
    }
}
