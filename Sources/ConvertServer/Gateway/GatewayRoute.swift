package import Conversions
import ConvertEngine
package import ConvertProfiles
package import HTTPSemantics
import HTTPWire
package import Observability
import Text

/// A route with the plans of its profiles; immutable, so that requests share it.
package final class GatewayRoute: Sendable {
    package let configuration: RouteConfiguration
    package let request: RequestConversion?
    package let response: ResponseConversion?
    /// How the names of keys in queries are replaced; nil if queries pass unchanged.
    let query: QueryNames?
    /// How they are replaced in the links of responses; nil if links pass unchanged.
    let links: LinkNames?
    /// The description of the API that clients get instead of the upstream's; nil if the route has none.
    package let description: RouteDescription?
    /// The metric label of its requests.
    package let label: RouteLabel

    /// Throws the reason if a profile that the route names cannot be used.
    ///
    /// - Parameters:
    ///   - paths: the `match` of all routes.
    ///   - changedSeconds: when the file of the routes came or was changed, in seconds since 1970.
    package init(
        _ configuration: RouteConfiguration, _ profiles: ProfileSet, paths: [RoutePrefix] = [],
        changedSeconds: Int64 = 0, label: RouteLabel = .unmatched, registry: MetricsRegistry? = nil
    ) throws(ProfileFault) {
        self.configuration = configuration
        self.label = label
        request = try configuration.request.map { rule throws(ProfileFault) in
            let (recipe, loaded) = try profiles.use(rule.plan)
            return RequestConversion(recipe: recipe, rule: rule, withheld: loaded.withheld(rule.plan.direction))
        }
        response = try configuration.response.map { rule throws(ProfileFault) in
            let (recipe, loaded) = try profiles.use(rule.plan)
            let withheld = loaded.withheld(rule.plan.direction)
            let policy = ResponsePolicy(rule, withholds: !withheld.isEmpty)
            return ResponseConversion(
                recipe: recipe, policy: policy, fields: rule.fields, withheld: withheld,
                fingerprint: PlanFingerprint(
                    profile: loaded.document, hashKeyMarks: recipe.plan.hashKeyMarks,
                    direction: rule.plan.direction, status: policy.status, hasEvents: policy.events != nil,
                    noTransform: policy.noTransform, types: policy.types),
                modifiedSeconds: max(loaded.modifiedSeconds, changedSeconds),
                shadow: try Self.shadow(of: rule, configuration.name, profiles) { registry?.shadowEnded($0, label) })
        }
        query = Self.queryNames(request, response)
        links = Self.linkNames(query, configuration, profiles, others: paths)
        if let rule = configuration.description {
            description = try RouteDescription(
                rule,
                of: DescribedRoute(
                    configuration: configuration, request: request, response: response, profiles: profiles))
        } else {
            description = nil
        }
    }

    /// Whether the route withholds data in any direction.
    package var withholds: Bool { request?.withholds ?? false || response?.policy.withholds ?? false }

    /// Whether a tunnel shows no withheld data: each direction that withholds converts its messages.
    var mayTunnel: Bool {
        let isRequestSafe = request?.withholds != true || configuration.request?.messages != nil
        return isRequestSafe && (response?.policy.withholds != true || configuration.response?.messages != nil)
    }

    /// The protocols in Upgrade that the route's clients may switch to; nil if there is none.
    func upgrades(in fields: Fields) -> String? {
        guard mayTunnel else { return nil }
        let named = fields.values(for: "upgrade").joined(separator: ",").utf8.listElements
        let names = named.map { String(Substring($0)) }.filter { configuration.upgrades.contains($0.lowercased()) }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

package struct RequestConversion: Sendable {
    package let recipe: Recipe
    package let rule: RequestRule
    /// The profile's rules that withhold data.
    package let withheld: [String]

    /// A body of a route that withholds data never passes unchanged, except for the types in `pass`.
    package init(recipe: Recipe, rule: RequestRule, withheld: [String]) {
        self.recipe = recipe
        self.withheld = withheld
        var rule = rule
        if !withheld.isEmpty {
            rule.onError = .fail
            rule.isRequired = true
        }
        self.rule = rule
    }

    package var withholds: Bool { !withheld.isEmpty }
}

/// How a route converts responses. It is immutable, so that requests can share it.
package final class ResponseConversion: Sendable {
    package let recipe: Recipe
    let policy: ResponsePolicy
    /// How clients select the fields of converted bodies; nil if they cannot.
    let fields: FieldsRule?
    /// The profile's rules that withhold data.
    package let withheld: [String]
    let fingerprint: PlanFingerprint
    /// The time of the last change of the files of the profile and of the routes, in seconds since 1970.
    package let modifiedSeconds: Int64
    /// The same time as the value of Last-Modified.
    let modifiedDate: [UInt8]
    /// The comparison with another profile.
    package let shadow: Shadow?

    package init(
        recipe: Recipe, policy: ResponsePolicy, fields: FieldsRule? = nil, withheld: [String] = [],
        fingerprint: PlanFingerprint, modifiedSeconds: Int64, shadow: Shadow? = nil
    ) {
        self.shadow = shadow
        self.recipe = recipe
        self.policy = policy
        self.fields = fields
        self.withheld = withheld
        self.fingerprint = fingerprint
        self.modifiedSeconds = modifiedSeconds
        modifiedDate = HTTPDate.imfFixdate(modifiedSeconds)
    }
}
