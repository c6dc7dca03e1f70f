import Conversions
import ConvertEngine
import ConvertProfiles
import HTTPSemantics

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
