import ConvertCore
import HTTPWire

/// A route with the plans of its profiles.
struct GatewayRoute: Sendable {
    let configuration: RouteConfiguration
    let request: RequestConversion?
    let response: ResponseConversion?
}

/// How a route converts requests.
struct RequestConversion: Sendable {
    let recipe: Recipe
    let rule: RequestRule
}

/// How a route converts answers.
struct ResponseConversion: Sendable {
    let recipe: Recipe
    let policy: ResponsePolicy
    let fingerprint: PlanFingerprint
    /// When the profile's file was changed last, in seconds since 1970.
    let modifiedSeconds: Int64
}
