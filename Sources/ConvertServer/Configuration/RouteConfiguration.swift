import ConvertCore

/// Which requests go to which upstream, and what is converted on the way.
struct RouteConfiguration: Sendable, Hashable {
    /// What metrics call it; `match` unless the file gives a name.
    var name: String
    /// Empty means every host.
    var hosts: [HostPattern] = []
    var match: RoutePrefix
    /// Nil means any token but CONNECT and TRACE.
    var methods: [String]?
    /// An index into the configuration's upstreams.
    var upstream: Int
    /// A segment prefix of `match` that is cut off what the upstream sees; the empty one cuts nothing.
    var stripPrefix = RoutePrefix.root
    var request: RequestRule?
    var response: ResponseRule?
    /// Protocols that a client may switch to, in lower case.
    var upgrades: [String] = []
}

/// What becomes of a body that cannot be converted.
enum ErrorPolicy: String, Sendable, Hashable, CaseIterable {
    /// The answer is a problem document.
    case fail
    /// The body goes on as it came, as long as nothing of it was sent.
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
}

/// How a route's answers are converted.
struct ResponseRule: Sendable, Hashable {
    var plan: ProfileReference
    var status = StatusSet.success
    var onError = ErrorPolicy.fail
    /// What becomes of JSON answers that cannot be converted; nil leaves it to the profile, by `Gateway`.
    var onSkip: ErrorPolicy?
}

/// A profile as a route names it, and which way it is used.
struct ProfileReference: Sendable, Hashable {
    var name: String
    var direction = Profile.Direction.forward
    /// Where the file names the profile.
    var place: ProfilePlace
}
