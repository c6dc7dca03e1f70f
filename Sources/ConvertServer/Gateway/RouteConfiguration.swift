import ConvertEngine
package import ConvertProfiles
package import HTTPSemantics
package import PayloadStreams

/// Which requests go to which upstream, and what is converted on the way.
package struct RouteConfiguration: Sendable, Hashable {
    /// The name in metrics; `match` unless the file has a name.
    package var name: String
    /// Empty means every host.
    package var hosts: [HostPattern] = []
    package var match: RoutePrefix
    /// The position of the key `caseSensitive` if the upstream ignores the case of paths; else nil.
    package var ignoresCase: DocumentLocation?
    /// Nil means any token but CONNECT and TRACE.
    package var methods: [String]?
    /// An index into the configuration's upstreams.
    package var upstream: Int
    /// A segment prefix of `match` that is removed for the upstream; the empty one removes nothing.
    package var stripPrefix = RoutePrefix.root
    package var request: RequestRule?
    package var response: ResponseRule?
    /// Protocols that a client may switch to, in lower case.
    package var upgrades: [String] = []

    /// The description of the API for clients; nil if the route has none.
    package var description: DescriptionRule?

    /// Whether text messages of WebSocket connections are converted in any direction.
    package var convertsMessages: Bool { request?.messages != nil || response?.messages != nil }

    package init(name: String, match: RoutePrefix, upstream: Int) {
        self.name = name
        self.match = match
        self.upstream = upstream
    }
}

/// The policy for a body that cannot be converted.
package enum ErrorPolicy: String, Sendable, Hashable, CaseIterable {
    /// The response is a problem document.
    case fail
    /// The body passes unchanged, as long as nothing of it was sent.
    case pass
}

/// Whether `Cache-Control: no-transform` of an upstream keeps its response from being converted.
package enum NoTransformPolicy: String, Sendable, Hashable, CaseIterable {
    /// The body passes unchanged, as RFC 9110 §7.7 requires of a proxy.
    case respect
    /// The body is converted. The operator of a gateway acts for the origin server (RFC 9110 §3.7), which may send the
    /// directive only so that others do not compress or buffer the response.
    case ignore
}

/// How the bodies of a media type are read.
package enum TypeFraming: String, Sendable, Hashable, CaseIterable {
    /// As one JSON text.
    case document
    /// As NDJSON, one JSON text on each line.
    case lines

    var framing: Converter.Framing { self == .document ? .document : .lines }
}

/// How a route's request bodies are converted.
package struct RequestRule: Sendable, Hashable {
    package var plan: ProfileReference
    package var onError: ErrorPolicy
    /// Whether a body that is not eligible is refused with 415.
    package var isRequired = false
    /// Whether the whole body is converted before the upstream sees any of it.
    package var isBuffered = false
    /// Types that may pass unchanged although the profile withholds data.
    package var passes: [PassedType] = []
    /// Whether JSON Patches are converted as patches, and JSON Merge Patches with a profile that allows it.
    package var convertsPatches = false
    /// Which parameters of queries name keys; nil if queries pass unchanged.
    package var query: QueryRule?
    /// The position of the key `messages` if text messages of WebSocket clients are converted; else nil.
    package var messages: DocumentLocation?

    package init(plan: ProfileReference, onError: ErrorPolicy) {
        self.plan = plan
        self.onError = onError
    }
}

/// How a route's responses are converted.
package struct ResponseRule: Sendable, Hashable {
    package var plan: ProfileReference
    /// The responses that are converted; nil means 2xx, or all if the profile withholds data.
    package var status: StatusSet?
    package var onError: ErrorPolicy
    /// The policy for JSON responses that are not converted; nil means that they pass, unless the profile withholds
    /// data.
    package var onSkip: ErrorPolicy?
    package var noTransform = NoTransformPolicy.respect
    /// Media types, in lower case, that are read as JSON in this way, whatever other routes do with them.
    package var types: [String: TypeFraming] = [:]
    /// Types that may pass unchanged although the profile withholds data.
    package var passes: [PassedType] = []
    /// Which payloads of event streams and JSON sequences are converted; nil if such bodies are not split.
    package var events: StreamRule?
    /// How clients select the fields of converted bodies; nil if they cannot.
    package var fields: FieldsRule?
    /// The position of the key `messages` if text messages of WebSocket servers are converted; else nil.
    package var messages: DocumentLocation?
    /// The profile that is compared with `plan` on a sample of the responses.
    package var shadow: ShadowRule?

    package init(plan: ProfileReference, onError: ErrorPolicy) {
        self.plan = plan
        self.onError = onError
    }
}

/// Another profile for responses, and how many of them are converted by both and compared.
package struct ShadowRule: Sendable, Hashable {
    package var plan: ProfileReference
    /// The share of the responses, 0 to 1.
    package var share = 0.01

    package init(plan: ProfileReference) { self.plan = plan }
}

/// The profile that a route names, and its direction.
package struct ProfileReference: Sendable, Hashable {
    package var name: String
    package var direction = Profile.Direction.forward
    /// The position of the name in the file.
    package var location: DocumentLocation

    package init(name: String, direction: Profile.Direction = .forward, location: DocumentLocation) {
        self.name = name
        self.direction = direction
        self.location = location
    }
}
