import HTTPSemantics
import Text
import Upstreams

/// Rewrites the URIs in Location and Content-Location so that they lead clients to the same resources.
///
/// The upstream's own authority is removed: the server's, or the Host that it got. The stripped prefix is added to an
/// absolute path that does not have it. All else stays the same, byte for byte.
struct LocationRewriting: Sendable, Hashable {
    /// In lower case, without the default port.
    private let authorities: [[UInt8]]
    /// The schemes under which such an authority is the upstream itself. A redirect from plain HTTP to `https` on the
    /// same host must not change, so `https` counts only if the client used it.
    private let schemes: [String]
    private let prefix: [UInt8]

    static let names = ["location", "content-location"]

    private static let authorityMark = Array("://".utf8)
    private static let defaultPort = Array(":80".utf8)

    /// - Parameters:
    ///   - authorities: of the server, and of the Host field that was sent.
    ///   - scheme: the value of X-Forwarded-Proto for the upstream.
    init(authorities: [String], scheme: String, strippedPrefix: RoutePrefix) {
        self.authorities = authorities.map { Self.normalized(Array($0.utf8)[...]) }
        schemes = scheme == ForwardingFields.ownScheme ? [scheme] : [ForwardingFields.ownScheme, scheme]
        prefix = strippedPrefix.bytes
    }

    /// The value for the client.
    func rewrite(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let rest = withoutAuthority(value) else {
            let isPathAbsolute = value.first == ASCII.slash && !Self.beginsWithTwoSlashes(value)
            return isPathAbsolute ? withPrefix(value) : value
        }
        let target = withPrefix(rest.first == ASCII.slash ? rest : [ASCII.slash] + rest)
        return Self.namesHost(target) ? value : target
    }

    /// The part after the upstream's own authority; nil if the value has no authority or another one.
    private func withoutAuthority(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let rest: ArraySlice<UInt8>
        if Self.beginsWithTwoSlashes(value) {
            rest = value.dropFirst(2)
        } else if let colon = value.firstIndex(of: ASCII.colon), value[colon...].starts(with: Self.authorityMark) {
            guard schemes.contains(where: { value[..<colon].spells($0) }) else { return nil }
            rest = value[colon...].dropFirst(Self.authorityMark.count)
        } else {
            return nil
        }
        let authority = rest.prefix { !Self.endsPath($0) && $0 != ASCII.slash }
        guard authorities.contains(Self.normalized(authority)) else { return nil }
        return rest[authority.endIndex...]
    }

    private func withPrefix(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !prefix.isEmpty else { return target }
        let written = target.prefix { !Self.endsPath($0) }
        let path = Self.withoutDotSegments(written)
        let rest = path.dropFirst(prefix.count)
        let hasPrefix = path.starts(with: prefix) && (rest.isEmpty || rest.first == ASCII.slash)
        return (hasPrefix ? [] : prefix) + path + target[written.endIndex...]
    }

    /// The absolute path as clients resolve it (RFC 3986 §5.2.4), so that no `..` leads out of the prefix. Browsers also
    /// read `%2E` as a dot, and a backslash as a slash.
    private static func withoutDotSegments(_ path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let segments = path.dropFirst().split(omittingEmptySubsequences: false) {
            $0 == ASCII.slash || $0 == ASCII.backslash
        }
        var kept: [ArraySlice<UInt8>] = []
        var endsInDots = false
        for segment in segments {
            let text = RequestPath.decoded(Array(segment))
            endsInDots = text == [ASCII.dot] || text == [ASCII.dot, ASCII.dot]
            if !endsInDots { kept.append(segment) } else if text.count == 2 { _ = kept.popLast() }
        }
        if endsInDots { kept.append([]) } else if kept.count == segments.count { return path }
        return [ASCII.slash] + kept.joined(separator: [ASCII.slash])
    }

    /// Whether a browser may read another host in a path. Browsers read a backslash as a slash, and ignore tabs and
    /// line ends.
    private static func namesHost(_ target: ArraySlice<UInt8>) -> Bool {
        guard let second = target.dropFirst().first else { return false }
        return second == ASCII.slash || second == ASCII.backslash || second <= ASCII.space || second == ASCII.delete
    }

    private static func beginsWithTwoSlashes(_ value: ArraySlice<UInt8>) -> Bool {
        value.starts(with: [ASCII.slash, ASCII.slash])
    }

    private static func endsPath(_ byte: UInt8) -> Bool { byte == ASCII.questionMark || byte == ASCII.numberSign }

    private static func normalized(_ authority: ArraySlice<UInt8>) -> [UInt8] {
        let lowered = authority.map(ASCII.lowercased)
        return lowered.suffix(defaultPort.count) == defaultPort[...]
            ? Array(lowered.dropLast(defaultPort.count)) : lowered
    }
}

extension ForwardedRequest {
    /// How the locations in a server's response are rewritten.
    func locations(from server: UpstreamServer, _ host: HostPolicy) -> LocationRewriting {
        LocationRewriting(
            authorities: [server.authority, self.host(host, server: server)], scheme: scheme,
            strippedPrefix: route.configuration.stripPrefix)
    }
}
