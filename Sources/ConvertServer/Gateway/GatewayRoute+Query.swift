import Conversions
import ConvertEngine
import ConvertProfiles
import HTTPSemantics

extension RouteConfiguration {
    /// The reasons why `request.query` cannot be used with the route's profiles.
    func addQueryContradictions(_ profiles: ProfileSet, to faults: inout [ProfileFault]) {
        guard let request, let query = request.query, let (recipe, _) = try? profiles.use(request.plan) else { return }
        if !recipe.plan.keepsPaths {
            faults.add(
                at: request.plan.location,
                "`query` does not follow `move`, `flatten`, `unwrap` and `wrap`, and the profile `\(request.plan.name)` has one",
                hint: "use a profile without them for `request`")
        }
        guard let response, profiles.withholds(response.plan) else { return }
        let reason = "the profile `\(response.plan.name)` withholds data from responses"
        if profiles[response.plan.name]?.forward.plan.unwrapsDocument == true {
            faults.add(
                at: response.plan.location, "\(reason), so `query` does not accept its `unwrap`",
                hint: "replace `unwrap` by `keep`, or remove `query`")
        }
        if query.base != nil, request.plan.direction == .forward {
            faults.add(
                at: request.plan.location,
                "\(reason), so `of` in `query` must name the backend's keys, but the direction of `request` is forward",
                hint: "remove `of`, or use a profile with `\"direction\": \"inverse\"`")
        }
    }
}

extension Gateway {
    /// One sentence for each route that withholds data inside of elements, which its queries may still name.
    package var queryWarnings: [String] {
        routes.compactMap { route in
            guard let rule = route.request?.rule.query, rule.base == nil,
                let withheld = route.response?.withheld.first(where: { !$0.hasPrefix("keep ") && $0.contains("/*/") })
            else { return nil }
            return "the route `\(route.configuration.name)` withholds \(withheld), but without `of`, `query` refuses "
                + "only keys of the document; write the pointer of the elements as `of`"
        }
    }
}

extension GatewayRoute {
    /// How the names in queries are replaced; nil if they stay.
    static func queryNames(_ request: RequestConversion?, _ response: ResponseConversion?) -> QueryNames? {
        guard let request, let rule = request.rule.query else { return nil }
        let withholding = response.flatMap { $0.policy.withholds ? $0.recipe.plan : nil }
        return QueryNames(
            rule, plan: request.recipe.plan, withholdsRequests: request.withholds, withholdingResponses: withholding)
    }

    /// How the names in links are replaced; nil if they stay, as with a profile that has no inverse.
    static func linkNames(
        _ query: QueryNames?, _ configuration: RouteConfiguration, _ profiles: ProfileSet, others: [RoutePrefix]
    ) -> LinkNames? {
        guard let query, let request = configuration.request, let rule = request.query else { return nil }
        var reference = request.plan
        reference.direction = reference.direction == .forward ? .inverse : .forward
        return (try? profiles.use(reference)).map {
            LinkNames(query, rule, back: $0.recipe.plan, configuration.match, others: others)
        }
    }
}
