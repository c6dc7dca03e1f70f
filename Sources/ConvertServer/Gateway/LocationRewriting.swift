/// Makes the URIs in Location and Content-Location mean the same to the client as they do to the upstream.
///
/// The upstream's own authority is removed: the server's, or the Host that it was sent. A path-absolute target gets the
/// prefix back that was stripped from the request, unless it has it.
struct LocationRewriting: Sendable, Hashable {
    /// In lower case, without the default port.
    private let authorities: [String]
    /// The schemes under which such an authority is the upstream itself. With `https`, a redirect from plain HTTP to TLS on
    /// the same host must stay whole, so it counts only when the client came by it.
    private let schemes: [String]
    private let prefix: RoutePrefix

    static let names = ["location", "content-location"]

    /// - Parameters:
    ///   - authorities: of the server and of the Host field that was sent.
    ///   - scheme: what the upstream was told in X-Forwarded-Proto.
    init(authorities: [String], scheme: String, strippedPrefix: RoutePrefix) {
        self.authorities = authorities.map(Self.normalized)
        schemes = scheme == ForwardingFields.ownScheme ? [scheme] : [ForwardingFields.ownScheme, scheme]
        prefix = strippedPrefix
    }

    /// The value for the client.
    func rewrite(_ value: String) -> String {
        guard let rest = withoutAuthority(value[...]) else {
            return isPathAbsolute(value[...]) ? withPrefix(value[...]) : value
        }
        let target = withPrefix(rest.hasPrefix("/") ? rest : "/" + rest)
        // What begins with two slashes would name another host.
        return target.hasPrefix("//") ? "/." + target : target
    }

    /// What follows an own authority, nil when the value names none or another.
    private func withoutAuthority(_ value: Substring) -> Substring? {
        let rest: Substring
        if value.hasPrefix("//") {
            rest = value.dropFirst(2)
        } else if let colon = value.firstIndex(of: ":"), value[colon...].hasPrefix("://") {
            guard schemes.contains(value[..<colon].lowercased()) else { return nil }
            rest = value[colon...].dropFirst(3)
        } else {
            return nil
        }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard authorities.contains(Self.normalized(String(rest[..<end]))) else { return nil }
        return rest[end...]
    }

    private func isPathAbsolute(_ value: Substring) -> Bool { value.hasPrefix("/") && !value.hasPrefix("//") }

    private func withPrefix(_ target: Substring) -> String {
        let text = prefix.bytes.isEmpty ? "" : prefix.description
        let path = target.prefix { $0 != "?" && $0 != "#" }
        let hasPrefix = path == text || path.hasPrefix(text + "/")
        return text.isEmpty || hasPrefix ? String(target) : text + target
    }

    private static func normalized(_ authority: String) -> String {
        let lowered = authority.lowercased()
        return lowered.hasSuffix(":80") ? String(lowered.dropLast(3)) : lowered
    }
}
