import ConvertCore
import HTTPSemantics
import PayloadStreams

/// Which requests go to which upstream, and what is converted on the way.
struct RouteConfiguration: Sendable, Hashable {
    /// The name in metrics; `match` unless the file has a name.
    var name: String
    /// Empty means every host.
    var hosts: [HostPattern] = []
    var match: RoutePrefix
    /// The position of the key `caseSensitive` if the upstream ignores the case of paths; else nil.
    var ignoresCase: ProfilePlace?
    /// Nil means any token but CONNECT and TRACE.
    var methods: [String]?
    /// An index into the configuration's upstreams.
    var upstream: Int
    /// A segment prefix of `match` that is removed for the upstream; the empty one removes nothing.
    var stripPrefix = RoutePrefix.root
    var request: RequestRule?
    var response: ResponseRule?
    /// Protocols that a client may switch to, in lower case.
    var upgrades: [String] = []
}

/// The policy for a body that cannot be converted.
enum ErrorPolicy: String, Sendable, Hashable, CaseIterable {
    /// The response is a problem document.
    case fail
    /// The body passes unchanged, as long as nothing of it was sent.
    case pass
}

/// How a route's request bodies are converted.
struct RequestRule: Sendable, Hashable {
    var plan: ProfileReference
    var onError = ErrorPolicy.fail
    /// Whether a body that is not eligible is refused with 415.
    var isRequired = false
    /// Whether the whole body is converted before the upstream sees any of it.
    var isBuffered = false
    /// Types that may pass unchanged although the profile withholds data.
    var passes: [PassedType] = []
}

/// How a route's responses are converted.
struct ResponseRule: Sendable, Hashable {
    var plan: ProfileReference
    /// The responses that are converted; nil means 2xx, or all if the profile withholds data.
    var status: StatusSet?
    var onError = ErrorPolicy.fail
    /// The policy for JSON responses that are not converted; nil means that they pass, unless the profile withholds
    /// data.
    var onSkip: ErrorPolicy?
    /// Types that may pass unchanged although the profile withholds data.
    var passes: [PassedType] = []
    /// Which payloads of event streams and JSON sequences are converted; nil if such bodies are not split.
    var events: StreamRule?
}

/// The profile that a route names, and its direction.
struct ProfileReference: Sendable, Hashable {
    var name: String
    var direction = Profile.Direction.forward
    /// The position of the name in the file.
    var place: ProfilePlace
}
