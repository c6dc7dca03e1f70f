package import ConvertEngine
package import HTTPSemantics
package import HTTPWire
package import Observability
package import PayloadStreams
import Text

/// How an upstream's response is handled on a route with `response`: decided once, from the headers alone.
package struct ResponseRuling: Sendable, Hashable {
    package enum Decision: Sendable, Hashable {
        case convert(Converter.Framing)
        /// The body passes unchanged; nil if there is none.
        case skip(SkipReason?)
        /// `onSkip` is `fail`: the client gets 502.
        case refuse(SkipReason)
    }

    package private(set) var decision: Decision
    /// How the payloads follow each other, if the body is a stream of them; then it is converted as lines.
    package let stream: StreamFraming?
    /// Whether the Content-Type of the body is JSON or a stream of it. If it is converted without that, it is sent as
    /// `application/json`.
    let isLabelled: Bool
    /// The coding of the upstream's body. It is also `identity` if the gateway cannot decode it.
    package let bodyCoding: ContentCoding
    /// The coding of a converted body.
    package let responseCoding: ContentCoding

    /// Decides how to handle a response with a final status.
    ///
    /// The fields for HEAD are treated like those for GET, so that both have the same status and entity tag.
    ///
    /// - Parameters:
    ///   - policy: the route's rule for responses.
    ///   - accepted: the client's Accept-Encoding, as received.
    ///   - sparesEncoder: whether there is no room for an encoder, so that the body is compressed only if the client
    ///     excludes `identity`.
    package init(
        status: Int, _ fields: Fields, policy: ResponsePolicy, accepted: AcceptEncoding, sparesEncoder: Bool = false
    ) {
        let coding = try? ContentCoding(contentEncoding: fields.values(for: "content-encoding"))
        bodyCoding = coding ?? .identity
        let length = fields.contentLength
        let isKnownShort = bodyCoding == .identity && length != nil
        let wanted = ResponseCoding(accepted) ?? .unasked
        // With `no-transform`, a response is not compressed here either.
        let staysPlain = policy.noTransform == .ignore && bodyCoding == .identity && Self.forbidsTransforming(fields)
        let offered = sparesEncoder || staysPlain ? wanted.sparing ?? wanted : wanted
        responseCoding = offered.coding(forBytes: isKnownShort ? length : nil)
        let type = BodyType(of: fields)
        let stream = policy.events == nil ? nil : StreamFraming(of: type)
        self.stream = stream
        isLabelled = type.framing != nil || stream != nil
        let framing = type.essence.flatMap { policy.types[$0]?.framing } ?? type.framing
        guard Self.hasBody(status), length != 0 else {
            decision = .skip(nil)
            return
        }
        if policy.withholds, stream == nil, policy.passes.contains(where: { $0.covers(type, status) }) {
            decision = .skip(.passed)
        } else if let reason = Self.reason(status, fields, type, framing, coding: coding, policy) {
            // `onSkip` applies to bodies that should be converted. If the profile withholds data, these are all bodies.
            let mayBeJSON = type.mayBeJSON || framing != nil
            let isMeant = policy.withholds || mayBeJSON && policy.status.contains(status)
            decision = isMeant && policy.onSkip == .fail ? .refuse(reason) : .skip(reason)
        } else {
            decision = .convert(stream == nil ? framing ?? .document : .lines)
        }
    }

    /// Changes the ruling for a body that should be converted, by a finding about its bytes.
    package mutating func apply(_ finding: BodyFinding) {
        guard isConverted else { return }
        switch finding {
        case .expected: break
        case .unconvertible: decision = .skip(.error)
        case .empty: decision = .skip(nil)
        }
    }

    var isConverted: Bool { if case .convert = decision { true } else { false } }

    /// The value of Convert-Status; nil if there is no body.
    var convertStatus: String? {
        switch decision {
        case .convert: Self.applied
        case .skip(let reason?): Self.skipped(reason)
        case .skip(nil), .refuse: nil
        }
    }

    package static let applied = "applied"

    /// The value of Convert-Status for a body that passes unchanged.
    package static func skipped(_ reason: SkipReason) -> String { "skipped;\(reason.rawValue)" }

    /// Whether a response with this status to anything but HEAD can have a body. That of 205 is empty (RFC 9110
    /// §15.3.6), unless a server breaks the rule.
    package static func hasBody(_ status: Int) -> Bool {
        status >= 200 && status != 204 && status != 304
    }

    /// The first reason against converting, in the order of `SkipReason`.
    private static func reason(
        _ status: Int, _ fields: Fields, _ type: BodyType, _ framing: Converter.Framing?, coding: ContentCoding?,
        _ policy: ResponsePolicy
    ) -> SkipReason? {
        if !policy.withholds, policy.events == nil || StreamFraming(of: type) == nil {
            if type.isEventStream { return .eventStream }
            if framing == nil { return .type }
        }
        if status == 205 || !policy.status.contains(status) { return .status }
        if status == 206 || fields.count(of: "content-range") > 0 { return .range }
        if policy.noTransform == .respect, forbidsTransforming(fields) { return .noTransform }
        if !type.isUTF8 { return .charset }
        return coding == nil ? .coding : nil
    }

    /// Whether a Cache-Control field says no-transform (RFC 9111 §5.2.2.6).
    private static func forbidsTransforming(_ fields: Fields) -> Bool {
        fields.lists("no-transform", in: "cache-control")
    }
}

/// Facts about a response body that are not in the head.
package enum BodyFinding: Sendable, Hashable {
    case expected
    /// It could not be converted, and passes unchanged, because `onError` is `pass`.
    case unconvertible
    /// There is no body, although the head did not say so, or nothing is left after decompression.
    case empty
}

/// How a route's responses are converted, including the decisions of the profile.
package struct ResponsePolicy: Sendable, Hashable {
    package let status: StatusSet
    package let onError: ErrorPolicy
    package let onSkip: ErrorPolicy
    package let noTransform: NoTransformPolicy
    package let types: [String: TypeFraming]
    /// Whether the profile withholds data. Then every response is converted or refused, whatever its type and status.
    package let withholds: Bool
    /// Types that pass unchanged nevertheless.
    package let passes: [PassedType]
    /// Which payloads of event streams are converted; nil if event streams are not split.
    package let events: StreamRule?

    /// If the profile withholds data, only `pass` lets bodies pass. A configuration with other keys for that is refused
    /// when it is loaded.
    package init(_ rule: ResponseRule, withholds: Bool) {
        self.withholds = withholds
        passes = rule.passes
        var events = rule.events
        events?.withholds = withholds
        self.events = events
        status = withholds ? .all : rule.status ?? .success
        onError = withholds ? .fail : rule.onError
        onSkip = withholds ? .fail : rule.onSkip ?? .pass
        noTransform = rule.noTransform
        types = rule.types
    }
}
