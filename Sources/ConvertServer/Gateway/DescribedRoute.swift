package import APIDescriptions
package import Conversions
import ConvertEngine
package import ConvertProfiles
import HTTPSemantics

/// A route whose clients need a description of the API.
package struct DescribedRoute {
    let configuration: RouteConfiguration
    let request: RequestConversion?
    let response: ResponseConversion?
    let profiles: ProfileSet

    /// The plans from the payloads of the upstream to those of the clients. Throws the errors of a profile that has none.
    package func plans() throws(ProfileError) -> DescriptionPlans {
        let request = try request.map { conversion throws(ProfileError) in try plan(undoing: conversion.rule.plan) }
        var plans = DescriptionPlans(
            response: response?.recipe.plan, request: request, statuses: response?.policy.status ?? .success)
        if let rule = configuration.request?.query, let conversion = self.request, let request {
            // The rule has the names that clients write, and the description those of the upstream.
            let names = QueryNames(
                rule, plan: conversion.recipe.plan, withholdsRequests: false, withholdingResponses: nil)
            plans.query = Self.query(names.upstreamRule(of: rule), request)
        }
        return plans
    }

    /// The plan that leads from what the upstream accepts to what clients send.
    private func plan(undoing reference: ProfileReference) throws(ProfileError) -> Plan {
        let profile = try Profile(parsing: profiles[reference.name]?.document ?? [])
        return reference.direction == .inverse ? try profile.compileUndone() : try profile.compile(.inverse)
    }

    private static func query(_ rule: QueryRule, _ plan: Plan) -> DescribedQuery {
        func shown(_ text: ArraySlice<UInt8>, _ syntax: NameForm.OutsideSyntax) -> [UInt8] {
            var lookup = NameTranslator(plan)
            let form = NameForm(outside: syntax, separator: rule.separator, of: rule.base)
            let text = Array(text)
            return lookup.follow(text, form)?.applied(to: text) ?? text
        }
        return DescribedQuery(
            name: { name in
                guard let keys = rule.keys(in: name) else { return name }
                return Array(name[..<keys.lowerBound]) + shown(name[keys], .path) + name[keys.upperBound...]
            },
            value: { name, value in rule.syntax(ofValueOf: name).map { shown(value[...], $0) } ?? value })
    }
}

extension DescribedRoute {
    package init(_ route: GatewayRoute, _ profiles: ProfileSet) {
        self.init(
            configuration: route.configuration, request: route.request, response: route.response, profiles: profiles)
    }
}
