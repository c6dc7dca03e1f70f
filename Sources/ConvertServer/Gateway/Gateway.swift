package import Conversions
package import ConvertProfiles
import HTTPSemantics
package import Observability
import Telemetry
import Text
package import Upstreams

/// The routes, upstreams and plans for requests of the public listeners, as loaded at one time.
///
/// It is immutable and shared by all loops. A request keeps the one that it began with.
package final class Gateway: Sendable {
    package let configuration: GatewayConfiguration
    /// In the order of the configuration's routes.
    package let routes: [GatewayRoute]
    package let table: RouteTable
    /// Nil if no route withholds data.
    let withheldPaths: WithheldPaths?
    /// In the order of the configuration's upstreams. They are shared with other configurations that have the same
    /// ones.
    package let upstreams: [Upstream]
    /// The metric labels of their servers, parallel to those of the configuration.
    private let backendLabels: [[BackendLabel]]
    /// The gateway's name in Via fields.
    package let viaName: String
    /// The gateway's Via entries, by the minor HTTP version of the request.
    let viaEntries: [[UInt8]]
    /// The fingerprints of all routes that convert responses.
    let fingerprints: Set<String>

    /// - Parameter viaName: the default for a configuration without one. It stays the same for the whole life of the
    ///   process.
    /// - Throws: the first reference to a profile that cannot be used.
    package init(
        _ configuration: GatewayConfiguration, _ profiles: ProfileSet, viaName: String,
        registry: MetricsRegistry? = nil,
        directory: UpstreamDirectory = UpstreamDirectory()
    ) throws(ProfileFault) {
        self.configuration = configuration
        upstreams = directory.prepare(configuration.upstreams)
        backendLabels = configuration.upstreams.map { upstream in
            upstream.servers.map { registry?.label(ofServer: $0.description, of: upstream.name.text) ?? .other }
        }
        self.viaName = configuration.via ?? viaName
        viaEntries = [0, 1].map { Array(ViaTrace.entry(minorVersion: $0, name: configuration.via ?? viaName).utf8) }
        table = RouteTable(configuration.routes)
        let paths = configuration.routes.map(\.match)
        routes = try configuration.routes.map { route throws(ProfileFault) in
            try GatewayRoute(
                route, profiles, paths: paths, changedSeconds: configuration.changedSeconds,
                label: registry?.label(ofRoute: route.name) ?? .unmatched, registry: registry)
        }
        for route in routes where route.configuration.convertsMessages || route.configuration.response?.events != nil {
            registry?.convertsStreams(route.label)
        }
        fingerprints = Set(routes.compactMap(\.response?.fingerprint.digits))
        withheldPaths = WithheldPaths(routes)
    }

    package func label(of server: UpstreamServer, upstream: Int) -> BackendLabel {
        let index = configuration.upstreams[upstream].servers.firstIndex(of: server)
        return index.map { backendLabels[upstream][$0] } ?? .other
    }

    /// One warning for each kind of label that metrics count together because their tables are full.
    package var labelWarnings: [String] {
        let routes = routes.count { $0.label == .other }
        let servers = backendLabels.joined().count { $0 == .other }
        let other = LabelTable.overflow
        let untimed = backendLabels.joined().count { $0 == .other || $0.index >= LoopCells.maxTimedBackends }
        return [(routes, "routes"), (servers, "servers"), (untimed, "servers' durations")].filter { $0.0 > 0 }.map {
            count, noun in
            "metrics have no room for \(count) of the \(noun) and count them together as `\(other)`"
        }
    }

    /// A name for Via fields that no other process is likely to have.
    package static func randomViaName() -> String { "convert-" + String(UInt64.random(in: .min ... .max), radix: 36) }
}

extension ProfileSet {
    /// Whether a profile that can be used withholds data.
    func withholds(_ reference: ProfileReference) -> Bool {
        self[reference.name].map { !$0.withheld(reference.direction).isEmpty } ?? false
    }

    /// The profile that a route names and its plan. Throws the reason if there is none.
    package func use(_ reference: ProfileReference) throws(ProfileFault) -> (recipe: Recipe, loaded: Loaded) {
        let name = reference.name
        guard let loaded = self[name] else {
            guard entry(named: name) == nil else {
                throw ProfileFault(at: reference.location, "the profile `\(name)` has errors")
            }
            let nearest = NearestName.nearest(to: name, among: entries.map(\.name)).map { "did you mean `\($0)`?" }
            let hint =
                entries.isEmpty
                ? "put *.json files into the directory that `profiles` names"
                : nearest ?? "write the name of a file in `profiles`, without `.json`"
            throw ProfileFault(at: reference.location, "there is no profile `\(name)`", hint: hint)
        }
        do throws(ProfileError) {
            return (try loaded.recipe(reference.direction), loaded)
        } catch {
            throw ProfileFault(
                at: reference.location, "the profile `\(name)` cannot be used in the inverse direction",
                hint: error.faults.first.map(\.description))
        }
    }
}
