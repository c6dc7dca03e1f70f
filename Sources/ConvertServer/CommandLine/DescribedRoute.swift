import APIDescriptions
import Conversions
import ConvertEngine
import ConvertProfiles
import Gateway
import HTTPSemantics

/// A route of a gateway whose clients a description is for.
struct DescribedRoute {
    private let route: GatewayRoute
    private let profiles: ProfileSet

    /// Finds the route in the configuration of `--config`.
    init(named name: String, _ settings: Settings) throws(Failure) {
        let deployment = try DeploymentSource(settings).load()
        let routes = deployment.gateway?.routes ?? []
        guard let route = routes.first(where: { $0.configuration.name == name }) else {
            let names = routes.map { "`\($0.configuration.name)`" }.joined(separator: ", ")
            throw Failure(
                .badConfiguration,
                "no route is named `\(name)`; \(names.isEmpty ? "there are no routes" : "the names are \(names)")")
        }
        self.route = route
        profiles = deployment.profiles
    }

    func plans() throws(Failure) -> DescriptionPlans {
        let response = route.response
        let request = try route.request.map { conversion throws(Failure) in try plan(undoing: conversion.rule.plan) }
        let policy = both(route.configuration.response, response).map { rule, response in
            ResponsePolicy(rule, withholds: !response.withheld.isEmpty)
        }
        return DescriptionPlans(
            response: response?.recipe.plan, request: request, statuses: policy?.status ?? .success,
            query: both(route.request?.rule.query, request).map(Self.query))
    }

    private func both<First, Second>(_ first: First?, _ second: Second?) -> (First, Second)? {
        if let first, let second { (first, second) } else { nil }
    }

    /// The plan that leads from what the upstream accepts to what clients send.
    private func plan(undoing reference: ProfileReference) throws(Failure) -> Plan {
        let document = profiles[reference.name]?.document ?? []
        do throws(ProfileError) {
            let profile = try Profile(parsing: document)
            return reference.direction == .inverse ? try profile.compileUndone() : try profile.compile(.inverse)
        } catch {
            throw Failure(error, in: "\(reference.name).json")
        }
    }

    private static func query(_ rule: QueryRule, _ plan: Plan) -> DescribedQuery {
        func shown(_ text: ArraySlice<UInt8>, _ syntax: OutsideForm.Syntax) -> [UInt8] {
            var lookup = NameLookup(plan)
            let form = OutsideForm(syntax, separator: rule.separator, of: rule.base)
            guard let named = lookup.follow(Array(text), form) else { return Array(text) }
            var written: [UInt8] = []
            var start = text.startIndex
            for piece in named.pieces {
                written += piece.replacement ?? Array(text[start..<(start + piece.count)])
                start += piece.count
            }
            return written
        }
        return DescribedQuery(
            name: { name in
                guard let keys = rule.keys(in: name) else { return name }
                return Array(name[..<keys.lowerBound]) + shown(name[keys], .path) + name[keys.upperBound...]
            },
            value: { name, value in rule.syntax(ofValueOf: name).map { shown(value[...], $0) } ?? value })
    }
}
