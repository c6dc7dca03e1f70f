package import HTTPWire
import Text

/// The fields about the client's connection for the upstream: X-Forwarded-For, -Proto, -Host and -Prefix.
///
/// A peer cannot name other clients: all such fields are removed and set again. Only the fields that a trusted peer is
/// known to write itself are kept. X-Forwarded-For is extended. The other kept fields do not change, and missing ones
/// are set.
package enum ForwardingFields {
    static let forwardedFor = "X-Forwarded-For"
    static let proto = "X-Forwarded-Proto"
    package static let host = "X-Forwarded-Host"
    package static let prefix = "X-Forwarded-Prefix"
    /// There is no TLS in this server.
    package static let ownScheme = "http"

    /// Appends the fields to those for the upstream, and returns the scheme of the client for it.
    ///
    /// - Parameters:
    ///   - received: the fields of the request.
    ///   - trusted: the fields that the peer writes itself; empty for a peer that is not trusted.
    ///   - host: Host as received, with its port; empty if there was none.
    ///   - strippedPrefix: the prefix that was removed from the path; the root if there was none.
    package static func append(
        to fields: inout Fields, _ received: Fields, peer: TrustedProxies.Peer, trusted: FieldNames, host: String,
        strippedPrefix: RoutePrefix
    ) -> String {
        func isAbsent(_ name: String) -> Bool {
            trusted.isEmpty || !trusted.contains(Array(name.utf8)[...]) || received.count(of: name) == 0
        }
        let chain = isAbsent(forwardedFor) ? "" : received.values(for: forwardedFor).joined(separator: ", ")
        switch peer {
        case .address(let address):
            fields.append(forwardedFor, chain.isEmpty ? address.description : chain + ", " + address.description)
        // The peer of a Unix socket has no address. The chain stays, or begins with an unknown client.
        case .unix: fields.append(forwardedFor, chain.isEmpty ? "unknown" : chain)
        }
        let hasOwnScheme = isAbsent(proto)
        if hasOwnScheme { fields.append(proto, ownScheme) }
        if isAbsent(self.host), !host.isEmpty { fields.append(self.host, host) }
        if isAbsent(prefix), !strippedPrefix.bytes.isEmpty { fields.append(prefix, strippedPrefix.description) }
        return hasOwnScheme ? ownScheme : received[proto]?.lowercased() ?? ownScheme
    }

    /// Whether a field neither describes a client nor replaces a part of the request line.
    package static func isHarmless(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first else { return false }
        switch ASCII.lowercased(first) {
        case UInt8(ascii: "c"), UInt8(ascii: "f"), UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "s"),
            UInt8(ascii: "t"), UInt8(ascii: "w"), UInt8(ascii: "x"):
            return !spoofable.contains(name) && !spoofablePrefixes.cover(name)
        default: return true
        }
    }

    /// Whether Connection may remove a field for the upstream. It must not remove fields about the client, the target
    /// or the body's type.
    package static func mayBeNominated(_ name: ArraySlice<UInt8>) -> Bool {
        isHarmless(name) && !indispensable.contains(name)
    }

    /// Whether backends may read the name as that of another field. Many read `_` as `-`. Some, such as lighttpd for CGI programs, read
    /// every character as `-` that is neither a letter nor a digit. Of those names, only the ones of certain fields count.
    package static func isAlias(_ name: ArraySlice<UInt8>) -> Bool {
        func isPlain(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.hyphen }
        guard !name.allSatisfy(isPlain) else { return false }
        return name.contains(ASCII.underscore) || !mayBeNominated(name.map { isPlain($0) ? $0 : ASCII.hyphen }[...])
    }

    /// Whether only trusted peers may send the field with this name.
    package static func isTrustable(_ name: String) -> Bool {
        name.utf8.allSatisfy { ASCII.isToken($0) && $0 != UInt8(ascii: "*") } && !isHarmless(Array(name.utf8)[...])
    }

    package static let notTrustable = "no field about clients such as X-Forwarded-For or X-Real-IP"

    /// Fields that some backends use as the client, the user, the host, the path or the method. Names that are read as
    /// one of these never get here (`isAlias`).
    private static let spoofable = FieldNames([
        "cf-connecting-ip", "cf-connecting-ipv6", "cf-pseudo-ipv4", "client-ip", "fastly-client-ip",
        "fly-client-ip", "forwarded", "forwarded-for", "front-end-https", "proxy", "proxy-client-ip", "true-client-ip",
        "wl-proxy-client-ip", "x-amzn-oidc-identity", "x-arr-clientcert", "x-arr-ssl", "x-azure-clientip",
        "x-azure-socketip", "x-client-ip", "x-cluster-client-ip", "x-envoy-external-address",
        "x-envoy-internal", "x-envoy-original-path", "x-host", "x-http-host-override", "x-http-method",
        "x-http-method-override", "x-method-override", "x-original-for", "x-original-forwarded-for",
        "x-original-host", "x-original-method", "x-original-path", "x-original-proto", "x-original-uri",
        "x-original-url", "x-originating-ip", "x-override-path", "x-override-url", "x-proxyuser-ip",
        "x-real-ip", "x-remote-addr", "x-remote-ip", "x-remote-user", "x-replaced-path", "x-rewrite-url",
        "x-scheme", "x-script-name", "x-url-scheme", "x-waws-unencoded-url",
    ])

    /// Prefixes of such fields. Signed tokens such as `X-Goog-Iap-Jwt-Assertion` are not among them.
    private static let spoofablePrefixes = FieldPrefixes([
        "cf-access-authenticated-user-", "client-cert", "remote-", "ssl-client-", "tailscale-", "x-appengine-",
        "x-auth-request-", "x-auth-user", "x-authenticated-", "x-authentik-", "x-client-cert", "x-consumer-",
        "x-credential-", "x-forward", "x-goog-authenticated-user-", "x-ms-client-principal", "x-ssl-",
        "x-webauth-",
    ])

    private static let indispensable = FieldNames([
        "host", "via", "x-request-id", "authorization", "cookie", "x-api-key", "content-type", "content-encoding",
    ])
}
