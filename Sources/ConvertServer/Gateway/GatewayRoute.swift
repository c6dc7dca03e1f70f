import ConvertCore
import HTTPWire

/// A route with the plans of its profiles; immutable, so that requests share it.
final class GatewayRoute: Sendable {
    let configuration: RouteConfiguration
    let request: RequestConversion?
    let response: ResponseConversion?
    /// What its requests are counted under.
    let label: RouteLabel

    /// Throws why a profile that the route names cannot be used.
    init(
        _ configuration: RouteConfiguration, _ profiles: ProfileSet, label: RouteLabel = .unmatched
    ) throws(ProfileFault) {
        self.configuration = configuration
        self.label = label
        if let rule = configuration.request {
            request = RequestConversion(recipe: try profiles.use(rule.plan).recipe, rule: rule)
        } else {
            request = nil
        }
        guard let rule = configuration.response else {
            response = nil
            return
        }
        let (recipe, loaded) = try profiles.use(rule.plan)
        response = ResponseConversion(
            recipe: recipe, policy: ResponsePolicy(rule, withholds: loaded.withholds),
            fingerprint: PlanFingerprint(profile: loaded.document, direction: rule.plan.direction),
            modifiedSeconds: loaded.modifiedSeconds)
    }
}

/// How a route converts requests.
struct RequestConversion: Sendable {
    let recipe: Recipe
    let rule: RequestRule
}

/// How a route converts answers; immutable, so that requests share it.
final class ResponseConversion: Sendable {
    let recipe: Recipe
    let policy: ResponsePolicy
    let fingerprint: PlanFingerprint
    /// When the profile's file was changed last, in seconds since 1970.
    let modifiedSeconds: Int64
    /// The same moment as Last-Modified says it.
    let modifiedDate: [UInt8]

    init(recipe: Recipe, policy: ResponsePolicy, fingerprint: PlanFingerprint, modifiedSeconds: Int64) {
        self.recipe = recipe
        self.policy = policy
        self.fingerprint = fingerprint
        self.modifiedSeconds = modifiedSeconds
        modifiedDate = HTTPDate.imfFixdate(modifiedSeconds)
    }
}
