package import Conversions
package import ConvertProfiles
import HTTPSemantics
import Text
import Upstreams

extension RouteConfiguration {
    /// The keys of this route that contradict its profiles: because a profile withholds data, or because none does.
    package func contradictions(_ profiles: ProfileSet) -> [ProfileFault] {
        var faults: [ProfileFault] = []
        var withholds = false
        func check(_ plan: ProfileReference, passes: [PassedType], _ members: [(isThere: Bool, text: String)]) {
            guard let loaded = profiles[plan.name] else { return }
            guard profiles.withholds(plan) else {
                if !passes.isEmpty {
                    faults.add(
                        at: plan.location,
                        "`pass` needs a profile that withholds data (`drop`, `keep`, `mask`, `hash`), and `\(plan.name)` does not",
                        hint: "remove `pass`")
                }
                return
            }
            withholds = true
            if loaded.keepsUnhashed, plan.direction == .forward {
                faults.add(
                    at: plan.location,
                    "the profile `\(plan.name)` has `hash`, and `badValue: keep` lets objects and arrays pass unchanged",
                    hint: "write `null` or `error`, or use `mask`")
            }
            for member in members where member.isThere {
                faults.add(
                    at: plan.location,
                    "the profile `\(plan.name)` withholds data (`drop`, `keep`, `mask`, `hash`), so the route cannot have \(member.text)",
                    hint: "remove it, and list in `pass` the types that may pass unchanged")
            }
        }
        func upgrade(_ messages: DocumentLocation?) -> (isThere: Bool, text: String) {
            (!upgrades.isEmpty && messages == nil, "`upgrade` without `messages`")
        }
        if let request {
            check(
                request.plan, passes: request.passes,
                [(request.onError == .pass, "`onError: pass`"), upgrade(request.messages)])
        }
        if let response {
            check(
                response.plan, passes: response.passes,
                [
                    (response.onError == .pass, "`onError: pass`"), (response.onSkip == .pass, "`onSkip: pass`"),
                    (response.status != nil, "`status`"), upgrade(response.messages),
                ])
        }
        addEventContradictions(profiles, to: &faults)
        addQueryContradictions(profiles, to: &faults)
        addPatchContradictions(profiles, to: &faults)
        if let ignoresCase, !withholds, faults.isEmpty {
            faults.add(
                at: ignoresCase,
                "`caseSensitive` needs a profile that withholds data (`drop`, `keep`, `mask`, `hash`)",
                hint: "remove it: routes are case-sensitive")
        }
        return faults
    }

    /// Whether requests below this route can reach the servers of both through the other route, and so bypass this one.
    fileprivate func isBypassed(by other: RouteConfiguration) -> Bool {
        let (path, otherPath) = (match.dropping(stripPrefix), other.match.dropping(other.stripPrefix))
        guard otherPath.covers(path) || path.covers(otherPath) else { return false }
        return stripPrefix != other.stripPrefix || Set(hosts) != Set(other.hosts)
    }
}

extension [ProfileFault] {
    /// Adds a contradiction at a position in the configuration.
    mutating func add(at location: DocumentLocation, _ message: String, hint: String) {
        append(ProfileFault(at: location, message, hint: hint))
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
