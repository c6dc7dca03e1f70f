import ConvertCore
import HTTPSemantics
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
            let (recipe, loaded) = try profiles.use(rule.plan)
            request = RequestConversion(
                recipe: recipe, rule: rule, withheld: loaded.withheld(rule.plan.direction))
        } else {
            request = nil
        }
        guard let rule = configuration.response else {
            response = nil
            return
        }
        let (recipe, loaded) = try profiles.use(rule.plan)
        let withheld = loaded.withheld(rule.plan.direction)
        response = ResponseConversion(
            recipe: recipe, policy: ResponsePolicy(rule, withholds: !withheld.isEmpty), withheld: withheld,
            fingerprint: PlanFingerprint(profile: loaded.document, direction: rule.plan.direction),
            modifiedSeconds: loaded.modifiedSeconds)
    }

    /// Whether something of what passes here must not be seen on the other side.
    var withholds: Bool { request?.withholds ?? false || response?.policy.withholds ?? false }
}

/// How a route converts requests.
struct RequestConversion: Sendable {
    let recipe: Recipe
    let rule: RequestRule
    /// The profile's rules that leave something out.
    let withheld: [String]

    /// A body of a route that withholds data never passes unchanged, except for the types in `pass`.
    init(recipe: Recipe, rule: RequestRule, withheld: [String]) {
        self.recipe = recipe
        self.withheld = withheld
        var rule = rule
        if !withheld.isEmpty {
            rule.onError = .fail
            rule.isRequired = true
        }
        self.rule = rule
    }

    var withholds: Bool { !withheld.isEmpty }
}

/// How a route converts answers; immutable, so that requests share it.
final class ResponseConversion: Sendable {
    let recipe: Recipe
    let policy: ResponsePolicy
    /// The profile's rules that leave something out.
    let withheld: [String]
    let fingerprint: PlanFingerprint
    /// When the profile's file was changed last, in seconds since 1970.
    let modifiedSeconds: Int64
    /// The same moment as Last-Modified says it.
    let modifiedDate: [UInt8]
    /// What entity tags of converted bodies get appended, by the coding; and those of skipped ones, whose coding is the upstream's.
    private let convertedSuffixes: [ContentCoding: String]
    private let skippedSuffix: String

    init(
        recipe: Recipe, policy: ResponsePolicy, withheld: [String] = [], fingerprint: PlanFingerprint,
        modifiedSeconds: Int64
    ) {
        self.recipe = recipe
        self.policy = policy
        self.withheld = withheld
        self.fingerprint = fingerprint
        self.modifiedSeconds = modifiedSeconds
        modifiedDate = HTTPDate.imfFixdate(modifiedSeconds)
        convertedSuffixes = Dictionary(
            uniqueKeysWithValues: ContentCoding.allCases.map { coding in
                (coding, TagSuffix(isConverted: true, fingerprint, coding: coding).description)
            })
        skippedSuffix = TagSuffix(isConverted: false, fingerprint, coding: .identity).description
    }

    /// What the upstream's entity tags get appended, before the closing quote.
    func tagSuffix(isConverted: Bool, _ coding: ContentCoding) -> String {
        isConverted ? convertedSuffixes[coding] ?? skippedSuffix : skippedSuffix
    }
}
