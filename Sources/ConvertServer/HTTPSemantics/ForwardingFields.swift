package import HTTPWire
import Text

/// The fields about the client's connection for the upstream: X-Forwarded-For, -Proto, -Host and -Prefix.
///
/// What a peer says about others is not believed: all such fields are removed and set again. Trusted peers keep only
/// the fields that they are known to write themselves. X-Forwarded-For is extended, and the rest is kept, or set if it
/// is missing.
package struct ForwardingFields: Sendable {
    static let forwardedFor = "X-Forwarded-For"
    static let proto = "X-Forwarded-Proto"
    package static let host = "X-Forwarded-Host"
    package static let prefix = "X-Forwarded-Prefix"
    /// There is no TLS in this server.
    package static let ownScheme = "http"

    /// The fields to write.
    package private(set) var fields: [(name: String, value: String)] = []
    /// The scheme for the upstream.
    package private(set) var scheme = ownScheme

    /// - Parameters:
    ///   - trusted: what the peer writes itself; empty for one that is not trusted.
    ///   - host: Host as received, port included; empty when there was none.
    ///   - strippedPrefix: what was cut off the path; the root when nothing was.
    package init(
        _ received: Fields, peer: TrustedProxies.Peer, trusted: FieldNames, host: String, strippedPrefix: RoutePrefix
    ) {
        func isAbsent(_ name: String) -> Bool {
            !trusted.contains(Array(name.utf8)[...]) || received.count(of: name) == 0
        }
        var chain = isAbsent(Self.forwardedFor) ? [] : received.values(for: Self.forwardedFor)
        switch peer {
        case .address(let address): chain.append(address.description)
        // A socket's peer has no address: the chain stays, or begins with an unknown client.
        case .unix: if chain.isEmpty { chain.append("unknown") }
        }
        fields.append((Self.forwardedFor, chain.joined(separator: ", ")))
        if isAbsent(Self.proto) {
            fields.append((Self.proto, Self.ownScheme))
        } else {
            scheme = received[Self.proto]?.lowercased() ?? Self.ownScheme
        }
        if isAbsent(Self.host), !host.isEmpty { fields.append((Self.host, host)) }
        if isAbsent(Self.prefix), !strippedPrefix.bytes.isEmpty {
            fields.append((Self.prefix, strippedPrefix.description))
        }
    }

    /// Whether a field says nothing about a client's connection, and replaces nothing of the request's first line.
    package static func isHarmless(_ name: ArraySlice<UInt8>) -> Bool {
        guard let first = name.first else { return false }
        switch ASCII.lowercased(first) {
        case UInt8(ascii: "x"): return !isForwarded(name) && !spoofable.contains(name)
        case UInt8(ascii: "c"), UInt8(ascii: "f"), UInt8(ascii: "p"), UInt8(ascii: "r"), UInt8(ascii: "t"),
            UInt8(ascii: "w"):
            return !spoofable.contains(name)
        default: return true
        }
    }

    /// Whether Connection may keep a field from the upstream. It may not keep fields about the client, the target or the body's type.
    package static func mayBeNominated(_ name: ArraySlice<UInt8>) -> Bool {
        isHarmless(name) && !indispensable.contains(name)
    }

    /// Whether a name is one of a field that only trusted peers may send.
    package static func isTrustable(_ name: String) -> Bool {
        name.utf8.allSatisfy { ASCII.isToken($0) && $0 != UInt8(ascii: "*") } && !isHarmless(Array(name.utf8)[...])
    }

    package static let notTrustable = "no field about clients such as X-Forwarded-For or X-Real-IP"

    /// What some backends believe about the client, and what some take for the path or the method.
    private static let spoofable = FieldNames([
        "cf-connecting-ip", "cf-connecting-ipv6", "cf-pseudo-ipv4", "client-ip", "fastly-client-ip", "fly-client-ip",
        "forwarded", "forwarded-for", "front-end-https", "proxy-client-ip", "remote-addr", "true-client-ip",
        "wl-proxy-client-ip", "x-appengine-user-ip", "x-azure-clientip", "x-client-ip", "x-cluster-client-ip",
        "x-envoy-external-address", "x-envoy-original-path", "x-forwarded", "x-host", "x-http-method",
        "x-http-method-override", "x-method-override", "x-original-for", "x-original-forwarded-for",
        "x-original-host", "x-original-proto", "x-original-uri", "x-original-url", "x-originating-ip",
        "x-override-url", "x-proxyuser-ip", "x-real-ip", "x-remote-addr", "x-remote-ip", "x-remote-user",
        "x-rewrite-url", "x-scheme", "x-script-name", "x-url-scheme",
    ])

    private static let indispensable = FieldNames([
        "host", "via", "x-request-id", "authorization", "cookie", "x-api-key", "content-type", "content-encoding",
    ])

    private static func isForwarded(_ name: ArraySlice<UInt8>) -> Bool {
        let start = "x-forwarded-".utf8
        return name.prefix(start.count).elementsEqual(start) { ASCII.lowercased($0) == $1 }
    }
}
