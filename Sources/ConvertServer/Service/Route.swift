import Conversions
package import HTTPWire
package import Observability

/// The resources of the server: the one table of paths and methods.
package enum Route: Sendable, Hashable {
    case minify, normalize, convert
    case convertBy(profile: String)
    case profiles
    case profile(String)
    case checkProfile
    case profileSchema
    case health, readiness, metrics, description
    /// The results of the routes' `shadow`.
    case shadow
    /// The page for people.
    case playground

    /// Profile names that are paths of their own and cannot be given to a profile.
    package static let reservedProfileNames = ["check"]

    /// The resource at a path's decoded segments; nil if there is none.
    package init?(_ segments: [String]) {
        switch segments.count {
        case 0: self = .playground
        case 1:
            switch segments[0] {
            case "healthz": self = .health
            case "readyz": self = .readiness
            case "metrics": self = .metrics
            case "openapi.yaml": self = .description
            default: return nil
            }
        case 2 where segments[0] == "v1":
            switch segments[1] {
            case "minify": self = .minify
            case "normalize": self = .normalize
            case "convert": self = .convert
            case "profiles": self = .profiles
            case "profile.schema.json": self = .profileSchema
            case "shadow": self = .shadow
            default: return nil
            }
        case 3 where segments[0] == "v1" && !segments[2].isEmpty:
            switch segments[1] {
            case "convert": self = .convertBy(profile: segments[2])
            case "profiles": self = segments[2] == "check" ? .checkProfile : .profile(segments[2])
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether every listener has it. With `admin`, paths about the server itself are only there.
    var isForClients: Bool { !isState && self != .description && self != .playground }

    /// Whether it reports the server's state, which ignores conditional requests.
    var isState: Bool { self == .health || self == .readiness || self == .metrics || self == .shadow }

    /// The method of the resource, besides those that every resource has.
    package var method: RequestMethod { acceptPost == nil ? .get : .post }

    /// The value of `Allow`.
    package var allowed: String { method == .post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS" }

    /// The value of `Accept-Post`; nil if the resource has no POST.
    package var acceptPost: String? {
        switch self {
        case .minify, .normalize, .convertBy: PayloadType.accepted
        case .convert: "multipart/form-data, application/json"
        case .checkProfile: "application/json"
        case .profiles, .profile, .profileSchema, .health, .readiness, .metrics, .description, .shadow, .playground:
            nil
        }
    }

    /// The metric label of its requests.
    package var label: RouteLabel {
        switch self {
        case .minify: .minify
        case .normalize: .normalize
        case .convert: .convert
        case .convertBy: .convertByProfile
        case .profiles: .profiles
        case .profile: .profile
        case .checkProfile: .checkProfile
        case .health: .health
        case .readiness: .readiness
        case .metrics: .metrics
        case .description: .description
        case .profileSchema: .profileSchema
        case .playground: .playground
        case .shadow: .shadow
        }
    }
}
