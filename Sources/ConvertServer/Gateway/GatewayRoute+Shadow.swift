import Conversions
import ConvertEngine
import ConvertProfiles
import Observability

extension GatewayRoute {
    /// The comparison of a rule's profile with that of its `shadow`; nil without one.
    ///
    /// If either profile withholds data, the keys of payloads may be data, too.
    ///
    /// - Parameter count: counts the results in the metrics.
    /// - Throws: the reason if a profile cannot be used.
    static func shadow(
        of rule: ResponseRule, _ route: String, _ profiles: ProfileSet,
        _ count: @escaping @Sendable (ShadowOutcome) -> Void
    ) throws(ProfileFault) -> Shadow? {
        guard let shadow = rule.shadow else { return nil }
        var compared: [ComparedProfile] = []
        var documents: [[UInt8]] = []
        var plans: [Plan] = []
        var withholds = false
        for reference in [rule.plan, shadow.plan] {
            let (recipe, loaded) = try profiles.use(reference)
            guard let profile = try? Profile(parsing: loaded.document) else {
                preconditionFailure("a loaded profile has no errors")
            }
            compared.append(ComparedProfile(profile, recipe.plan))
            documents.append(loaded.document)
            plans.append(recipe.plan)
            if profiles.withholds(reference) { withholds = true }
        }
        return Shadow(
            ProfileComparison(
                old: compared[0], new: compared[1],
                withholds ? ShownKeys(namedIn: documents, plans) : .plain, maxGroups: Shadow.maxGroups),
            route: route, profile: shadow.plan.name, direction: shadow.plan.direction.rawValue, share: shadow.share,
            count: count)
    }
}
