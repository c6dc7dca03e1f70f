import ConvertCore
import HTTPWire

/// Everything that decides about requests of the public listeners, as it was loaded at one moment.
///
/// Immutable and shared by all loops: a request keeps the one that it began with.
final class Gateway: Sendable {
    let configuration: GatewayConfiguration
    /// In the order of the configuration's routes.
    let routes: [GatewayRoute]
    let table: RouteTable
    let profiles: ProfileSet
    /// Our name in Via fields.
    let viaName: String
    /// Those of all loaded plans, in both directions.
    let fingerprints: Set<String>

    /// - Parameter viaName: for a configuration that names none; the same for the whole life of the process.
    /// - Throws: every reference to a profile that cannot be used.
    init(_ configuration: GatewayConfiguration, _ profiles: ProfileSet, viaName: String) throws(ProfileError) {
        self.configuration = configuration
        self.profiles = profiles
        self.viaName = configuration.via ?? viaName
        table = RouteTable(configuration.routes)
        fingerprints = Set(
            profiles.entries.compactMap(\.loaded).flatMap { loaded in
                Profile.Direction.allCases.map {
                    PlanFingerprint(profile: loaded.document, direction: $0).digits
                }
            })
        var faults: [ProfileFault] = []
        routes = configuration.routes.map { GatewayRoute($0, profiles, &faults) }
        guard faults.isEmpty else { throw ProfileError(faults: faults) }
    }

    /// A name for Via fields that no other process is likely to have.
    static func randomViaName() -> String { "convert-" + String(UInt64.random(in: .min ... .max), radix: 36) }
}

extension GatewayRoute {
    fileprivate init(
        _ configuration: RouteConfiguration, _ profiles: ProfileSet, _ faults: inout [ProfileFault]
    ) {
        self.configuration = configuration
        request = configuration.request.flatMap { rule in
            profiles.recipe(rule.profile, rule.direction, at: rule.place, &faults).map {
                RequestConversion(recipe: $0, rule: rule)
            }
        }
        response = configuration.response.flatMap { rule in
            guard let recipe = profiles.recipe(rule.profile, rule.direction, at: rule.place, &faults),
                let loaded = profiles[rule.profile]
            else { return nil }
            return ResponseConversion(
                recipe: recipe, policy: ResponsePolicy(rule, withholds: loaded.withholds),
                fingerprint: PlanFingerprint(profile: loaded.document, direction: rule.direction),
                modifiedSeconds: loaded.modifiedSeconds)
        }
    }
}

extension ProfileSet {
    /// The plan that a route names at `place`; records why there is none.
    fileprivate func recipe(
        _ name: String, _ direction: Profile.Direction, at place: ProfilePlace, _ faults: inout [ProfileFault]
    ) -> Recipe? {
        func refuse(_ message: String, hint: String? = nil) -> Recipe? {
            faults.append(
                ProfileFault(
                    pointer: place.pointer, line: place.line, column: place.column, message: message, hint: hint))
            return nil
        }
        guard let loaded = self[name] else {
            if entries.contains(where: { $0.name == name }) { return refuse("the profile `\(name)` is faulty") }
            let nearest = Spelling.nearest(to: name, among: entries.map(\.name))
            return refuse("there is no profile `\(name)`", hint: nearest.map { "did you mean `\($0)`?" })
        }
        guard direction == .inverse else { return loaded.forward }
        switch loaded.inverse {
        case .success(let recipe): return recipe
        case .failure(let error):
            return refuse(
                "the profile `\(name)` cannot be used backwards", hint: error.faults.first.map(\.description))
        }
    }
}
